//! Demands of two nested loops: for each position, the outer indices whose inner range contains it.

use crate::expr::{ExprId, ReduceKind, Relation, Symbol};

use super::integral;
use super::monotone::{self, Direction};
use super::vectors::{Demand, demands_of, linear, rebuild};
use crate::algebra::scope::{Candidate, Scope};

/// Two nested loops whose position depends on the inner index only: for each position, the outer indices whose inner
/// range contains it.
pub fn binders(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(demands) = demands_of(scope, term) else {
        return Vec::new();
    };
    let mut guards = Vec::new();
    let mut exchanged = Vec::new();
    let mut changed = false;
    for demand in &demands {
        let part = match interchanged(scope, demand, &mut guards) {
            Some(part) => {
                changed = true;
                part
            }
            None => rebuild(&mut scope.terms, std::slice::from_ref(demand)),
        };
        exchanged.push(part);
    }
    if !changed {
        return Vec::new();
    }
    let vector = scope.terms.arena.add(&exchanged);
    vec![Candidate {
        right: scope.terms.arena.vector_max(vector),
        guards,
    }]
}

fn interchanged(scope: &mut Scope, demand: &Demand, guards: &mut Vec<ExprId>) -> Option<ExprId> {
    let [outer, inner] = *demand.binders.as_slice() else {
        return None;
    };
    let (lower, upper) = scope.terms.arena.range(inner)?;
    let (first, last) = scope.terms.arena.range(outer)?;
    if scope.terms.mentions(demand.position, outer) {
        return None;
    }
    let mut aligned = Vec::new();
    let low = extreme(scope, &mut aligned, (lower, outer), [first, last])?;
    let high = extreme(scope, &mut aligned, (upper, outer), [last, first])?;
    guards.append(&mut aligned);
    let terms = &mut scope.terms;
    for start in [lower, low] {
        let start = terms.polynomial(start);
        guards.push(integral(terms, &start));
    }
    // The inner index gets a range that does not depend on the outer one.
    let position = terms.arena.fresh_index();
    let here = terms.arena.symbol(position);
    let after = terms.arena.relate(Relation::LessEqual, lower, here);
    let before = terms.arena.relate(Relation::LessEqual, here, upper);
    let amount = terms.expression(&demand.amount);
    let amount = terms.arena.substitute(amount, inner, here);
    let counted = terms.arena.mul(&[after, before, amount]);
    let total = terms
        .arena
        .reduce(ReduceKind::Sum, outer, first, last, counted);
    let place = terms.arena.substitute(demand.position, inner, here);
    let unit = terms.arena.unit_vector(demand.array, place);
    let body = terms.arena.mul(&[total, unit]);
    Some(
        terms
            .arena
            .reduce(ReduceKind::Sum, position, low, high, body),
    )
}

/// A bound that moves one way with the outer index, at the end where it is extreme: the first of `ends` where
/// it rises, the second where it falls. (Where the outer range is empty, nothing is counted anyway.)
fn extreme(
    scope: &mut Scope,
    guards: &mut Vec<ExprId>,
    (bound, outer): (ExprId, Symbol),
    ends: [ExprId; 2],
) -> Option<ExprId> {
    let end = match monotone::direction(scope, bound, outer)? {
        Direction::Constant => return Some(bound),
        Direction::Rising => ends[0],
        Direction::Falling => ends[1],
    };
    let terms = &mut scope.terms;
    // A nonlinear bound changes monotonically from index to index, and the end of the range may lie between two
    // indices.
    if linear(terms, bound, outer).is_none() {
        let length = terms.arena.subtract(ends[0], ends[1]);
        let length = terms.polynomial(length);
        guards.push(integral(terms, &length));
    }
    Some(terms.arena.substitute(bound, outer, end))
}
