//! Results from samples, runs and programs, as JSON for Python.

use std::path::PathBuf;
use std::sync::Arc;

use pamela::simulate::{
    Arbitration, Options, Replications, Watch, replications as elsewhere, simulate,
    simulate_elsewhere,
};
use pamela::uncertain::Sampling;
use pamela_cli::cli::{
    Measured, Reading, Target, Wish as CalibrationWish, leave_out_interrupted, left_aside, predict,
    table_of,
};
use pamela_programs::calibrate::Loss;
use pamela_programs::profile::Profile;
use pamela_programs::source::{Compiler, read};
use pyo3::prelude::*;

use crate::error::{raise, refuse};
use crate::model::Model;
use crate::work::interruptible;

/// Settings of a simulation.
#[derive(FromPyObject)]
struct Wish {
    process: Option<String>,
    replications: Option<usize>,
    until_relative_error: Option<f64>,
    confidence: f64,
    seed: u64,
    seeded: bool,
    clip: bool,
    cycles: bool,
    max_events: u64,
    trace_limit: Option<usize>,
    threads: Option<usize>,
}

impl From<Wish> for Options {
    fn from(wish: Wish) -> Options {
        Options {
            process: wish.process,
            replications: match (wish.replications, wish.until_relative_error) {
                (Some(count), _) => Replications::Exactly(count),
                (None, Some(error)) => Replications::UntilRelativeError(error),
                (None, None) => Replications::Default,
            },
            confidence: wish.confidence,
            seed: wish.seed,
            arbitration: if wish.seeded {
                Arbitration::Seeded
            } else {
                Arbitration::Source
            },
            clip: wish.clip,
            cycles: wish.cycles,
            requests: Options::default().requests,
            max_events: wish.max_events,
            trace_limit: wish.trace_limit,
            threads: wish.threads,
        }
    }
}

/// Simulates a model; returns the report as JSON, and the trace as JSON if requested.
#[pyfunction]
pub fn simulated(
    py: Python<'_>,
    model: &Model,
    wish: &Bound<'_, PyAny>,
) -> PyResult<(String, Option<String>)> {
    let options = Options::from(wish.extract::<Wish>()?);
    let model = model.model.clone();
    let watch = Arc::new(Watch::default());
    let own = watch.clone();
    let report = interruptible(
        py,
        || watch.interrupt(),
        move || simulate(model.checked(), &options, &own),
    )?;
    let report = report.map_err(|error| raise(py, &error))?;
    let trace = report.trace.as_ref().map(|trace| trace.to_json());
    let cannot = |error: serde_json::Error| refuse(py, format!("cannot write JSON: {error}"));
    let trace = trace.transpose().map_err(cannot)?;
    Ok((serde_json::to_string(&report).map_err(cannot)?, trace))
}

/// Simulates a model with all replications except the first made elsewhere; returns the report as
/// JSON.
///
/// `ask` gets the data that the replications need and a half-open range of their numbers. It
/// returns their texts.
#[pyfunction]
pub fn simulated_elsewhere(
    py: Python<'_>,
    model: &Model,
    wish: &Bound<'_, PyAny>,
    ask: Bound<'_, PyAny>,
) -> PyResult<String> {
    let options = Options::from(wish.extract::<Wish>()?);
    let (model, ask) = (model.model.clone(), ask.unbind());
    let mut raised = None;
    let report = py.detach(|| {
        let mut texts = |known: &str, numbers: std::ops::Range<usize>| {
            Python::attach(|py| {
                let found = ask.call1(py, (known, numbers.start, numbers.end));
                let texts = found.and_then(|found| found.extract::<Vec<String>>(py));
                texts.map_err(|error| {
                    raised = Some(error);
                    pamela::Error::new("the engine has failed")
                })
            })
        };
        simulate_elsewhere(model.checked(), &options, &Watch::default(), &mut texts)
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let report = report.map_err(|error| raise(py, &error))?;
    serde_json::to_string(&report)
        .map_err(|error| refuse(py, format!("cannot write JSON: {error}")))
}

/// Makes the replications with these numbers, for another process.
#[pyfunction]
pub fn replications(
    py: Python<'_>,
    model: &Model,
    wish: &Bound<'_, PyAny>,
    known: String,
    first: usize,
    end: usize,
) -> PyResult<String> {
    let options = Options::from(wish.extract::<Wish>()?);
    let model = model.model.clone();
    let watch = Arc::new(Watch::default());
    let own = watch.clone();
    let made = interruptible(
        py,
        || watch.interrupt(),
        move || elsewhere(model.checked(), &options, &known, first..end, &own),
    )?;
    made.map_err(|error| raise(py, &error))
}

/// Fits laws to samples; returns JSON.
#[pyfunction]
pub fn fitted(
    py: Python<'_>,
    name: String,
    samples: Vec<f64>,
    resamples: usize,
    seed: u64,
) -> PyResult<String> {
    let work = move || pamela::law::fit::Fit::new(&name, samples, resamples, seed);
    let fit = interruptible(py, || {}, work)?;
    let fit = fit.map_err(|reason| refuse(py, reason))?;
    serde_json::to_string(&fit).map_err(|error| refuse(py, error.to_string()))
}

/// Makes a model of a C program; returns its text and the parts that were not understood.
#[pyfunction]
pub fn of_program(
    py: Python<'_>,
    files: Vec<PathBuf>,
    entry: Option<String>,
    macros: Vec<String>,
    arguments: Vec<(String, usize)>,
    compiler: &str,
    counts: bool,
) -> PyResult<(String, Vec<String>)> {
    let modelled = py.detach(|| {
        let compiler = Compiler::read(compiler)?;
        let units = files.iter().map(|file| read(file, &compiler, &macros));
        let units = units.collect::<Result<Vec<_>, _>>()?;
        let options = pamela_programs::Options {
            entry,
            macros: macros.clone(),
            arguments: arguments.into_iter().collect(),
            counts,
            ..pamela_programs::Options::default()
        };
        pamela_programs::model(&units, &options)
    });
    let model = modelled.map_err(|problem| refuse(py, problem.to_string()))?;
    let opaque = model.opaque.iter().map(|part| {
        let place = part.place.as_ref().map(|place| format!("{place}: "));
        let name = part.name.as_ref().map(|name| format!(": `{name}`"));
        let (place, name) = (place.unwrap_or_default(), name.unwrap_or_default());
        format!("{place}{}{name}", part.reason)
    });
    Ok((model.model, opaque.collect()))
}

/// Settings of a calibration.
#[derive(FromPyObject)]
struct Calibrated {
    values: Vec<(String, String)>,
    fit: Vec<String>,
    by: Vec<String>,
    share: Vec<String>,
    folds: Option<usize>,
    hold_out: Vec<String>,
    loss: String,
    process: Option<String>,
    equation: Option<String>,
    keep: bool,
    region: Option<String>,
    names: Vec<(String, String)>,
}

/// JSON, a parameter file, the number of omitted runs, times in the units of their parameters, and notes on the table.
type CalibrationParts = (String, String, usize, Vec<(String, f64)>, Vec<String>);

/// Estimates the times of a model from a table of measured times.
#[pyfunction]
pub fn calibrated(
    py: Python<'_>,
    model: &Model,
    name: String,
    text: String,
    wish: &Bound<'_, PyAny>,
) -> PyResult<CalibrationParts> {
    let wish: Calibrated = wish.extract()?;
    let model = model.model.clone();
    let work = move || {
        let loss = match wish.loss.as_str() {
            "squares" => Loss::Squares,
            "relative" => Loss::Relative,
            "absolute" => Loss::Absolute,
            other => {
                let message =
                    format!("`{other}` is no loss; expected squares, relative or absolute");
                return Err(pamela::Error::new(message));
            }
        };
        if wish.folds.is_some_and(|folds| !(2..=20).contains(&folds)) {
            return Err(pamela::Error::new("`folds` is a number from 2 to 20"));
        }
        let (process, equation) = (wish.process.as_deref(), wish.equation.as_deref());
        let target = Target::of(&model, process, equation)?;
        let reading = Reading {
            region: wish.region.clone(),
            map: wish.names.clone(),
        };
        let asked = CalibrationWish {
            fit: wish.fit.clone(),
            by: wish.by.clone(),
            share: wish.share.clone(),
            folds: wish.folds,
            hold_out: wish.hold_out.clone(),
            loss,
        };
        let labels = asked.labels();
        let mut table = if Profile::is_one(&text) {
            Profile::read(&name, &text)
                .and_then(|profile| profile.table())
                .map_err(|problem| pamela::Error::new(problem.to_string()))?
        } else {
            table_of(&name, &text, &reading, &model, &target, &labels)?
        };
        let notes = left_aside(&table);
        let left = if wish.keep {
            0
        } else {
            leave_out_interrupted(&mut table)
        };
        let rules = pamela::rules::standard()?;
        let units = model.clone();
        let measured = Measured::new(model, &wish.values, target, table, rules)?;
        let settings = measured.settings(&asked)?;
        let found = measured.calibrated(&asked, &settings, &name)?;
        let single = found.times.iter().filter(|fitted| fitted.time.at.is_none());
        let values = single.map(|fitted| {
            let name = &fitted.time.name;
            let shown = units.shown_number(name);
            let value = shown.map_or(fitted.value, |shown| shown.double(fitted.value));
            (name.clone(), value)
        });
        let values = values.collect();
        Ok((
            serde_json::to_string(&found),
            found.file_text(&name),
            left,
            values,
            notes,
        ))
    };
    let found: pamela::Result<_> = interruptible(py, || {}, work)?;
    let (json, text, left, values, notes) = found.map_err(|error| raise(py, &error))?;
    let json = json.map_err(|error| refuse(py, error.to_string()))?;
    Ok((json, text, left, values, notes))
}

/// Laws of results where some numbers are not known; returns JSON. `fit` is the text of a file of a calibration, or empty.
#[pyfunction]
#[pyo3(signature = (model, fit, values, only, level, draws, seed))]
#[allow(clippy::too_many_arguments)]
pub fn predicted(
    py: Python<'_>,
    model: &Model,
    fit: String,
    values: Vec<(String, String)>,
    only: Vec<String>,
    level: f64,
    draws: usize,
    seed: u64,
) -> PyResult<String> {
    if !(level > 0.0 && level < 1.0) {
        return Err(refuse(
            py,
            "the level is a probability above 0 and below 1".to_owned(),
        ));
    }
    let model = model.model.clone();
    let sampling = Sampling {
        draws,
        seed,
        level,
        ..Sampling::default()
    };
    let work = move || predict(&model, &fit, &values, &only, &sampling);
    let found = interruptible(py, || {}, work)?.map_err(|error| raise(py, &error))?;
    serde_json::to_string(&found).map_err(|error| refuse(py, error.to_string()))
}

/// Runs a command of the command line; returns its exit code.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| pamela_cli::cli::main(arguments.into_iter().map(Into::into)))
}
