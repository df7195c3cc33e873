//! What a process takes when it is run, in the order of the text and in drawn ones: what others ask for at many points.

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
    /// The time exactly, where all times in the run are rational.
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

/// What a process takes when it is run, with its contention.
#[derive(Clone, Debug)]
pub struct ExecutionTime {
    /// In the order of the text.
    pub in_text_order: Time,
    /// The least and the greatest of all orders in which it was run.
    pub least: Time,
    pub greatest: Time,
    /// How many orders: one, or where that of the text decided something in a run without chance, as many of [`ORDERS`] as
    /// the allowed events are enough for.
    pub orders: usize,
    /// Whether a law or a trial was drawn: then the time is that of one draw.
    pub is_random: bool,
    /// Whether requests of one time were contended: then another order may give another time than those that were tried.
    pub is_contended: bool,
    /// Ends of delays and of services in the run in the order of the text.
    pub events: u64,
}

/// Why a process has no execution time.
#[derive(Clone, Debug)]
pub enum WithoutTime {
    /// What is wrong with the model, a value or a draw; or a deadlock, perhaps in a drawn order alone.
    Wrong(Error),
    /// A run has more events than are allowed.
    TooLong,
}

/// What `process`, which has no arguments, takes with these values of parameters, beside those that the model gives.
///
/// It runs in the order of the text, and where that decides between requests of one time also in ten drawn ones, or fewer: all
/// of them together have at most about `max_events`.
///
/// # Errors
/// Why there is no time.
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
