//! Assignment of work to the threads of a team: every thread, the first one only, or one that is free.

use super::assigned::assigned_in;
use super::meeting::has_tasks;
use super::number::{Comparison, Condition, Number};
use super::part::Part;
use super::walker::{Runner, Walker};
use crate::problem::Problem;
use crate::source::Pragma;
use crate::source::tree::Statement;

impl Walker<'_> {
    /// The number of the thread that runs the current code, if known.
    pub fn thread_number(&self) -> Option<Number> {
        match (&self.team, self.runner) {
            (Some((_, thread)), Runner::Each) => Some(Number::symbol(*thread)),
            (Some(_), Runner::Any) => None,
            _ => Some(Number::constant(0)),
        }
    }

    /// Walks a statement that other threads run than the code around it.
    pub fn run_by<T>(
        &mut self,
        runner: Runner,
        statement: &Statement,
        walk: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let Some((_, thread)) = self.team else {
            return walk(self);
        };
        let assigned = assigned_in(self, std::iter::once(statement));
        let before = self.values.clone();
        let around = std::mem::replace(&mut self.runner, runner);
        if runner != Runner::Each {
            self.values.replace(thread, self.thread_number().as_ref());
        }
        let result = walk(self);
        self.runner = around;
        self.values.restore(&before, thread, &assigned);
        result
    }

    /// The threads that run the code after `master` or `masked`.
    pub fn master(&self, pragma: &Pragma) -> Runner {
        match pragma.argument("filter") {
            None | Some("0") => Runner::First,
            Some(_) => Runner::Any,
        }
    }

    /// A part that one thread of a team runs without waiting; any thread may run its tasks.
    pub fn by_master(&self, part: Part) -> Part {
        match self.team {
            Some((_, thread)) if !has_tasks(&part, &self.instances) => {
                let number = Number::symbol(thread);
                let first = Condition::compare(Comparison::Equal, number, Number::constant(0));
                Part::choice(first, part, Part::nothing())
            }
            _ => Part::Master(Box::new(part)),
        }
    }
}
