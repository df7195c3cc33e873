//! Measures of processes in equations, and expressions with replaced names.

use super::argument::{Argument, not_a};
use super::arrays::largest_demand;
use super::cost::Notes;
use super::scope::Lowering;
use crate::diagnostic::Diagnostic;
use crate::expr::ExprId;
use crate::model::{Measure, Replacements};
use crate::syntax::tree::Expr;

impl Lowering<'_, '_> {
    /// `T(L)`, `phi(L)`, `delta(L)` or `omega(L)`.
    pub(super) fn measure(
        &mut self,
        measure: Measure,
        process: &Expr,
    ) -> Result<ExprId, Diagnostic> {
        let Argument::Process(position, arguments) = self.argument(process)? else {
            return Err(not_a("process", process.span));
        };
        if matches!(measure, Measure::Execution | Measure::Least | Measure::Most) {
            return self.undisturbed(measure, position, &arguments, process.span);
        }
        let cost = self.process_equation(position, &arguments, process.span)?;
        let by_time = measure == Measure::Time;
        self.notes = self.notes.and(Notes {
            contention: cost.notes.contention && by_time,
            independence: cost.notes.independence && by_time,
            shared_count_in_time: match measure {
                Measure::Time => cost.notes.shared_count_in_time,
                Measure::Path => false,
                _ => cost.notes.shared_count,
            },
            open: cost.notes.open.filter(|_| by_time),
            ..cost.notes
        });
        Ok(match measure {
            Measure::Time => cost.time,
            Measure::Path => cost.phi,
            Measure::Demand => cost.delta,
            _ => largest_demand(self.arena, cost.delta),
        })
    }

    /// `at(e, P, v, ...)`; the values are evaluated outside of it.
    pub(super) fn at(&mut self, replacements: &Replacements<'_>) -> Result<ExprId, Diagnostic> {
        let mut replaced = (*self.replaced).clone();
        for (position, value) in &replacements.values {
            replaced.insert(*position, self.numeric(value)?);
        }
        let outer = std::mem::replace(&mut self.replaced, replaced.into());
        let lowered = self.numeric(replacements.of);
        self.replaced = outer;
        lowered
    }
}
