//! Values of `at(e, P, v, ...)`, and of functions of processes.

use std::rc::Rc;

use super::at_most::Place;
use super::evaluate::Evaluator;
use super::memory::Duration;
use super::scope::{Argument, At, Replaced, Scope};
use super::value::Value;
use super::{Measure, Replacements};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::Expr;

impl<'m> Evaluator<'m> {
    /// The value of `at(e, P, v, ...)`.
    pub(super) fn at(
        &mut self,
        replacements: Replacements<'m>,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let inner = self.replacing(&replacements, scope);
        self.with_replaced(inner, |evaluator| evaluator.expr(replacements.of, scope))
    }

    /// The replacements inside an `at`.
    pub(super) fn replacing(
        &self,
        replacements: &Replacements<'m>,
        scope: &Scope<'m>,
    ) -> Replaced<'m> {
        let values = replacements.values.iter();
        Some(Rc::new(At {
            values: values
                .map(|&(position, expr)| (position, Rc::new(Argument::new(expr, scope))))
                .collect(),
            outer: self.replaced.clone(),
        }))
    }

    /// The value that replaces the name of the equation at `position`, if it is replaced.
    pub(super) fn replacement(&mut self, position: usize) -> Option<Result<Value, Diagnostic>> {
        let mut frame = self.replaced.as_ref();
        while let Some(at) = frame {
            if let Some(argument) = at.values.get(&position) {
                let (argument, outer) = (argument.clone(), at.outer.clone());
                return Some(self.with_replaced(outer, |evaluator| evaluator.argument(&argument)));
            }
            frame = at.outer.as_ref();
        }
        None
    }

    /// Evaluates where other names are replaced; what is known of equations holds only where the same ones are.
    pub(super) fn with_replaced<T>(
        &mut self,
        replaced: Replaced<'m>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = (
            std::mem::replace(&mut self.replaced, replaced),
            std::mem::take(&mut self.numbers),
            std::mem::take(&mut self.durations),
            std::mem::take(&mut self.demands),
        );
        let calls = std::mem::take(&mut self.calls);
        let value = work(self);
        (self.replaced, self.numbers, self.durations, self.demands) = known;
        self.calls = calls;
        value
    }

    /// The value of a predefined function of a process.
    pub(super) fn measure(
        &mut self,
        measure: Measure,
        process: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let (process, inner) = self.process_of(process, scope)?;
        Ok(match measure {
            Measure::Time => self.duration(Duration::Time, process, &inner)?.into(),
            Measure::Path => self.duration(Duration::Path, process, &inner)?.into(),
            Measure::Demand => Value::Vector(self.demand(process, &inner)?),
            Measure::LargestDemand => self.demand(process, &inner)?.largest().into(),
            Measure::Execution => self.run_time(process, &inner)?.into(),
            Measure::Least => self.least_of(process, &inner, true)?.time.into(),
            Measure::Most => self.most_of(process, &inner, &Place::Top)?.fcfs.into(),
        })
    }
}
