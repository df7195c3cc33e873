//! Lowered equations that appear by name inside others.

use std::rc::Rc;

use super::argument::Provisos;
use super::cost::{Cost, Notes};
use crate::expr::{ExprId, Symbol};

/// A lowered numeric equation without arguments.
pub(super) struct Number {
    pub(super) expr: ExprId,
    pub(super) provisos: Provisos,
    /// The expression that represents it where it is mentioned.
    pub(super) mention: ExprId,
}

/// A numeric equation with arguments, lowered over its formals.
pub(super) struct Function {
    pub(super) symbol: Symbol,
    /// Fresh parameter names that stand for the formals.
    pub(super) formals: Vec<String>,
    pub(super) expr: ExprId,
    /// Conditions on the formals.
    pub(super) conditions: Rc<[ExprId]>,
    /// Declared facts about its value.
    pub(super) declared: Vec<ExprId>,
}

/// A lowered process without arguments.
pub(super) struct Section {
    pub(super) cost: Cost,
    pub(super) provisos: Provisos,
    /// Named amounts of its demand.
    pub(super) amounts: Vec<(String, ExprId)>,
    pub(super) mention: Cost,
}

/// A process with arguments, lowered over its formals.
pub(super) struct Routine {
    pub(super) formals: Vec<ExprId>,
    pub(super) phi: Part,
    pub(super) time: Part,
    /// Unit vector and amount for each resource.
    pub(super) demands: Vec<(ExprId, Part)>,
    pub(super) notes: Notes,
}

/// A part of a routine's cost, as its callers write it.
pub(super) enum Part {
    /// Written out, over the formals.
    Written(ExprId),
    Named(String, Function),
}

impl Routine {
    /// The named parts, in order.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        let demands = self.demands.iter().map(|(_, amount)| amount);
        let parts = [&self.phi, &self.time].into_iter().chain(demands);
        parts.filter_map(|part| match part {
            Part::Named(name, function) => Some((name.as_str(), function)),
            Part::Written(_) => None,
        })
    }
}
