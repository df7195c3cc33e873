//! Results of a simulation over all replications.

use std::collections::BTreeMap;

use num_rational::BigRational;
use serde::Serialize;

use super::Options;
use super::code::Code;
use super::orders::is_order_sensitive;
use super::run::{ArrayElement, Run, Used};
use super::statistics::{Quantile, Summary, quantile, summary};
use super::trace::Trace;
use crate::model::Model;

/// Reason why a simulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    Complete,
    Interrupted,
    /// A run exceeded the limit of events.
    Events,
    /// The error is still too large after the largest number of replications.
    Replications,
}

/// The result of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The simulated process first, then the other named processes, each with the mean time of its
    /// executions.
    pub processes: Vec<Process>,
    pub resources: Vec<Resource>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Cycle>,
    /// Number of ends of delays and services, over all replications.
    pub events: u64,
    /// Quantiles of the time of the simulated process.
    pub quantiles: Vec<Quantile>,
    pub seed: u64,
    pub confidence: f64,
    pub end: End,
    /// If no replication ended: the time that the first one reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<f64>,
    /// Differences between the runs and the model.
    pub approximations: Vec<String>,
    #[serde(skip)]
    pub trace: Option<Trace>,
}

/// Kind of evidence for a mean time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// One exact run: nothing is random and all times are rational.
    Exact,
    /// One run, in which the order of the text decides between simultaneous requests; other orders
    /// may give other times.
    TextOrder,
    /// Several orders of simultaneous requests, that of the text first, with equal times.
    EqualOrders,
    /// Several orders of simultaneous requests, that of the text first, with different times.
    Orders,
    /// One run with rounded times: nothing is random.
    Rounded,
    /// One replication with random draws.
    OneDraw,
    /// Several replications with different draws and equal times.
    EqualDraws,
    /// Several replications with different times.
    Draws,
}

impl Basis {
    /// Basis of the report for replications with these times.
    fn of(runs: &[&Run<'_>], options: &Options, times: &[f64], is_rational: bool) -> Basis {
        let is_equal = times.iter().all(|time| Some(time) == times.first());
        if runs.iter().any(|run| run.is_drawn(options)) {
            return if times.len() == 1 {
                Basis::OneDraw
            } else if is_equal {
                Basis::EqualDraws
            } else {
                Basis::Draws
            };
        }
        let contended = runs.iter().any(|run| run.contended);
        if contended && !is_equal {
            Basis::Orders
        } else if contended && times.len() > 1 {
            Basis::EqualOrders
        } else if !is_rational {
            Basis::Rounded
        } else if contended {
            Basis::TextOrder
        } else {
            Basis::Exact
        }
    }

    /// True if the time is that of the first run, beside which others show what its order does.
    fn is_of_orders(self) -> bool {
        matches!(self, Basis::EqualOrders | Basis::Orders)
    }
}

/// The time of a process.
#[derive(Clone, Debug, Serialize)]
pub struct Process {
    pub name: String,
    /// The mean; with several orders of simultaneous requests, the time in the order of the text.
    pub mean: f64,
    /// The mean as a fraction, if all times are rational and no run draws anything: the time of
    /// every run.
    pub exact: Option<String>,
    /// The mean as a fraction, also with several orders.
    ///
    /// Set if no law is drawn, all times are rational, and all replications in one order agree.
    #[serde(skip)]
    pub fraction: Option<String>,
    /// Kind of evidence for the mean.
    pub basis: Basis,
    /// Standard deviation of the replications; for a named process, of their means. `None` for
    /// several orders.
    pub deviation: Option<f64>,
    /// Interval of the mean; for several orders, from the least to the greatest time.
    ///
    /// `None` if replications do not differ, unless the time is exact.
    pub interval: Option<[f64; 2]>,
    pub replications: usize,
    /// Mean number of executions in a replication.
    pub executions: f64,
}

/// A resource, averaged over the replications.
#[derive(Clone, Debug, Serialize)]
pub struct Resource {
    pub name: String,
    pub servers: u64,
    pub visits: f64,
    /// Fraction of time that a server is busy, from 0 to 1.
    pub utilisation: f64,
    /// Mean length of the queue over time, without requests being served.
    pub queue_mean: f64,
    /// Longest queue of all replications.
    pub queue_max: usize,
    /// Mean time of a request in the queue.
    pub wait_mean: f64,
}

/// Mean time of an iteration of a loop, between 10 and 70 % of its iterations.
#[derive(Clone, Debug, Serialize)]
pub struct Cycle {
    /// The process and the line of the loop.
    pub name: String,
    pub mean: f64,
    pub deviation: Option<f64>,
    pub interval: Option<[f64; 2]>,
    pub replications: usize,
}

/// Quantiles that are told.
const PROBABILITIES: [f64; 3] = [0.05, 0.5, 0.95];
const PROBABILITIES_OF_REQUESTS: [f64; 3] = [0.5, 0.9, 0.99];

impl Report {
    pub(super) fn new(
        model: &Model,
        code: &Code<'_>,
        options: &Options,
        mut runs: Vec<Run<'_>>,
        end: End,
    ) -> Report {
        let trace = runs.first_mut().and_then(|run| run.trace.take());
        let finished: Vec<&Run<'_>> = runs.iter().filter(|run| run.halt.is_none()).collect();
        // For an unfinished run, the measurements so far.
        let measured: Vec<&Run<'_>> = if finished.is_empty() {
            runs.iter().take(1).collect()
        } else {
            finished.clone()
        };
        // With several orders, the rest of the report describes the run in the order of the text.
        let in_orders = finished
            .first()
            .is_some_and(|first| is_order_sensitive(first, options));
        let shown = |all: &[&Run<'_>]| all.len().min(if in_orders { 1 } else { usize::MAX });
        Report {
            processes: processes(code, options, &finished),
            resources: resources(&measured[..shown(&measured)]),
            cycles: cycles(model, code, options, &finished[..shown(&finished)]),
            events: runs.iter().map(|run| run.events).sum(),
            quantiles: quantiles(options, &finished[..shown(&finished)]),
            seed: options.seed,
            confidence: options.confidence,
            end,
            reached: finished
                .is_empty()
                .then(|| runs.first().map_or(0.0, |run| run.time)),
            approximations: approximations(&runs),
            trace,
        }
    }
}

fn processes(code: &Code<'_>, options: &Options, runs: &[&Run<'_>]) -> Vec<Process> {
    let one = |(position, name): (usize, &&str)| {
        let executed = runs.iter().map(|run| &run.processes[position]);
        let executed: Vec<_> = executed.filter(|timed| timed.count > 0).collect();
        let means: Vec<f64> = executed.iter().map(|timed| timed.mean).collect();
        let first = executed.first()?;
        let agreed = first
            .exact
            .as_ref()
            .filter(|e| executed.iter().all(|timed| timed.exact.as_ref() == Some(e)));
        let basis = Basis::of(runs, options, &means, agreed.is_some());
        let in_orders = basis.is_of_orders();
        let fraction = if in_orders {
            first.exact.as_ref()
        } else {
            agreed
        };
        let fraction = fraction.filter(|_| runs.iter().all(|run| !run.random));
        let exact = fraction.filter(|_| matches!(basis, Basis::Exact | Basis::TextOrder));
        let summary = summary(&means, options.confidence);
        let mean = if in_orders { first.mean } else { summary.mean };
        let count: u64 = executed.iter().map(|timed| timed.count).sum();
        Some(Process {
            name: name.to_string(),
            mean,
            exact: exact.map(BigRational::to_string),
            fraction: fraction.map(BigRational::to_string),
            basis,
            deviation: match exact {
                Some(_) => summary.deviation.or(Some(0.0)),
                None => summary.deviation.filter(|_| !in_orders),
            },
            interval: match basis {
                _ if exact.is_some() => Some([mean, mean]),
                Basis::Draws => summary.interval,
                Basis::Orders => Some([
                    means.iter().copied().fold(f64::INFINITY, f64::min),
                    means.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                ]),
                _ => None,
            },
            replications: summary.replications,
            executions: count as f64 / runs.len() as f64,
        })
    };
    code.processes.iter().enumerate().filter_map(one).collect()
}

fn quantiles(options: &Options, runs: &[&Run<'_>]) -> Vec<Quantile> {
    if runs.iter().any(|run| !run.requests.is_empty()) {
        return of_requests(options, runs);
    }
    let mut times: Vec<f64> = runs.iter().map(|run| run.time).collect();
    if times.len() < 2 {
        return Vec::new();
    }
    times.sort_by(f64::total_cmp);
    let of = |p: &f64| quantile(&times, *p, options.confidence);
    PROBABILITIES.iter().map(of).collect()
}

/// Quantiles over the requests of an open process, with intervals by the replications.
fn of_requests(options: &Options, runs: &[&Run<'_>]) -> Vec<Quantile> {
    let sorted = |times: &mut Vec<f64>| times.sort_by(f64::total_cmp);
    let mut all: Vec<f64> = runs
        .iter()
        .flat_map(|run| run.requests.iter().copied())
        .collect();
    sorted(&mut all);
    let each: Vec<Vec<f64>> = runs
        .iter()
        .map(|run| {
            let mut own = run.requests.clone();
            sorted(&mut own);
            own
        })
        .filter(|own| !own.is_empty())
        .collect();
    let at = |sorted: &[f64], probability: f64| {
        let position = (sorted.len() as f64 * probability).ceil() as usize;
        sorted[position.clamp(1, sorted.len()) - 1]
    };
    let of = |&probability: &f64| {
        let single: Vec<f64> = each.iter().map(|own| at(own, probability)).collect();
        Quantile {
            probability,
            value: at(&all, probability),
            interval: summary(&single, options.confidence).interval,
        }
    };
    PROBABILITIES_OF_REQUESTS.iter().map(of).collect()
}

fn resources(runs: &[&Run<'_>]) -> Vec<Resource> {
    let mut keys: BTreeMap<&ArrayElement<'_>, Vec<(f64, &Used)>> = BTreeMap::new();
    for run in runs {
        for (key, used) in &run.resources {
            let measured = run.time - run.measured_from;
            keys.entry(key).or_default().push((measured, used));
        }
    }
    let count = runs.len().max(1) as f64;
    let mean = |uses: &[(f64, &Used)], value: &dyn Fn(f64, &Used) -> f64| {
        uses.iter()
            .map(|(time, used)| value(*time, used))
            .sum::<f64>()
            / count
    };
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let one = |((array, index), uses): (&ArrayElement<'_>, Vec<(f64, &Used)>)| {
        let servers = uses.first().map_or(1, |(_, used)| used.servers);
        let requests: u64 = uses.iter().map(|(_, used)| used.measured.requests).sum();
        let queued: f64 = uses.iter().map(|(_, used)| used.measured.queue).sum();
        let longest = uses.iter().map(|(_, used)| used.measured.longest);
        Resource {
            name: format!("{array}({index})"),
            servers,
            visits: mean(&uses, &|_, used| used.measured.visits as f64),
            utilisation: mean(&uses, &|time, used| {
                share(used.measured.busy, time * servers as f64)
            }),
            queue_mean: mean(&uses, &|time, used| share(used.measured.queue, time)),
            queue_max: longest.max().unwrap_or(0),
            wait_mean: share(queued, requests as f64),
        }
    };
    keys.into_iter().map(one).collect()
}

fn cycles(model: &Model, code: &Code<'_>, options: &Options, runs: &[&Run<'_>]) -> Vec<Cycle> {
    let one = |(position, cycle): (usize, &super::code::Cycle<'_>)| {
        let means = runs.iter().filter_map(|run| run.cycles[position]);
        let means: Vec<f64> = means.collect();
        if means.is_empty() {
            return None;
        }
        let Summary {
            mean,
            deviation,
            interval,
            replications,
        } = summary(&means, options.confidence);
        let text = model.sources().0.get(cycle.span.file as usize);
        let before = text.and_then(|file| file.text.get(..cycle.span.start as usize));
        let line = before.map_or(0, |text| text.matches('\n').count() + 1);
        Some(Cycle {
            name: format!("{}, loop in line {line}", cycle.process),
            mean,
            deviation,
            interval: interval.filter(|[lower, upper]| lower < upper),
            replications,
        })
    };
    code.cycles.iter().enumerate().filter_map(one).collect()
}

fn approximations(runs: &[Run<'_>]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in runs.iter().flat_map(|run| &run.approximations) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let clipped: u64 = runs.iter().map(|run| run.clipped).sum();
    if clipped > 0 {
        notes.push(format!("{clipped} times were drawn below 0 and count as 0"));
    }
    notes
}
