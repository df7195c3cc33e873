//! How much work a command may do before it stops and says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

/// Whether somebody wants a search to end, who shares it with the search.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A multiplier of all budgets, which are counts of steps: the same effort gives the same result
/// on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A sixteenth.
    Low,
    #[default]
    Normal,
    /// Sixteen times as much.
    High,
}

impl Effort {
    /// The budget at this effort; at least 1 of what is at least 1.
    pub fn of(self, budget: u64) -> u64 {
        const FACTOR: u64 = 16;
        match self {
            Effort::Low => budget.div_ceil(FACTOR),
            Effort::Normal => budget,
            Effort::High => budget.saturating_mul(FACTOR),
        }
    }
}
