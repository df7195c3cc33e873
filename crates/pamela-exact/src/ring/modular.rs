//! Polynomials modulo a prime: a fast proof that something is nonzero.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

use super::monomial::Atom;
use super::polynomial::Polynomial;
use super::rational::{Rational, Repr};

/// The Mersenne prime `2^61 - 1`.
pub const PRIME: u64 = (1 << 61) - 1;

impl Polynomial {
    /// The value modulo [`PRIME`] at residues of the atoms.
    ///
    /// A nonzero residue proves a nonzero value. Returns `None` for a negative power of 0, or a
    /// coefficient whose denominator is a multiple of the prime.
    pub fn residue(&self, mut value: impl FnMut(Atom) -> u64) -> Option<u64> {
        let mut sum = 0;
        for (monomial, coefficient) in self.terms() {
            let mut product = residue_of(coefficient)?;
            for &(atom, exponent) in monomial.powers() {
                product = multiply(product, power(value(atom), exponent)?);
            }
            sum = (sum + product) % PRIME;
        }
        Some(sum)
    }

    /// Like [`Polynomial::residue`], over one atom without a value: the coefficient of each of its
    /// powers.
    pub fn residues_in(
        &self,
        atom: Atom,
        mut value: impl FnMut(Atom) -> u64,
    ) -> Option<BTreeMap<i32, u64>> {
        let mut coefficients = BTreeMap::new();
        for (monomial, coefficient) in self.terms() {
            let mut product = residue_of(coefficient)?;
            let mut own = 0;
            for &(other, exponent) in monomial.powers() {
                if other == atom {
                    own = exponent
                } else {
                    product = multiply(product, power(value(other), exponent)?)
                }
            }
            let sum = coefficients.entry(own).or_insert(0);
            *sum = (*sum + product) % PRIME;
        }
        Some(coefficients)
    }
}

/// The value modulo [`PRIME`] of a polynomial with these coefficients, by exponent.
///
/// Returns `None` for a negative power of 0.
pub fn value_at(coefficients: &BTreeMap<i32, u64>, root: u64) -> Option<u64> {
    let terms = coefficients.iter();
    let mut terms = terms.map(|(&exponent, &c)| Some(multiply(c, power(root, exponent)?)));
    terms.try_fold(0, |sum, term| Some((sum + term?) % PRIME))
}

/// A rational number modulo [`PRIME`]; `None` if its denominator is a multiple of it.
pub fn residue_of(value: &Rational) -> Option<u64> {
    if let Repr::Small(numerator, denominator) = value.0 {
        let numerator = numerator.rem_euclid(PRIME as i64) as u64;
        return match denominator {
            1 => Some(numerator),
            _ => quotient_of(numerator, denominator.rem_euclid(PRIME as i64) as u64),
        };
    }
    quotient_of(reduced(&value.numerator()), reduced(&value.denominator()))
}

/// The quotient modulo [`PRIME`]; `None` for a divisor 0.
pub fn quotient_of(dividend: u64, divisor: u64) -> Option<u64> {
    Some(multiply(dividend % PRIME, power(divisor, -1)?))
}

/// True if a polynomial, given by its coefficients from the constant on, has a factor with its derivative in common.
pub(super) fn has_double_root(coefficients: &[u64]) -> bool {
    let slopes = coefficients.iter().enumerate().skip(1);
    let slopes = slopes.map(|(power, &c)| multiply(power as u64 % PRIME, c));
    have_common_root(coefficients.to_vec(), slopes.collect())
}

/// True if two polynomials, given by their coefficients from the constant on, have a factor in common.
pub(super) fn have_common_root(mut p: Vec<u64>, mut q: Vec<u64>) -> bool {
    loop {
        for list in [&mut p, &mut q] {
            while list.last() == Some(&0) {
                list.pop();
            }
        }
        let (Some(&leading), true) = (q.last(), p.len() >= q.len()) else {
            if q.is_empty() {
                return p.len() > 1;
            }
            std::mem::swap(&mut p, &mut q);
            continue;
        };
        let Some(inverse) = quotient_of(1, leading) else {
            return false;
        };
        // One inverse for all steps of a division: it takes sixty products.
        while p.len() >= q.len() {
            let factor = p.pop().map_or(0, |first| multiply(first, inverse));
            let shift = p.len() + 1 - q.len();
            for (place, &c) in q.iter().enumerate().take(q.len() - 1) {
                let taken = multiply(factor, c);
                p[shift + place] = (p[shift + place] + PRIME - taken) % PRIME;
            }
        }
    }
}

fn reduced(value: &BigInt) -> u64 {
    let prime = BigUint::from(PRIME);
    let magnitude = (value.magnitude() % prime).to_u64().unwrap_or(0);
    match value.sign() {
        num_bigint::Sign::Minus => (PRIME - magnitude) % PRIME,
        _ => magnitude,
    }
}

fn multiply(left: u64, right: u64) -> u64 {
    // Modulo a Mersenne prime, the high bits count like the low ones.
    let product = u128::from(left) * u128::from(right);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

/// `base ^ exponent`; `None` for a negative power of 0.
fn power(base: u64, exponent: i32) -> Option<u64> {
    if exponent < 0 && base == 0 {
        return None;
    }
    if exponent == 1 || base == 1 {
        return Some(base);
    }
    // By Fermat, x^-1 = x^(PRIME - 2) and x^(PRIME - 1) = 1.
    let mut exponent = i64::from(exponent).rem_euclid(PRIME as i64 - 1);
    let (mut base, mut result) = (base, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent /= 2;
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_follow_the_arithmetic_of_rationals() {
        let third = Rational::new(1, 3).unwrap();
        let of_third = residue_of(&third).unwrap();
        assert_eq!(multiply(of_third, 3), 1);
        let minus = residue_of(&Rational::from(-5)).unwrap();
        assert_eq!((minus + 5) % PRIME, 0);
    }

    #[test]
    fn a_polynomial_vanishes_at_its_root() {
        let x = Atom(0);
        // (x - 2/3) * x^-1 at x = 2/3, and at x = 1.
        let p = &Polynomial::one()
            - &Polynomial::term(
                crate::ring::Monomial::power(x, -1),
                Rational::new(2, 3).unwrap(),
            );
        let root = residue_of(&Rational::new(2, 3).unwrap()).unwrap();
        assert_eq!(p.residue(|_| root), Some(0));
        assert_eq!(p.residue(|_| 1), residue_of(&Rational::new(1, 3).unwrap()));
        assert_eq!(p.residue(|_| 0), None);
    }
}
