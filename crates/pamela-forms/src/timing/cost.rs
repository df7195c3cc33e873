//! Costs of processes, with notes for readers.

use crate::expr::ExprId;
use crate::model::Basis;

/// Cost of a process; its `omega` is the largest component of `delta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) phi: ExprId,
    pub(super) delta: ExprId,
    pub(super) time: ExprId,
    /// True if the largest component of `delta` is at least `time`.
    pub(super) covered: bool,
    /// True if `time` is at least every component of `delta`, for all random draws.
    pub(super) outlasting: bool,
    pub(super) notes: Notes,
}

/// Notes for readers of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// An or-parallel section has a demand that `delta` omits.
    pub(super) demand_dropped: bool,
    /// Critical path and largest demand of a parallel section are treated as independent laws,
    /// though they depend on the same workloads.
    pub(super) independence: bool,
    /// Demands are treated as independent laws, though a resource is held while others are
    /// requested.
    pub(super) held_demands: bool,
    /// Parallel processes may request the same resource at the same time.
    pub(super) contention: bool,
    /// A visit takes no time but may wait; its demand does not show this.
    pub(super) visit_without_demand: bool,
    /// Demands of a loop of random length are treated as independent laws, though all depend on the
    /// length.
    pub(super) shared_count: bool,
    /// Like `shared_count`, for demands that the time depends on.
    pub(super) shared_count_in_time: bool,
    /// The law of a graph that is not series-parallel occurs.
    pub(super) sampled: bool,
    /// An `if` or `switch` with probabilities occurs.
    pub(super) weighed: bool,
    /// Like `weighed`, in a parallel section. There the mean of the maximum differs from the
    /// maximum of the means.
    pub(super) weighed_in_parallel: bool,
    /// What the times of open processes rest on.
    pub(super) open: Option<Basis>,
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
            open: match (self.open, other.open) {
                (Some(own), Some(other)) => Some(own.and(other)),
                (own, other) => own.or(other),
            },
        }
    }

    pub(super) fn of(costs: &[Cost]) -> Notes {
        let notes = costs.iter().map(|cost| cost.notes);
        notes.fold(Notes::default(), Notes::and)
    }
}
