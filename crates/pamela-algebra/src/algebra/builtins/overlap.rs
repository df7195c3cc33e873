//! The largest of demands that share some positions.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::Polynomial;

use super::digits::remainder;
use super::vectors::{Demand, demands_of, linear, never_below_0, rebuild};
use super::{at_most, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, atom_of};

/// More ranges of positions are not joined.
const MOST_RANGES: usize = 6;

/// One demand at a single position beside demands that are dealt out in turn or in blocks: the largest demand without
/// the single one, or the total at its position.
pub fn met_at_point(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    at_point(scope, term).into_iter().collect()
}

fn at_point(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let demands = demands_of(scope, term)?;
    let (points, others): (Vec<Demand>, Vec<Demand>) =
        demands.into_iter().partition(|d| d.binders.is_empty());
    let [point] = points.as_slice() else {
        return None;
    };
    let dealt = |demand: &Demand| {
        let rounded = matches!(
            scope.terms.arena.node(demand.position),
            Node::Apply(Function::Floor, _)
        );
        let known = rounded || remainder(&scope.terms, demand.position).is_some();
        demand.array == point.array && known
    };
    if others.is_empty() || !others.iter().all(dealt) {
        return None;
    }
    let guards = never_below_0(scope, &point.amount)?;
    let terms = &mut scope.terms;
    let mut here = vec![terms.expression(&point.amount)];
    for demand in &others {
        let amount = terms.expression(&demand.amount);
        let arena = &mut terms.arena;
        let met = arena.relate(Relation::Equal, demand.position, point.position);
        let met = arena.mul(&[met, amount]);
        let met = terms.canonical(met);
        here.push(demand.binders.iter().rev().try_fold(met, |body, &index| {
            let (lower, upper) = terms.arena.range(index)?;
            Some(
                terms
                    .arena
                    .reduce(ReduceKind::Sum, index, lower, upper, body),
            )
        })?);
    }
    let here = terms.arena.add(&here);
    let others = rebuild(terms, &others);
    let without = terms.arena.vector_max(others);
    Some(Candidate {
        right: terms.arena.max(&[without, here]),
        guards,
    })
}

/// Demands on several ranges of positions, each index at a position of its own: the largest total at a position.
pub fn ranges(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    joined(scope, term).into_iter().collect()
}

/// Demands by their position, from one to another.
struct Range {
    first: Polynomial,
    last: Polynomial,
    amount: ExprId,
}

fn joined(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let demands = demands_of(scope, term)?;
    let array = demands.first()?.array;
    if !(2..=MOST_RANGES).contains(&demands.len()) || demands.iter().any(|d| d.array != array) {
        return None;
    }
    let position = scope.terms.arena.fresh_index();
    let here = scope.terms.arena.symbol(position);
    let mut ranges = Vec::new();
    let mut guards = Vec::new();
    for demand in &demands {
        guards.extend(never_below_0(scope, &demand.amount)?);
        ranges.push(by_position(&mut scope.terms, demand, here)?);
    }
    let first = end(scope, ranges.iter().map(|r| &r.first), true);
    let last = end(scope, ranges.iter().map(|r| &r.last), false);
    let terms = &mut scope.terms;
    let mut met = Vec::new();
    let here = Polynomial::atom(atom_of(here));
    for range in &ranges {
        guards.push(integral(terms, &(&range.first - &first)));
        let mut factors = vec![range.amount];
        if range.first != first {
            factors.push(at_most(terms, &range.first, &here));
        }
        if range.last != last {
            factors.push(at_most(terms, &here, &range.last));
        }
        met.push(terms.arena.mul(&factors));
    }
    let met = terms.arena.add(&met);
    let met = terms.canonical(met);
    let (first, last) = (terms.expression(&first), terms.expression(&last));
    let right = terms
        .arena
        .reduce(ReduceKind::Max, position, first, last, met);
    Some(Candidate { right, guards })
}

fn by_position(terms: &mut Terms, demand: &Demand, here: ExprId) -> Option<Range> {
    let [index] = *demand.binders.as_slice() else {
        return None;
    };
    let (lower, upper) = terms.arena.range(index)?;
    let (slope, offset) = linear(terms, demand.position, index)?;
    if slope != Polynomial::one() {
        return None;
    }
    let back = &Polynomial::atom(atom_of(here)) - &offset;
    let back = terms.expression(&back);
    let amount = terms.expression(&demand.amount);
    Some(Range {
        first: &*terms.polynomial(lower) + &offset,
        last: &*terms.polynomial(upper) + &offset,
        amount: terms.arena.substitute(amount, index, back),
    })
}

/// The least or the greatest of some bounds: one of them, where that is proved.
fn end<'a>(
    scope: &mut Scope,
    bounds: impl Iterator<Item = &'a Polynomial>,
    least: bool,
) -> Polynomial {
    let bounds: Vec<&Polynomial> = bounds.collect();
    for &bound in &bounds {
        let mut wins = |other: &Polynomial| {
            let lead = if least { other - bound } else { bound - other };
            scope.prover.nonnegative(&mut scope.terms, &lead)
        };
        if bounds.iter().all(|&other| wins(other)) {
            return bound.clone();
        }
    }
    let terms = &mut scope.terms;
    let operands: Vec<ExprId> = bounds.iter().map(|bound| terms.expression(bound)).collect();
    let end = if least {
        terms.arena.min(&operands)
    } else {
        terms.arena.max(&operands)
    };
    (*terms.polynomial(end)).clone()
}

/// Demands in cyclic distribution whose amounts repeat after m indices, for a number m: one of the first m owners is
/// busiest.
pub fn periodic(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_residues(scope, term).into_iter().collect()
}

/// Amounts of a longer period are left alone: each pair of residues is a term of the result.
const LONGEST: i64 = 3;

fn by_residues(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, index, lower, upper) = super::vectors::only_loop(scope, term)?;
    let terms = &mut scope.terms;
    let (dividend, owners) = remainder(terms, demand.position)?;
    let (slope, _) = linear(terms, dividend, index)?;
    if slope != Polynomial::one() || terms.mentions(owners, index) {
        return None;
    }
    let amount = terms.expression(&demand.amount);
    let (first, last) = (terms.expression(&lower), terms.expression(&upper));
    let scalar = terms
        .arena
        .reduce(ReduceKind::Sum, index, first, last, amount);
    let parts = super::Loop::of(terms, scalar, ReduceKind::Sum)?;
    let period = super::periods::numeric_period(scope, &parts).filter(|&p| p <= LONGEST)?;
    let terms = &mut scope.terms;
    if !repeats(terms, &parts, period) {
        return None;
    }
    let count = &(&upper - &lower) + &Polynomial::one();
    let (mut largest, mut amounts) = (Vec::new(), Vec::new());
    for owner in 0..period {
        let share = terms.expression(&(&count - &Polynomial::from(owner)));
        let share = terms.arena.divide(share, owners);
        let share = terms.arena.apply(Function::Ceil, share);
        let mut sum = Vec::new();
        for round_number in 0..period {
            let arena = &mut terms.arena;
            let [owner, round, length] = [owner, round_number, period].map(|n| arena.number(n));
            let further = arena.mul(&[round, owners]);
            let at = arena.add(&[first, owner, further]);
            let met = arena.substitute(amount, index, at);
            let times = arena.subtract(share, round);
            let times = arena.divide(times, length);
            let times = arena.apply(Function::Ceil, times);
            sum.push(arena.mul(&[met, times]));
            // The first of each owner are all that there are, in a range without any iteration too.
            if round_number == 0 {
                amounts.push(met);
            }
        }
        largest.push(terms.arena.add(&sum));
    }
    let owners = (*terms.polynomial(owners)).clone();
    let mut guards = vec![
        at_most(terms, &(&lower - &Polynomial::one()), &upper),
        integral(terms, &(&upper - &lower)),
        integral(terms, &owners),
        at_most(terms, &Polynomial::one(), &owners),
    ];
    for amount in amounts {
        let amount = (*terms.polynomial(amount)).clone();
        guards.push(at_most(terms, &Polynomial::zero(), &amount));
    }
    let right = terms.arena.max(&largest);
    Some(Candidate { right, guards })
}

/// True if the body is the same a whole number of periods further.
fn repeats(terms: &mut Terms, parts: &super::Loop, period: i64) -> bool {
    let further = terms.arena.fresh_index();
    let (here, steps) = (terms.arena.fresh_index_term(), terms.arena.symbol(further));
    let period = terms.arena.number(period);
    let distance = terms.arena.mul(&[period, steps]);
    let body = super::periods::body_at(terms, parts, here, distance);
    !terms.mentions(body, further)
}
