//! The largest component of a demand vector, resource array by resource array.
//!
//! There always is a resource that is not used, so that the largest component is never below 0.
//! A vector is taken apart into *demands*: an amount at a position of an array, for each index of
//! the binders that the position depends on. The rules look at the shape of the positions.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Sort, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, atom_of, expr_of};
use super::monotone::{Direction, direction};
use super::{at_most, compare, integral};

/// `amount * unitvec(array, position)`, summed over the binders' ranges (outermost first).
#[derive(Clone, Debug, PartialEq)]
pub(in crate::algebra) struct Demand {
    pub binders: Vec<Symbol>,
    pub array: Symbol,
    pub position: ExprId,
    pub amount: Polynomial,
}

/// The demands of a vector, those at the same positions added up; `None` for other vectors.
pub(in crate::algebra) fn demands(terms: &mut Terms, vector: ExprId) -> Option<Vec<Demand>> {
    let mut found: Vec<Demand> = Vec::new();
    collect(terms, vector, &Polynomial::one(), &[], &mut found)?;
    let mut merged: Vec<Demand> = Vec::new();
    let mut places = FxHashMap::default();
    for demand in found {
        let key = (demand.array, demand.position, demand.binders.clone());
        match places.entry(key) {
            Entry::Occupied(place) => {
                let known: &mut Demand = &mut merged[*place.get()];
                known.amount = &known.amount + &demand.amount;
            }
            Entry::Vacant(place) => {
                place.insert(merged.len());
                merged.push(demand);
            }
        }
    }
    merged.retain(|demand| !demand.amount.is_zero());
    Some(merged)
}

fn collect(
    terms: &mut Terms,
    vector: ExprId,
    factor: &Polynomial,
    binders: &[Symbol],
    found: &mut Vec<Demand>,
) -> Option<()> {
    let polynomial = terms.polynomial(vector);
    for (monomial, coefficient) in polynomial.terms() {
        let (atom, scalar) = vector_atom(terms, monomial)?;
        let scalar = Polynomial::term(scalar, coefficient.clone());
        let amount = terms.multiply(factor, &scalar)?;
        match *terms.arena.node(atom) {
            Node::UnitVector(array, position) => {
                found.push(Demand {
                    binders: binders.to_vec(),
                    array,
                    position,
                    amount,
                });
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let inner: Vec<Symbol> = binders.iter().copied().chain([r.index]).collect();
                collect(terms, r.body, &amount, &inner, found)?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// The vector of a term, and what it is multiplied by.
fn vector_atom(terms: &Terms, monomial: &Monomial) -> Option<(ExprId, Monomial)> {
    let is_vector = |&&(atom, exponent): &&(crate::ring::Atom, i32)| {
        exponent == 1 && terms.arena.sort(expr_of(atom)) == Sort::Vector
    };
    let &(atom, _) = monomial.powers().iter().find(is_vector)?;
    Some((expr_of(atom), monomial.without(atom)))
}

/// The vector of some demands, in canonical form.
pub(in crate::algebra) fn rebuild(terms: &mut Terms, demands: &[Demand]) -> ExprId {
    let parts: Vec<ExprId> = demands
        .iter()
        .map(|demand| {
            let amount = terms.expression(&demand.amount);
            let unit = terms.arena.unit_vector(demand.array, demand.position);
            let single = terms.arena.mul(&[amount, unit]);
            demand
                .binders
                .iter()
                .rev()
                .fold(single, |body, &index| sum_over(terms, index, body))
        })
        .collect();
    match parts.is_empty() {
        true => terms.arena.zero_vector(),
        false => terms.arena.add(&parts),
    }
}

fn sum_over(terms: &mut Terms, index: Symbol, body: ExprId) -> ExprId {
    match terms.arena.range(index) {
        Some((lower, upper)) => terms
            .arena
            .reduce(ReduceKind::Sum, index, lower, upper, body),
        None => body,
    }
}

pub(super) fn demands_of(scope: &mut Scope, term: ExprId) -> Option<Vec<Demand>> {
    let Node::VectorMax(vector) = *scope.terms.arena.node(term) else {
        return None;
    };
    demands(&mut scope.terms, vector)
}

/// The truth value `amount >= 0`, at its least over the binders' ranges where that is needed.
pub(super) fn nonnegative(terms: &mut Terms, amount: &Polynomial) -> ExprId {
    at_most(terms, &Polynomial::zero(), amount)
}

/// Groups of demands, such that those of different groups never are at the same position.
pub(in crate::algebra) fn connected(scope: &mut Scope, demands: &[Demand]) -> Vec<Vec<Demand>> {
    let at_number = |demand: &Demand| {
        demand.binders.is_empty() && scope.terms.arena.as_number(demand.position).is_some()
    };
    if demands.iter().all(at_number) {
        // Of each array and position there is one.
        return demands.iter().map(|demand| vec![demand.clone()]).collect();
    }
    let mut groups: Vec<Vec<Demand>> = Vec::new();
    for demand in demands {
        let (meeting, apart): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|group| group.iter().any(|other| !never_meet(scope, demand, other)));
        groups = apart;
        let mut joined: Vec<Demand> = meeting.into_iter().flatten().collect();
        joined.push(demand.clone());
        groups.push(joined);
    }
    groups
}

fn never_meet(scope: &mut Scope, a: &Demand, b: &Demand) -> bool {
    if a.array != b.array {
        return true;
    }
    // The same index in both means two independent ones; only what holds for all of both counts.
    let b_position = apart(&mut scope.terms, a, b);
    let gap = scope.terms.arena.subtract(a.position, b_position);
    let gap = scope.terms.polynomial(gap);
    let terms = &mut scope.terms;
    scope.prover.positive(terms, &gap) || scope.prover.positive(terms, &-&*gap)
}

/// An index of the range that is not taken.
fn another(
    terms: &mut Terms,
    lower: ExprId,
    upper: ExprId,
    taken: impl Fn(Symbol) -> bool,
) -> Symbol {
    let mut nest = terms.arena.number(0);
    loop {
        let fresh = terms.arena.fresh_index();
        let term = terms.arena.symbol(fresh);
        let body = terms.arena.add(&[term, nest]);
        // An index is named by its range and the height of its reduction: this one is higher.
        nest = (terms.arena).reduce(ReduceKind::Sum, fresh, lower, upper, body);
        match *terms.arena.node(nest) {
            Node::Reduce(r) if taken(r.index) => {}
            Node::Reduce(r) => return r.index,
            _ => return fresh,
        }
    }
}

/// The position of `b` with indices of its own.
fn apart(terms: &mut Terms, a: &Demand, b: &Demand) -> ExprId {
    let mut position = b.position;
    for &index in b.binders.iter().filter(|index| a.binders.contains(index)) {
        let Some((lower, upper)) = terms.arena.range(index) else {
            continue;
        };
        let other = another(terms, lower, upper, |index| {
            a.binders.contains(&index) || b.binders.contains(&index)
        });
        let other = terms.arena.symbol(other);
        position = terms.arena.substitute(position, index, other);
    }
    position
}

/// What makes an amount count in a maximum as it is; `None` where that cannot be assumed: it is below 0, or may be
/// in some iterations.
pub(super) fn never_below_0(scope: &mut Scope, amount: &Polynomial) -> Option<Vec<ExprId>> {
    let guard = nonnegative(&mut scope.terms, amount);
    let negative = scope.prover.positive(&mut scope.terms, &-amount);
    let assumable = !negative && !mentions_index(&scope.terms, guard);
    (scope.holds(guard) || assumable).then(|| vec![guard])
}

/// An amount beside the 0 of resources that are not used.
pub(super) fn or_0(terms: &mut Terms, amount: ExprId) -> ExprId {
    let zero = terms.arena.number(0);
    terms.arena.max(&[zero, amount])
}

/// The only demand, which has one binder.
pub(super) fn only_loop(
    scope: &mut Scope,
    term: ExprId,
) -> Option<(Demand, Symbol, Polynomial, Polynomial)> {
    let [demand] = <[Demand; 1]>::try_from(demands_of(scope, term)?).ok()?;
    let [index] = *demand.binders.as_slice() else {
        return None;
    };
    let (lower, upper) = scope.terms.arena.range(index)?;
    let (lower, upper) = (
        (*scope.terms.polynomial(lower)).clone(),
        (*scope.terms.polynomial(upper)).clone(),
    );
    Some((demand, index, lower, upper))
}

/// `(slope, offset)` of a position that is linear in the index.
pub(super) fn linear(
    terms: &mut Terms,
    position: ExprId,
    index: Symbol,
) -> Option<(Polynomial, Polynomial)> {
    let atom = atom_of(terms.arena.symbol(index));
    let polynomial = terms.polynomial(position);
    let mut by_power = polynomial.coefficients_in(atom);
    let slope = by_power.remove(&1)?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, index);
    (by_power.is_empty() && free(&slope) && free(&offset)).then_some((slope, offset))
}

/// Positions `(s*i + c) mod P` with s = 1 or -1: one of them is met in every round.
///
/// It is that of the last index where the amounts never fall, of the first where they never rise.
pub fn cyclic(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some((demand, index, lower, upper)) = only_loop(scope, term) else {
        return Vec::new();
    };
    let amount = scope.terms.expression(&demand.amount);
    let moves = direction(scope, amount, index);
    let terms = &mut scope.terms;
    let Node::Mod(dividend, modulus) = *terms.arena.node(demand.position) else {
        return Vec::new();
    };
    let Some((slope, _)) = linear(terms, dividend, index) else {
        return Vec::new();
    };
    let unit = slope
        .as_constant()
        .is_some_and(|slope| slope.abs().is_one());
    if !unit || terms.mentions(modulus, index) {
        return Vec::new();
    }
    let divisor = (*terms.polynomial(modulus)).clone();
    let count = &(&upper - &lower) + &Polynomial::one();
    let count_term = terms.expression(&count);
    let quotient = terms.arena.divide(count_term, modulus);
    let rounds = terms.arena.apply(Function::Ceil, quotient);
    let right = match moves {
        Some(Direction::Constant) => terms.arena.mul(&[rounds, amount]),
        Some(Direction::Rising) => by_rounds(terms, (amount, index), rounds, &upper, &-&divisor),
        Some(Direction::Falling) => by_rounds(terms, (amount, index), rounds, &lower, &divisor),
        None => return Vec::new(),
    };
    let guards = vec![
        at_most(terms, &(&lower - &Polynomial::one()), &upper),
        integral(terms, &(&upper - &lower)),
        integral(terms, &divisor),
        compare(terms, Relation::Less, &Polynomial::zero(), &divisor),
        nonnegative(terms, &demand.amount),
    ];
    vec![Candidate { right, guards }]
}

/// `sum (m = 0, rounds - 1) { amount at start + m*step }`
pub(super) fn by_rounds(
    terms: &mut Terms,
    (amount, index): (ExprId, Symbol),
    rounds: ExprId,
    start: &Polynomial,
    step: &Polynomial,
) -> ExprId {
    let round = terms.arena.fresh_index();
    let round_term = terms.arena.symbol(round);
    let step = terms.expression(step);
    let distance = terms.arena.mul(&[round_term, step]);
    let start = terms.expression(start);
    let position = terms.arena.add(&[start, distance]);
    let met = terms.arena.substitute(amount, index, position);
    let met = terms.canonical(met);
    let (zero, minus_one) = (terms.arena.number(0), terms.arena.number(-1));
    let last = terms.arena.add(&[rounds, minus_one]);
    terms.arena.reduce(ReduceKind::Sum, round, zero, last, met)
}

/// Positions `(i + c) div B` from the start of a block: the first is met by `min(n, B)` indices, and
/// by the greatest amounts where these never rise.
pub fn block(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some((demand, index, lower, upper)) = only_loop(scope, term) else {
        return Vec::new();
    };
    let amount = scope.terms.expression(&demand.amount);
    let moves = direction(scope, amount, index);
    let terms = &mut scope.terms;
    let Node::Apply(Function::Floor, operand) = *terms.arena.node(demand.position) else {
        return Vec::new();
    };
    let Some((slope, offset)) = linear(terms, operand, index) else {
        return Vec::new();
    };
    let Some(size) = reciprocal(terms, &slope) else {
        return Vec::new();
    };
    let Some(start) = terms.multiply(&lower, &slope) else {
        return Vec::new();
    };
    let count = &(&upper - &lower) + &Polynomial::one();
    let counts = [terms.expression(&count), terms.expression(&size)];
    let met = terms.arena.min(&counts);
    let right = match moves {
        Some(Direction::Constant) => terms.arena.mul(&[met, amount]),
        Some(Direction::Falling) => {
            by_rounds(terms, (amount, index), met, &lower, &Polynomial::one())
        }
        _ => return Vec::new(),
    };
    let guards = vec![
        at_most(terms, &(&lower - &Polynomial::one()), &upper),
        integral(terms, &(&upper - &lower)),
        integral(terms, &(&start + &offset)),
        integral(terms, &size),
        compare(terms, Relation::Less, &Polynomial::zero(), &size),
        nonnegative(terms, &demand.amount),
    ];
    vec![Candidate { right, guards }]
}

/// `1/p` of a single term.
pub(super) fn reciprocal(terms: &mut Terms, p: &Polynomial) -> Option<Polynomial> {
    let (monomial, coefficient) = p.as_term()?;
    let inverse = Polynomial::term(monomial.checked_pow(-1)?, coefficient.recip()?);
    let inverse = terms.expression(&inverse);
    Some((*terms.polynomial(inverse)).clone())
}

/// A point within a range of positions `i`: the larger of the range's largest and what meets at the point.
pub fn point(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(demands) = demands_of(scope, term) else {
        return Vec::new();
    };
    let (points, ranges): (Vec<Demand>, Vec<Demand>) =
        demands.into_iter().partition(|d| d.binders.is_empty());
    let ([point], [range]) = (points.as_slice(), ranges.as_slice()) else {
        return Vec::new();
    };
    let [index] = *range.binders.as_slice() else {
        return Vec::new();
    };
    let Some((lower, upper)) = scope.terms.arena.range(index) else {
        return Vec::new();
    };
    let Some((slope, offset)) = linear(&mut scope.terms, range.position, index) else {
        return Vec::new();
    };
    if point.array != range.array || slope != Polynomial::one() {
        return Vec::new();
    }
    let terms = &mut scope.terms;
    // The index at which the range meets the point.
    let at = &*terms.polynomial(point.position) - &offset;
    let (low, high) = (
        (*terms.polynomial(lower)).clone(),
        (*terms.polynomial(upper)).clone(),
    );
    let guards = vec![
        at_most(terms, &low, &at),
        at_most(terms, &at, &high),
        integral(terms, &(&at - &low)),
        nonnegative(terms, &point.amount),
        nonnegative(terms, &range.amount),
    ];
    let at = terms.expression(&at);
    let amount = terms.expression(&range.amount);
    let met = terms.arena.substitute(amount, index, at);
    let extra = terms.expression(&point.amount.scale(&Rational::ONE));
    let both = terms.arena.add(&[met, extra]);
    let elsewhere = terms
        .arena
        .reduce(ReduceKind::Max, index, lower, upper, amount);
    vec![Candidate {
        right: terms.arena.max(&[both, elsewhere]),
        guards,
    }]
}
