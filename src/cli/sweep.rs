//! `pamela sweep`

mod columns;
mod file;
mod parts;
mod script;
mod unknowns;
mod watch;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::columns::{TableFormat, file as file_of, form};
use super::shared::{
    ADVANCED, GraphMethod, Graphs, Input, Laws, RANDOM, RuleOptions, parse_definition,
    parse_probability, words,
};
use super::{Outcome, compiling, notes, output, read_subject, sweep_values, uncertain};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::effort::Effort;
use crate::pipeline::{Asked, Options};
use crate::sweep::{Aggregate, Best, Form, Format, Grid, Sweep, Watch};
use crate::uncertain::Factor;
use file::{RowWriter, open};
use unknowns::Columns;
pub use watch::Pipe;
use watch::{ended, watched};

use super::progress::watch;

pub const EXAMPLES: &str = "\
Examples:
  pamela sweep corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5
  pamela sweep corpus/papers/mrm.pam -D P='2^(0:10)' -D N=100 -D tl=10 -D ts=0.5 -o table.csv
  pamela sweep corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5 --aggregate min,argmin";

pub const NOTES: &str = "\
The last parameter given changes fastest. Each value equals the one that `pamela eval` prints.";

/// The heading of options that select or summarise rows.
const SUMMARIES: &str = "Summaries";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Set a parameter: 16, 1:64, 1,2,4, log(1, 1e9, 10) (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file, or points from a CSV file
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    /// Advance all lists together instead of combining all values
    #[arg(long)]
    pub zip: bool,
    /// Keep only rows that satisfy this condition (repeatable)
    #[arg(long = "where", value_name = "CONDITION")]
    pub conditions: Vec<String>,
    /// Write to this file; `-` is standard output, the default
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Format: csv, jsonl, parquet, arrow [default: by the file name, else csv]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<TableFormat>,
    /// Add critical path phi_L and bottleneck omega_L
    #[arg(long)]
    pub all: bool,
    /// Add bounds L_L and U_L of times
    #[arg(long)]
    pub bounds: bool,
    /// Compute only these equations
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Print the number of points and the estimated size, then exit
    #[arg(long)]
    pub dry_run: bool,
    /// Keep the rows with the largest values of the column given by --by
    #[arg(
        long, value_name = "NUMBER", requires = "by", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        help_heading = SUMMARIES
    )]
    pub top: Option<u32>,
    /// Column for --top; `-T_main` keeps the smallest values
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "top",
        allow_hyphen_values = true,
        help_heading = SUMMARIES
    )]
    pub by: Option<String>,
    /// Print min, max, mean, sum, count, argmin or argmax instead of rows
    #[arg(
        long, value_enum, value_name = "FIGURE,...", value_delimiter = ',', conflicts_with_all = ["top", "resume"],
        hide_possible_values = true, help_heading = SUMMARIES
    )]
    pub aggregate: Vec<Figure>,
    /// Aggregate separately for each value of these parameters
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "aggregate",
        help_heading = SUMMARIES
    )]
    pub group_by: Vec<String>,
    /// Print these quantiles of distributions
    #[arg(
        long, value_name = "P,...", value_delimiter = ',', default_value = "0.5,0.9,0.99",
        value_parser = parse_probability, help_heading = RANDOM
    )]
    pub quantiles: Vec<f64>,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = RANDOM
    )]
    pub laws: Laws,
    #[command(flatten)]
    pub graphs: Graphs,
    #[command(flatten)]
    pub uncertainty: Columns,
    /// Continue an unfinished file; needs -o
    #[arg(long, requires = "output", conflicts_with = "top", help_heading = parts::HEADING)]
    pub resume: bool,
    /// Compute part I of N, from 1; all parts in order are the whole table
    #[arg(
        long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["top", "aggregate"],
        help_heading = parts::HEADING
    )]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub parts: parts::Options,
    /// Number of threads (does not affect results) [default: one per core]
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..), help_heading = ADVANCED
    )]
    pub threads: Option<u8>,
    /// Split the time of each process by the labels of its parts
    #[arg(long, help_heading = ADVANCED)]
    pub by_label: bool,
    /// Unit of times in models with units [default: s]
    #[arg(long, value_name = "UNIT", help_heading = ADVANCED)]
    pub time_unit: Option<String>,
    /// Work limit: low (1/16), normal or high (16 times)
    #[arg(
        long, value_enum, value_name = "EFFORT", default_value_t = Effort::Normal, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub effort: Effort,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// The command line as it was given, which scripts repeat.
    #[arg(skip)]
    pub given: Vec<OsString>,
}

impl Arguments {
    /// The file to write to, if it is one.
    fn file(&self) -> Option<&Path> {
        file_of(&self.output)
    }

    /// The format of the table.
    fn form(&self) -> Result<Form, Error> {
        let form = form(self.format, self.file())?.unwrap_or(Form::Csv);
        if form.text().is_none() {
            columns::check(self)?;
        }
        Ok(form)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Figure {
    Min,
    Max,
    Mean,
    Sum,
    Count,
    /// The parameters at the smallest value.
    Argmin,
    /// The parameters at the largest value.
    Argmax,
}

impl Figure {
    pub fn of(self) -> Aggregate {
        match self {
            Figure::Min => Aggregate::Min,
            Figure::Max => Aggregate::Max,
            Figure::Mean => Aggregate::Mean,
            Figure::Sum => Aggregate::Sum,
            Figure::Count => Aggregate::Count,
            Figure::Argmin => Aggregate::ArgMin,
            Figure::Argmax => Aggregate::ArgMax,
        }
    }
}

/// Part `number` of `of`, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    pub number: u64,
    pub of: u64,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((number, of)) if number >= 1 && number <= of => Ok(Shard { number, of }),
        _ => Err("expected a part and the number of parts, for example 1/4".to_string()),
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    parts::check(arguments)?;
    let (compiled, sweep, range, factors) = prepare(arguments)?;
    if let Some(level) = arguments.uncertainty.interval {
        return unknowns::run(arguments, &compiled, &sweep, range, &factors, level);
    }
    if !arguments.dry_run {
        notes::of_bounds(&compiled);
    }
    let form = arguments.form()?;
    if let Some(directory) = &arguments.parts.parts {
        return parts::run(arguments, directory, &compiled, &sweep, form);
    }
    let Some(format) = form.text() else {
        return columns::run(arguments, &sweep, range, form);
    };
    if arguments.resume && arguments.file().is_none() {
        return Err(Error::new("`--resume` needs `-o FILE`"));
    }
    if arguments.dry_run {
        return output::line(&estimate(&sweep, range, format)?).map(|()| Outcome::Done);
    }
    let watch = watch();
    let (mut out, start) = open(arguments, &sweep, range, format, &watch)?;
    let range = (start, range.1);
    let done = watched(&watch, range, || {
        work(arguments, &sweep, range, format, &watch, &mut out)
    });
    done.map_err(|error| of_output(arguments, error))?;
    let further = match arguments.file() {
        Some(_) if arguments.aggregate.is_empty() && arguments.top.is_none() => {
            "; continue with `--resume`"
        }
        _ => "",
    };
    Ok(ended(&watch, range, further))
}

/// The table of a sweep as CSV, if it has at most so many points.
///
/// # Errors
/// Fails like the command, and if there are more points.
#[cfg(feature = "editor")]
pub fn as_csv(arguments: &Arguments, most: u64) -> Result<String, Error> {
    let (_, sweep, range, _) = prepare(arguments)?;
    let points = range.1 - range.0;
    if points > most {
        let message = format!("the grid has {points} points, but at most {most} are allowed");
        return Err(Error::new(message));
    }
    let mut out = sweep.rows(Format::Csv).head();
    sweep.table(range, Format::Csv, &Watch::default(), &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The error with the file that it is about.
pub(super) fn of_output(arguments: &Arguments, error: Error) -> Error {
    let Some(path) = arguments.file() else {
        return error;
    };
    Error::new(format!("`{}`: {}", path.display(), error.first_message()))
}

/// The model, its sweep, the points that this process computes, and what is not known.
type Prepared = (Compiled, Sweep, (u64, u64), Vec<Factor>);

/// Finds what the arguments ask for.
fn prepare(arguments: &Arguments) -> Result<Prepared, Error> {
    let mut subject = read_subject(&arguments.input)?;
    if arguments.by_label {
        subject = subject.with_labels()?;
    }
    subject.reach(&arguments.only);
    let conditions = subject.own_conditions(&arguments.conditions);
    let given = sweep_values::given(
        &subject,
        &arguments.define,
        arguments.params.as_deref(),
        arguments.zip,
    )?;
    let options = Options {
        all: arguments.all,
        bounds: arguments.bounds || named(arguments).any(|name| Asked::by(name).is_bound()),
        exact_times: true,
        only: arguments.only.clone(),
        effort: arguments.effort,
        without_moments: true,
        // Only rows say in which regime they are.
        regimes: arguments.aggregate.is_empty(),
        laws: arguments.laws.carrier(),
        graphs: arguments.graphs.options(GraphMethod::Simulate),
        ..Options::default()
    };
    let (compiled, mut given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let factors = uncertain::factors_of(&compiled, &given.constants, &given.factors)?;
    uncertain::at_centres(
        &factors,
        &mut given.constants,
        arguments.uncertainty.interval.is_none(),
    );
    let compiled = match &arguments.time_unit {
        Some(unit) => compiled.with_time_unit(unit)?,
        None => compiled,
    };
    // With `--only`, other equations with a formula are not known.
    let mut names = named(arguments).filter(|_| arguments.only.is_empty());
    if let Some(error) = names.find_map(|name| compiled.no_formula(name)) {
        return Err(error);
    }
    let grid = Grid::new(given.axes, given.constants)?;
    let plan = if arguments.aggregate.is_empty() {
        compiled.plan(&arguments.quantiles)?
    } else {
        compiled.plan_of_values(&arguments.quantiles)?
    };
    let threads = arguments.threads.map_or(0, usize::from);
    let sweep = Sweep::new(plan, grid, &conditions, threads)?;
    let shard = arguments.shard.unwrap_or(Shard { number: 1, of: 1 });
    let cut = |number: u64| {
        let point = u128::from(sweep.grid.len()) * u128::from(number) / u128::from(shard.of);
        u64::try_from(point).unwrap_or(u64::MAX)
    };
    let range = (cut(shard.number - 1), cut(shard.number));
    if let Some(by) = &arguments.by {
        sweep.check_column(by.strip_prefix('-').unwrap_or(by))?;
    }
    Ok((compiled, sweep, range, factors))
}

/// The words of the conditions, and the column of `--by`.
fn named(arguments: &Arguments) -> impl Iterator<Item = &str> {
    let texts = arguments.conditions.iter().chain(&arguments.by);
    texts.flat_map(|text| words(text))
}

/// Estimates the number of points and bytes from the first points.
fn estimate(sweep: &Sweep, (start, end): (u64, u64), format: Format) -> Result<String, Error> {
    const TRIED: u64 = 1000;
    let mut text = Vec::new();
    let tried = TRIED.min(end - start);
    sweep.table((start, start + tried), format, &Watch::default(), &mut text)?;
    let bytes = text.len() as f64 * (end - start) as f64 / tried.max(1) as f64;
    let head = sweep.rows(format).head().len() as f64;
    Ok(format!(
        "{} points, about {:.3e} bytes",
        end - start,
        bytes + head
    ))
}

fn work(
    arguments: &Arguments,
    sweep: &Sweep,
    range: (u64, u64),
    format: Format,
    watch: &Watch,
    out: &mut RowWriter,
) -> Result<(), Error> {
    if !arguments.aggregate.is_empty() {
        let aggregates: Vec<_> = arguments.aggregate.iter().map(|a| a.of()).collect();
        return sweep.summary(range, &aggregates, &arguments.group_by, format, watch, out);
    }
    match (arguments.top, &arguments.by) {
        (Some(count), Some(by)) => {
            let (by, best) = best(count, by);
            sweep.best(range, by, best, format, watch, out)
        }
        _ => sweep.table(range, format, watch, out),
    }
}

/// The column that rows are chosen by, and how.
pub(super) fn best(count: u32, by: &str) -> (&str, Best) {
    let (by, smallest) = match by.strip_prefix('-') {
        Some(by) => (by, true),
        None => (by, false),
    };
    (by, Best::new(count as usize, smallest))
}
