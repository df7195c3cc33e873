//! Numbers of tasks and precedences of a model's graphs.

use super::Evaluated;
use crate::definition::evaluate::Evaluator;
use crate::definition::scope::Scope;
use crate::definition::walk::{Part, parts_of_process, with_stack};
use crate::diagnostic::Span;
use crate::syntax::tree::{Graph, Process, ProcessKind, Value as Definition};

/// A graph in a process, outside of all loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphCounts {
    /// Location of the graph.
    pub span: Span,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of precedences.
    pub precedences: usize,
    /// Number of references outside of the ranges of its families.
    pub outside: u64,
}

impl<'m> Evaluator<'m> {
    /// The graphs in processes without arguments, outside of loops, in the order of the text.
    ///
    /// Omits graphs that cannot be counted, for example because a parameter has no value.
    pub fn graphs(&mut self) -> Vec<GraphCounts> {
        let model = self.model;
        let mut all = Vec::new();
        for equation in model.equations() {
            if let (Some(Definition::Process(process)), []) =
                (&equation.value, &equation.formals[..])
            {
                self.graphs_in(process, &mut all);
            }
        }
        all
    }

    fn graphs_in(&mut self, process: &'m Process, all: &mut Vec<GraphCounts>) {
        if let ProcessKind::Graph(graph) = &process.kind {
            all.extend(self.counts(graph, process.span, &None).ok());
        }
        parts_of_process(process, &mut |part, indices| {
            if let (Part::Process(inner), []) = (part, indices) {
                with_stack(|| self.graphs_in(inner, all));
            }
        });
    }

    fn counts(
        &mut self,
        graph: &'m Graph<Process>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<GraphCounts> {
        self.restart();
        self.outside = 0;
        let instances = self.instances(graph, span, scope)?;
        Ok(GraphCounts {
            span,
            tasks: instances.tasks.len(),
            precedences: instances.before.iter().map(Vec::len).sum(),
            outside: self.outside,
        })
    }
}
