//! The time of a process that is the answer: exact, or between two bounds.

use super::scope::Lowering;
use super::{Contention, LoweredEquation, Note, Origin, ProcessEquations, wants_bounds};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::Equation;

/// True if the time of a process is a law that does not count all waiting for shared resources.
fn waits_by_law(time: &LoweredEquation) -> bool {
    matches!(time.origin, Origin::Time(_)) && time.notes.contains(&Note::LargestDemandOfLaws)
}

impl Lowering<'_, '_> {
    /// The name of an equation of a process, or a longer one if the model uses it.
    pub(super) fn result_name(&self, origin: &Origin) -> String {
        let mut name = origin.process_equation().unwrap_or_default();
        while self.model.position(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// The time of a run, if the papers' estimate of a process is exact: nothing waits.
    fn as_execution(&self, time: &LoweredEquation) -> Option<LoweredEquation> {
        let Origin::Time(process) = &time.origin else {
            return None;
        };
        let origin = Origin::Execution(process.clone());
        let is_exact = time.standing.is_exact() && !time.notes.contains(&Note::Weighed);
        is_exact.then(|| LoweredEquation {
            name: self.result_name(&origin),
            origin,
            ..time.clone()
        })
    }

    /// The equations of a process with those of its exact time, or of bounds, that are wanted.
    pub(super) fn times_at(
        &mut self,
        position: usize,
        equation: &Equation,
        equations: Vec<LoweredEquation>,
        wanted: ProcessEquations,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<LoweredEquation> {
        let time = equations.first();
        // Bounds are those of a run; an open process has none.
        let is_open = self.model.open(&equation.name.text).is_some();
        let waits = !is_open && time.is_some_and(|own| wants_bounds(own) || waits_by_law(own));
        let wants_exact = wanted.times || wanted.bounds || wanted.exact_times;
        let exact = if (wants_exact || wanted.settling) && waits {
            self.exact_at(position, &equation.name).unwrap_or_default()
        } else {
            None
        };
        let is_enclosed = waits && exact.is_none() && (wanted.times || wanted.bounds);
        let exact = if wants_exact {
            exact.or_else(|| time.and_then(|own| self.as_execution(own)))
        } else {
            exact
        };
        let exact = exact.map(|own: LoweredEquation| LoweredEquation {
            auxiliary: own.auxiliary || !wants_exact,
            ..own
        });
        let between = wanted.contention == Some(Contention::Between);
        let mut bounds = Vec::new();
        if !is_open && (wanted.bounds || between) || is_enclosed {
            match self.bounds_at(position, &equation.name, between) {
                Ok(found) => bounds = found,
                // Nobody has asked for them.
                Err(_) if !wanted.bounds && !between => {}
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        // If no theorem gives the time, its bounds are the answer.
        let (before, after) = if is_enclosed {
            (bounds, Vec::new())
        } else {
            (exact.into_iter().collect(), bounds)
        };
        [before, equations, after].concat()
    }
}
