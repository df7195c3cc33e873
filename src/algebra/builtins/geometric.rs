//! Geometric and arithmetic-geometric sums.

use crate::expr::{ExprId, Node, ReduceKind};
use crate::ring::{self, Monomial, Polynomial};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{MAX_TERMS, Terms, expr_of};
use super::Loop;

/// `p(i) * r^(s*i + t)` with a polynomial `p`, and `r`, `s`, `t` free of the index.
struct Geometric {
    /// What the power is multiplied by.
    factor: Polynomial,
    base: ExprId,
    slope: Polynomial,
    offset: Polynomial,
}

/// `sum (i = a, b) { p(i) * r^(s*i + t) }` by the antidifference, for `r^s != 1`.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let candidate = recognise(terms, &parts).and_then(|found| close(terms, &parts, &found));
    candidate.into_iter().collect()
}

fn recognise(terms: &mut Terms, parts: &Loop) -> Option<Geometric> {
    let (monomial, coefficient) = parts.body.as_term()?;
    let mut factor = Polynomial::constant(coefficient.clone());
    let mut power = None;
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        let polynomial = atom == parts.index && exponent > 0;
        if polynomial || !parts.depends(&terms.arena, id) {
            factor = factor.mul_term(
                &Monomial::power(atom, exponent),
                &crate::ring::Rational::ONE,
            )?;
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

fn close(terms: &mut Terms, parts: &Loop, found: &Geometric) -> Option<Candidate> {
    let slope = terms.expression(&found.slope);
    let ratio = terms.arena.pow(found.base, slope);
    let ratio_polynomial = terms.polynomial(ratio);
    let less_one = &*ratio_polynomial - &Polynomial::one();
    if less_one.is_zero() {
        return None;
    }
    let less_one_term = terms.expression(&less_one);
    let reciprocal = terms.arena.reciprocal(less_one_term);
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
    let mut right = Vec::new();
    for (coefficient, index, sign) in [(after, beyond, 1), (first, parts.lower.clone(), -1)] {
        let exponent = &found.slope.checked_mul(&index, MAX_TERMS)? + &found.offset;
        let exponent = terms.expression(&exponent);
        let power = terms.arena.pow(found.base, exponent);
        let coefficient = terms.expression(&coefficient);
        let sign = terms.arena.number(sign);
        right.push(terms.arena.mul(&[sign, coefficient, power]));
    }
    // That the ratio is not 1 is asked for by the reciprocal.
    Some(Candidate {
        right: terms.arena.add(&right),
        guards: parts.sum_guards(terms),
    })
}
