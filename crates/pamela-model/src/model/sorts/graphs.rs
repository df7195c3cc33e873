//! Sorts in graphs of tasks.

use super::{Sort, Sorts, join};
use crate::syntax::tree::{Graph, Range};

impl<'m> Sorts<'m> {
    /// The sort of the time of a graph: which instances there are is never random.
    pub(super) fn graph<T>(
        &mut self,
        graph: &'m Graph<T>,
        task: fn(&mut Self, &'m T) -> Sort,
    ) -> Sort {
        let mut sorts = Vec::new();
        for family in &graph.families {
            let outer = self.scope.len();
            self.index_ranges(&family.ranges);
            sorts.push(task(self, &family.task));
            for reference in &family.after {
                let within = self.scope.len();
                self.index_ranges(&reference.ranges);
                for argument in reference.arguments.iter().flatten() {
                    self.scalar(argument, "the index of a task");
                }
                if let Some(condition) = &reference.condition {
                    self.scalar(condition, "the condition of a precedence");
                }
                self.scope.truncate(within);
            }
            self.scope.truncate(outer);
        }
        join(sorts)
    }

    fn index_ranges(&mut self, ranges: &'m [Range]) {
        for range in ranges {
            self.scalar(&range.lower, "a bound of a family of tasks");
            self.scalar(&range.upper, "a bound of a family of tasks");
            self.scope.push((&range.index.text, Sort::Scalar));
        }
    }
}
