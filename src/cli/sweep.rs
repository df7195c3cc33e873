//! `pamela sweep`

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use super::shared::{Input, Laws, RuleOptions, parse_definition, parse_probability, words};
use super::{Outcome, compiling, notes, output, sweep_columns, sweep_values};
use crate::compiled::{Compiled, decimal};
use crate::diagnostic::Error;
use crate::effort::Effort;
use crate::pipeline::{Options, names_bound};
use crate::ring::Rational;
use crate::sweep::{Aggregate, Best, Format, Grid, Rows, Sweep, Watch};

pub const EXAMPLES: &str = "\
Examples:
  pamela sweep model.pam -D P=1:64 -D N=1e6
  pamela sweep model.pam -D P='2^(0:10)' -D N='log(1e3, 1e9, 13)' -o out.csv
  pamela sweep model.pam --params points.csv -o out.jsonl
  pamela sweep model.pam -D P=1:1024 -D N=1:1000 --where 'N >= P' --top 10 --by -T_main
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 --aggregate min,argmin --group-by N
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 -o out.csv --resume
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 --shard 3/16 -o 3.csv

The last parameter given changes fastest. Every value is that of `pamela eval` at the values of its row.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: Input,
    /// Give a parameter a value, a range `1:64` or `0:0.5:10`, a list `1,2,4`, `log(1e3, 1e9, 13)`, `2^(0:10)`
    /// (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file, or points from a CSV file with a row for each
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Go through all lists together, instead of crossing them
    #[arg(long)]
    pub zip: bool,
    /// Only points where this holds, over parameters and columns of values (repeatable)
    #[arg(long = "where", value_name = "CONDITION")]
    pub conditions: Vec<String>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the table [default: by the name of the file, else csv]
    #[arg(long, value_enum)]
    pub format: Option<SweepFormat>,
    /// Also phi_L (critical path) and omega_L (bottleneck) of each process L
    #[arg(long)]
    pub all: bool,
    /// Also bounds of the time of each process L on both sides, L_L and U_L
    #[arg(long)]
    pub bounds: bool,
    /// Only these equations
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Of laws, the quantiles of these probabilities
    #[arg(long, value_name = "P,...", value_delimiter = ',', default_value = "0.5,0.9,0.99", value_parser = parse_probability)]
    pub quantiles: Vec<f64>,
    /// How laws are carried: grid is nearly exact, gld and johnson go by four moments
    #[arg(long, value_enum, default_value_t = Laws::Grid)]
    pub laws: Laws,
    /// Only the rows with the largest values of the column of --by
    #[arg(long, value_name = "NUMBER", requires = "by", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub top: Option<u32>,
    /// The column that --top goes by; `-T_main` takes the smallest values
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "top",
        allow_hyphen_values = true
    )]
    pub by: Option<String>,
    /// Figures of each column of values instead of rows
    #[arg(long, value_enum, value_name = "FIGURE,...", value_delimiter = ',', conflicts_with_all = ["top", "resume"])]
    pub aggregate: Vec<Figure>,
    /// A row of figures for each value of these parameters
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "aggregate"
    )]
    pub group_by: Vec<String>,
    /// Compute with so many threads, which changes no byte [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    pub threads: Option<u8>,
    /// Only part I of N, from 1; all parts one after the other are the whole table
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["top", "aggregate"])]
    pub shard: Option<Shard>,
    /// Go on with a file that was not finished
    #[arg(long, requires = "output", conflicts_with = "top")]
    pub resume: bool,
    /// Only say how many points and bytes it would be
    #[arg(long)]
    pub dry_run: bool,
    /// How much work may be done before it stops: low is a sixteenth, high sixteen times as much
    #[arg(long, value_enum, default_value_t = Effort::Normal)]
    pub effort: Effort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    /// A line of names, then a line for each point
    Csv,
    /// A JSON object a line
    Jsonl,
    /// Parquet, where the program was built with the feature `columns`
    Parquet,
    /// Arrow IPC, also called Feather, with the same feature
    Arrow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Figure {
    Min,
    Max,
    Mean,
    Sum,
    Count,
    /// The parameters at the least value
    Argmin,
    /// The parameters at the greatest value
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
        _ => Err("expected a part from 1 and how many there are, for example 1/4".to_string()),
    }
}

/// Written at once.
const BUFFER: usize = 1 << 20;

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let (compiled, sweep, range) = prepare(arguments)?;
    if !arguments.dry_run {
        notes::of_bounds(&compiled);
    }
    if let Some(format) = sweep_columns::format(arguments)? {
        return sweep_columns::run(arguments, &sweep, range, format);
    }
    let format = format(arguments)?;
    if arguments.dry_run {
        return output::line(&estimate(&sweep, range, format)?).map(|()| Outcome::Done);
    }
    let watch = watch();
    let rows = sweep.rows(format);
    let (mut out, start) = open(arguments, &sweep, range, &rows, &watch)?;
    let range = (start, range.1);
    let done = watched(&watch, range, || {
        work(arguments, &sweep, range, format, &watch, &mut out)
    });
    done.map_err(|error| of_output(arguments, error))?;
    let further = match &arguments.output {
        Some(_) if arguments.aggregate.is_empty() && arguments.top.is_none() => {
            ", with which `--resume` goes on"
        }
        _ => "",
    };
    Ok(ended(&watch, range, further))
}

/// A watch that an interruption from outside ends.
pub(super) fn watch() -> Arc<Watch> {
    let watch = Arc::new(Watch::default());
    let interrupted = watch.clone();
    // Without a handler, an interruption only ends the program at once.
    let _ = ctrlc::set_handler(move || interrupted.interrupt());
    watch
}

/// The error with the file that it is about.
pub(super) fn of_output(arguments: &Arguments, error: Error) -> Error {
    let Some(path) = &arguments.output else {
        return error;
    };
    let reason = error.diagnostics.first().map(|d| d.message.clone());
    let reason = reason.unwrap_or_default();
    Error::new(format!("`{}`: {reason}", path.display()))
}

/// Says what was left if it was interrupted.
pub(super) fn ended(watch: &Watch, range: (u64, u64), further: &str) -> Outcome {
    if !watch.interrupted() {
        return Outcome::Done;
    }
    let left = range.1 - range.0 - watch.done();
    output::note(&format!(
        "note: interrupted; {left} points are left{further}"
    ));
    Outcome::Incomplete
}

/// The sweep, and the points that this process computes.
fn prepare(arguments: &Arguments) -> Result<(Compiled, Sweep, (u64, u64)), Error> {
    let given = sweep_values::given(
        &arguments.define,
        arguments.params.as_deref(),
        arguments.zip,
    )?;
    let options = Options {
        all: arguments.all,
        bounds: arguments.bounds || named(arguments).any(names_bound),
        exact_times: true,
        only: arguments.only.clone(),
        effort: arguments.effort,
        without_moments: true,
        regimes: true,
        laws: arguments.laws.carrier(),
        ..Options::default()
    };
    let (compiled, given) =
        compiling::compile(&arguments.input, given, &options, &arguments.rules)?;
    // Of the equations of `--only` it is not known which others have a formula.
    let mut names = named(arguments).filter(|_| arguments.only.is_empty());
    if let Some(error) = names.find_map(|name| compiled.no_formula(name)) {
        return Err(error);
    }
    let constants = given.constants.into_iter();
    let constants = constants.map(|(name, value)| (name, as_printed(value)));
    let grid = Grid::new(given.axes, constants.collect())?;
    let plan = match arguments.aggregate.is_empty() {
        true => compiled.plan(&arguments.quantiles)?,
        false => compiled.plan_of_values(&arguments.quantiles)?,
    };
    let threads = arguments.threads.map_or(0, usize::from);
    let sweep = Sweep::new(plan, grid, &arguments.conditions, threads)?;
    let shard = arguments.shard.unwrap_or(Shard { number: 1, of: 1 });
    let cut = |number: u64| {
        let point = u128::from(sweep.grid.len()) * u128::from(number) / u128::from(shard.of);
        u64::try_from(point).unwrap_or(u64::MAX)
    };
    let range = (cut(shard.number - 1), cut(shard.number));
    if let Some(by) = &arguments.by {
        sweep.check_column(by.strip_prefix('-').unwrap_or(by))?;
    }
    Ok((compiled, sweep, range))
}

/// The words of the conditions, and the column of `--by`.
fn named(arguments: &Arguments) -> impl Iterator<Item = &str> {
    let texts = arguments.conditions.iter().chain(&arguments.by);
    texts.flat_map(|text| words(text))
}

/// The number that rows show, which is that of the nearest double, as in lists.
fn as_printed(value: Rational) -> Rational {
    decimal(value.to_f64()).unwrap_or(value)
}

/// As it is asked for, or as the name of the file tells.
fn format(arguments: &Arguments) -> Result<Format, Error> {
    match (arguments.format, sweep_columns::ending(arguments)) {
        (Some(SweepFormat::Jsonl), _) | (None, Some("jsonl" | "ndjson")) => Ok(Format::JsonLines),
        (Some(_), _) | (None, None | Some("csv" | "txt" | "dat")) => Ok(Format::Csv),
        (None, Some(other)) => Err(Error::new(format!("the format of a table cannot be told by the ending `.{other}`")).hint("`--format csv` writes CSV, whatever the file is called; .csv, .jsonl, .parquet and .arrow tell it")),
    }
}

/// How many points and bytes it would be, by the first ones.
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

/// Standard output, whose reader may leave early: the sweep ends then, and that is no error.
pub(super) struct Pipe(pub(super) Arc<Watch>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match std::io::stdout().write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.0.leave();
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match std::io::stdout().flush() {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

type Out = BufWriter<Box<dyn Write>>;

/// Where rows go, and the point of the first one that is not there yet.
fn open(
    arguments: &Arguments,
    sweep: &Sweep,
    range: (u64, u64),
    rows: &Rows,
    watch: &Arc<Watch>,
) -> Result<(Out, u64), Error> {
    let summary = !arguments.aggregate.is_empty();
    let first = arguments.shard.is_none_or(|shard| shard.number == 1);
    let head = match first && !summary {
        true => rows.head(),
        false => Vec::new(),
    };
    let Some(path) = &arguments.output else {
        let mut out =
            BufWriter::with_capacity(BUFFER, Box::new(Pipe(watch.clone())) as Box<dyn Write>);
        out.write_all(&head)
            .map_err(|error| cannot_write(Path::new("-"), &error))?;
        return Ok((out, range.0));
    };
    let fail = |error: std::io::Error| cannot_write(path, &error);
    let mut start = range.0;
    let file = match arguments.resume && path.exists() {
        false => {
            let mut file = File::create(path).map_err(fail)?;
            file.write_all(&head).map_err(fail)?;
            file
        }
        true => {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .open(path)
                .map_err(fail)?;
            let (next, length) = resumed(&mut file, path, sweep, range, rows, &head)?;
            start = next;
            file.set_len(length).map_err(fail)?;
            file.seek(SeekFrom::End(0)).map_err(fail)?;
            if length == 0 {
                file.write_all(&head).map_err(fail)?;
            }
            file
        }
    };
    Ok((
        BufWriter::with_capacity(BUFFER, Box::new(file) as Box<dyn Write>),
        start,
    ))
}

pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::new(format!("cannot write `{}`: {error}", path.display()))
}

/// The next point after the whole rows of a file, and where they end.
fn resumed(
    file: &mut File,
    path: &Path,
    sweep: &Sweep,
    range: (u64, u64),
    rows: &Rows,
    head: &[u8],
) -> Result<(u64, u64), Error> {
    let fail =
        |error: std::io::Error| Error::new(format!("cannot read `{}`: {error}", path.display()));
    let other = || {
        Error::new(format!(
            "`{}` holds another sweep: `--resume` goes on with the same model, values and conditions",
            path.display()
        ))
    };
    let mut begun = Vec::new();
    let mut begin = Read::by_ref(file).take(head.len() as u64);
    begin.read_to_end(&mut begun).map_err(fail)?;
    if !head.starts_with(&begun) {
        return Err(other());
    }
    if begun.len() < head.len() {
        return Ok((range.0, 0));
    }
    let (mut count, mut length, mut last) = (0, head.len() as u64, Vec::new());
    let mut reader = BufReader::with_capacity(BUFFER, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(fail)?;
        if read == 0 || line.last() != Some(&b'\n') {
            break;
        }
        count += 1;
        length += read as u64;
        std::mem::swap(&mut line, &mut last);
    }
    let text = String::from_utf8_lossy(&last);
    let parameters = match count {
        0 => Vec::new(),
        _ => rows.read_parameters(text.trim_end()).ok_or_else(other)?,
    };
    let next = sweep.resumed(range, count, &parameters, &Watch::default())?;
    next.map(|next| (next, length)).ok_or_else(other)
}

fn work(
    arguments: &Arguments,
    sweep: &Sweep,
    range: (u64, u64),
    format: Format,
    watch: &Watch,
    out: &mut Out,
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

/// Tells somebody at a terminal how far it is. The clock decides what is shown, never what is done.
pub(super) fn watched<T: Send>(watch: &Watch, range: (u64, u64), work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let all = range.1 - range.0;
    std::thread::scope(|scope| {
        let (ended, ends) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            while ends.recv_timeout(Duration::from_millis(500))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                let (done, seconds) = (watch.done(), start.elapsed().as_secs_f64());
                let rate = done as f64 / seconds;
                let left = (all - done) as f64 / rate.max(1e-9);
                let mut terminal = std::io::stderr();
                let _ = write!(
                    terminal,
                    "\r\x1b[K{done} of {all} points, {rate:.3e} a second, {left:.0} s left"
                );
            }
            output::end_progress();
        });
        let result = work();
        drop(ended);
        result
    })
}
