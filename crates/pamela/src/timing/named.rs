//! Equations that stand by their names in what mentions them, as they were lowered.

use std::rc::Rc;

use super::argument::Provisos;
use super::cost::{Cost, Notes};
use crate::expr::{ExprId, Symbol};

/// A numeric equation without arguments, lowered.
pub(super) struct Number {
    pub(super) expr: ExprId,
    pub(super) provisos: Provisos,
    /// What stands for it where it is mentioned by name.
    pub(super) mention: ExprId,
}

/// A numeric equation with arguments, lowered over its formals.
pub(super) struct Function {
    pub(super) symbol: Symbol,
    /// The names of the parameters that stand for them: no other of the model has them.
    pub(super) formals: Vec<String>,
    pub(super) expr: ExprId,
    /// What it asks of them.
    pub(super) conditions: Rc<[ExprId]>,
    /// What is declared of its value for these.
    pub(super) declared: Vec<ExprId>,
}

/// A process without arguments, lowered.
pub(super) struct Section {
    pub(super) cost: Cost,
    pub(super) provisos: Provisos,
    /// The amounts of its demand that have a name of their own.
    pub(super) amounts: Vec<(String, ExprId)>,
    pub(super) mention: Cost,
}

/// A process with arguments, lowered over its formals.
pub(super) struct Routine {
    pub(super) formals: Vec<ExprId>,
    pub(super) phi: Part,
    pub(super) time: Part,
    /// The unit vector of each resource with the amount.
    pub(super) demands: Vec<(ExprId, Part)>,
    pub(super) notes: Notes,
}

/// What a routine takes, as its callers write it.
pub(super) enum Part {
    /// Over the formals.
    Written(ExprId),
    Named(String, Function),
}

impl Routine {
    /// The parts that have names, in their order.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        let demands = self.demands.iter().map(|(_, amount)| amount);
        let parts = [&self.phi, &self.time].into_iter().chain(demands);
        parts.filter_map(|part| match part {
            Part::Named(name, function) => Some((name.as_str(), function)),
            Part::Written(_) => None,
        })
    }
}
