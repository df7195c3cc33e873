//! An equation with its closed form.

use crate::algebra::Closed;
use crate::expr::Arena;
use crate::timing::{LoweredEquation, Note};

/// A closed equation.
pub(super) struct ClosedEquation {
    pub(super) equation: LoweredEquation,
    pub(super) closed: Closed,
    /// Equations with conditions, which have to hold as well.
    pub(super) rests_on: Vec<String>,
    /// Which moments of the law have no form, and why.
    pub(super) unknown_moments: Option<Note>,
    /// Nobody asks for it, but how others relate to runs is known by it.
    pub(super) only_settles: bool,
}

impl ClosedEquation {
    /// One that rests on no other.
    pub(super) fn new(equation: LoweredEquation, closed: Closed) -> ClosedEquation {
        ClosedEquation {
            equation,
            closed,
            rests_on: Vec::new(),
            unknown_moments: None,
            only_settles: false,
        }
    }

    /// The equations that the closed form and its conditions mention, and those that it rests on.
    pub(super) fn mentions(&self, results: &Arena) -> Vec<String> {
        let roots = self.closed.assumptions.iter().chain([&self.closed.expr]);
        let mentioned = roots.flat_map(|&root| results.mentioned(root));
        let mut names: Vec<String> = mentioned.map(|defined| defined.name.clone()).collect();
        names.extend(self.rests_on.iter().cloned());
        names
    }
}
