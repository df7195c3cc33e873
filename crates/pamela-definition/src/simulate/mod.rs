//! Simulation: runs the model as written, with contention.
//!
//! Each replication runs the model's process once. Times of `delay` and `use` are drawn. A `use`
//! waits while servers are busy, and losers of an or-parallel section are stopped. Time is counted
//! in whole ticks while all times are rational, so results are exact; otherwise in doubles.
//! Everything random is a function of the seed, the replication and its place in the model, so the
//! number of threads does not matter.

mod agenda;
mod chance;
mod code;
mod elsewhere;
mod execution_time;
mod frames;
mod machine;
mod open;
mod orders;
mod replications;
mod report;
mod run;
mod servers;
mod statistics;
mod time;
mod trace;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use elsewhere::{replications, simulate_elsewhere};
pub use execution_time::{ExecutionTime, Time, WithoutTime, execution_time};
pub use open::simulate;
pub use orders::ORDERS;
pub use report::{Basis, Cycle, End, Process, Report, Resource};
pub use statistics::Quantile;
pub use trace::TracedTask;

/// Order of simultaneous requests to resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbitration {
    /// The order in which they arise: the order of earlier starts, initially that of the text and
    /// of the indices.
    ///
    /// If nothing is random and this order matters, further replications use random orders.
    #[default]
    Source,
    /// A random order.
    Seeded,
}

/// Number of replications.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Replications {
    /// The default is 1 if nothing is random and no order matters, and 30 if something is random.
    ///
    /// Eleven if only the order of simultaneous requests matters, but one for a long run.
    #[default]
    Default,
    Exactly(usize),
    /// Replicate until half of the interval of the mean time is at most this fraction of the mean.
    UntilRelativeError(f64),
}

/// Options of a simulation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The process to run; by default `main`, or else the last one without arguments.
    pub process: Option<String>,
    pub replications: Replications,
    /// Confidence of the intervals, strictly between 0 and 1.
    pub confidence: f64,
    pub seed: u64,
    pub arbitration: Arbitration,
    /// True to replace negative draws of times by 0.
    pub clip: bool,
    /// True to measure mean times of iterations.
    pub cycles: bool,
    /// Number of requests of an open process, over all replications; the first fifth of each is not measured.
    pub requests: u64,
    /// Limit of the number of events in a run.
    pub max_events: u64,
    /// Number of events of the first replication to keep in the trace.
    pub trace_limit: Option<usize>,
    /// Number of simultaneous replications; by default one per core.
    pub threads: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            process: None,
            replications: Replications::Default,
            confidence: 0.95,
            seed: 1,
            arbitration: Arbitration::Source,
            clip: false,
            cycles: false,
            requests: 1_000_000,
            max_events: 100_000_000,
            trace_limit: None,
            threads: None,
        }
    }
}

/// Progress and interruption of a simulation, shared with its observers.
#[derive(Debug, Default)]
pub struct Watch {
    interrupted: AtomicBool,
    done: AtomicU64,
    planned: AtomicU64,
}

impl Watch {
    /// Asks the simulation to end with its current results.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Number of finished replications, and of all planned ones, as far as known.
    pub fn progress(&self) -> (u64, u64) {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        (read(&self.done), read(&self.planned))
    }

    fn plan(&self, replications: usize) {
        self.planned.store(replications as u64, Ordering::Relaxed);
    }

    fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
