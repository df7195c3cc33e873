//! Vectors of demands: an amount at a position, alone or for each index of a range.

use super::super::builtins::vectors::{Demand, connected, demands, rebuild};
use super::super::language::Scope;
use super::super::pattern::Value;
use super::one;

/// The amount and the unit vector of the only demand, which no index is bound in.
pub fn place(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let found = only(scope, values).filter(|demand| demand.binders.is_empty());
    one(found.map(|demand| amount_and_unit(scope, &demand)))
}

/// The index, the range, the amount and the unit vector of the only demand, which one index is bound in.
pub fn binder(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let found = only(scope, values).and_then(|demand| {
        let [index] = *demand.binders.as_slice() else {
            return None;
        };
        let (lower, upper) = scope.terms.arena.range(index)?;
        let index = scope.terms.arena.symbol(index);
        let mut found = [index, lower, upper].map(Value::Term).to_vec();
        found.extend(amount_and_unit(scope, &demand));
        Some(found)
    });
    one(found)
}

/// Demands in groups, of which no two meet; none where there is one group.
pub fn groups(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let vector = values.first().and_then(Value::as_term);
    let Some(demands) = vector.and_then(|vector| demands(&mut scope.terms, vector)) else {
        return Vec::new();
    };
    let groups = connected(scope, &demands);
    if groups.len() < 2 {
        return Vec::new();
    }
    let groups = groups.iter().map(|group| rebuild(&mut scope.terms, group));
    vec![vec![Value::list(groups.collect::<Vec<_>>())]]
}

fn only(scope: &mut Scope, values: &[Value]) -> Option<Demand> {
    let vector = values.first()?.as_term()?;
    let [demand] = <[Demand; 1]>::try_from(demands(&mut scope.terms, vector)?).ok()?;
    Some(demand)
}

fn amount_and_unit(scope: &mut Scope, demand: &Demand) -> Vec<Value> {
    let terms = &mut scope.terms;
    let unit = terms.arena.unit_vector(demand.array, demand.position);
    [terms.expression(&demand.amount), unit]
        .map(Value::Term)
        .to_vec()
}
