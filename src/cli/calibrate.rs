//! `pamela calibrate`

mod unknowns;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use pamela_programs::Problem;
use pamela_programs::calibrate::{Calibration, Loss, Settings, Unknown, calibrate};
use pamela_programs::measured::Table;

use super::measured::{Predictor, Reading, Target, left_aside, table, times, told};
use super::shared::{Input, RuleOptions, Values};
use super::{Names, Outcome, notes, output, progress, read_model, rule_base, values};
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::pipeline::{Model, Shown};
use unknowns::{folds, given};
pub use unknowns::{names, unknowns};

pub const EXAMPLES: &str = "\
Examples:
  pamela model cases/matmul/matmul.c --entry multiply -o matmul.pam
  pamela calibrate matmul.pam cases/matmul/matmul.json --by P -o fit.toml
  pamela eval matmul.pam --params fit.toml -D n=400 -D P=2
  pamela calibrate serve.pam table.csv --by system --hold-out model,gpus --loss relative -o fit.toml";

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
    /// Fit each group of rows, with equal values in these columns, by itself
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    by: Vec<String>,
    /// With --by: parameters that all groups have in common
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "by")]
    share: Vec<String>,
    /// Fit again without each of this many parts, and predict it [default: 5 with --hold-out]
    #[arg(long, value_name = "NUMBER", value_parser = parse_folds)]
    folds: Option<usize>,
    /// Leave out rows together that have equal values in these columns [default: each point]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    hold_out: Vec<String>,
    /// Errors to minimise: squares, relative or absolute
    #[arg(long, value_enum, value_name = "LOSS", default_value_t = LossName::Squares, hide_possible_values = true)]
    loss: LossName,
    /// Measured process [default: main, else the last]
    #[arg(long, value_name = "NAME")]
    process: Option<String>,
    /// Measured equation, in seconds, instead of a process
    #[arg(long, value_name = "NAME", conflicts_with = "process")]
    equation: Option<String>,
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

/// What a fit makes least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LossName {
    /// Squares of relative errors.
    Squares,
    /// Relative errors.
    Relative,
    /// Errors in seconds.
    Absolute,
}

impl From<LossName> for Loss {
    fn from(name: LossName) -> Loss {
        match name {
            LossName::Squares => Loss::Squares,
            LossName::Relative => Loss::Relative,
            LossName::Absolute => Loss::Absolute,
        }
    }
}

/// Parts that are left out by turns, if columns are held out and no number is given.
const FOLDS: usize = 5;

fn parse_folds(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (2..=20).contains(count));
    count.ok_or_else(|| "expected a whole number from 2 to 20, for example 5".to_string())
}

/// What is fitted, and how.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Parameters to fit; all possible times if there are none.
    pub fit: Vec<String>,
    pub by: Vec<String>,
    pub share: Vec<String>,
    pub folds: Option<usize>,
    pub hold_out: Vec<String>,
    pub loss: Loss,
}

impl Wish {
    /// The columns of texts that it needs.
    pub fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        for name in self.by.iter().chain(&self.hold_out) {
            if !labels.contains(name) {
                labels.push(name.clone());
            }
        }
        labels
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let model = read_model(&arguments.input)?;
    let (process, equation) = (&arguments.process, &arguments.equation);
    let target = Target::of(&model, process.as_deref(), equation.as_deref())?;
    let wish = Wish {
        fit: arguments.fit.clone(),
        by: arguments.by.clone(),
        share: arguments.share.clone(),
        folds: arguments.folds,
        hold_out: arguments.hold_out.clone(),
        loss: arguments.loss.into(),
    };
    let reading = &arguments.reading;
    let mut table = table(&arguments.table, reading, &model, &target, &wish.labels())?;
    for note in left_aside(&table) {
        output::note(&format!("note: {note}"));
    }
    if !arguments.keep {
        let left = leave_out_interrupted(&mut table);
        if left > 0 {
            output::note(&format!(
                "note: {left} runs took far longer than others at the same point and are left out; use --keep to keep them"
            ));
        }
    }
    let given = values::given(&arguments.values, &Names::of(&model))?;
    let measured = Measured::new(model, &given, target, table, rule_base(&arguments.rules)?)?;
    notes::of_bounds(&measured.predictor.compiled);
    let settings = measured.settings(&wish)?;
    let (done, all) = (settings.done.clone(), settings.fits());
    let progress = || (done.load(Ordering::Relaxed), all);
    let work = || measured.calibrated(&wish, &settings, &arguments.table);
    let mut found = progress::watched("fits", progress, work)?;
    found.given = given;
    // The covariances are many numbers, which nobody reads.
    let is_whole = found.held_out.is_some() || found.groups.iter().any(|own| !own.by.is_empty());
    let whole = found.file_text(&arguments.table);
    let text = if is_whole {
        whole.clone()
    } else {
        found.text(&arguments.table)
    };
    if let Some(file) = &arguments.output {
        std::fs::write(file, &whole).map_err(|error| output::cannot_write(file, &error))?;
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
        target: Target,
        mut table: Table,
        rules: RuleBase,
    ) -> Result<Measured, Error> {
        for (name, _) in given {
            if table.parameters.contains(name) {
                output::note(&format!(
                    "note: `{name}` is set, and the column of the table is ignored"
                ));
                table.without(name);
            }
        }
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
            predictor: Predictor::new(model, given, &target, &table, rules)?,
            table,
            may_be_times,
            units,
        })
    }

    /// How a wish is fitted.
    ///
    /// # Errors
    /// Fails for columns that the table lacks.
    pub fn settings(&self, wish: &Wish) -> Result<Settings, Error> {
        let is_folded = wish.folds.is_some() || !wish.hold_out.is_empty();
        let count = wish.folds.unwrap_or(FOLDS);
        let folds = is_folded.then(|| folds(count, &wish.hold_out, &self.table));
        Ok(Settings {
            loss: wish.loss,
            folds: folds.transpose()?,
            ..Settings::default()
        })
    }

    /// Fits the parameters of a wish to the table called `file`.
    ///
    /// # Errors
    /// Fails for parameters that have no value and are not fitted, for fitted parameters with a value, and for a
    /// table that does not determine the times.
    pub fn calibrated(
        &self,
        wish: &Wish,
        settings: &Settings,
        file: &str,
    ) -> Result<Calibration, Error> {
        let names = names(&wish.fit, &self.predictor.free(), &self.may_be_times)?;
        let times = unknowns(&names, &wish.by, &wish.share, &self.table)?;
        let mut found = fitted(&self.predictor, &self.table, file, &times, settings)?;
        found.equation = self.predictor.equation();
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
    settings: &Settings,
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
    calibrate(table, file, times, settings, &mut predict).map_err(told)
}
