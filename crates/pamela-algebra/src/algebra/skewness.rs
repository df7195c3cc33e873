//! Standardised cumulants without common factors: the third cumulant over the variance to the power 3/2, the fourth
//! over the squared variance.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::expr::ExprId;
use crate::ring::{Monomial, Polynomial, Rational};

use super::facts::Prover;
use super::signs::{Signed, signed};
use super::terms::Terms;

/// `cumulant / spread ^ (twice / 2)`, where `spread` is positive and `twice` 3 or 4.
pub(super) fn standardised(
    terms: &mut Terms,
    prover: &Prover,
    cumulant: ExprId,
    spread: ExprId,
    twice: i32,
) -> ExprId {
    if let Some(found) = without_common_factors(terms, prover, cumulant, spread, twice) {
        return found;
    }
    let power = power(terms, spread, -twice);
    let quotient = terms.arena.mul(&[cumulant, power]);
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

    /// Factors with one exponent, or its negative, under one root.
    fn powers(self, terms: &mut Terms) -> Vec<ExprId> {
        let mut roots: BTreeMap<i32, Vec<(ExprId, i32)>> = BTreeMap::new();
        for (factor, twice) in self.factors {
            let root = roots.entry(twice.abs()).or_default();
            root.push((factor, twice.signum()));
        }
        let mut powers = Vec::new();
        for (twice, factors) in roots {
            let sign = factors.last().map_or(1, |&(_, sign)| sign);
            let factors = factors.into_iter();
            let base: Vec<ExprId> = factors
                .map(|(factor, own)| power(terms, factor, 2 * own * sign))
                .collect();
            let base = terms.arena.mul(&base);
            let base = terms.canonical(base);
            powers.push(power(terms, base, sign * twice));
        }
        powers
    }

    /// All factors under one root, whose exponent is that of the last, times whole powers: a sum times a root of one
    /// of its symbols would otherwise become a sum of roots.
    fn together(self, terms: &mut Terms) -> Vec<ExprId> {
        let Some(&(_, common)) = self.factors.last() else {
            return Vec::new();
        };
        let (mut powers, mut base) = (Vec::new(), Vec::new());
        for (factor, twice) in self.factors {
            let sign = twice.signum() * common.signum();
            powers.push(power(terms, factor, twice - sign * common));
            base.push(power(terms, factor, 2 * sign));
        }
        let base = terms.arena.mul(&base);
        let base = terms.canonical(base);
        powers.push(power(terms, base, common));
        powers
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
    cumulant: ExprId,
    spread: ExprId,
    twice: i32,
) -> Option<ExprId> {
    let (cumulant, spread) = (terms.polynomial(cumulant), terms.polynomial(spread));
    let Signed { mut powers, rest } = signed(terms, prover, Prover::nonnegative, &spread)?;
    let (mut whole, mut halves, mut below) = ((*cumulant).clone(), Halves::default(), Vec::new());
    // All remaining factors are positive together.
    let scale = rest.content().abs();
    let rest = rest.scale(&scale.recip()?);
    if rest.as_constant().is_none() {
        powers.push((rest, 1));
    }
    // A factor of a positive product is not 0.
    for (base, exponent) in powers {
        let left = divided(&mut whole, &base, exponent.checked_mul(-twice)?)?;
        let base = terms.expression(&base);
        match left % 2 {
            0 => below.push(power(terms, base, left)),
            _ => halves.add(base, left),
        }
    }
    let number = match twice % 2 {
        0 => scale.pow(i64::from(-twice / 2))?,
        _ => number(terms, &scale, &mut halves)?,
    };
    let mut product = vec![terms.expression(&whole.scale(&number))];
    product.append(&mut below);
    product.extend(match whole.len() {
        1 => halves.powers(terms),
        _ => halves.together(terms),
    });
    let product = terms.arena.mul(&product);
    Some(terms.canonical(product))
}

/// Divides `whole` by powers of the base and returns the new `twice`: `whole * base ^ (twice / 2)` is unchanged.
fn divided(whole: &mut Polynomial, base: &Polynomial, mut twice: i32) -> Option<i32> {
    if let Some((monomial, sign)) = base.as_term()
        && let [(atom, 1)] = *monomial.powers()
    {
        let own = match twice % 2 {
            0 => twice.checked_neg()? / 2,
            _ => whole.min_degree_in(atom),
        };
        let opposite = own.checked_neg()?;
        let sign = sign.pow(i64::from(opposite))?;
        *whole = whole.mul_term(&Monomial::power(atom, opposite), &sign)?;
        return own.checked_mul(2)?.checked_add(twice);
    }
    while twice < -1
        && let Some(quotient) = whole.divide_exact(base)
    {
        (*whole, twice) = (quotient, twice + 2);
    }
    Some(twice)
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
    // Under the root of the others, or one of its own.
    let twice = if twice == 1 { 1 } else { -1 };
    let rest = left.pow(i64::from((-3 - twice) / 2))?;
    halves.factors.insert(0, (terms.arena.number(left), twice));
    Some(&rational * &rest)
}

/// `(r, s)`, where `n = r^2 * s` and one of both is 1.
fn whole_root(n: BigInt) -> (BigInt, BigInt) {
    let root = n.sqrt();
    if &root * &root == n {
        (root, BigInt::from(1))
    } else {
        (BigInt::from(1), n)
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
