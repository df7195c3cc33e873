//! Instances of a graph recorded in files.

use std::rc::Rc;

use super::{Evaluated, Instance, Instances};
use crate::definition::evaluate::Evaluator;
use crate::definition::scope::{Argument, Local, Scope, bind};
use crate::model::not_supported;
use crate::syntax::tree::{Family, Recorded};

impl<'m> Evaluator<'m> {
    /// One instance for each task; its time is an argument, so that a random one is drawn wherever it is used.
    pub(super) fn recorded_instances<T>(
        &mut self,
        recorded: &'m Recorded,
        family: &'m Family<T>,
        scope: &Scope<'m>,
    ) -> Evaluated<Instances<'m, T>> {
        let (model, place) = (self.model, recorded.time.span);
        let tasks = model.recording(recorded);
        let tasks = tasks.ok_or_else(|| not_supported("a file that was not read", place))?;
        self.step(place, (tasks.names.len() + tasks.precedences()) as u64)?;
        let local = |expr| Local::Argument(Rc::new(Argument::new(expr, scope)));
        let default = recorded.default.as_ref().map(local);
        let mut instances = Vec::with_capacity(tasks.names.len());
        for (name, time) in tasks.names.iter().zip(&tasks.times) {
            let time = time.as_ref().map(local).or_else(|| default.clone());
            let time = time.ok_or_else(|| not_supported("a task without a time", place))?;
            instances.push(Instance {
                family,
                number: 0,
                scope: bind(&recorded.time.text, time, scope),
                recorded: Some(name),
            });
        }
        let before = (0..instances.len()).map(|task| tasks.before(task).to_vec());
        let before: Vec<Vec<u32>> = before.collect();
        let order = self.order(&instances, &before, place)?;
        Ok(Instances {
            tasks: instances,
            before,
            order,
        })
    }
}
