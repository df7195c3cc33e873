//! `pamela model`

use std::path::{Path, PathBuf};

use clap::Args;
use pamela_programs::callpaths;
use pamela_programs::lowering::{Network, Parts, dependences};
use pamela_programs::profile::{base, gcov, known, sampled};
use pamela_programs::source::{self, Compiler, Unit};
use pamela_programs::trace::{self, Trace};
use pamela_programs::{KnownValue, Options, Problem};

use super::callpaths::{self as measurements, is_measured};
use super::{Outcome, output, read_file};
use crate::diagnostic::Error;
use crate::pipeline::Model;
use crate::syntax::FileLoader;

pub const EXAMPLES: &str = "\
Examples:
  pamela model cases/matmul/matmul.c                       model of main
  pamela model cases/matmul/matmul.c --entry multiply -o matmul.pam
  pamela model cases/search/search.c --profile cases/search/search.json
  pamela model --compile-commands build/compile_commands.json --entry solve
  pamela model runs.jsonl -o runs.pam                      model of measured call trees
  pamela model solver.json -o solver.pam                   model of recorded MPI calls";

pub const NOTES: &str = "\
Code that cannot be modelled becomes a parameter with the reason in a comment, and the exit code is 3. These pragmas help \
in front of a statement: #pragma pamela region | param(n >= 1) | trips(e) | prob(e) | cost(e) | ignore. In front of a \
function, cost(e) gives its cost. The program is preprocessed but not run. MPI need not be installed. \
--profile also reads the output of perf and gprof, for the shares of functions in the time.";

/// Lines that people read.
const MOST_LINES: usize = 150;

/// Command that preprocesses programs.
const DEFAULT_COMPILER: &str = "cc -O2 -fopenmp";

#[derive(Debug, Args)]
pub struct Arguments {
    /// C source files of the program, measured call trees of Extra-P, Caliper or in CSV, or calls that `profile --mpi` recorded
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    files: Vec<PathBuf>,
    /// Function to model [default: the region of a pragma, else main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Keep a macro as a parameter, or name a program argument (repeatable)
    #[arg(long, value_name = "NAME[=argv[K]]", value_parser = parse_parameter)]
    param: Vec<Parameter>,
    /// Compiler command, for preprocessing
    #[arg(long, value_name = "COMMAND", default_value = DEFAULT_COMPILER)]
    cc: String,
    /// Read the compiler command of each file from this list [default files: all C files of the list]
    #[arg(long, value_name = "FILE", conflicts_with = "cc")]
    compile_commands: Option<PathBuf>,
    /// Use branch and loop counts of a profile, a directory of profiles or gcov JSON
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Interpolate the profile at this point (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_value, requires = "profile")]
    at: Vec<(String, f64)>,
    /// Fail if any part cannot be modelled
    #[arg(long)]
    strict: bool,
    /// Print counts of basic blocks and of MPI messages, not times
    #[arg(long)]
    counts: bool,
    /// Network for MPI: free (no queueing), shared or links
    #[arg(
        long,
        value_name = "KIND",
        default_value = "free",
        hide_possible_values = true
    )]
    network: NetworkKind,
    /// Unequal recursive calls: smallest or largest size
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "smallest",
        hide_possible_values = true
    )]
    parts: PartSize,
    /// Shorten models of more lines, without parameters: branches and loops of straight code join its mean time; 0: keep all
    #[arg(long, value_name = "LINES", default_value_t = MOST_LINES)]
    lines: usize,
    /// Call trees: levels of regions that have times of their own
    #[arg(long, value_name = "LEVELS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    depth: u16,
    /// Call trees: the time of a region contains that of the regions inside of it
    #[arg(long)]
    inclusive: bool,
    /// Write the model to this file
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON: model, parameters and unmodelled parts
    #[arg(long)]
    json: bool,
}

/// Network of MPI messages.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum NetworkKind {
    Free,
    Shared,
    Links,
}

impl From<NetworkKind> for Network {
    fn from(kind: NetworkKind) -> Network {
        match kind {
            NetworkKind::Free => Network::Free,
            NetworkKind::Shared => Network::Shared,
            NetworkKind::Links => Network::Links,
        }
    }
}

/// The parts that a function calls itself on.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PartSize {
    Smallest,
    Largest,
}

impl From<PartSize> for Parts {
    fn from(size: PartSize) -> Parts {
        match size {
            PartSize::Smallest => Parts::Smallest,
            PartSize::Largest => Parts::Largest,
        }
    }
}

/// A macro, or an argument of the program.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub argument: Option<usize>,
}

/// The options of measured call trees; none if the files are programs.
fn measured(arguments: &Arguments) -> Result<Option<callpaths::Options>, Error> {
    let count = arguments
        .files
        .iter()
        .filter(|file| is_measured(file))
        .count();
    if count == 0 {
        return Ok(None);
    }
    let is_of_programs = arguments.entry.is_some()
        || arguments.profile.is_some()
        || arguments.compile_commands.is_some()
        || arguments.counts
        || arguments
            .param
            .iter()
            .any(|parameter| parameter.argument.is_some());
    if count < arguments.files.len() || is_of_programs {
        let message = "measured call trees cannot be combined with C files or their options";
        return Err(Error::new(message).hint(
            "give files of one kind; --entry, --profile, --counts and argv are of C programs",
        ));
    }
    Ok(Some(callpaths::Options {
        depth: usize::from(arguments.depth),
        inclusive: arguments.inclusive,
        parameters: arguments
            .param
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect(),
    }))
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let trace = recorded(arguments)?;
    let paths = match trace {
        Some(_) => None,
        None => measured(arguments)?,
    };
    if let Some(options) = paths {
        return measurements::run(
            &arguments.files,
            &options,
            arguments.output.as_deref(),
            arguments.json,
        );
    }
    let told = |problem: Problem| Error::new(problem.to_string());
    let model = match trace {
        Some(trace) => trace::model(&trace, &options_of(arguments)).map_err(told)?,
        None => modelled(arguments).map_err(told)?,
    };
    print(arguments, &model)
}

/// The recorded calls of MPI, if the only file has some.
fn recorded(arguments: &Arguments) -> Result<Option<Trace>, Error> {
    let [file] = &arguments.files[..] else {
        return Ok(None);
    };
    if !is_measured(file) {
        return Ok(None);
    }
    let text = read_file(file)?;
    if !Trace::is_one(&text) {
        return Ok(None);
    }
    let trace = Trace::read(&file.to_string_lossy(), &text);
    trace
        .map(Some)
        .map_err(|problem| Error::new(problem.to_string()))
}

/// Options that need no source.
fn options_of(arguments: &Arguments) -> Options {
    Options {
        counts: arguments.counts,
        network: arguments.network.into(),
        parts: arguments.parts.into(),
        lines: arguments.lines,
        ..Options::default()
    }
}

fn print(arguments: &Arguments, model: &pamela_programs::Model) -> Result<Outcome, Error> {
    check(model)?;
    for part in &model.opaque {
        let place = part
            .place
            .as_ref()
            .map(|place| format!("{place}: "))
            .unwrap_or_default();
        let hint = part
            .hint
            .as_ref()
            .map(|hint| format!("; {hint}"))
            .unwrap_or_default();
        let name = part.name.as_ref();
        let name = name.map(|name| format!(": `{name}`")).unwrap_or_default();
        output::note(&format!("note: {place}{}{name}{hint}", part.reason));
    }
    if arguments.strict && !model.opaque.is_empty() {
        return Ok(Outcome::Wrong);
    }
    match (&arguments.output, arguments.json) {
        (Some(file), false) => write(file, &model.model)?,
        (Some(file), true) => {
            let text = serde_json::to_string_pretty(model);
            write(
                file,
                &text.map_err(|error| Error::new(format!("cannot write JSON: {error}")))?,
            )?;
        }
        (None, true) => output::json(model)?,
        (None, false) => output::line(model.model.trim_end())?,
    }
    if model.opaque.is_empty() {
        Ok(Outcome::Done)
    } else {
        Ok(Outcome::Incomplete)
    }
}

/// Reads the model back and checks it: one that is not valid is not printed.
///
/// # Errors
/// Fails for a pragma that is not an expression, or for an invalid model: an internal error, with the place in the
/// program.
fn check(model: &pamela_programs::Model) -> Result<(), Error> {
    let read = Model::read("the model", &model.model, &FileLoader);
    let Err(error) = read.and_then(|read| read.check()) else {
        return Ok(());
    };
    // The contents of a pragma were not parsed before.
    if model.has_pragmas {
        return Err(error);
    }
    let label = error
        .diagnostics
        .first()
        .and_then(|first| first.labels.first());
    let before = label.and_then(|(span, _)| model.model.get(..span.start as usize));
    let line = before.map_or(0, |before| before.matches('\n').count());
    let place = model
        .place_of(line)
        .map(|place| format!("{place}: "))
        .unwrap_or_default();
    let message = error.diagnostics.first().map_or("", |first| &first.message);
    let text = model.model.lines().nth(line).unwrap_or_default().trim();
    let message =
        format!("{place}internal error: the derived model is not valid: {message}, in `{text}`");
    Err(Error::new(message).hint(
        "please report this with the program; meanwhile state the cost: #pragma pamela cost(a * n)",
    ))
}

fn modelled(arguments: &Arguments) -> Result<pamela_programs::Model, Problem> {
    let files = compilers(arguments)?;
    let is_macro = |parameter: &&Parameter| parameter.argument.is_none();
    let macros = arguments
        .param
        .iter()
        .filter(is_macro)
        .map(|parameter| parameter.name.clone());
    let named = arguments
        .param
        .iter()
        .filter_map(|p| Some((p.name.clone(), p.argument?)));
    let macros: Vec<String> = macros.collect();
    let units: Result<Vec<_>, Problem> = files
        .iter()
        .map(|(file, compiler)| source::read(file, compiler, &macros))
        .collect();
    let units = units?;
    let options = Options {
        entry: arguments.entry.clone(),
        macros,
        arguments: named.collect(),
        ..options_of(arguments)
    };
    let options = match &arguments.profile {
        Some(path) => {
            let profiled = profiled(path, &arguments.at, &units)?;
            Options {
                known: profiled.known,
                sampled: profiled.sampled,
                ..options
            }
        }
        None => options,
    };
    pamela_programs::model(&units, &options)
}

/// The files of the program, each with the compiler that reads it.
fn compilers(arguments: &Arguments) -> Result<Vec<(PathBuf, Compiler)>, Problem> {
    let Some(list) = &arguments.compile_commands else {
        let compiler = Compiler::read(&arguments.cc)?.reader();
        let files = arguments.files.iter();
        return Ok(files.map(|file| (file.clone(), compiler.clone())).collect());
    };
    let known = source::database::read(list)?;
    let reader = |(file, compiler): &(PathBuf, Compiler)| (file.clone(), compiler.reader());
    if arguments.files.is_empty() {
        return Ok(known.iter().map(reader).collect());
    }
    let is_same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    let of = |file: &PathBuf| {
        let own = known.iter().find(|(own, _)| is_same(own, file));
        own.map(reader).ok_or_else(|| {
            let message = format!(
                "`{}` has no command for `{}`",
                list.display(),
                file.display()
            );
            Problem::new(message).hint("leave the file out, or use --cc")
        })
    };
    arguments.files.iter().map(of).collect()
}

/// The text of the model of one C file, without a profile.
///
/// # Errors
/// Fails if the file cannot be read or modelled.
pub fn text_of(file: &str, entry: Option<String>) -> Result<String, Error> {
    let arguments = Arguments {
        files: vec![file.into()],
        entry,
        param: Vec::new(),
        cc: DEFAULT_COMPILER.to_owned(),
        compile_commands: None,
        lines: MOST_LINES,
        depth: 1,
        inclusive: false,
        profile: None,
        at: Vec::new(),
        strict: false,
        counts: false,
        network: NetworkKind::Free,
        parts: PartSize::Smallest,
        output: None,
        json: false,
    };
    let model = modelled(&arguments).map_err(|problem| Error::new(problem.to_string()))?;
    check(&model)?;
    Ok(model.model)
}

/// The facts in a profile, interpolated at this point if its points differ.
fn profiled(path: &Path, at: &[(String, f64)], units: &[Unit]) -> Result<Options, Problem> {
    let counted = |known| Options {
        known,
        ..Options::default()
    };
    let name = path.to_string_lossy();
    // A directory has no text.
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if gcov::is_one(&text) {
        return Ok(counted(gcov::known(units, &name, &text)?));
    }
    if sampled::is_one(&text) {
        return Ok(Options {
            sampled: Some(sampled::read(units, &name, &text)?),
            ..Options::default()
        });
    }
    let profile = base::read(path)?;
    let mut all = known(&profile);
    if !at.is_empty() {
        let mut near = base::near(&profile, &at.iter().cloned().collect(), &dependences(units))?;
        for (site, known) in &mut all {
            if let (KnownValue::Unknown, Some(found)) = (&known.value, near.remove(site)) {
                *known = found;
            }
        }
    }
    Ok(Options {
        sampled: profile.sampled,
        ..counted(all)
    })
}

fn parse_value(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match value.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && !name.trim().is_empty() => {
            Ok((name.trim().to_string(), value))
        }
        _ => Err("expected NAME=VALUE, for example n=100".to_string()),
    }
}

fn write(file: &std::path::Path, text: &str) -> Result<(), Error> {
    std::fs::write(file, text).map_err(|error| output::cannot_write(file, &error))
}

pub fn parse_parameter(text: &str) -> Result<Parameter, String> {
    let expected = || "expected NAME or NAME=argv[K], for example n=argv[1]".to_string();
    let (name, argument) = match text.split_once('=') {
        None => (text, None),
        Some((name, argument)) => {
            let number = argument
                .trim()
                .strip_prefix("argv[")
                .and_then(|rest| rest.strip_suffix(']'));
            let number = number
                .and_then(|number| number.parse().ok())
                .ok_or_else(expected)?;
            (name, Some(number))
        }
    };
    let name = name.trim();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
    if is_name && !name.starts_with(|c: char| c.is_ascii_digit()) {
        Ok(Parameter {
            name: name.to_string(),
            argument,
        })
    } else {
        Err(expected())
    }
}
