//! Models of the MPI calls that programs make: recorded calls are folded into loops, all ranks and points become one
//! program by formulas that hold at each of them exactly, and that program becomes a model like any other.

mod atoms;
mod conditions;
mod events;
mod fit;
mod fold;
mod formula;
mod groups;
mod linear;
mod merge;
mod nest;
mod numbers;
mod samples;
mod skeleton;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lowering::{self, NotUnderstood, Options};
use crate::problem::Problem;
use crate::profile::{self, Plan, RANKS, Traced};
use crate::source;
use events::Event;
use fold::Node;

pub const FORMAT: &str = "pamela-messages/1";

/// Larger values of parameters are refused.
const MOST_VALUE: u64 = 1_000_000_000_000;

/// The calls of a program at some points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub format: String,
    pub program: String,
    pub arguments: Vec<String>,
    pub run: Vec<String>,
    pub points: Vec<Point>,
}

/// The calls of all ranks in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub point: BTreeMap<String, i64>,
    /// Ranks of each communicator.
    pub communicators: Vec<Vec<i64>>,
    /// Number of calls and bytes by what is counted, such as `sent` or `allreduce`, counted before anything is folded.
    pub counted: BTreeMap<String, (u64, u64)>,
    /// Messages that are not recorded, between groups or from requests that were not seen.
    #[serde(default)]
    pub unknown: u64,
    ranks: Vec<Vec<Node>>,
}

/// Runs a built program at each point, and folds the calls that it makes.
///
/// # Errors
/// Fails like [`profile::trace`], if a value is not whole, or if a rank makes too many calls.
pub fn record(plan: &Plan, watch: &mut profile::Watch) -> Result<Trace, Problem> {
    let runs = profile::trace(plan, watch)?;
    let mut points = Vec::new();
    let mut ranks = Vec::new();
    for run in &runs {
        let (point, events) = read(run)?;
        points.push((point, events.len()));
        ranks.extend(events);
    }
    let mut folded = fold::fold(ranks).into_iter();
    let points = points.into_iter().map(|(point, count)| Point {
        ranks: folded.by_ref().take(count).collect(),
        ..point
    });
    Ok(Trace {
        format: FORMAT.to_string(),
        program: plan.files.join(" "),
        arguments: plan.arguments.clone(),
        run: plan.run.clone(),
        points: points.collect(),
    })
}

/// A point without its calls, and the calls of its ranks.
fn read(run: &Traced) -> Result<(Point, Vec<Vec<Event>>), Problem> {
    let mut values = BTreeMap::new();
    for (name, value) in &run.point {
        if value.fract() != 0.0 || value.abs() > MOST_VALUE as f64 {
            return Err(
                Problem::new(format!("`{name}` = {value} is not a whole number"))
                    .hint("the points of --mpi are whole numbers"),
            );
        }
        values.insert(name.clone(), *value as i64);
    }
    if values
        .get(RANKS)
        .is_none_or(|ranks| *ranks != run.reports.len() as i64)
    {
        let found = run.reports.len();
        return Err(Problem::new(format!("the command starts {found} ranks"))
            .hint("write {P} for the number of ranks, --run 'mpirun -n {P}', and give its values, --points P=1,2,4"));
    }
    let mut point = Point {
        point: values,
        communicators: Vec::new(),
        counted: BTreeMap::new(),
        unknown: 0,
        ranks: Vec::new(),
    };
    let mut ranks = Vec::new();
    for (rank, text) in run.reports.iter().enumerate() {
        let report = events::read(text).ok_or_else(|| {
            Problem::new(format!("the calls of rank {rank} are not complete"))
                .hint("each rank must call MPI_Finalize")
        })?;
        let mut events = report.events;
        if report.calls > events::MOST_CALLS {
            return Err(Problem::new(format!(
                "rank {rank} makes {} calls of MPI, at most {} are recorded",
                report.calls,
                events::MOST_CALLS
            ))
            .hint("profile fewer steps: loops are found in a few iterations"));
        }
        let known = report.communicators.iter().map(|own| {
            let known = point.communicators.iter().position(|other| other == own);
            known.unwrap_or_else(|| {
                point.communicators.push(own.clone());
                point.communicators.len() - 1
            })
        });
        let known: Vec<usize> = known.collect();
        for event in &mut events {
            event.communicator = event.communicator.and_then(|own| known.get(own).copied());
            event.count(&mut point.counted);
        }
        point.unknown += report.unknown;
        ranks.push(events);
    }
    Ok((point, ranks))
}

impl Point {
    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.ranks.len()
    }
}

impl Trace {
    /// True if a text begins as the calls of a program do.
    pub fn is_one(text: &str) -> bool {
        let start: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .take(40)
            .collect();
        start.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
    }

    /// # Errors
    /// Fails if the text has another format.
    pub fn read(file: &str, text: &str) -> Result<Trace, Problem> {
        let trace: Trace = serde_json::from_str(text).map_err(|error| {
            Problem::new(format!("`{file}` has no recorded calls of MPI: {error}"))
        })?;
        let first = trace.points.first().map(|point| &point.point);
        let is_point = |point: &Point| {
            let is_count = point.point.get(RANKS) == Some(&(point.ranks.len() as i64));
            let mut nodes = point.ranks.iter().flatten();
            let mut values = point.point.values();
            is_count
                && nodes.all(|node| node.is_valid(1))
                && values.all(|value| value.unsigned_abs() <= MOST_VALUE)
                && Some(point.point.keys().collect())
                    == first.map(|first| first.keys().collect::<Vec<_>>())
        };
        if trace.format != FORMAT || trace.points.is_empty() || !trace.points.iter().all(is_point) {
            return Err(
                Problem::new(format!("`{file}` has no recorded calls of MPI"))
                    .hint("write it with `pamela profile --mpi`"),
            );
        }
        Ok(trace)
    }

    /// # Errors
    /// Does not fail for any known trace.
    pub fn text(&self) -> Result<String, Problem> {
        let text = serde_json::to_string(self);
        let text = text.map_err(|error| Problem::new(format!("cannot write JSON: {error}")))?;
        Ok(text.replace("{\"point\"", "\n{\"point\"") + "\n")
    }
}

/// Makes a model; its first lines say at which points the calls were recorded. Options for the source of a program have
/// no effect.
///
/// # Errors
/// Fails if the calls come in no order that is common to the ranks.
pub fn model(trace: &Trace, options: &Options) -> Result<lowering::Model, Problem> {
    let written = skeleton::write(trace)?;
    let name = format!("calls of {}", trace.program);
    let unit = source::parse(&name, written.text)?;
    let mut ranks: Vec<i64> = trace
        .points
        .iter()
        .filter_map(|own| own.point.get(RANKS).copied())
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    let options = Options {
        arguments: written.arguments,
        counts: options.counts,
        network: options.network,
        parts: options.parts,
        lines: options.lines,
        ranks,
        ..Options::default()
    };
    let mut model = lowering::model(&[unit], &options)?;
    for (line, _) in &mut model.places {
        *line += 1;
    }
    let head = format!("% {}\n", written.measured);
    model.model.insert_str(0, &head);
    let missing = written.missing.into_iter().map(|problem| NotUnderstood {
        name: None,
        reason: problem.message,
        place: None,
        hint: problem.hint,
    });
    model.opaque.splice(0..0, missing);
    Ok(model)
}
