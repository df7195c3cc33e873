//! Replications made by other processes, on this machine or on others.
//!
//! Each replication is a function of its number, so any division gives the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::code::{Code, compile};
use super::machine::Halt;
use super::orders::drawn_orders;
use super::replications::{checked_process, one, reported};
use super::run::{Run, Timed, Used};
use super::servers::Measured;
use super::time::{Clock, Kind};
use super::{Options, Report, Watch};
use crate::diagnostic::{Error, Result};
use crate::model::{Fraction, Model};

/// Findings of the first replication that the makers of the others need.
#[derive(Serialize, Deserialize)]
struct Findings {
    kind: Kind,
    /// A whole number as text.
    ticks: String,
    in_orders: bool,
}

/// A replication as text.
#[derive(Serialize, Deserialize)]
struct ReplicationText {
    time: f64,
    /// Count, mean, and the exact mean.
    processes: Vec<(u64, f64, Option<String>)>,
    /// Array, index as a fraction, servers, and measurements.
    resources: Vec<(String, String, u64, Measured)>,
    cycles: Vec<Option<f64>>,
    events: u64,
    random: bool,
    contended: bool,
    clipped: u64,
    approximations: Vec<String>,
    kind: Kind,
    ticks: String,
    halt: Option<Ended>,
}

/// Reason why a replication was not completed.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Ended {
    Events,
    Interrupted,
}

fn sent(run: Run<'_>) -> ReplicationText {
    let processes = run.processes.into_iter();
    let resources = run.resources.into_iter();
    ReplicationText {
        time: run.time,
        processes: processes
            .map(|timed| {
                (
                    timed.count,
                    timed.mean,
                    timed.exact.map(|mean| mean.to_string()),
                )
            })
            .collect(),
        resources: resources
            .map(|((array, index), used)| {
                (
                    array.to_string(),
                    index.to_big().to_string(),
                    used.servers,
                    used.measured,
                )
            })
            .collect(),
        cycles: run.cycles,
        events: run.events,
        random: run.random,
        contended: run.contended,
        clipped: run.clipped,
        approximations: run.approximations,
        kind: run.clock.kind,
        ticks: run.clock.ticks.to_string(),
        halt: run.halt.map(|halt| match halt {
            Halt::Events => Ended::Events,
            _ => Ended::Interrupted,
        }),
    }
}

fn received<'m>(sent: ReplicationText) -> Option<Run<'m>> {
    let mut resources = BTreeMap::new();
    for (array, index, servers, measured) in sent.resources {
        let index: BigRational = index.parse().ok()?;
        let key = (Cow::Owned(array), Fraction::from(index));
        resources.insert(key, Used { servers, measured });
    }
    let timed = |(count, mean, exact): (u64, f64, Option<String>)| {
        let exact = exact.map(|exact| exact.parse().ok());
        Some(Timed {
            count,
            mean,
            exact: match exact {
                None => None,
                Some(exact) => Some(exact?),
            },
        })
    };
    let processes = sent.processes.into_iter().map(timed);
    Some(Run {
        time: sent.time,
        processes: processes.collect::<Option<Vec<Timed>>>()?,
        resources,
        measured_from: 0.0,
        requests: Vec::new(),
        cycles: sent.cycles,
        events: sent.events,
        random: sent.random,
        contended: sent.contended,
        clipped: sent.clipped,
        approximations: sent.approximations,
        trace: None,
        clock: Clock {
            kind: sent.kind,
            ticks: sent.ticks.parse().ok()?,
        },
        halt: sent.halt.map(|ended| match ended {
            Ended::Events => Halt::Events,
            Ended::Interrupted => Halt::Interrupted,
        }),
    })
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::new(format!("replications cannot be read: {error}"))
}

/// Makes the replications with these numbers for another process.
///
/// `known` is the text that the other process sent.
///
/// # Errors
/// Fails like [`simulate`](super::simulate); also fails if `known` is not such a text.
pub fn replications(
    model: &Model,
    options: &Options,
    known: &str,
    numbers: Range<usize>,
    watch: &Watch,
) -> Result<String> {
    let known: Findings = serde_json::from_str(known).map_err(unreadable)?;
    let code = compile(model, checked_process(model, options)?, options.cycles);
    let drawn = drawn_orders(options);
    let options = if known.in_orders { &drawn } else { options };
    let clock = Clock {
        kind: known.kind,
        ticks: known.ticks.parse().map_err(unreadable)?,
    };
    let wrong = |diagnostic: Box<_>| Error {
        diagnostics: vec![*diagnostic],
        sources: model.sources().clone(),
    };
    let runs = numbers.map(|number| {
        let run = one(model, &code, options, watch, number, &clock);
        run.map(sent).map_err(wrong)
    });
    let runs = runs.collect::<Result<Vec<ReplicationText>>>()?;
    serde_json::to_string(&runs).map_err(unreadable)
}

/// Has replications of some numbers made, by those who are told the text.
type Ask<'a> = dyn FnMut(&str, Range<usize>) -> Result<Vec<String>> + 'a;

/// Simulates a model, with all replications except the first made elsewhere.
///
/// `ask` gets the data that the replications need and their numbers. It returns the texts of
/// [`replications`], in order. The report equals that of [`simulate`](super::simulate), byte for
/// byte.
///
/// # Errors
/// Fails like [`simulate`](super::simulate); also fails if `ask` fails.
pub fn simulate_elsewhere(
    model: &Model,
    options: &Options,
    watch: &Watch,
    ask: &mut Ask<'_>,
) -> Result<Report> {
    let more = |_: &Code<'_>, numbers: Range<usize>, clock: &Clock, in_orders: bool| {
        let known = Findings {
            kind: clock.kind,
            ticks: clock.ticks.to_string(),
            in_orders,
        };
        let known = serde_json::to_string(&known).map_err(unreadable)?;
        let mut runs = Vec::new();
        for text in ask(&known, numbers.clone())? {
            let sent: Vec<ReplicationText> = serde_json::from_str(&text).map_err(unreadable)?;
            for one in sent {
                let run = received(one);
                runs.push(run.ok_or_else(|| unreadable("a number is none"))?);
            }
        }
        if runs.len() == numbers.len() {
            Ok(runs)
        } else {
            Err(unreadable("some are missing"))
        }
    };
    reported(model, options, watch, None, more)
}
