//! `pamela profile`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use pamela_programs::profile::{Plan, Profile, profile, sampled};
use pamela_programs::source::{self, Compiler, words};
use pamela_programs::trace;
use pamela_programs::{Options, Problem};

use super::model::{Parameter, parse_parameter};
use super::shared::parse_definition;
use super::{Outcome, output, progress};
use crate::diagnostic::Error;
use crate::sweep::Values;

// Clap ends a line at `{n}`: a sequence for terminals that changes nothing keeps it from that.
pub const EXAMPLES: &str = "\
Examples:
  pamela profile cases/matmul/matmul.c --entry multiply --points n=100,200 --points P=1,2 \\
      -o matmul.json -- {\u{1b}[0mn}
  pamela profile cases/halo/halo.c --cc 'mpicc -O2' --run 'mpirun -n {P}' --points P=1,2 \\
      --points n=256 --points steps=100 -o halo.json -- {\u{1b}[0mn} {steps}
  pamela profile --mpi ./solver --points P=2,4,8 --points size=100,200,400 -o solver.json -- {size}";

pub const NOTES: &str = "\
The program is built and run twice: with probes, which count branches and loop iterations that the model cannot predict, \
and without, for its times. In the arguments after `--`, {\u{1b}[0mn} stands for a value of n and {seed} for 1, 2, .. P is the \
number of threads, or the number of MPI ranks if --run is given.

The time is that of `main`, of --entry, or of the region named by `#pragma pamela region`. With MPI, ranks start \
together and the slowest counts; `main` is timed from MPI_Init to MPI_Finalize.

With --mpi, FILE is a program that is built already, in C, C++ or Fortran. A library that --cc compiles is preloaded and \
records the MPI calls of each rank: partners, sizes and communicators. The file is written anew; `pamela model` makes a model of it.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// C source files of the program; with --mpi, the built program
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Record the MPI calls of a built program, in any language
    #[arg(long, conflicts_with_all = ["seeds", "runs", "entry", "param", "link", "check_output", "sampled"])]
    mpi: bool,
    /// Values of a parameter: 1,2,4 or 100:500:100 (repeatable)
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse_definition)]
    points: Vec<(String, String)>,
    /// Number of runs with probes at each point, each with a seed
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// Number of timed runs at each point
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    runs: u32,
    /// Function to model and time [default: main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Name a program argument, as in `pamela model` (repeatable)
    #[arg(long, value_name = "NAME=argv[K]", value_parser = parse_parameter)]
    param: Vec<Parameter>,
    /// Compiler command [default: cc -O2 -fopenmp; with --mpi: mpicc -O2]
    #[arg(long, value_name = "COMMAND")]
    cc: Option<String>,
    /// Options after the files when linking, such as -lblas
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    link: String,
    /// Command that starts the program, such as mpirun -n {P} [default with --mpi: mpirun -n {P}]
    #[arg(long, value_name = "COMMAND")]
    run: Option<String>,
    /// Time limit of a run in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// File that the program reads as standard input
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Fail if the program prints something else with probes
    #[arg(long)]
    check_output: bool,
    /// Add the shares of functions from perf or gprof output
    #[arg(long, value_name = "FILE")]
    sampled: Option<PathBuf>,
    /// Write the profile to this file; skip points it already has
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let timeout = Duration::try_from_secs_f64(arguments.timeout)
        .ok()
        .filter(|timeout| !timeout.is_zero())
        .ok_or_else(|| Error::new("--timeout is a number of seconds above 0".to_string()))?;
    let axes: Result<Vec<_>, Error> = arguments.points.iter().map(axis).collect();
    if let Some(parameter) = arguments.param.iter().find(|p| p.argument.is_none()) {
        return Err(Error::new(format!(
            "`{}` is a macro: set it with --cc, for example -D{}=100",
            parameter.name, parameter.name
        )));
    }
    let link = arguments.link.split_whitespace().map(str::to_string);
    let [cc, start] = if arguments.mpi {
        ["mpicc -O2", "mpirun -n {P}"]
    } else {
        ["cc -O2 -fopenmp", ""]
    };
    let compiler = Compiler::read(arguments.cc.as_deref().unwrap_or(cc)).map_err(told)?;
    let plan = Plan {
        compiler,
        link: link.collect(),
        files: arguments
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect(),
        arguments: arguments.arguments.clone(),
        run: words(arguments.run.as_deref().unwrap_or(start)).map_err(told)?,
        axes: axes?,
        seeds: arguments.seeds,
        runs: if arguments.mpi {
            0
        } else {
            arguments.runs as usize
        },
        timeout,
        stdin: arguments.stdin.clone(),
        check_output: arguments.check_output,
    };
    if arguments.mpi {
        return record(&plan, &arguments.output);
    }
    let options = Options {
        entry: arguments.entry.clone(),
        arguments: arguments
            .param
            .iter()
            .filter_map(|p| Some((p.name.clone(), p.argument?)))
            .collect(),
        ..Options::default()
    };
    let reader = plan.compiler.reader();
    let read = |file: &PathBuf| source::read(file, &reader, &[]);
    let units: Vec<_> = arguments
        .files
        .iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(told)?;
    let result = profile(&units, &options, &plan, &arguments.output, &mut watch);
    progress::end_of_equations();
    let (mut profile, uncounted) = result.map_err(told)?;
    if let Some(file) = &arguments.sampled {
        let name = file.to_string_lossy();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Error::new(format!("cannot read `{name}`: {error}")))?;
        profile.sampled = Some(sampled::read(&units, &name, &text).map_err(told)?);
        std::fs::write(&arguments.output, profile.text().map_err(told)?)
            .map_err(|error| output::cannot_write(&arguments.output, &error))?;
    }
    note_result(&profile, &uncounted, &arguments.output);
    Ok(Outcome::Done)
}

/// Shows which run comes next.
fn watch(done: usize, count: usize, what: &str) {
    if let Some(progress) = progress::of_equations() {
        progress(done - 1, count, what);
    }
}

/// Records the calls of a built MPI program.
fn record(plan: &Plan, to: &Path) -> Result<Outcome, Error> {
    let result = trace::record(plan, &mut watch);
    progress::end_of_equations();
    let trace = result.map_err(told)?;
    std::fs::write(to, trace.text().map_err(told)?)
        .map_err(|error| output::cannot_write(to, &error))?;
    let ranks: usize = trace.points.iter().map(|point| point.ranks()).sum();
    output::note(&format!(
        "{}: {} points, {ranks} ranks",
        to.display(),
        trace.points.len()
    ));
    Ok(Outcome::Done)
}

fn note_result(profile: &Profile, uncounted: &[String], output: &Path) {
    for site in uncounted {
        let name = profile.sites.get(site).cloned().unwrap_or_default();
        output::note(&format!(
            "note: `{name}` cannot be counted at `{site}`; set it with -D {name}=.., or state a share with #pragma pamela \
             prob(e) or a count with trips(e)"
        ));
    }
    let runs: usize = profile
        .points
        .iter()
        .map(|p| p.runs.len() + p.time_ns.len())
        .sum();
    output::note(&format!(
        "{}: {} points, {runs} runs, {} sites",
        output.display(),
        profile.points.len(),
        profile.sites.len()
    ));
}

fn told(problem: Problem) -> Error {
    Error::new(problem.to_string())
}

fn axis((name, text): &(String, String)) -> Result<(String, Vec<f64>), Error> {
    let values = match Values::parse(text)? {
        Some(values) if values.len() <= 10_000 => values.doubles(0, values.len() as usize),
        Some(_) => return Err(Error::new(format!("`{name}` has more than 10,000 values"))),
        None => {
            let value = text
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite());
            let expected = || {
                Error::new(format!(
                    "`{text}` is not a value of `{name}`: expected numbers such as 1,2,4 or 100:500:100"
                ))
            };
            vec![value.ok_or_else(expected)?]
        }
    };
    Ok((name.clone(), values))
}
