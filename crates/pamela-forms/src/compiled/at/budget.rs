//! Limits on the number of steps that the equations of a model may take at a point.

use std::cell::Cell;

use crate::effort::Effort;
use crate::eval::Limits;
use crate::model;

/// Steps that the equations of a model may take together.
///
/// The first equations take their steps first. A later equation always keeps a minimum.
pub(super) struct Budget {
    left: Cell<u64>,
    spent: Cell<u64>,
    each: u64,
}

impl Budget {
    /// A few seconds.
    const ALL: u64 = 8_000_000;
    const EACH: u64 = 200_000;

    pub(super) fn new(effort: Effort) -> Budget {
        Budget {
            left: Cell::new(effort.of(Budget::ALL)),
            spent: Cell::new(0),
            each: effort.of(Budget::EACH),
        }
    }

    pub(super) fn steps(&self) -> u64 {
        self.left.get().max(self.each)
    }

    pub(super) fn spend(&self, steps: u64) {
        self.left.set(self.left.get().saturating_sub(steps));
        self.spent.set(self.spent.get().saturating_add(steps));
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// True if all steps are taken.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    pub(super) fn of_definition(&self) -> model::Limits {
        model::Limits {
            steps: self.steps(),
        }
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            steps: self.steps(),
        }
    }
}
