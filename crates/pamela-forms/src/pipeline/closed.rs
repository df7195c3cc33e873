//! An equation with its closed form.

use crate::algebra::Closed;
use crate::expr::Arena;
use crate::timing::{LoweredEquation, Note};

/// A closed equation.
pub(super) struct ClosedEquation {
    pub(super) equation: LoweredEquation,
    pub(super) closed: Closed,
    /// Names of equations whose conditions must also hold.
    pub(super) rests_on: Vec<String>,
    /// Moments of the law that have no closed form, with the reason.
    pub(super) unknown_moments: Option<Note>,
    /// True if the equation was not requested, but decides how others relate to runs.
    pub(super) only_settles: bool,
}

impl ClosedEquation {
    /// Creates a closed equation that rests on no other.
    pub(super) fn new(equation: LoweredEquation, closed: Closed) -> ClosedEquation {
        ClosedEquation {
            equation,
            closed,
            rests_on: Vec::new(),
            unknown_moments: None,
            only_settles: false,
        }
    }

    /// Names of the equations that the closed form, its conditions and `rests_on` mention.
    pub(super) fn mentions(&self, results: &Arena) -> Vec<String> {
        let roots = self.closed.assumptions.iter().chain([&self.closed.expr]);
        let mentioned = roots.flat_map(|&root| results.mentioned(root));
        let mut names: Vec<String> = mentioned.map(|defined| defined.name.clone()).collect();
        names.extend(self.rests_on.iter().cloned());
        names
    }
}
