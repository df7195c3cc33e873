//! Sorts in graphs of tasks.

use super::{Sort, Sorts, join};
use crate::syntax::tree::{Graph, Range, Recorded};

impl<'m> Sorts<'m> {
    /// The sort of the time of a graph; the set of instances is never random.
    pub(super) fn graph<T>(
        &mut self,
        graph: &'m Graph<T>,
        task: fn(&mut Self, &'m T) -> Sort,
    ) -> Sort {
        let mut sorts = Vec::new();
        for family in &graph.families {
            let outer = self.scope.len();
            if let Some(recorded) = &graph.recorded {
                let sort = self.recorded_time(recorded);
                self.scope.push((&recorded.time.text, sort));
            }
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

    /// The sort of the times of recorded tasks: a law where any of them is one.
    fn recorded_time(&mut self, recorded: &'m Recorded) -> Sort {
        let default = recorded.default.as_ref().map(|default| {
            let sort = self.expr(default);
            if sort == Sort::Vector {
                self.scalar(default, "the time of a task");
            }
            sort
        });
        match (self.model.recording(recorded), default) {
            (Some(tasks), _) if tasks.random => Sort::Law,
            (Some(_), default) => default.unwrap_or(Sort::Scalar),
            (None, _) => Sort::Unknown,
        }
    }

    fn index_ranges(&mut self, ranges: &'m [Range]) {
        for range in ranges {
            self.scalar(&range.lower, "a bound of a family of tasks");
            self.scalar(&range.upper, "a bound of a family of tasks");
            self.scope.push((&range.index.text, Sort::Scalar));
        }
    }
}
