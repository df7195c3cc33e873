//! `pamela simulate`

use super::output::{basis, number};
use super::shared::{ADVANCED, Input, Values, parse_count, parse_seed, parse_share};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Names, Outcome, output, progress, read_model, values};
use crate::diagnostic::Error;
use crate::formula::number_text;
use crate::pipeline::Shown;
use crate::ring::Rational;
use crate::simulate::{
    Arbitration, Basis, End, Options, Process, Replications, Report, Resource, Watch, simulate,
};

pub const EXAMPLES: &str = "\
Examples:
  pamela simulate corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5
  pamela simulate corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5 --trace trace.json
  pamela simulate corpus/papers/mrm_stochastic.pam -D P=8 -D N=100 --until-relative-error 1%";

pub const NOTES: &str = "\
The time is exact if nothing is random and all times are rational. Simultaneous requests are served in the order of the \
model text. If that order matters, ten random orders are simulated as well. Ctrl-C stops and prints the results so far. \
In a trace, times without a unit are in us.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub values: Values,
    /// Process to simulate [default: main, else the last]
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,
    /// Number of replications [default: 30 if random, else 1 or 11]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub replications: Option<u32>,
    /// Replicate until half the interval is this share of the mean
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with = "replications")]
    pub until_relative_error: Option<f64>,
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = parse_share)]
    pub confidence: f64,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Add the mean time of an iteration of each `seq`
    #[arg(long)]
    pub cycle: bool,
    /// Write a trace of the first replication for Perfetto or Chrome
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print JSON, with times in s or cycle if the model has units
    #[arg(long)]
    pub json: bool,
    /// Order of simultaneous requests: source (the text) or seeded
    #[arg(
        long, value_enum, value_name = "ORDER", default_value_t = Arbitrate::Source, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub arbitration: Arbitrate,
    /// Random times below 0: error, or clip to 0
    #[arg(
        long, value_enum, value_name = "error|clip", default_value_t = Negative::Error, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub negative: Negative,
    /// Maximum number of events in the trace
    #[arg(
        long, value_name = "NUMBER", default_value = "1e6", value_parser = parse_limit, help_heading = ADVANCED
    )]
    pub trace_limit: usize,
    /// Number of requests of an open process, in all replications
    #[arg(long, value_name = "NUMBER", default_value = "1e6", value_parser = parse_count)]
    pub requests: u64,
    /// Maximum number of events in a run
    #[arg(
        long, value_name = "NUMBER", default_value = "1e8", value_parser = parse_count, help_heading = ADVANCED
    )]
    pub max_events: u64,
    /// Number of threads (does not affect results) [default: one per core]
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..), help_heading = ADVANCED
    )]
    pub threads: Option<u8>,
    /// Unit of times in models with units [default: s or cycle]
    #[arg(long, value_name = "UNIT", conflicts_with = "json", help_heading = ADVANCED)]
    pub time_unit: Option<String>,
    #[command(flatten)]
    pub input: Input,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arbitrate {
    /// The order of the text and of the indices, later that in which requests began. If nothing is random, replications
    /// after the first draw the order.
    Source,
    /// A random order, by the seed.
    Seeded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Negative {
    /// The simulation ends with an error.
    Error,
    /// The time counts as 0.
    Clip,
}

fn parse_limit(text: &str) -> Result<usize, String> {
    let limit = parse_count(text)?;
    match usize::try_from(limit) {
        Ok(limit) if limit <= 20_000_000 => Ok(limit),
        _ => Err("a trace has at most 2e7 events".to_string()),
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut model = read_model(&arguments.input)?;
    let names = Names::of(&model);
    for (name, value) in &values::given(&arguments.values, &names)? {
        model.define(name, value)?;
    }
    let times = Times {
        unit: model.unit_of_times(arguments.time_unit.as_deref())?,
    };
    let watch = Arc::new(Watch::default());
    let interrupted = watch.clone();
    // Without a handler, an interruption only ends the program at once.
    let _ = ctrlc::set_handler(move || interrupted.interrupt());
    let mut report = progress::watched(
        "replications",
        || watch.progress(),
        || simulate(model.checked(), &options(arguments), &watch),
    )?;
    let note = model.note_of_runs(arguments.process.as_deref());
    report
        .approximations
        .extend(note.map(|note| note.to_string()));
    if let Some(path) = &arguments.trace {
        write_trace(&report, path, model.microseconds())?;
    }
    if arguments.json {
        output::json(&Json {
            unit: times.unit.as_ref().map(|unit| unit.base.as_str()),
            report: &report,
        })?
    } else {
        output::line(&text(&report, &times))?
    }
    Ok(match report.end {
        End::Complete => Outcome::Done,
        End::Interrupted | End::Events | End::Replications => Outcome::Incomplete,
    })
}

#[derive(Serialize)]
struct Json<'r> {
    /// Unit of all times.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'r str>,
    #[serde(flatten)]
    report: &'r Report,
}

/// In which unit times are shown, if they have one.
struct Times {
    unit: Option<Shown>,
}

impl Times {
    fn number(&self, value: f64) -> String {
        number(self.double(value))
    }

    fn double(&self, value: f64) -> f64 {
        self.unit.as_ref().map_or(value, |unit| unit.double(value))
    }

    /// An exact time, which is a decimal number or a fraction.
    fn exact(&self, text: &str) -> String {
        let scaled = self.unit.as_ref().filter(|unit| !unit.scale.is_one());
        let Some(unit) = scaled else {
            return text.to_owned();
        };
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let value = match (
            Rational::parse_decimal(above),
            Rational::parse_decimal(below),
        ) {
            (Ok(above), Ok(below)) => above.checked_div(&below),
            _ => None,
        };
        value.map_or_else(|| text.to_owned(), |value| number_text(&unit.exact(&value)))
    }

    fn head(&self, name: &str) -> String {
        let unit = self.unit.as_ref();
        unit.map_or_else(|| name.to_owned(), |unit| unit.head(name))
    }

    fn interval(&self, interval: Option<[f64; 2]>) -> String {
        interval.map_or(String::new(), |[lower, upper]| {
            format!("{} .. {}", self.number(lower), self.number(upper))
        })
    }
}

fn options(arguments: &Arguments) -> Options {
    Options {
        process: arguments.process.clone(),
        replications: match (arguments.replications, arguments.until_relative_error) {
            (Some(count), _) => Replications::Exactly(count as usize),
            (None, Some(error)) => Replications::UntilRelativeError(error),
            (None, None) => Replications::Default,
        },
        confidence: arguments.confidence,
        seed: arguments.seed,
        arbitration: match arguments.arbitration {
            Arbitrate::Seeded => Arbitration::Seeded,
            Arbitrate::Source => Arbitration::Source,
        },
        clip: arguments.negative == Negative::Clip,
        cycles: arguments.cycle,
        requests: arguments.requests,
        max_events: arguments.max_events,
        trace_limit: arguments.trace.as_ref().map(|_| arguments.trace_limit),
        threads: arguments.threads.map(usize::from),
    }
}

fn write_trace(report: &Report, path: &std::path::Path, microseconds: f64) -> Result<(), Error> {
    let Some(trace) = &report.trace else {
        return Ok(());
    };
    let text = trace.to_json().and_then(|text| scaled(text, microseconds));
    let text = text.map_err(|error| Error::new(format!("cannot write JSON: {error}")))?;
    std::fs::write(path, text).map_err(|error| output::cannot_write(path, &error))?;
    if trace.is_cut() {
        output::note("note: the trace is cut off at its limit; raise it with `--trace-limit`");
    }
    Ok(())
}

/// A trace with a unit of time of `microseconds` microseconds, which its viewers expect.
fn scaled(text: String, microseconds: f64) -> serde_json::Result<String> {
    if microseconds == 1.0 {
        return Ok(text);
    }
    let mut trace: serde_json::Value = serde_json::from_str(&text)?;
    let events = trace["traceEvents"].as_array_mut().into_iter().flatten();
    for event in events.filter_map(|event| event.as_object_mut()) {
        for key in ["ts", "dur"] {
            if let Some(time) = event.get(key).and_then(serde_json::Value::as_f64) {
                event.insert(key.to_owned(), (time * microseconds).into());
            }
        }
    }
    serde_json::to_string(&trace)
}

fn text(report: &Report, times: &Times) -> String {
    let mut lines: Vec<String> = Vec::new();
    match (report.end, report.reached) {
        (End::Complete, _) => {}
        (end, Some(time)) => {
            let time = times.double(time);
            let reached = times.head(&format!("{}, at the time {time}", why(end)));
            lines.push(format!("% note: {reached}"));
        }
        (end, None) => lines.push(format!("% note: {}", why(end))),
    }
    let notes = report.approximations.iter();
    lines.extend(notes.map(|note| format!("% note: {note}")));
    let percent = 100.0 * report.confidence;
    let interval = format!("{percent} % interval");
    let [mean, interval, deviation] = ["mean", &interval, "deviation"].map(|own| times.head(own));
    let columns = ["time", &mean, &interval, &deviation, "executions"];
    if !report.processes.is_empty() {
        let rows = report.processes.iter().map(|own| process(own, times));
        lines.extend(table(columns, rows));
    }
    if let Some(process) = report.processes.first().filter(|p| p.replications > 1) {
        let (runs, seed) = (process.replications, report.seed);
        lines.push(match process.basis {
            Basis::Orders | Basis::EqualOrders => format!(
                "\n{runs} orders of simultaneous requests, seed {seed}; the rest is for the order of the text"
            ),
            _ => format!("\n{runs} replications, seed {seed}"),
        });
        // If all times are equal, quantiles say nothing more.
        let differ = process.basis == Basis::Draws;
        for quantile in report.quantiles.iter().filter(|_| differ) {
            let share = 100.0 * quantile.probability;
            let bounds = quantile.interval.map_or(String::new(), |[lower, upper]| {
                format!(
                    ", between {} and {}",
                    times.number(lower),
                    times.number(upper)
                )
            });
            let value = times.head(&times.number(quantile.value));
            lines.push(format!("{share} % within {value}{bounds}"));
        }
    }
    if !report.cycles.is_empty() {
        lines.push(String::new());
        let columns = ["cycle", &mean, &interval, &deviation, ""];
        let rows = report.cycles.iter().map(|c| {
            let deviation = c.deviation.map_or(String::new(), |own| times.number(own));
            [
                c.name.clone(),
                times.number(c.mean),
                times.interval(c.interval),
                deviation,
                String::new(),
            ]
        });
        lines.extend(table(columns, rows));
    }
    if !report.resources.is_empty() {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let wait = times.head("wait");
        let columns = [
            "resource",
            "servers",
            "visits",
            "utilisation",
            "queue",
            "longest",
            &wait,
        ];
        let rows = report.resources.iter().map(|own| resource(own, times));
        lines.extend(table(columns, rows));
    }
    lines.join("\n")
}

fn why(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Interrupted => "interrupted",
        End::Events => "stopped at the limit of events (see `--max-events`)",
        End::Replications => {
            "stopped at the maximum number of replications; the error is still larger"
        }
    }
}

fn process(process: &Process, times: &Times) -> [String; 5] {
    let number = |value: f64| times.number(value);
    let mean = match process.exact.as_ref().map(|exact| times.exact(exact)) {
        Some(exact) if !exact.contains('/') => exact,
        Some(exact) => format!("{} = {exact}", number(process.mean)),
        None => number(process.mean),
    };
    let certain = process.exact.is_some();
    [
        process.name.clone(),
        mean.clone(),
        match (process.basis, process.interval) {
            (Basis::Draws, Some(interval)) => times.interval(Some(interval)),
            (Basis::Orders, Some(interval)) => format!(
                "{} in {} (text: {mean})",
                times.interval(Some(interval)),
                basis(process.basis, process.replications)
            ),
            _ => basis(process.basis, process.replications),
        },
        match process.deviation.filter(|_| !certain) {
            Some(deviation) => number(deviation),
            None => String::new(),
        },
        output::number(process.executions),
    ]
}

fn resource(resource: &Resource, times: &Times) -> [String; 7] {
    [
        resource.name.clone(),
        resource.servers.to_string(),
        number(resource.visits),
        format!("{:.4}", resource.utilisation),
        number(resource.queue_mean),
        resource.queue_max.to_string(),
        times.number(resource.wait_mean),
    ]
}

/// Columns of one width each, without spaces at the ends of lines.
fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<String> {
    let mut all = vec![head.map(str::to_string)];
    all.extend(rows);
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        cells.join("  ").trim_end().to_string()
    };
    all.iter().map(line).collect()
}
