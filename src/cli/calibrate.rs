//! `pamela calibrate`

use std::path::PathBuf;

use clap::Args;
use pamela_programs::Problem;
use pamela_programs::calibrate::{Calibration, Unknown, calibrate};
use pamela_programs::measured::Table;
use pamela_programs::profile::OVERHEADS;

use super::measured::{ParameterValues, Predictor, Reading, table, time_names, times, told};
use super::shared::{Input, RuleOptions, Values};
use super::{Names, Outcome, notes, output, read_model, rule_base, values};
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::pipeline::{Model, Shown};

pub const EXAMPLES: &str = "\
Examples:
  pamela model cases/matmul/matmul.c --entry multiply -o matmul.pam
  pamela calibrate matmul.pam cases/matmul/matmul.json --by P -o fit.toml
  pamela eval matmul.pam --params fit.toml -D n=400 -D P=2";

pub const NOTES: &str = "\
A CSV table names its columns in the first line: parameters of the model, and `time` in seconds, or `time[ms]`, \
`time[us]`, `time[ns]`. The column may also be called `value`, `time_L` or `T_L`, for a process `L`. Rows with equal parameters are runs of one point; their median counts. Optional columns are \
`region` and `rep`. Lines that begin with # are comments.

The fit minimises relative errors. Fitted times are at least 0, within their declared bounds, and in seconds; in a \
model with units they have a unit. A note names each time that only a bound keeps from a better fit.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Measured times: a CSV table, a profile, a directory of profiles, or an Extra-P file
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    rules: RuleOptions,
    /// Fit these parameters [default: all possible times without a value]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fit: Vec<String>,
    /// Fit OpenMP times such as t_fork separately for each value of this parameter
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Measured process [default: main, else the last]
    #[arg(long, value_name = "NAME")]
    process: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// Keep outliers: runs that took far longer than others at the same point
    #[arg(long)]
    keep: bool,
    /// Write the values to this file, for --params
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let model = read_model(&arguments.input)?;
    let process = arguments.process.as_deref();
    let times = time_names(&model, process)?;
    let mut table = table(&arguments.table, &arguments.reading, &times)?;
    if !arguments.keep {
        let left = leave_out_interrupted(&mut table);
        if left > 0 {
            output::note(&format!(
                "note: {left} runs took far longer than others at the same point and are left out; use --keep to keep them"
            ));
        }
    }
    let given = values::given(&arguments.values, &Names::of(&model))?;
    let measured = Measured::new(model, &given, process, table, rule_base(&arguments.rules)?)?;
    notes::of_bounds(&measured.predictor.compiled);
    let by = arguments.by.as_deref();
    let found = measured.calibrated(&arguments.fit, by, &arguments.table)?;
    let text = found.text(&arguments.table);
    if let Some(file) = &arguments.output {
        std::fs::write(file, &text).map_err(|error| output::cannot_write(file, &error))?;
    }
    match (arguments.json, &arguments.output) {
        (true, _) => output::json(&found)?,
        (false, None) => output::line(text.trim_end())?,
        (false, Some(_)) => {}
    }
    Ok(Outcome::Done)
}

/// Leaves out the runs that took far longer than the others of their point, and says how many.
pub fn leave_out_interrupted(table: &mut Table) -> usize {
    let points = table.points.iter_mut();
    points.map(|point| point.without_interruptions()).sum()
}

/// A model beside a table of measured times.
pub struct Measured {
    predictor: Predictor,
    table: Table,
    may_be_times: Vec<String>,
    /// The units of the parameters that have one.
    units: Vec<(String, Shown)>,
}

impl Measured {
    /// The model with these values; of the process that was measured.
    ///
    /// # Errors
    /// Fails for values that do not fit, a column that the model lacks, or a process that does not exist.
    pub fn new(
        model: Model,
        given: &[(String, String)],
        process: Option<&str>,
        table: Table,
        rules: RuleBase,
    ) -> Result<Measured, Error> {
        let may_be_times = times(&model);
        let unit = |name: &str| Some((name.to_owned(), model.shown_number(name)?));
        let units = model.scalar_parameters().filter_map(unit).collect();
        if let Some(time) = model
            .unit_of_times(None)?
            .filter(|time| time.base != SECONDS)
        {
            let message = format!(
                "the times of the model are in {}, and measured times are in seconds",
                time.base
            );
            return Err(Error::new(message)
                .hint("give the model times in seconds, for example a rate of clock cycles"));
        }
        Ok(Measured {
            predictor: Predictor::new(model, given, process, &table, rules)?,
            table,
            may_be_times,
            units,
        })
    }

    /// Fits the parameters `fit`, or all possible times without a value, to the table called `file`. OpenMP times are
    /// fitted separately for each value of the parameter `by`.
    ///
    /// # Errors
    /// Fails for parameters that have no value and are not fitted, for fitted parameters with a value, and for a
    /// table that does not determine the times.
    pub fn calibrated(
        &self,
        fit: &[String],
        by: Option<&str>,
        file: &str,
    ) -> Result<Calibration, Error> {
        let names = names(fit, &self.predictor.free(), &self.may_be_times)?;
        let times = unknowns(&names, by, &self.table)?;
        let mut found = fitted(&self.predictor, &self.table, file, &times)?;
        for (name, shown) in &self.units {
            if names.contains(name) {
                found.units.insert(name.clone(), shown.base.clone());
            } else if self.table.parameters.contains(name) {
                found.units.insert(name.clone(), shown.unit.clone());
            }
        }
        Ok(found)
    }
}

/// The base unit of measured times.
const SECONDS: &str = "s";

/// A fit evaluates all times some thousand times; evaluations of this many steps take a minute in all.
const MOST_STEPS: u64 = 2_000_000;
/// A time to begin with, in seconds.
const FIRST: f64 = 1e-6;

/// The times of a model for which it is nearest to a table.
pub fn fitted(
    predictor: &Predictor,
    table: &Table,
    file: &str,
    times: &[Unknown],
) -> Result<Calibration, Error> {
    let bounded = |time: &Unknown| Unknown {
        bounds: predictor.bounds(&time.name),
        ..time.clone()
    };
    let times: &Vec<Unknown> = &times.iter().map(bounded).collect();
    let within = |[least, most]: [f64; 2]| FIRST.max(least).min(most);
    let first: Vec<f64> = times.iter().map(|time| within(time.edges())).collect();
    let loops = predictor
        .loops(&given(times, &first, table))
        .map_err(told)?;
    let steps: u64 = loops.iter().map(|(_, steps)| steps).sum();
    if steps > MOST_STEPS / (times.len() as u64 + 1) {
        let longest = loops.into_iter().max_by_key(|(_, steps)| *steps);
        let (place, steps) = longest.unwrap_or_default();
        let problem = Problem::new(format!(
            "the time has no closed form at {place}, and takes {steps} steps at each evaluation of the fit"
        ));
        return Err(told(problem.hint(
            "state its value there, as in `if (P == 1)`, or leave out such points",
        )));
    }
    let mut predict = |candidates: &[Vec<f64>]| {
        let list = |candidate: &Vec<f64>| {
            let found = predictor.at(&given(times, candidate, table))?;
            Ok(found.into_iter().map(|(time, _)| time).collect())
        };
        candidates.iter().map(list).collect()
    };
    calibrate(table, file, times, &mut predict).map_err(told)
}

/// The times at the points of a table.
fn given<'t>(
    times: &'t [Unknown],
    values: &[f64],
    table: &Table,
) -> Vec<(&'t str, ParameterValues)> {
    let mut all: Vec<(&str, ParameterValues)> = Vec::new();
    for (time, value) in times.iter().zip(values) {
        let Some((parameter, at)) = &time.at else {
            all.push((&time.name, ParameterValues::Everywhere(*value)));
            continue;
        };
        if all.last().is_none_or(|(name, _)| *name != time.name) {
            all.push((
                &time.name,
                ParameterValues::At(vec![0.0; table.points.len()]),
            ));
        }
        let column = table.parameters.iter().position(|name| name == parameter);
        let (Some(column), Some((_, ParameterValues::At(list)))) = (column, all.last_mut()) else {
            continue;
        };
        for (place, point) in list.iter_mut().zip(&table.points) {
            if point.values[column] == *at {
                *place = *value;
            }
        }
    }
    all
}

/// The times that are to be found: what OpenMP takes has another value for each of the parameter `by`.
pub fn unknowns(names: &[String], by: Option<&str>, table: &Table) -> Result<Vec<Unknown>, Error> {
    let Some(by) = by else {
        return Ok(names
            .iter()
            .map(|name| Unknown::from(name.as_str()))
            .collect());
    };
    let column = table.parameters.iter().position(|name| name == by);
    let column = column.ok_or_else(|| {
        Error::new(format!(
            "the table has no column `{by}`; its columns are `{}`",
            table.parameters.join("`, `")
        ))
    })?;
    let mut values: Vec<f64> = table.points.iter().map(|p| p.values[column]).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let each = |name: &String| -> Vec<Unknown> {
        match OVERHEADS.contains(&name.as_str()) {
            false => vec![Unknown::from(name.as_str())],
            true => values
                .iter()
                .map(|value| Unknown {
                    at: Some((by.to_string(), *value)),
                    ..Unknown::from(name.as_str())
                })
                .collect(),
        }
    };
    Ok(names.iter().flat_map(each).collect())
}

/// Names of the parameters to fit: `asked`, or all parameters that may be times if `asked` is empty.
pub fn names(asked: &[String], free: &[String], times: &[String]) -> Result<Vec<String>, Error> {
    let listed = |names: &[&String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let wanted = match asked.is_empty() {
        true => times
            .iter()
            .filter(|name| free.contains(name))
            .cloned()
            .collect(),
        false => asked.to_vec(),
    };
    for (place, name) in wanted.iter().enumerate() {
        if !free.contains(name) || wanted[..place].contains(name) {
            return Err(Error::new(format!(
                "cannot fit `{name}`: it is not a parameter without a value; those are {}",
                listed(&free.iter().collect::<Vec<_>>())
            )));
        }
    }
    let lacking: Vec<&String> = free.iter().filter(|name| !wanted.contains(name)).collect();
    if !lacking.is_empty() {
        return Err(Error::new(format!(
            "no value of {}: set it with -D, --params or a column of the table, or fit it with --fit",
            listed(&lacking)
        )));
    }
    if wanted.is_empty() {
        return Err(Error::new(
            "every parameter of the model has a value: there is nothing to fit".to_string(),
        ));
    }
    Ok(wanted)
}
