//! `pamela compare`

#[cfg(feature = "programs")]
mod measured;

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::output::basis;
use super::shared::{Input, RuleOptions, parse_count, parse_definition, parse_seed, parse_share};
use super::{Names, Outcome, notes, output, progress, read_model, rule_base};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::estimate::{Comparison, Point, Settings, compare, process_of};
use crate::pipeline::{Model, Options, Shown};
use crate::simulate::{self, Basis, Replications, Watch};
use crate::sweep::Values;
use crate::timing::Origin;

/// Each point is simulated: more take hours.
const MOST_POINTS: usize = 100_000;

/// Number of these columns that are times.
const TIMES: usize = 8;
const COLUMNS: [&str; 13] = [
    "time",
    "T",
    "L",
    "U",
    "mva",
    "simulated",
    "simulated_from",
    "simulated_to",
    "T_error",
    "L_error",
    "U_error",
    "mva_error",
    "basis",
];

/// Columns of models of graphs whose files say how long the whole took.
const RECORDED: [&str; 2] = ["recorded", "recorded_ratio"];

pub const EXAMPLES: &str = "\
Examples:
  pamela compare corpus/papers/mrm.pam -D P=1:8 -D N=100 -D tl=10 -D ts=0.5
  pamela compare corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5 --plot compared.svg
  pamela model cases/matmul/matmul.c --entry multiply -o matmul.pam
  pamela compare matmul.pam --measured cases/matmul/matmul.json --params cases/matmul/matmul.toml";

pub const NOTES: &str = "\
Columns: the exact `time` where a formula gives it; T; the bounds L and U; `mva`, if mean value analysis applies; the \
simulated mean and its interval; the errors of T, L, U and mva in per cent of that mean.

The last column is the basis of the mean: `exact`, `30 draws`, `one draw`, or `11 orders` of simultaneous requests; `the \
same in ..` means that all orders agreed. For orders, the mean is that of the model text and the interval spans the \
smallest and the largest time.

Graphs from files that record a total time get two more columns: `recorded` and `recorded_ratio`, relative to the \
simulated mean.

With --measured, the table is read as by `pamela calibrate`. Columns: median and 10 % and 90 % quantiles of the runs, predicted time, its error in per cent of the median, \
regime, and parameters outside the calibrated range.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: Input,
    /// Set a parameter: 16, 1:64, 1,2,4, log(1, 1e9, 10) (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Process to compare [default: main, else the last]
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,
    /// Number of replications at each point [default: 30 if random, else 1]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub replications: Option<u32>,
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = parse_share)]
    pub confidence: f64,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Maximum number of events in a run
    #[arg(long, value_name = "NUMBER", default_value = "1e8", value_parser = parse_count)]
    pub max_events: u64,
    /// Unit of times in models with units [default: s or cycle]
    #[arg(long, value_name = "UNIT")]
    pub time_unit: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the comparison: FILE.svg, .png or .json (Vega-Lite)
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "FILE")]
    pub plot: Option<std::path::PathBuf>,
    #[cfg(feature = "programs")]
    #[command(flatten)]
    pub measured: measured::Measured,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    #[cfg(feature = "programs")]
    if let Some(table) = &arguments.measured.measured {
        return measured::compare(arguments, table);
    }
    let mut model = read_model(&arguments.input)?;
    let names = Names::of(&model);
    for (name, value) in &arguments.define {
        names.require(name, &format!("`{name}={value}`"))?;
    }
    let (axes, fixed) = axes(&model, &arguments.define)?;
    for (name, value) in &fixed {
        model.define(name, value)?;
    }
    #[cfg(feature = "plot")]
    if let Some(path) = &arguments.plot {
        super::plot::format_of(path)?;
        crate::plot::comparable(axes.len())?;
    }
    let points = points(&axes)?;
    let compiled = compiled(&model, &arguments.rules)?;
    let process = process_of(&model, arguments.process.as_deref())?;
    let settings = Settings {
        process,
        simulation: simulation(arguments),
    };
    let unit = model.unit_of_times(arguments.time_unit.as_deref())?;
    let recorded = model.checked().recorded_makespan();
    let recorded = recorded.map(|time| unit.as_ref().map_or(time, |unit| unit.double(time)));
    let watch = Watch::default();
    let mut all = Vec::new();
    for point in &points {
        let mut found = compare(&model, &compiled, point, &settings, &watch)?;
        if let Some(unit) = &unit {
            found.times().for_each(|time| *time = unit.double(*time));
        }
        if !arguments.json && all.is_empty() {
            note_bounds(&model, &compiled, &settings.process)?;
            let names = axes.iter().map(|(name, _)| {
                let shown = compiled.shown(&model.own_name(name));
                shown.map_or_else(|| name.clone(), |shown| shown.head(name))
            });
            let columns = columns(unit.as_ref(), recorded.is_some());
            output::line(&names.chain(columns).collect::<Vec<_>>().join(","))?;
        }
        if !arguments.json {
            output::line(&row(&found, recorded))?;
        }
        all.push(found);
    }
    #[cfg(feature = "plot")]
    if let Some(path) = &arguments.plot {
        let fixed: Vec<String> = fixed
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let title = &super::plot::title::title(None, &arguments.input.file, Some(&model), &fixed);
        let picture =
            crate::plot::comparison(&compiled, &all, &settings.process, title, unit.as_ref())?;
        super::plot::write(&picture, super::plot::format_of(path)?, Some(path))?;
    }
    let complete = all.iter().all(|found| found.complete);
    if arguments.json {
        let points = all.iter().map(|found| json(found, recorded)).collect();
        output::json(&Compared {
            process: settings.process,
            unit: unit.as_ref().map(|unit| unit.unit.clone()),
            points,
        })?;
    }
    Ok(if complete {
        Outcome::Done
    } else {
        Outcome::Incomplete
    })
}

/// The model with all its equations and their bounds, after what limits them is said.
fn compiled(model: &Model, rules: &RuleOptions) -> Result<Compiled, Error> {
    let options = Options {
        all: true,
        bounds: true,
        without_moments: true,
        progress: progress::of_equations(),
        ..Options::default()
    };
    let compiled = model.compile_with(rule_base(rules)?, &options);
    progress::end_of_equations();
    let compiled = compiled?;
    output::caveats(compiled.simplified());
    Ok(compiled)
}

/// Prints notes on the bounds of a process and on its runs.
fn note_bounds(model: &Model, compiled: &Compiled, process: &str) -> Result<(), Error> {
    let time = Origin::Time(process.to_owned());
    let own = compiled.equations().iter().find(|e| e.origin == time);
    notes::of_bounds(&compiled.restricted(&Options {
        only: own.map(|e| e.name.clone()).into_iter().collect(),
        ..Options::default()
    })?);
    if let Some(note) = model.note_of_runs(Some(process)) {
        output::note(&format!("note: runs of {process}: {note}"));
    }
    Ok(())
}

/// Heads of the computed columns, times with their unit, and of recorded columns.
fn columns(unit: Option<&Shown>, recorded: bool) -> impl Iterator<Item = String> {
    let computed = COLUMNS.iter().enumerate();
    let computed = computed.map(move |(place, name)| match unit {
        Some(unit) if place < TIMES => unit.head(name),
        _ => name.to_string(),
    });
    let own = RECORDED
        .iter()
        .take(if recorded { RECORDED.len() } else { 0 });
    computed.chain(own.map(|name| name.to_string()))
}

fn simulation(arguments: &Arguments) -> simulate::Options {
    simulate::Options {
        replications: match arguments.replications {
            Some(count) => Replications::Exactly(count as usize),
            None => Replications::Default,
        },
        confidence: arguments.confidence,
        seed: arguments.seed,
        max_events: arguments.max_events,
        ..simulate::Options::default()
    }
}

/// Varied parameters with their values as texts, and constant ones.
type Axes = (Vec<(String, Vec<String>)>, Vec<(String, String)>);

fn axes(model: &Model, given: &[(String, String)]) -> Result<Axes, Error> {
    let (mut axes, mut fixed): Axes = (Vec::new(), Vec::new());
    for (position, (name, text)) in given.iter().enumerate() {
        if given[..position].iter().any(|(other, _)| other == name) {
            return Err(Error::new(format!("`{name}` is given twice")));
        }
        if let Some(rows) = model.rows(name) {
            let names: Vec<String> = match text.trim() {
                "*" => rows.rows.into_iter().map(|(row, _)| row).collect(),
                text => text.split(',').map(|row| row.trim().to_owned()).collect(),
            };
            match names.as_slice() {
                [row] => fixed.push((name.clone(), row.clone())),
                _ => axes.push((name.clone(), names)),
            }
            continue;
        }
        match Values::parse(text)? {
            Some(values) if values.len() <= MOST_POINTS as u64 => {
                let values = values.doubles(0, values.len() as usize);
                axes.push((name.clone(), values.iter().map(f64::to_string).collect()));
            }
            Some(values) => return Err(too_many(values.len() as f64)),
            None => fixed.push((name.clone(), text.clone())),
        }
    }
    Ok((axes, fixed))
}

fn too_many(points: f64) -> Error {
    Error::new(format!(
        "there are {points} points, but at most {MOST_POINTS} can be simulated; use fewer values"
    ))
}

/// All values with all others, the last axis changing fastest.
fn points(axes: &[(String, Vec<String>)]) -> Result<Vec<Point>, Error> {
    let count: f64 = axes.iter().map(|(_, values)| values.len() as f64).product();
    if count > MOST_POINTS as f64 {
        return Err(too_many(count));
    }
    let mut points: Vec<Point> = vec![Vec::new()];
    for (name, values) in axes {
        let longer = points.iter().flat_map(|point| {
            values.iter().map(move |value| {
                let mut longer = point.clone();
                longer.push((name.clone(), value.clone()));
                longer
            })
        });
        points = longer.collect();
    }
    Ok(points)
}

fn row(found: &Comparison, recorded: Option<f64>) -> String {
    let own = [found.formula, found.lower, found.upper, found.mean_value];
    let [from, to] = found
        .interval
        .map_or([None, None], |interval| interval.map(Some));
    let numbers = [found.time].into_iter().chain(own);
    let numbers = numbers.chain([Some(found.simulated), from, to]);
    let errors = own.into_iter().map(|value| found.error(value));
    let cell = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let parameters = found.parameters.iter().map(|(_, value)| value.clone());
    let cells = parameters.chain(numbers.chain(errors).map(cell));
    let cells: Vec<String> = cells
        .chain([basis(found.basis, found.replications)])
        .chain(recorded.iter().flat_map(|&recorded| {
            [recorded, recorded / found.simulated].map(|value| value.to_string())
        }))
        .collect();
    cells.join(",")
}

#[derive(Serialize)]
struct Compared<'c> {
    process: String,
    /// Unit of all times.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    points: Vec<Row<'c>>,
}

#[derive(Serialize)]
struct Row<'c> {
    parameters: BTreeMap<&'c str, f64>,
    time: Option<f64>,
    #[serde(rename = "T")]
    formula: Option<f64>,
    #[serde(rename = "L")]
    lower: Option<f64>,
    #[serde(rename = "U")]
    upper: Option<f64>,
    mva: Option<f64>,
    simulated: f64,
    interval: Option<[f64; 2]>,
    basis: Basis,
    replications: usize,
    complete: bool,
    /// In per cent of the simulated time.
    errors: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<f64>,
    /// Over the simulated time.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_ratio: Option<f64>,
}

fn json(found: &Comparison, recorded: Option<f64>) -> Row<'_> {
    let own = [
        ("T", found.formula),
        ("L", found.lower),
        ("U", found.upper),
        ("mva", found.mean_value),
    ];
    let errors = own
        .into_iter()
        .filter_map(|(name, value)| Some((name, found.error(value)?)));
    let parameters = found.parameters.iter();
    Row {
        parameters: parameters
            .filter_map(|(name, value)| Some((name.as_str(), value.parse().ok()?)))
            .collect(),
        time: found.time,
        formula: found.formula,
        lower: found.lower,
        upper: found.upper,
        mva: found.mean_value,
        simulated: found.simulated,
        interval: found.interval,
        basis: found.basis,
        replications: found.replications,
        complete: found.complete,
        errors: errors.collect(),
        recorded,
        recorded_ratio: recorded.map(|recorded| recorded / found.simulated),
    }
}
