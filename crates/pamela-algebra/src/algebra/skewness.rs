//! The third cumulant over the variance to the power of 3/2, without the factors that both have.

use num_bigint::BigInt;

use crate::expr::ExprId;
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::facts::Prover;
use super::terms::{Terms, expr_of};

/// `third / spread ^ (3/2)`, where `spread` is positive.
pub(super) fn skewness(
    terms: &mut Terms,
    prover: &Prover,
    third: ExprId,
    spread: ExprId,
) -> ExprId {
    if let Some(found) = without_common_factors(terms, prover, third, spread) {
        return found;
    }
    let power = power(terms, spread, -3);
    let quotient = terms.arena.mul(&[third, power]);
    terms.canonical(quotient)
}

/// Positive factors with twice their exponents, which are odd.
#[derive(Default)]
struct Halves {
    factors: Vec<(ExprId, i32)>,
}

impl Halves {
    fn add(&mut self, factor: ExprId, twice: i32) {
        self.factors.push((factor, twice));
    }

    /// All of them as powers of whole exponents and one half power, whose exponent is that of the last.
    fn powers(self, terms: &mut Terms) -> Option<Vec<ExprId>> {
        let &(_, common) = self.factors.last()?;
        let (mut powers, mut base) = (Vec::new(), Vec::new());
        for (factor, twice) in self.factors {
            // Exponents beside the common one, or its negative, differ by a whole number.
            let sign = twice.signum() * common.signum();
            powers.push(power(terms, factor, twice - sign * common));
            base.push(power(terms, factor, 2 * sign));
        }
        let base = terms.arena.mul(&base);
        let base = terms.canonical(base);
        powers.push(power(terms, base, common));
        Some(powers)
    }
}

/// `base ^ (twice / 2)`
fn power(terms: &mut Terms, base: ExprId, twice: i32) -> ExprId {
    let (twice, two) = (terms.arena.number(i64::from(twice)), terms.arena.number(2));
    let exponent = terms.arena.divide(twice, two);
    terms.arena.pow(base, exponent)
}

fn without_common_factors(
    terms: &mut Terms,
    prover: &Prover,
    third: ExprId,
    spread: ExprId,
) -> Option<ExprId> {
    let (third, spread) = (terms.polynomial(third), terms.polynomial(spread));
    let (scale, factors, sum) = terms.primitive(&spread)?;
    let (scale, mut sum) = match scale.is_negative() {
        true => (-scale, -sum),
        false => (scale, sum),
    };
    let (mut whole, mut halves) = ((*third).clone(), Halves::default());
    for &(atom, exponent) in factors.powers() {
        // A factor of what is positive is not 0.
        if prover.nonnegative(terms, &Polynomial::atom(atom)) {
            whole = divided(&whole, atom, exponent, &mut halves)?;
        } else {
            // It stays in the sum: both together are positive.
            sum = sum.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
        }
    }
    if sum.as_constant().is_none() {
        let mut twice = -3;
        while twice < -1
            && let Some(quotient) = whole.divide_exact(&sum)
        {
            (whole, twice) = (quotient, twice + 2);
        }
        halves.add(terms.expression(&sum), twice);
    }
    let number = number(terms, &scale, &mut halves)?;
    let mut product = vec![terms.expression(&whole.scale(&number))];
    product.extend(halves.powers(terms).into_iter().flatten());
    let product = terms.arena.mul(&product);
    Some(terms.canonical(product))
}

/// `whole / atom ^ (3/2 * exponent)`, where `atom` is positive; an odd power goes to the halves.
fn divided(
    whole: &Polynomial,
    atom: Atom,
    exponent: i32,
    halves: &mut Halves,
) -> Option<Polynomial> {
    let twice = exponent.checked_mul(-3)?;
    if twice % 2 == 0 {
        return whole.mul_term(&Monomial::power(atom, twice / 2), &Rational::ONE);
    }
    let own = whole.min_degree_in(atom);
    halves.add(expr_of(atom), own.checked_mul(2)?.checked_add(twice)?);
    whole.mul_term(&Monomial::power(atom, own.checked_neg()?), &Rational::ONE)
}

/// The rational part of `scale ^ (-3/2)`, whose other part goes to the halves.
fn number(terms: &mut Terms, scale: &Rational, halves: &mut Halves) -> Option<Rational> {
    let Some(&(_, twice)) = halves.factors.last() else {
        // p/q to the power of -3/2 is the root of p*q over p^2, times q.
        let (above, below) = (scale.numerator(), scale.denominator());
        let (root, rest) = without_squares(&above * &below);
        if rest > BigInt::from(1) {
            halves.add(terms.arena.number(rest), 1);
        }
        let above = Rational::from(above).pow(-2)?;
        return Some(&(&above * &Rational::from(below)) * &Rational::from(root));
    };
    let (above, left_above) = whole_root(scale.numerator());
    let (below, left_below) = whole_root(scale.denominator());
    let rational = (&Rational::from(above) * &Rational::from(below).recip()?).pow(-3)?;
    let left = &Rational::from(left_above) * &Rational::from(left_below).recip()?;
    if left.is_one() {
        return Some(rational);
    }
    let rest = left.pow(i64::from((-3 - twice) / 2))?;
    halves.factors.insert(0, (terms.arena.number(left), twice));
    Some(&rational * &rest)
}

/// `(r, s)`, where `n = r^2 * s` and one of both is 1.
fn whole_root(n: BigInt) -> (BigInt, BigInt) {
    let root = n.sqrt();
    match &root * &root == n {
        true => (root, BigInt::from(1)),
        false => (BigInt::from(1), n),
    }
}

/// `(r, s)`, where `n = r^2 * s` and no square of a small number divides `s`.
fn without_squares(n: BigInt) -> (BigInt, BigInt) {
    const LARGEST: u32 = 1000;
    let (mut root, mut rest) = whole_root(n);
    for factor in 2..=LARGEST {
        let square = BigInt::from(factor * factor);
        while &rest % &square == BigInt::ZERO {
            rest /= &square;
            root *= factor;
        }
    }
    (root, rest)
}
