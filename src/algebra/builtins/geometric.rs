//! Geometric and arithmetic-geometric sums.

use crate::expr::{ExprId, Node, ReduceKind, Relation};
use crate::ring::{self, Monomial, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{MAX_TERMS, Terms, expr_of};
use super::{Loop, compare};

/// `p(i) * r^(s*i + t)` with a polynomial `p`, and `r`, `s`, `t` free of the index.
struct Geometric {
    /// What the power is multiplied by.
    factor: Polynomial,
    base: ExprId,
    slope: Polynomial,
    offset: Polynomial,
}

/// `sum (i = a, b) { p(i) * r^(s*i + t) }` by the antidifference; where `r^s` may be 1, that is a case.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let Some(found) = recognise(terms, &parts) else {
        return Vec::new();
    };
    let closed = close(scope, &parts, &found);
    closed.into_iter().collect()
}

fn recognise(terms: &mut Terms, parts: &Loop) -> Option<Geometric> {
    let (monomial, coefficient) = parts.body.as_term()?;
    let mut factor = Polynomial::constant(coefficient.clone());
    let mut power = None;
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        let polynomial = atom == parts.index && exponent > 0;
        if polynomial || !parts.depends(&terms.arena, id) {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            continue;
        }
        let Node::Pow(base, exponent_term) = *terms.arena.node(id) else {
            return None;
        };
        if exponent != 1 || power.is_some() || parts.depends(&terms.arena, base) {
            return None;
        }
        power = Some((base, exponent_term));
    }
    let (base, exponent) = power?;
    let (slope, offset) = linear_in(terms, parts, exponent)?;
    Some(Geometric {
        factor,
        base,
        slope,
        offset,
    })
}

/// `(s, t)` of `s*i + t`, with `s` not 0.
pub fn linear_in(terms: &mut Terms, parts: &Loop, id: ExprId) -> Option<(Polynomial, Polynomial)> {
    let polynomial = terms.polynomial(id);
    let mut by_power = polynomial.coefficients_in(parts.index);
    let slope = by_power.remove(&1)?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, parts.reduction.index);
    (by_power.is_empty() && free(&slope) && free(&offset)).then_some((slope, offset))
}

fn close(scope: &mut Scope, parts: &Loop, found: &Geometric) -> Option<Candidate> {
    let terms = &mut scope.terms;
    let slope = terms.expression(&found.slope);
    let ratio = terms.arena.pow(found.base, slope);
    let ratio = terms.polynomial(ratio);
    let equal = compare(terms, Relation::Equal, &ratio, &Polynomial::one());
    let equal = terms.canonical(equal);
    let other = terms.arena.not(equal);
    if terms.arena.as_number(equal).is_some_and(Rational::is_one) {
        return None;
    }
    let guards = parts.sum_guards(terms);
    let mut right = by_antidifference(terms, parts, found, &ratio)?;
    if !scope.holds(other) {
        let constant = without_growth(&mut scope.terms, parts, found)?;
        right = scope.terms.arena.if_else(equal, constant, right);
    }
    Some(Candidate { right, guards })
}

/// The sum where `r^s` is not 1.
fn by_antidifference(
    terms: &mut Terms,
    parts: &Loop,
    found: &Geometric,
    ratio: &Polynomial,
) -> Option<ExprId> {
    let less_one = terms.expression(&(ratio - &Polynomial::one()));
    let reciprocal = terms.arena.reciprocal(less_one);
    let reciprocal = terms.polynomial(reciprocal);
    let (after, first) = ring::sum_geometric(
        &found.factor,
        parts.index,
        &parts.lower,
        &parts.upper,
        &reciprocal,
        MAX_TERMS,
    )?;
    let beyond = &parts.upper + &Polynomial::one();
    let mut sum = Vec::new();
    for (coefficient, index, sign) in [(after, beyond, 1), (first, parts.lower.clone(), -1)] {
        let power = power_at(terms, found, &index)?;
        let coefficient = terms.expression(&coefficient);
        let sign = terms.arena.number(sign);
        sum.push(terms.arena.mul(&[sign, coefficient, power]));
    }
    Some(terms.arena.add(&sum))
}

/// The sum where `r^s` is 1: each power is the first one.
fn without_growth(terms: &mut Terms, parts: &Loop, found: &Geometric) -> Option<ExprId> {
    let power = power_at(terms, found, &parts.lower)?;
    let factor = terms.expression(&found.factor);
    let body = terms.arena.mul(&[factor, power]);
    Some(parts.over(terms, &parts.lower, &parts.upper, body))
}

/// `r^(s*i + t)` at an index.
fn power_at(terms: &mut Terms, found: &Geometric, index: &Polynomial) -> Option<ExprId> {
    let exponent = &found.slope.checked_mul(index, MAX_TERMS)? + &found.offset;
    let exponent = terms.expression(&exponent);
    Some(terms.arena.pow(found.base, exponent))
}

/// A power `base^(slope*i + offset)`, with a whole number as slope.
struct Power {
    base: ExprId,
    slope: Rational,
    exponent: ExprId,
}

/// `sum (i = a, b) { x^(s*i + t) * y^(u - v*i) }` for whole `s, v > 0`, where `x^s` differs from `y^v`:
/// `(x^(s*(b + 1) + t) * y^(u - v*b) - x^(s*a + t) * y^(u - v*(a - 1))) / (x^s - y^v)`.
///
/// No ratio is formed, so that it holds where `y` is 0, too.
pub fn two_ratios(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let guards = parts.sum_guards(terms);
    let right = two_powers(terms, &parts).and_then(|found| between(scope, &parts, found));
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// The one that rises, the one that falls, and what does not depend on the index.
fn two_powers(terms: &mut Terms, parts: &Loop) -> Option<(Power, Power, Polynomial)> {
    let (monomial, coefficient) = parts.body.as_term()?;
    let mut factor = Polynomial::constant(coefficient.clone());
    let mut powers = Vec::new();
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        if !parts.depends(&terms.arena, id) {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            continue;
        }
        let Node::Pow(base, power) = *terms.arena.node(id) else {
            return None;
        };
        let (slope, _) = linear_in(terms, parts, power)?;
        let slope = slope.as_constant().filter(Rational::is_integer)?;
        if exponent != 1 || parts.depends(&terms.arena, base) {
            return None;
        }
        powers.push(Power {
            base,
            slope,
            exponent: power,
        });
    }
    powers.sort_by(|x, y| y.slope.cmp(&x.slope));
    let [rising, falling] = <[Power; 2]>::try_from(powers).ok()?;
    (rising.slope.is_positive() && falling.slope.is_negative()).then_some((rising, falling, factor))
}

fn between(
    scope: &mut Scope,
    parts: &Loop,
    (rising, falling, factor): (Power, Power, Polynomial),
) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let one = Polynomial::one();
    let growth = terms.arena.number(rising.slope.clone());
    let growth = terms.arena.pow(rising.base, growth);
    let decay = terms.arena.number(falling.slope.abs());
    let decay = terms.arena.pow(falling.base, decay);
    let gap = terms.arena.subtract(growth, decay);
    let (gap, growth, decay) = (
        (*terms.polynomial(gap)).clone(),
        (*terms.polynomial(growth)).clone(),
        (*terms.polynomial(decay)).clone(),
    );
    if gap.is_zero() {
        return None;
    }
    let after = &parts.upper + &one;
    let before = &parts.lower - &one;
    let factor = terms.expression(&factor);
    let product = |terms: &mut Terms, up: &Polynomial, down: &Polynomial| {
        let powers = [(&rising, up), (&falling, down)].map(|(power, at)| {
            let at = terms.expression(at);
            let exponent = terms
                .arena
                .substitute(power.exponent, parts.reduction.index, at);
            terms.arena.pow(power.base, exponent)
        });
        terms.arena.mul(&[factor, powers[0], powers[1]])
    };
    let last = product(terms, &after, &parts.upper);
    let first = product(terms, &parts.lower, &before);
    let constant = product(terms, &parts.lower, &parts.lower);
    let terms = &mut scope.terms;
    let numerator = terms.arena.subtract(last, first);
    let divisor = terms.expression(&gap);
    let apart = terms.arena.divide(numerator, divisor);
    let equal = compare(terms, Relation::Equal, &growth, &decay);
    let equal = terms.canonical(equal);
    let other = terms.arena.not(equal);
    if scope.holds(other) {
        return Some(apart);
    }
    // All elements are the same: with bases 0, all are 0 but one alone.
    let terms = &mut scope.terms;
    let constant = parts.over(terms, &parts.lower, &parts.upper, constant);
    Some(terms.arena.if_else(equal, constant, apart))
}
