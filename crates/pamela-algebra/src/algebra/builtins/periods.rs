//! Sums of terms that are periodic in the index, residue by residue.

use std::collections::{HashMap, HashSet};

use num_integer::Integer;

use crate::expr::{ExprId, Function, Node, ReduceKind};
use crate::ring::{Monomial, Polynomial, Rational};

use super::Loop;
use super::geometric::linear_in;
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::Terms;

/// A longer numeric period is not taken apart.
const LONGEST: i64 = 48;

/// Numeric periods: `sum (i = a, b) { f }` is the sum over the residues r of every L-th index from
/// `a + r` on, where floors and remainders of rational multiples of the index are linear.
pub fn residues(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let Some(period) = numeric_period(scope, &parts) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let step = terms.arena.fresh_index();
    let (lower, upper) = (parts.reduction.lower, parts.reduction.upper);
    let (zero, length) = (terms.arena.number(0), terms.arena.number(period));
    let mut sum = Vec::new();
    for residue in 0..period {
        let residue = terms.arena.number(residue);
        let start = terms.arena.add(&[lower, residue]);
        let steps = terms.arena.symbol(step);
        let distance = terms.arena.mul(&[length, steps]);
        let left = terms.arena.subtract(upper, start);
        let last = terms.arena.floor_divide(left, length);
        let body = body_at(terms, &parts, start, distance);
        sum.push(terms.arena.reduce(ReduceKind::Sum, step, zero, last, body));
    }
    Candidate::always(terms.arena.add(&sum))
}

/// The body at `start + distance`, a number of whole periods on: these leave the roundings at once.
pub(super) fn body_at(terms: &mut Terms, parts: &Loop, start: ExprId, distance: ExprId) -> ExprId {
    let mut leaving = HashMap::new();
    for id in roundings(terms, parts) {
        let left = without_periods(terms, parts, id, [start, distance]);
        leaving.extend(left.map(|left| (id, left)));
    }
    let arena = &mut terms.arena;
    let body = arena.replace(parts.reduction.body, &|_, id| leaving.get(&id).copied());
    let position = arena.add(&[start, distance]);
    let body = arena.substitute(body, parts.reduction.index, position);
    terms.canonical(body)
}

/// The value of a rounding that is linear in the index, at `start + distance`.
fn without_periods(
    terms: &mut Terms,
    parts: &Loop,
    id: ExprId,
    [start, distance]: [ExprId; 2],
) -> Option<ExprId> {
    let index = parts.reduction.index;
    match *terms.arena.node(id) {
        Node::Apply(function, operand) => {
            let (slope, _) = linear_in(terms, parts, operand)?;
            let first = terms.arena.substitute(operand, index, start);
            let first = terms.arena.apply(function, first);
            if function == Function::Integer {
                return Some(first);
            }
            let slope = terms.expression(&slope);
            let further = terms.arena.mul(&[slope, distance]);
            Some(terms.arena.add(&[first, further]))
        }
        Node::Mod(dividend, modulus) => {
            let atoms = terms.polynomial(dividend).atoms();
            let moves = |atom| parts.depends(&terms.arena, crate::algebra::terms::expr_of(atom));
            if !atoms
                .into_iter()
                .all(|atom| atom == parts.index || !moves(atom))
            {
                return None;
            }
            let first = terms.arena.substitute(dividend, index, start);
            Some(terms.arena.modulo(first, modulus))
        }
        _ => None,
    }
}

/// The least common denominator of the slopes of all floors, ceilings and remainders that depend on the index, if the
/// slopes are numbers up to whole terms.
pub(super) fn numeric_period(scope: &mut Scope, parts: &Loop) -> Option<i64> {
    let mut period: i64 = 1;
    for id in roundings(&scope.terms, parts) {
        let terms = &mut scope.terms;
        let (argument, divisor) = match *terms.arena.node(id) {
            Node::Apply(_, operand) => (operand, Rational::ONE),
            Node::Mod(dividend, modulus) => (dividend, terms.arena.as_number(modulus)?.clone()),
            _ => return None,
        };
        if nested_only(terms, parts, argument) {
            continue;
        }
        let Some((slope, _)) = linear_in(terms, parts, argument) else {
            period = period.lcm(&period_of_powers(scope, parts, argument, &divisor)?);
            continue;
        };
        let slope = slope.scale(&divisor.recip()?);
        let fraction = slope.coefficient(&Monomial::one());
        let rest = &slope - &Polynomial::constant(fraction.clone());
        if !rest.is_zero() && !scope.prover.integer(&mut scope.terms, &rest) {
            return None;
        }
        let denominator = Rational::from(fraction.denominator()).to_i64()?;
        period = period.lcm(&denominator);
        if period > LONGEST {
            return None;
        }
    }
    (period > 1).then_some(period)
}

/// The period of a polynomial in the index modulo a number: its terms `c * i^k` repeat with the denominator of `c/m`.
fn period_of_powers(
    scope: &mut Scope,
    parts: &Loop,
    argument: ExprId,
    modulus: &Rational,
) -> Option<i64> {
    let whole = super::integral(&mut scope.terms, &parts.lower);
    let whole = scope.terms.canonical(whole);
    if modulus.is_one() || !scope.holds(whole) {
        return None;
    }
    let polynomial = scope.terms.polynomial(argument);
    let mut period: i64 = 1;
    for (power, coefficient) in polynomial.coefficients_in(parts.index) {
        if power == 0
            && !scope
                .terms
                .polynomial_mentions(&coefficient, parts.reduction.index)
        {
            continue;
        }
        let share = coefficient.scale(&modulus.recip()?).as_constant()?;
        let denominator = Rational::from(share.denominator()).to_i64()?;
        period = (power > 0 && denominator <= LONGEST).then(|| period.lcm(&denominator))?;
        if period > LONGEST {
            return None;
        }
    }
    Some(period)
}

/// True if the index stands in an argument only within roundings of its own.
fn nested_only(terms: &mut Terms, parts: &Loop, argument: ExprId) -> bool {
    let polynomial = terms.polynomial(argument);
    polynomial
        .atoms()
        .into_iter()
        .map(crate::algebra::terms::expr_of)
        .all(|id| {
            !parts.depends(&terms.arena, id)
                || matches!(
                    terms.arena.node(id),
                    Node::Apply(Function::Floor | Function::Ceil | Function::Integer, _)
                        | Node::Mod(..)
                )
        })
}

/// All floors, ceilings, remainders and questions whether something is whole, as far as they depend
/// on the index.
pub(super) fn roundings(terms: &Terms, parts: &Loop) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut pending = vec![parts.reduction.body];
    while let Some(id) = pending.pop() {
        if !parts.depends(&terms.arena, id) || !seen.insert(id) {
            continue;
        }
        if matches!(
            terms.arena.node(id),
            Node::Apply(Function::Floor | Function::Ceil | Function::Integer, _) | Node::Mod(..)
        ) {
            found.push(id);
        }
        pending.extend(terms.arena.operands(id));
    }
    found
}
