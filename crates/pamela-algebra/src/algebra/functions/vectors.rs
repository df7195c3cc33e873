//! Vectors of demands: an amount at a position, alone or for each index of a range.

use super::one;
use crate::algebra::builtins::vectors::{Demand, connected, demands, rebuild};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;

/// The amount and the unit vector of a single demand without an index.
pub fn place(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let found = only(scope, values).filter(|demand| demand.binders.is_empty());
    one(found.map(|demand| amount_and_unit(scope, &demand)))
}

/// The index, the range, the amount and the unit vector of a single demand with one index.
pub fn binder(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(with_binders(scope, values, 1))
}

/// Like [`binder`], for two indices, the outer one first.
pub fn nest(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(with_binders(scope, values, 2))
}

fn with_binders(scope: &mut Scope, values: &[Value], count: usize) -> Option<Vec<Value>> {
    let demand = only(scope, values).filter(|demand| demand.binders.len() == count)?;
    let mut found = Vec::new();
    for &index in &demand.binders {
        let (lower, upper) = scope.terms.arena.range(index)?;
        let index = scope.terms.arena.symbol(index);
        found.extend([index, lower, upper].map(Value::Term));
    }
    found.extend(amount_and_unit(scope, &demand));
    Some(found)
}

/// The only demand without an index, and the other demands.
pub fn point(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(all) = all(scope, values) else {
        return Vec::new();
    };
    let (points, others): (Vec<Demand>, Vec<Demand>) = all
        .into_iter()
        .partition(|demand| demand.binders.is_empty());
    let ([point], false) = (points.as_slice(), others.is_empty()) else {
        return Vec::new();
    };
    let others = rebuild(&mut scope.terms, &others);
    let mut found = vec![Value::Term(others)];
    found.extend(amount_and_unit(scope, point));
    vec![found]
}

/// Groups of demands such that demands of different groups never meet; none if there is only one group.
pub fn groups(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(all) = all(scope, values) else {
        return Vec::new();
    };
    let groups = connected(scope, &all);
    if groups.len() < 2 {
        return Vec::new();
    }
    let groups = groups.iter().map(|group| rebuild(&mut scope.terms, group));
    vec![vec![Value::list(groups.collect::<Vec<_>>())]]
}

pub(super) fn all(scope: &mut Scope, values: &[Value]) -> Option<Vec<Demand>> {
    demands(&mut scope.terms, values.first()?.as_term()?)
}

fn only(scope: &mut Scope, values: &[Value]) -> Option<Demand> {
    let [demand] = <[Demand; 1]>::try_from(all(scope, values)?).ok()?;
    Some(demand)
}

fn amount_and_unit(scope: &mut Scope, demand: &Demand) -> Vec<Value> {
    let terms = &mut scope.terms;
    let unit = terms.arena.unit_vector(demand.array, demand.position);
    [terms.expression(&demand.amount), unit]
        .map(Value::Term)
        .to_vec()
}
