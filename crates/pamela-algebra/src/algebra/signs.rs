//! Factors of known sign.

use crate::ring::{Monomial, Polynomial, Rational};

use super::facts::Prover;
use super::terms::{Product, Terms};

/// Maximum number of terms in the remaining factor of a product.
const MOST_TERMS: usize = 400;

/// The property to prove of a factor: [`Prover::nonnegative`] or [`Prover::positive`].
type Known = fn(&Prover, &mut Terms, &Polynomial) -> bool;

/// A product of powers of bases with a known sign, and the remaining factor.
pub struct Signed {
    pub powers: Vec<(Polynomial, i32)>,
    pub rest: Polynomial,
}

impl Signed {
    /// The product of the powers.
    pub fn factor(&self) -> Option<Polynomial> {
        let mut product = Polynomial::one();
        for (base, exponent) in &self.powers {
            let power = match base.as_term() {
                Some((monomial, sign)) => {
                    let sign = sign.pow(i64::from(*exponent))?;
                    Polynomial::term(monomial.checked_pow(*exponent)?, sign)
                }
                None => base.pow(u32::try_from(*exponent).ok()?, MOST_TERMS)?,
            };
            product = product.checked_mul(&power, MOST_TERMS)?;
        }
        Some(product)
    }
}

/// Splits the factors of known sign off a polynomial: atoms and sums.
pub fn signed(
    terms: &mut Terms,
    prover: &Prover,
    known: Known,
    polynomial: &Polynomial,
) -> Option<Signed> {
    let Product {
        scale,
        monomial,
        sums,
    } = terms.product_of_sums(polynomial)?;
    let (mut powers, mut rest) = (Vec::new(), Polynomial::constant(scale));
    for &(atom, exponent) in monomial.powers() {
        let (base, power) = (Polynomial::atom(atom), Monomial::power(atom, exponent));
        let opposite = -&base;
        if known(prover, terms, &base) {
            powers.push((base, exponent));
        } else if known(prover, terms, &opposite) {
            powers.push((opposite, exponent));
            rest = if exponent % 2 == 0 { rest } else { -rest };
        } else {
            let power = Polynomial::term(power, Rational::ONE);
            if known(prover, terms, &power) {
                powers.push((power, 1))
            } else {
                rest = rest.checked_mul(&power, MOST_TERMS)?
            }
        }
    }
    for (sum, power) in sums {
        let (exponent, opposite) = (i32::try_from(power).ok()?, -&sum);
        if known(prover, terms, &sum) {
            powers.push((sum, exponent));
        } else if known(prover, terms, &opposite) {
            powers.push((opposite, exponent));
            rest = if power % 2 == 0 { rest } else { -rest };
        } else {
            let whole = sum.pow(power, MOST_TERMS)?;
            if known(prover, terms, &whole) {
                powers.push((whole, 1))
            } else {
                rest = rest.checked_mul(&whole, MOST_TERMS)?
            }
        }
    }
    Some(Signed { powers, rest })
}
