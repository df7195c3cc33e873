//! Sums whose terms switch along a line whose slope may be 0, positive or negative.

use crate::expr::{ExprId, Node, ReduceKind, Relation};
use crate::ring::Polynomial;

use super::Loop;
use super::geometric::linear_in;
use super::split::{Switch, cut_along, halves, reductions, switch, switching_parts};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::expr_of;

/// The sum is cut at the index where a term switches. A positive slope puts the first case on one side, a negative
/// slope on the other; a slope of 0 needs no cut.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    if halves(scope, &parts).is_some() {
        return Vec::new();
    }
    let candidates = switching_parts(&mut scope.terms, &parts);
    let cases = candidates.into_iter().find_map(|part| {
        let switch = switch(scope, &parts, part)?;
        by_slope(scope, &parts, &switch)
    });
    let Some(right) = cases else {
        return Vec::new();
    };
    Candidate::always(right)
}

/// The slope is a plain polynomial in parameters: what depends on an index would be told apart in each
/// iteration.
fn by_slope(scope: &mut Scope, parts: &Loop, switch: &Switch) -> Option<ExprId> {
    let (slope, offset) = linear_in(&mut scope.terms, parts, switch.difference)?;
    let arena = &scope.terms.arena;
    let is_parameter = |atom| match *arena.node(expr_of(atom)) {
        Node::Symbol(symbol) => arena.range(symbol).is_none() && slope.min_degree_in(atom) >= 0,
        _ => false,
    };
    if !slope.atoms().into_iter().all(is_parameter) {
        return None;
    }
    let mut cases = level(scope, parts, switch, &offset);
    for rising in [false, true] {
        let steep = if rising { slope.clone() } else { -&slope };
        if scope.prover.nonnegative(&mut scope.terms, &-&steep) {
            continue;
        }
        let halves = cut_along(scope, parts, switch, rising)?;
        let sides = reductions(&mut scope.terms, parts, &halves);
        let sum = scope.terms.arena.add(&sides);
        let steep = scope.terms.expression(&steep);
        let zero = scope.terms.arena.number(0);
        let condition = scope.terms.arena.relate(Relation::Less, zero, steep);
        cases = scope.terms.arena.if_else(condition, sum, cases);
    }
    Some(cases)
}

/// The sum where the slope is 0: the switch is the same for all indices.
fn level(scope: &mut Scope, parts: &Loop, switch: &Switch, offset: &Polynomial) -> ExprId {
    let terms = &mut scope.terms;
    let offset = terms.expression(offset);
    let arena = &mut terms.arena;
    let zero = arena.number(0);
    let value = match arena.node(switch.part) {
        // The larger of `rest` and `rest + offset`. With a third operand, `high` is not `low + offset`.
        Node::Max(list) if list.len() == 2 => {
            let excess = arena.max(&[offset, zero]);
            arena.add(&[switch.low, excess])
        }
        Node::Min(list) if list.len() == 2 => {
            let excess = arena.min(&[offset, zero]);
            arena.add(&[switch.high, excess])
        }
        _ => {
            let relation = if switch.strict {
                Relation::Less
            } else {
                Relation::LessEqual
            };
            let low = arena.relate(relation, offset, zero);
            arena.if_else(low, switch.low, switch.high)
        }
    };
    let part = switch.part;
    let body = arena.replace(parts.reduction.body, &|_, id| (id == part).then_some(value));
    parts.over(terms, &parts.lower, &parts.upper, body)
}
