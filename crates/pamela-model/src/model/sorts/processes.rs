//! Sorts of the times of processes.

use super::{Sort, Sorts, join, random_if};
use crate::model::walk::with_stack;
use crate::syntax::tree::{Expr, ExprKind, Name, Process, ProcessKind};

impl<'m> Sorts<'m> {
    /// Checks that index and multiplicity of a resource are scalars; other arguments are those of
    /// an equation.
    pub(super) fn resource(&mut self, resource: &'m Expr) {
        let ExprKind::Call(name, arguments) = &resource.kind else {
            if let ExprKind::Name(name) = &resource.kind {
                self.name(name);
            }
            return;
        };
        if self.model.is_resource_array(&name.text) {
            for (argument, role) in arguments
                .iter()
                .zip(["the index of a resource", "the multiplicity of a resource"])
            {
                self.scalar(argument, role);
            }
        } else {
            self.call(name, arguments);
        }
    }

    /// The sort of the time of a process.
    pub(super) fn process(&mut self, process: &'m Process) -> Sort {
        with_stack(|| match &process.kind {
            ProcessKind::Delay(time) => self.not_vector(time, "the time of a `delay`"),
            ProcessKind::Use(resource, time) => {
                self.resource(resource);
                self.not_vector(time, "the time of a `use`")
            }
            ProcessKind::Hold(resource, body) => {
                self.resource(resource);
                self.process(body)
            }
            ProcessKind::Sequence(parts)
            | ProcessKind::Parallel(parts)
            | ProcessKind::Any(parts) => {
                let sorts: Vec<Sort> = parts.iter().map(|p| self.process(p)).collect();
                join(sorts)
            }
            ProcessKind::Replicate(replication) => {
                let bounds = self.range(&replication.range);
                self.scope
                    .push((&replication.range.index.text, Sort::Scalar));
                let body = self.process(&replication.body);
                self.scope.pop();
                random_if(bounds, body)
            }
            ProcessKind::Graph(graph) => self.graph(graph, Sorts::process),
            ProcessKind::If(condition, a, b) => {
                let random = self.not_vector(condition, "a condition");
                let sorts: Vec<Sort> = [Some(a), b.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|part| self.process(part))
                    .collect();
                random_if(random, join(sorts))
            }
            ProcessKind::Switch(cases) => {
                let sorts: Vec<(Sort, Sort)> = cases
                    .iter()
                    .map(|(c, p)| (self.not_vector(c, "a condition"), self.process(p)))
                    .collect();
                let random = join(sorts.iter().map(|(condition, _)| *condition));
                random_if(random, join(sorts.iter().map(|(_, part)| *part)))
            }
            ProcessKind::Call(name, arguments) => self.process_called(name, arguments),
        })
    }

    pub(super) fn process_called(&mut self, name: &'m Name, arguments: &'m [Expr]) -> Sort {
        let local = self
            .scope
            .iter()
            .rev()
            .find(|(local, _)| *local == name.text);
        if let Some((_, sort)) = local {
            return *sort;
        }
        let sorts = arguments.iter().map(|a| self.argument(a)).collect();
        match self.model.position(&name.text) {
            Some(position) => self.instance(position, sorts),
            None => Sort::Unknown,
        }
    }
}
