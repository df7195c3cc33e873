//! Simulation: the model runs as it is written, with all its contention.
//!
//! A model's process runs once per replication. What `delay`s and `use`s take is drawn, one `use` waits for another
//! where servers are busy, the losers of an or-parallel section are stopped. Time is counted in whole ticks as long as
//! all times are rational, so that results are exact; in doubles else. Everything random is a function of the seed, the
//! replication and its place in the model: the same bytes come out of any number of threads.

mod agenda;
mod chance;
mod code;
mod elsewhere;
mod execution_time;
mod frames;
mod machine;
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
pub use orders::ORDERS;
pub use replications::simulate;
pub use report::{Basis, Cycle, End, Process, Report, Resource};
pub use statistics::Quantile;
pub use trace::TracedTask;

/// The order of requests that come to resources at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbitration {
    /// As they come up: in the order in which what is before them began, at first that of the text and of the indices.
    ///
    /// Where nothing is drawn and this order matters, further replications draw theirs.
    #[default]
    Source,
    /// Drawn at random.
    Seeded,
}

/// How many replications are made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Replications {
    /// One where nothing is random and no order matters; eleven where only the order of requests of one time does,
    /// but one of a long run; else thirty.
    #[default]
    Default,
    Exactly(usize),
    /// Until half of the interval of the mean time is at most this share of it.
    UntilRelativeError(f64),
}

/// How a model is simulated.
#[derive(Clone, Debug)]
pub struct Options {
    /// The process that is run; by default `main`, or else the last one without arguments.
    pub process: Option<String>,
    pub replications: Replications,
    /// Of the intervals, above 0 and below 1.
    pub confidence: f64,
    pub seed: u64,
    pub arbitration: Arbitration,
    /// Whether times that are drawn below 0 are taken as 0.
    pub clip: bool,
    /// Whether the mean times of iterations are measured.
    pub cycles: bool,
    /// The most events of a run.
    pub max_events: u64,
    /// Of the first replication, so many events are kept.
    pub trace_limit: Option<usize>,
    /// How many run at one time; by default, one per core.
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
            max_events: 100_000_000,
            trace_limit: None,
            threads: None,
        }
    }
}

/// How far a simulation is, and whether it shall end; shared with those who watch it.
#[derive(Debug, Default)]
pub struct Watch {
    interrupted: AtomicBool,
    done: AtomicU64,
    planned: AtomicU64,
}

impl Watch {
    /// Asks the simulation to end with what it has.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Replications that have been made, and that are going to be, as far as is known.
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
