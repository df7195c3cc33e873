//! The time of a run of a process, in the order of the text and in other orders; for use at many
//! points.

use std::collections::BTreeMap;

use num_rational::BigRational;

use super::code::compile;
use super::machine::Halt;
use super::orders::{ORDERS, drawn_orders, is_order_sensitive};
use super::replications::{process, wrong_values};
use super::run::{Run, run};
use super::time::Clock;
use super::{Options, Watch};
use crate::diagnostic::{Diagnostic, Error};
use crate::model::{Model, Value};

/// A time of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    pub value: f64,
    /// The exact time, if all times in the run are rational.
    pub exact: Option<BigRational>,
}

impl Time {
    fn is_less(&self, other: &Time) -> bool {
        match (&self.exact, &other.exact) {
            (Some(own), Some(other)) => own < other,
            _ => self.value < other.value,
        }
    }
}

/// The time of a run of a process, with contention.
#[derive(Clone, Debug)]
pub struct ExecutionTime {
    /// Serving simultaneous requests in the order of the text.
    pub in_text_order: Time,
    /// Least time over all tried orders; the next field is the greatest.
    pub least: Time,
    pub greatest: Time,
    /// Number of tried orders.
    ///
    /// The number is 1 unless the order of simultaneous requests matters in a run without randomness. Then up to
    /// [`ORDERS`], as the limit of events allows.
    pub orders: usize,
    /// True if a law or a trial was drawn; the time is then that of one draw.
    pub is_random: bool,
    /// True if simultaneous requests contended; untried orders may then give other times.
    pub is_contended: bool,
    /// Number of ends of delays and services, in the run in the order of the text.
    pub events: u64,
}

/// Reason why a process has no execution time.
#[derive(Clone, Debug)]
pub enum WithoutTime {
    /// An error in the model, a value or a draw, or a deadlock, perhaps in one order only.
    Wrong(Error),
    /// A run exceeds the limit of events.
    TooLong,
}

/// Runs `process`, which has no arguments, at these values of parameters.
///
/// Other parameters keep their values in the model. If the order of the text decides between
/// simultaneous requests, up to ten random orders follow. All runs together have at most about
/// `max_events` events.
///
/// # Errors
/// Fails with the reason why there is no time.
pub fn execution_time(
    model: &Model,
    process_name: &str,
    bindings: &BTreeMap<String, Value>,
    max_events: u64,
) -> Result<ExecutionTime, WithoutTime> {
    let wrong = |diagnostics: Vec<Diagnostic>| {
        WithoutTime::Wrong(Error {
            diagnostics,
            sources: model.sources().clone(),
        })
    };
    let values = wrong_values(model, bindings).unwrap_or_else(|diagnostic| vec![diagnostic]);
    if !values.is_empty() {
        return Err(wrong(values));
    }
    let equation = process(model, Some(process_name)).map_err(|reason| wrong(vec![reason]))?;
    let code = compile(model, equation, false);
    let options = Options {
        max_events,
        ..Options::default()
    };
    let watch = Watch::default();
    let one = |replication: u64, clock: &Clock, options: &Options| {
        let run = run(
            model,
            bindings,
            &code,
            options,
            &watch,
            replication,
            clock.clone(),
        );
        let run = run.map_err(|diagnostic| wrong(vec![*diagnostic]))?;
        match run.halt {
            None => Ok(run),
            Some(Halt::Error(diagnostic)) => Err(wrong(vec![*diagnostic])),
            Some(_) => Err(WithoutTime::TooLong),
        }
    };
    let first = one(0, &Clock::default(), &options)?;
    let mut times = vec![time(&first)];
    if is_order_sensitive(&first, &options) {
        let drawn = drawn_orders(&options);
        let affordable = max_events / first.events.max(1);
        for replication in 1..affordable.min(ORDERS as u64) {
            times.push(time(&one(replication, &first.clock, &drawn)?));
        }
    }
    let mut least = &times[0];
    let mut greatest = &times[0];
    for time in &times {
        if time.is_less(least) {
            least = time;
        }
        if greatest.is_less(time) {
            greatest = time;
        }
    }
    Ok(ExecutionTime {
        in_text_order: times[0].clone(),
        least: least.clone(),
        greatest: greatest.clone(),
        orders: times.len(),
        is_random: first.random,
        is_contended: first.contended,
        events: first.events,
    })
}

/// The time of the process that was run.
fn time(run: &Run<'_>) -> Time {
    let exact = run.processes.first().and_then(|timed| timed.exact.clone());
    Time {
        value: run.time,
        exact: exact.filter(|_| !run.random),
    }
}
