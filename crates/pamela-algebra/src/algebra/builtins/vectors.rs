//! The largest component of a demand vector, resource array by resource array.
//!
//! Some resource is always unused, so the largest component is never negative. A vector is taken apart into
//! *demands*: an amount at a position of an array, for each value of the indices that the position depends on. The
//! rules depend on the form of the positions.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Node, ReduceKind, Sort, Symbol};
use crate::ring::{Monomial, Polynomial};

use super::at_most;
use crate::algebra::scope::{Scope, mentions_index};
use crate::algebra::terms::{Terms, atom_of, expr_of};

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

/// The vector in a term, and its factor.
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
    if parts.is_empty() {
        terms.arena.zero_vector()
    } else {
        terms.arena.add(&parts)
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
        // There is one demand for each array and position.
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
    // The same index in both demands stands for two independent indices, so only facts that hold for all values of
    // both are used.
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

/// Guards under which an amount can stand in a maximum without a 0. `None` if the amount is negative, or may be in
/// some iterations.
pub(super) fn never_below_0(scope: &mut Scope, amount: &Polynomial) -> Option<Vec<ExprId>> {
    let guard = nonnegative(&mut scope.terms, amount);
    let negative = scope.prover.positive(&mut scope.terms, &-amount);
    let assumable = !negative && !mentions_index(&scope.terms, guard);
    (scope.holds(guard) || assumable).then(|| vec![guard])
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
pub(in crate::algebra) fn linear(
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

/// `1/p` of a single term.
pub(in crate::algebra) fn reciprocal(terms: &mut Terms, p: &Polynomial) -> Option<Polynomial> {
    let (monomial, coefficient) = p.as_term()?;
    let inverse = Polynomial::term(monomial.checked_pow(-1)?, coefficient.recip()?);
    let inverse = terms.expression(&inverse);
    Some((*terms.polynomial(inverse)).clone())
}
