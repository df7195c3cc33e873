//! What processes cost, and what readers of a cost should know.

use crate::expr::ExprId;

/// What a process takes; its `omega` is the largest component of `delta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) phi: ExprId,
    pub(super) delta: ExprId,
    pub(super) time: ExprId,
    /// Whether the largest component of `delta` is never below `time`.
    pub(super) covered: bool,
    /// Whether `time` is never below any component of `delta`, whatever is drawn.
    pub(super) outlasting: bool,
    pub(super) notes: Notes,
}

/// What the reader of a time should know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// It has an or-parallel section with a demand, which `delta` does not count.
    pub(super) demand_dropped: bool,
    /// It takes the critical path and the largest demand of a parallel section as independent laws, though
    /// both come from the same workloads.
    pub(super) independence: bool,
    /// Its demands are taken as independent laws, though what is held is held for as long as others are asked for.
    pub(super) held_demands: bool,
    /// Processes in parallel may want the same resource at the same time.
    pub(super) contention: bool,
    /// It visits a resource for no time, and may wait there: its demand does not show that.
    pub(super) visit_without_demand: bool,
    /// It takes the demands of a loop of random length as independent laws, though all go by its length.
    pub(super) shared_count: bool,
    /// The same of demands that its time goes by.
    pub(super) shared_count_in_time: bool,
    /// It has the law of a graph that is not made of series and parallels.
    pub(super) sampled: bool,
    /// It has an `if` or `switch` by probabilities.
    pub(super) weighed: bool,
    /// The same in a parallel section, where the mean of the longest is not the longest mean.
    pub(super) weighed_in_parallel: bool,
}

impl Notes {
    pub(super) fn and(self, other: Notes) -> Notes {
        Notes {
            demand_dropped: self.demand_dropped || other.demand_dropped,
            independence: self.independence || other.independence,
            held_demands: self.held_demands || other.held_demands,
            contention: self.contention || other.contention,
            visit_without_demand: self.visit_without_demand || other.visit_without_demand,
            shared_count: self.shared_count || other.shared_count,
            shared_count_in_time: self.shared_count_in_time || other.shared_count_in_time,
            sampled: self.sampled || other.sampled,
            weighed: self.weighed || other.weighed,
            weighed_in_parallel: self.weighed_in_parallel || other.weighed_in_parallel,
        }
    }

    pub(super) fn of(costs: &[Cost]) -> Notes {
        let notes = costs.iter().map(|cost| cost.notes);
        notes.fold(Notes::default(), Notes::and)
    }
}
