//! Sums of rational functions of the index: partial fractions, telescoping, harmonic numbers.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Function, ReduceKind, Relation};
use crate::ring::{self, Fraction, Monomial, PartialFractions, Polynomial, Rational};

use super::linear::{Family, families, is_below_zero, linear_factors};
use super::{Loop, compare};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{MAX_TERMS, Terms, expr_of};
use crate::special::MAX_ORDER;

/// Denominators of a higher degree are left alone.
const MAX_DEGREE: u32 = 16;
/// Numerators of a higher degree, too: their quotients are long.
const MAX_NUMERATOR_DEGREE: i32 = 64;

/// A body that is a rational function of the index with linear denominators.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let mut guards = parts.sum_guards(&mut scope.terms);
    let right = decompose(&mut scope.terms, &parts, &mut guards)
        .filter(|fractions| !fractions.fractions.is_empty())
        .and_then(|fractions| sum_fractions(scope, &parts, fractions));
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// The body in partial fractions; that poles differ is added to the guards.
fn decompose(
    terms: &mut Terms,
    parts: &Loop,
    guards: &mut Vec<ExprId>,
) -> Option<PartialFractions> {
    let mut total = PartialFractions::of_polynomial(Polynomial::zero(), parts.index, MAX_TERMS)?;
    for (monomial, coefficient) in parts.body.terms() {
        let mut numerator = Polynomial::constant(coefficient.clone());
        let mut poles: Vec<(Polynomial, u32)> = Vec::new();
        for &(atom, exponent) in monomial.powers() {
            let outside = !parts.depends(&terms.arena, expr_of(atom));
            if outside || (atom == parts.index && exponent > 0) {
                numerator = numerator.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            } else if exponent < 0 {
                let (scale, factors) = linear_factors(terms, parts, expr_of(atom))?;
                numerator = numerator.scale(&scale.pow(exponent.into())?);
                let power = exponent.unsigned_abs();
                poles.extend(factors.into_iter().map(|(t, own)| (t, own * power)));
            } else {
                return None;
            }
        }
        let high = numerator.degree_in(parts.index) > MAX_NUMERATOR_DEGREE;
        if high || poles.iter().map(|(_, power)| power).sum::<u32>() > MAX_DEGREE {
            return None;
        }
        let mut own = PartialFractions::of_polynomial(numerator, parts.index, MAX_TERMS)?;
        for (shift, power) in &poles {
            for _ in 0..*power {
                own = own.divide(shift, &mut |difference| {
                    Some(reciprocal(terms, difference, guards))
                })?;
            }
        }
        total = total.plus(&own);
    }
    Some(total)
}

/// `1 / difference`, guarded by `difference != 0` where it is not a number.
fn reciprocal(terms: &mut Terms, difference: &Polynomial, guards: &mut Vec<ExprId>) -> Polynomial {
    if difference.as_constant().is_none() {
        let equal = compare(terms, Relation::Equal, difference, &Polynomial::zero());
        guards.push(terms.arena.not(equal));
    }
    let difference = terms.expression(difference);
    let inverse = terms.arena.reciprocal(difference);
    (*terms.polynomial(inverse)).clone()
}

/// The fractions by their powers, those whose poles are whole numbers apart together.
fn by_power(fractions: Vec<Fraction>) -> Option<Vec<(u32, Family<Polynomial>)>> {
    let mut powers: BTreeMap<u32, Vec<(Polynomial, Polynomial)>> = BTreeMap::new();
    for fraction in fractions {
        let of_power = powers.entry(fraction.power).or_default();
        of_power.push((fraction.shift, fraction.coefficient));
    }
    let mut all = Vec::new();
    for (power, members) in powers {
        let families = families(members)?;
        all.extend(families.into_iter().map(|family| (power, family)));
    }
    Some(all)
}

/// The sum of partial fractions over the range.
pub fn sum_fractions(
    scope: &mut Scope,
    parts: &Loop,
    fractions: PartialFractions,
) -> Option<ExprId> {
    let polynomial = ring::sum_polynomial(
        &fractions.polynomial,
        parts.index,
        &parts.lower,
        &parts.upper,
        MAX_TERMS,
    )?;
    let mut sum = vec![scope.terms.expression(&polynomial)];
    for (power, family) in by_power(fractions.fractions)? {
        telescope(&mut scope.terms, parts, power, &family, &mut sum);
        let total: Polynomial = family.members.iter().map(|(_, c)| c.clone()).sum();
        if !total.is_zero() {
            let harmonic = harmonic(scope, parts, power, &family)?;
            let total = scope.terms.expression(&total);
            sum.push(scope.terms.arena.mul(&[total, harmonic]));
        }
    }
    Some(scope.terms.arena.add(&sum))
}

/// Difference between a sum of the members and the sum of equally many first members: `1/(i+t+d)` runs from
/// `1/(a+t+d)` to `1/(b+t+d)` while `1/(i+t)` runs from `1/(a+t)` to `1/(b+t)`.
fn telescope(
    terms: &mut Terms,
    parts: &Loop,
    power: u32,
    family: &Family<Polynomial>,
    sum: &mut Vec<ExprId>,
) {
    let last = family.members.iter().map(|(d, _)| *d).max().unwrap_or(0);
    for step in 0..last {
        let beyond = family.members.iter().filter(|(d, _)| *d > step);
        let coefficient: Polynomial = beyond.map(|(_, c)| c.clone()).sum();
        let step = &family.shift + &Polynomial::from(step);
        let after = &(&parts.upper + &step) + &Polynomial::one();
        let before = &parts.lower + &step;
        for (at, sign) in [(after, 1), (before, -1)] {
            let coefficient = coefficient.scale(&Rational::from(sign));
            let coefficient = terms.expression(&coefficient);
            let at = terms.expression(&at);
            let power = terms.arena.number(-i64::from(power));
            let fraction = terms.arena.pow(at, power);
            sum.push(terms.arena.mul(&[coefficient, fraction]));
        }
    }
}

/// `sum (i = a, b) { 1 / (i + t)^k }` by harmonic numbers: `i + t` is whole, or whole and a half, and above 0,
/// or below 0. Nowhere else are all these harmonic numbers defined.
fn harmonic(
    scope: &mut Scope,
    parts: &Loop,
    power: u32,
    family: &Family<Polynomial>,
) -> Option<ExprId> {
    if power > MAX_ORDER {
        return None;
    }
    let first = &parts.lower + &family.shift;
    let last = &parts.upper + &family.shift;
    let half = Rational::new(1, 2)?;
    let odd = first.coefficient(&Monomial::one()).fract() == half;
    let below = is_below_zero(scope, &first, &last);
    let (from, to) = if below {
        (-&last, -&first)
    } else {
        (first, last)
    };
    let sign = if below && power % 2 == 1 { -1 } else { 1 };
    let terms = &mut scope.terms;
    let numbers = if odd {
        odd_reciprocals(&from, &to, power)?
    } else {
        difference(&from, &to, 1)
    };
    let order = Function::Harmonic(power);
    let sum: Vec<ExprId> = numbers
        .into_iter()
        .map(|(n, factor)| {
            let n = terms.expression(&n);
            let value = terms.arena.apply(order, n);
            let factor = terms.arena.number(factor.saturating_mul(sign));
            terms.arena.mul(&[factor, value])
        })
        .collect();
    Some(terms.arena.add(&sum))
}

/// `H(to) - H(from - 1)`, times a factor: the arguments with their factors.
fn difference(from: &Polynomial, to: &Polynomial, factor: i64) -> Vec<(Polynomial, i64)> {
    let before = from - &Polynomial::one();
    vec![(to.clone(), factor), (before, -factor)]
}

/// The sum of `1 / x^k` for `x` from one half of an odd number to another: `2^k` times the reciprocals of
/// all numbers, without those of the even ones.
fn odd_reciprocals(
    from: &Polynomial,
    to: &Polynomial,
    power: u32,
) -> Option<Vec<(Polynomial, i64)>> {
    let (two, half) = (
        Rational::from(2),
        Polynomial::constant(Rational::new(1, 2)?),
    );
    let (one, scale) = (Polynomial::one(), 2i64.checked_pow(power)?);
    let after = to + &half;
    let mut all = difference(&from.scale(&two), &(&to.scale(&two) + &one), scale);
    all.extend(difference(&(from + &half), &after, -1));
    Some(all)
}
