//! `pamela study programs`

use std::path::{Path, PathBuf};

use clap::Args;
use pamela_programs::calibrate::{Calibration, Errors, Fit, Settings};
use pamela_programs::compare::{Order, compare};
use pamela_programs::lowering::part::ParameterKind;
use pamela_programs::manifest::{self, ProgramEntry};
use pamela_programs::measured::{Point, Table};
use pamela_programs::profile::{Scratch, base, profile};
use pamela_programs::source;
use serde::Serialize;

use pamela::syntax::FileLoader;
use pamela::{Error, Model};
use pamela_cli::cli::calibrate::{fitted, names, unknowns};
use pamela_cli::cli::measured::{Predictor, Target, times, told};
use pamela_cli::cli::{Outcome, output, progress};

pub const EXAMPLES: &str = "\
Examples:
  pamela study programs --recorded               use the recorded profiles; run nothing
  pamela study programs --only matmul --runs 31";

pub const NOTES: &str = "\
Each program is built and run at all points of the list in random order. Its model is calibrated with the medians. \
Errors are in per cent of the median, mean and worst: of a fit with separate OpenMP times for each number of threads; of \
each point predicted from the others; of a fit with one value of each time. The spread is half the distance between the \
10 % and 90 % quantiles of the runs.

The last line counts programs whose fit is within 5 % on one thread, and within 10 % on more threads and on MPI ranks. \
Only the listed programs are run.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Directory with a programs.json (repeatable)
    #[arg(long, value_name = "DIR", default_value = "cases")]
    sources: Vec<PathBuf>,
    /// Study only these programs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Number of timed runs at each point [default: from the list]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,
    /// Keep profiles in this directory and continue with existing ones
    #[arg(long, value_name = "DIR", conflicts_with = "recorded")]
    profiles: Option<PathBuf>,
    /// Use the recorded profile of each program, such as matmul.json; run nothing
    #[arg(long, conflicts_with = "runs")]
    recorded: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A program beside its model, or why there is nothing to show.
#[derive(Serialize)]
struct Studied {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<f64>,
    rows: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The points with one number of threads; errors in per cent.
#[derive(Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<f64>,
    /// True if these are ranks of MPI.
    #[serde(skip)]
    of_ranks: bool,
    points: usize,
    runs: usize,
    /// With a value of t_fork, t_barrier and the like for each number of threads.
    fit: Option<Errors>,
    /// Errors of points predicted from the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<Errors>,
    /// With one value of each time.
    #[serde(skip_serializing_if = "Option::is_none")]
    single: Option<Errors>,
    /// Half the distance between the 10 % and 90 % quantiles, relative to the median: the noise of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<Errors>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut listed = Vec::new();
    for directory in &arguments.sources {
        listed.extend(manifest::read(directory).map_err(told)?);
    }
    let known = |name: &&String| !listed.iter().any(|program| program.name == **name);
    if let Some(name) = arguments.only.iter().find(known) {
        let names: Vec<&str> = listed.iter().map(|p| p.name.as_str()).collect();
        return Err(Error::new(format!(
            "no program named `{name}`; expected one of {}",
            names.join(", ")
        )));
    }
    listed.retain(|p| arguments.only.is_empty() || arguments.only.contains(&p.name));
    let scratch = Scratch::new().map_err(told)?;
    let directory = arguments.profiles.as_ref().unwrap_or(&scratch.0);
    std::fs::create_dir_all(directory)
        .map_err(|error| Error::new(format!("cannot make `{}`: {error}", directory.display())))?;
    let mut all = Vec::new();
    for mut program in listed {
        program.runs = arguments.runs.map_or(program.runs, |runs| runs as usize);
        let directory = (!arguments.recorded).then_some(directory.as_path());
        let studied = studied(&program, directory);
        progress::end_of_equations();
        let (rows, order, problem) = match studied {
            Ok((rows, order)) => (rows, Some(order), None),
            Err(error) => (Vec::new(), None, Some(words(&error))),
        };
        all.push(Studied {
            name: program.name,
            asked: program.asked,
            rows,
            order,
            problem,
        });
    }
    if arguments.json {
        output::json(&all)?
    } else {
        output::line(&table(&all))?
    }
    Ok(if all.iter().any(|studied| studied.problem.is_some()) {
        Outcome::Incomplete
    } else {
        Outcome::Done
    })
}

fn words(error: &Error) -> String {
    let message = error.first_message();
    message.lines().next().unwrap_or_default().to_string()
}

/// Measures a program with its profile in a directory, or else takes the profile beside it; makes its model, and calibrates
/// that.
fn studied(program: &ProgramEntry, directory: Option<&Path>) -> Result<(Vec<Row>, Order), Error> {
    let plan = program.plan().map_err(told)?;
    let options = program.options();
    let reader = plan.compiler.reader();
    let read = |file: &PathBuf| source::read(file, &reader, &[]);
    let units: Vec<_> = program
        .files
        .iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(told)?;
    let progress = progress::of_equations();
    let mut watch = |done: usize, count: usize, what: &str| {
        if let Some(progress) = progress {
            progress(done - 1, count, &format!("{}, {what}", program.name));
        }
    };
    let profile = match directory {
        Some(directory) => {
            let file = directory.join(format!("{}.json", program.name));
            let measured = profile(&units, &options, &plan, &file, &mut watch);
            measured.map(|(profile, _)| profile)
        }
        None => base::read(&program.recorded()),
    };
    let profile = profile.map_err(told)?;
    let mut table = profile.table().map_err(told)?;
    for point in &mut table.points {
        point.without_interruptions();
    }
    let described = pamela_programs::model(&units, &options).map_err(told)?;
    let is_threads = |kind| matches!(kind, ParameterKind::Threads | ParameterKind::Ranks);
    let kinds = described.parameters.iter().map(|p| p.kind);
    let of_ranks = kinds.into_iter().any(|kind| kind == ParameterKind::Ranks);
    let threads = described.parameters.iter().find(|p| is_threads(p.kind));
    let threads = program.threads.as_ref().or(threads.map(|p| &p.name));
    let threads = threads.and_then(|own| table.parameters.iter().position(|name| name == own));
    let all = calibrated(program, &described.model, &table, None)?;
    let Some(column) = threads else {
        let places: Vec<usize> = (0..table.points.len()).collect();
        return Ok((
            vec![row(&table, &all, None, &places, None)],
            order(&table, &all),
        ));
    };
    let by = table.parameters[column].clone();
    let apart = calibrated(program, &described.model, &table, Some(&by))?;
    let mut numbers: Vec<f64> = table.points.iter().map(|p| p.values[column]).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let rows = numbers.into_iter().map(|number| {
        let places: Vec<usize> = (0..table.points.len())
            .filter(|place| table.points[*place].values[column] == number)
            .collect();
        Row {
            of_ranks,
            ..row(&table, &apart, Some(&all), &places, Some(number))
        }
    });
    Ok((rows.collect(), order(&table, &apart)))
}

fn order(table: &Table, found: &Calibration) -> Order {
    let predicted: Vec<f64> = found.points.iter().map(|point| point.fitted).collect();
    compare(table, &predicted, &vec![None; predicted.len()], &[]).order
}

fn calibrated(
    program: &ProgramEntry,
    text: &str,
    table: &Table,
    by: Option<&str>,
) -> Result<Calibration, Error> {
    let model = Model::read(&program.name, text, &FileLoader)?;
    let may_be_times = times(&model);
    let values: Vec<(String, String)> = program
        .values
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    let mut table = table.clone();
    keep_known(&mut table, &model);
    let target = Target::of(&model, None, None)?;
    let predictor = Predictor::new(model, &values, &target, &table, pamela::rules::standard()?)?;
    let names = names(&[], &predictor.free(), &may_be_times)?;
    let times = unknowns(
        &names,
        &by.map(ToOwned::to_owned).into_iter().collect::<Vec<_>>(),
        &[],
        &table,
    )?;
    fitted(
        &predictor,
        &table,
        &program.name,
        &times,
        &Settings::default(),
    )
}

/// Removes columns that are not parameters of the model, such as a key: their effect on the program was counted.
fn keep_known(table: &mut Table, model: &Model) {
    let known: Vec<&str> = model.scalar_parameters().collect();
    let is_known = |name: &String| known.contains(&name.as_str());
    let kept: Vec<bool> = table.parameters.iter().map(is_known).collect();
    let mut kept_again = kept.iter().copied();
    table.sizes = kept[..table.sizes].iter().filter(|kept| **kept).count();
    table
        .parameters
        .retain(|_| kept_again.next().unwrap_or(false));
    for point in &mut table.points {
        let mut kept = kept.iter().copied();
        point.values.retain(|_| kept.next().unwrap_or(false));
    }
}

/// The errors at some points, and beside them those of a fit with one value for all numbers of threads.
fn row(
    table: &Table,
    found: &Calibration,
    single: Option<&Calibration>,
    places: &[usize],
    threads: Option<f64>,
) -> Row {
    let errors = |found: &Calibration, of: fn(&Fit) -> Option<f64>| {
        let points = places.iter().map(|place| &found.points[*place]);
        let pairs = points.filter_map(|fit| Some((of(fit)?, fit.measured)));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        (!pairs.is_empty()).then(|| Errors::of(pairs.into_iter()))
    };
    let runs = places.iter().map(|place| table.points[*place].times.len());
    Row {
        threads,
        of_ranks: false,
        points: places.len(),
        runs: runs.sum(),
        fit: errors(found, |fit| Some(fit.fitted)),
        left_out: errors(found, |fit| fit.left_out),
        single: single.and_then(|single| errors(single, |fit| Some(fit.fitted))),
        spread: spread(places.iter().map(|place| &table.points[*place])),
    }
}

/// The spread of repeated runs.
fn spread<'a>(points: impl Iterator<Item = &'a Point>) -> Option<Errors> {
    let repeated = points.filter(|point| point.times.len() > 1 && point.median() > 0.0);
    let pairs = repeated.map(|point| {
        let half = (point.quantile(0.9) - point.quantile(0.1)) / 2.0;
        (point.median() + half, point.median())
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    (!pairs.is_empty()).then(|| Errors::of(pairs.into_iter()))
}

/// Precision of the medians if repeated runs differ by much. For n normal runs, the deviation of the median is 1.25
/// times theirs over the root of n, and the 10 % quantile is 1.28 deviations below the mean.
fn hint(studied: &Studied) -> Option<String> {
    let spread = studied
        .rows
        .iter()
        .filter_map(|row| Some((row.spread?.mean, row)));
    let (spread, row) = spread.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let is_wide = spread > studied.asked.unwrap_or(WIDE);
    is_wide.then(|| {
        let runs = row.runs as f64 / row.points as f64;
        let median = 1.25 / 1.28 * spread / runs.sqrt();
        format!("runs of one point differ by {spread:.1} %: the machine was busy, medians are known to {median:.1} %")
    })
}

impl Row {
    /// True if the mean error of the fit is what one hopes for of one thread, or of several.
    fn is_near(&self) -> bool {
        const ALONE: f64 = 5.0;
        const TOGETHER: f64 = 10.0;
        let is_alone = !self.of_ranks && self.threads.is_none_or(|threads| threads <= 1.0);
        let most = if is_alone { ALONE } else { TOGETHER };
        self.fit.is_some_and(|errors| errors.mean <= most)
    }
}

/// Counts the measured programs whose models are close.
fn count(all: &[Studied]) -> String {
    let measured: Vec<&Studied> = all
        .iter()
        .filter(|studied| !studied.rows.is_empty())
        .collect();
    let near = measured
        .iter()
        .filter(|studied| studied.rows.iter().all(Row::is_near));
    format!(
        "{} of {} programs are within 5 % on one thread, and 10 % on more threads and on ranks of MPI",
        near.count(),
        measured.len()
    )
}

/// Runs that differ by more, in per cent, say little of the program.
const WIDE: f64 = 5.0;

const COLUMNS: [&str; 12] = [
    "threads", "points", "runs", "fit", "worst", "left out", "worst", "single", "worst", "spread",
    "worst", "asked",
];

fn table(all: &[Studied]) -> String {
    let names = all.iter().map(|studied| studied.name.len());
    let width = names.fold("program".len(), usize::max) + 2;
    let line = |name: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>10}")).collect();
        format!("{name:<width$}{cells}\n")
    };
    let per_cent = |value: Option<f64>| value.map_or("-".to_string(), |v| format!("{v:.1} %"));
    let mut text = line("program", &COLUMNS.map(str::to_string));
    for studied in all {
        for (place, row) in studied.rows.iter().enumerate() {
            let name = if place == 0 {
                studied.name.as_str()
            } else {
                ""
            };
            let both = |errors: Option<Errors>| {
                [errors.map(|e| e.mean), errors.map(|e| e.worst)].map(per_cent)
            };
            let mut cells = vec![
                row.threads
                    .map_or("-".to_string(), |number| number.to_string()),
                row.points.to_string(),
                row.runs.to_string(),
            ];
            cells.extend(both(row.fit));
            cells.extend(both(row.left_out));
            cells.extend(both(row.single));
            cells.extend(both(row.spread));
            cells.push(per_cent(studied.asked));
            text.push_str(&line(name, &cells));
        }
        match (&studied.problem, studied.order) {
            (Some(problem), _) => text.push_str(&format!("{:<width$}  {problem}\n", studied.name)),
            (None, Some(order)) => text.push_str(&format!(
                "{:<width$}  {} of {} pairs in their order\n",
                "", order.kept, order.pairs
            )),
            (None, None) => {}
        }
        if let Some(hint) = hint(studied) {
            text.push_str(&format!("{:<width$}  {hint}\n", ""));
        }
    }
    text + &count(all)
}
