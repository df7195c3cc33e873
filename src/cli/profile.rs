//! `pamela profile`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use pamela_programs::profile::{Plan, Profile, profile, sampled};
use pamela_programs::source::{self, Compiler, words};
use pamela_programs::{Options, Problem};

use super::model::{Parameter, parse_parameter};
use super::shared::parse_definition;
use super::{Outcome, output};
use crate::diagnostic::Error;
use crate::sweep::Values;

pub const EXAMPLES: &str = "\
Examples:
  pamela profile sort.c --points n=100,200,400 --seeds 30 -o sort.json -- {n} {seed}
  pamela profile matmul.c --entry multiply --points n=64:512:64 --points P=1,2 --runs 11 -o matmul.json -- {n}
  pamela profile halo.c --cc 'mpicc -O2' --run 'mpirun -n {P}' --points P=1,2 --points n=256,512 -o halo.json -- {n}
  pamela model sort.c -o sort.pam && pamela calibrate sort.pam sort.json -o fit.toml

The program is built twice and run with the arguments behind `--`, in which {n} stands for a value of n and {seed} for
1, 2, ..: with probes, whose counts tell how often conditions hold and loops run that the model cannot tell, and without,
for its times. These are those of `main`, of --entry, or of the region that `#pragma pamela region` names. P is the number
of threads. --run starts programs of MPI, whose number of ranks is P: each rank counts by itself, all begin what is timed
together, and the rank that takes longest is the time; that of `main` is from MPI_Init to MPI_Finalize. What the file
holds already is not measured again. Nothing else is run.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The files of the program, in C
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where to run it: all values with those of the others, as 1,2,4 or 100:500:100 (repeatable)
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse_definition)]
    points: Vec<(String, String)>,
    /// Runs with probes at each point, with the seeds 1, 2, ..
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// Runs at each point whose time is taken
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    runs: u32,
    /// The function that is modelled and timed [default: main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Name an argument of the program, as for `pamela model` (repeatable)
    #[arg(long, value_name = "NAME=argv[K]", value_parser = parse_parameter)]
    param: Vec<Parameter>,
    /// The compiler, with its options
    #[arg(long, value_name = "COMMAND", default_value = "cc -O2 -fopenmp")]
    cc: String,
    /// What stands behind the files when the program is linked, such as -lblas
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        allow_hyphen_values = true
    )]
    link: String,
    /// What starts the program, with {P} and other names of --points, as mpirun -n {P}
    #[arg(long, value_name = "COMMAND", default_value = "")]
    run: String,
    /// Seconds after which a run is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Put in the shares of functions that `perf report --stdio`, `perf script` or `gprof -b` printed to this file
    #[arg(long, value_name = "FILE")]
    sampled: Option<PathBuf>,
    /// Write the profile to this file, and go on with what it holds
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
    /// The arguments of the program
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
            "`{}` is a macro: programs are run as they are compiled; give it by --cc, as -D{}=100",
            parameter.name, parameter.name
        )));
    }
    let link = arguments.link.split_whitespace().map(str::to_string);
    let compiler = Compiler::read(&arguments.cc).map_err(told)?;
    let plan = Plan {
        compiler,
        link: link.collect(),
        files: arguments
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect(),
        arguments: arguments.arguments.clone(),
        run: words(&arguments.run).map_err(told)?,
        axes: axes?,
        seeds: arguments.seeds,
        runs: arguments.runs as usize,
        timeout,
    };
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
    let progress = output::progress();
    let mut watch = |done: usize, count: usize, what: &str| {
        if let Some(progress) = progress {
            progress(done - 1, count, what);
        }
    };
    let result = profile(&units, &options, &plan, &arguments.output, &mut watch);
    output::end_progress();
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

fn note_result(profile: &Profile, uncounted: &[String], output: &Path) {
    for site in uncounted {
        let name = profile.sites.get(site).cloned().unwrap_or_default();
        output::note(&format!(
            "note: `{name}` cannot be counted at `{site}`; give it by -D {name}=.., or a share by #pragma pamela prob(e), \
             a number of iterations by trips(e)"
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
                    "`{text}` is no value of `{name}`: expected numbers, as 1,2,4 or 100:500:100"
                ))
            };
            vec![value.ok_or_else(expected)?]
        }
    };
    Ok((name.clone(), values))
}
