//! Functions that rules call. Each takes a term apart or computes a part of the right side. It is declared in
//! `rules/functions.rules` under the same name, with the properties of its results.
//!
//! A function sees terms and provable facts, never the rule that calls it.

mod adjacent;
mod chunks;
mod conditions;
mod floor_powers;
mod laws;
mod left_over;
mod motion;
mod needed;
mod nested;
mod operands;
mod places;
mod powers;
mod rounding;
mod sums;
mod vectors;

use crate::expr::{Arena, Contents, ExprId, Node, Symbol};

use super::pattern::Value;
use super::scope::Scope;
use super::terms::Terms;

pub(super) use needed::{Strictest, conditions_of, needed};
pub(super) use nested::flattened;
pub(super) use sums::asked;

/// Maps arguments to results, one for each way in which the function applies; empty if it does not apply.
pub type Run = fn(&mut Scope, &[Value]) -> Vec<Vec<Value>>;

const ALL: &[(&str, Run)] = &[
    ("common", operands::common),
    ("free_factor", operands::free_factor),
    ("larger", operands::larger),
    ("inner_max", nested::inner_max),
    ("inner_min", nested::inner_min),
    ("needed_max", needed::needed_max),
    ("minus", operands::minus),
    ("positive", operands::positive),
    ("whole", rounding::whole),
    ("remainder", rounding::remainder),
    ("floors", rounding::floors),
    ("unborrowed", rounding::unborrowed),
    ("rounding", rounding::rounding),
    ("common_divisor", rounding::common_divisor),
    ("by_divisor", rounding::by_divisor),
    ("marked", rounding::marked),
    ("masked", rounding::masked),
    ("told_apart", rounding::told_apart),
    ("new_index", rounding::new_index),
    ("chunks", chunks::chunks),
    ("floor_powers", floor_powers::floor_powers),
    ("apart", sums::apart),
    ("antidifference", sums::antidifference),
    ("geometric", powers::geometric),
    ("geometric_antidifference", powers::antidifference),
    ("squared", powers::squared),
    ("telescoped", sums::telescoped),
    ("before", rounding::before),
    ("numbers", sums::numbers),
    ("linear", sums::linear),
    ("quadratic", sums::quadratic),
    ("equality", sums::equality),
    ("limited", motion::limited),
    ("idle", conditions::idle),
    ("adjacent", adjacent::adjacent),
    ("decided", conditions::decided),
    ("exclusive", conditions::exclusive),
    ("chosen", conditions::chosen),
    ("left_over", left_over::left_over),
    ("floor_beside", rounding::floor_beside),
    ("ceil_beside", rounding::ceil_beside),
    ("direction", motion::direction),
    ("numerator", motion::numerator),
    ("groups", vectors::groups),
    ("place", vectors::place),
    ("loop", vectors::binder),
    ("nest", vectors::nest),
    ("point", vectors::point),
    ("places", places::places),
    ("met", places::met),
    ("parts", laws::parts),
    ("copies", laws::copies),
    ("mixed", laws::mixed),
    ("factored", laws::factored),
    ("shifted", laws::shifted),
    ("located", laws::located),
    ("least", laws::least),
];

/// Operators without which an argument has no result.
const NEEDS: &[(&str, Contents)] = &[
    ("adjacent", Contents::EXTREME),
    ("chosen", Contents::COMPARISON),
    ("decided", Contents::COMPARISON),
    ("floors", Contents::FLOOR),
    ("idle", Contents::COMPARISON),
    ("left_over", Contents::EXTREME),
    ("remainder", Contents::REMAINDER),
];

/// The operators without which the arguments of a function have no result.
pub fn needs(name: &str) -> Contents {
    let found = NEEDS.iter().find(|(known, _)| *known == name);
    found.map_or(Contents::NOTHING, |&(_, needed)| needed)
}

/// The code of the function called `name`.
pub fn find(name: &str) -> Option<Run> {
    let &(_, run) = ALL.iter().find(|(known, _)| *known == name)?;
    Some(run)
}

fn terms_of(values: &[Value]) -> Option<Vec<ExprId>> {
    values.iter().map(Value::as_term).collect()
}

/// The index that a value is.
fn index(arena: &Arena, value: &Value) -> Option<Symbol> {
    match arena.node(value.as_term()?) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}

/// A term and an index.
fn term_and_index(arena: &Arena, values: &[Value]) -> Option<(ExprId, Symbol)> {
    Some((values.first()?.as_term()?, index(arena, values.get(1)?)?))
}

/// The largest of the operands, or the smallest.
fn extreme(terms: &mut Terms, operands: &[ExprId], largest: bool) -> ExprId {
    if largest {
        terms.arena.max(operands)
    } else {
        terms.arena.min(operands)
    }
}

/// One way, or none.
fn one(results: Option<Vec<Value>>) -> Vec<Vec<Value>> {
    results.into_iter().collect()
}
