//! Limits of work. A command that reaches a limit stops and reports it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

/// A flag that asks a search to end; shared between the search and its caller.
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

/// A factor for all limits, which count steps. The same effort gives the same result on every
/// machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A sixteenth of the normal limits.
    Low,
    #[default]
    Normal,
    /// Sixteen times the normal limits.
    High,
}

impl Effort {
    /// The limit at this effort; at least 1 if `budget` is at least 1.
    pub fn of(self, budget: u64) -> u64 {
        const FACTOR: u64 = 16;
        match self {
            Effort::Low => budget.div_ceil(FACTOR),
            Effort::Normal => budget,
            Effort::High => budget.saturating_mul(FACTOR),
        }
    }
}
