//! Dimensions in processes: durations have the unit of times.

use super::infer::Inference;
use crate::model::walk::with_stack;
use crate::syntax::tree::{Expr, ExprKind, Process, ProcessKind};

impl<'m> Inference<'m> {
    pub(super) fn process(&mut self, process: &'m Process) {
        with_stack(|| self.process_here(process));
    }

    fn process_here(&mut self, process: &'m Process) {
        match &process.kind {
            ProcessKind::Delay(time) => self.as_time(time, "the time of a `delay`"),
            ProcessKind::Use(resource, time) => {
                self.resource(resource);
                self.as_time(time, "the time of a `use`");
            }
            ProcessKind::Hold(resource, body) => {
                self.resource(resource);
                self.process(body);
            }
            ProcessKind::Sequence(parts)
            | ProcessKind::Parallel(parts)
            | ProcessKind::Any(parts) => parts.iter().for_each(|part| self.process(part)),
            ProcessKind::Replicate(replication) => {
                self.range(&replication.range);
                let index = &replication.range.index.text;
                self.scope.push((index, Default::default()));
                self.process(&replication.body);
                self.scope.pop();
            }
            ProcessKind::Graph(graph) => self.graph(graph, &mut Inference::process),
            ProcessKind::If(condition, a, b) => {
                self.number(condition, "a condition");
                self.process(a);
                if let Some(b) = b {
                    self.process(b);
                }
            }
            ProcessKind::Switch(cases) => {
                for (condition, part) in cases {
                    self.number(condition, "a condition");
                    self.process(part);
                }
            }
            ProcessKind::Call(name, arguments) => {
                let local = self.scope.iter().any(|(local, _)| *local == name.text);
                if let (false, Some(position)) = (local, self.model.position(&name.text)) {
                    self.call_equation(position, arguments);
                }
            }
        }
    }

    /// The indices of a resource are numbers.
    fn resource(&mut self, resource: &'m Expr) {
        let ExprKind::Call(name, arguments) = &resource.kind else {
            return;
        };
        if self.model.is_resource_array(&name.text) {
            for argument in arguments {
                self.number(argument, "the index of a resource");
            }
        } else if let Some(position) = self.model.position(&name.text) {
            self.call_equation(position, arguments);
        }
    }

    /// Checks the value of an array of resources: a number of servers, or another array.
    pub(super) fn resource_value(&mut self, value: &'m Expr) {
        match &value.kind {
            ExprKind::Call(name, arguments) if name.text == crate::model::predefined::SERVERS => {
                for argument in arguments {
                    self.number(argument, "a number of servers");
                }
            }
            _ => self.resource(value),
        }
    }
}
