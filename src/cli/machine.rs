//! `pamela machine`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use pamela_programs::profile::overheads;
use pamela_programs::source::Compiler;

use super::machine_mpi::Mpi;
use super::measured::told;
use super::shared::Input;
use super::{Outcome, output, read_model};
use crate::diagnostic::Error;

pub const EXAMPLES: &str = "\
Examples:
  pamela machine --threads 2                             what OpenMP takes with two threads
  pamela machine --threads 2 --for model.pam -o machine.toml
  pamela calibrate model.pam data.csv --params machine.toml -D P=2
  pamela machine --mpi --ranks 2,4                       what messages take, and calls of all ranks together
  pamela machine --mpi --run 'mpirun --bind-to core -n {P}' --bytes 80000 -o machine.toml

Builds and runs a small program that measures starting a team of threads, a barrier, a chunk of a dynamic schedule, a
lock, a part of a reduction and a task, as the models of `pamela model` have them, in seconds: medians of 31
repetitions, with all threads running before.
With --mpi it measures messages of 8 bytes to 4 MiB between two ranks: t_startup and t_word, for short messages and for
long ones, of which --bytes chooses; t_op, which is combining a word; and what all ranks do together, beside what the
models say. MPI must be installed; --run starts the ranks, whose number stands in the place of {P}.";

/// Measuring ends after so long.
const TIMEOUT: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
pub struct Arguments {
    /// How many threads
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=4096), required_unless_present = "mpi")]
    threads: Option<u64>,
    #[command(flatten)]
    mpi: Mpi,
    /// Only the times that this model has
    #[arg(long = "for", value_name = "MODEL")]
    model: Option<String>,
    /// The compiler, with its options [default: cc -O2 -fopenmp; with --mpi, mpicc -O2]
    #[arg(long, value_name = "COMMAND")]
    cc: Option<String>,
    /// Write the values to this file, as `--params` reads them
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let known = match &arguments.model {
        Some(file) => {
            let model = read_model(&Input {
                file: file.clone(),
                library: Vec::new(),
            })?;
            Some(
                model
                    .scalar_parameters()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        }
        None => None,
    };
    let is_known = |name: &str| {
        let mut names = known.iter().flatten();
        known.is_none() || names.any(|own| own == name)
    };
    let usual = if arguments.mpi.mpi {
        "mpicc -O2"
    } else {
        "cc -O2 -fopenmp"
    };
    let compiler = Compiler::read(arguments.cc.as_deref().unwrap_or(usual)).map_err(told)?;
    let text = match arguments.threads {
        Some(threads) => of_threads(threads, &compiler, &is_known)?,
        None => arguments.mpi.text(&compiler, TIMEOUT, &is_known)?,
    };
    match &arguments.output {
        Some(file) => {
            std::fs::write(file, &text).map_err(|error| output::cannot_write(file, &error))?
        }
        None => output::line(text.trim_end())?,
    }
    Ok(Outcome::Done)
}

/// The lines of what OpenMP takes.
fn of_threads(
    threads: u64,
    compiler: &Compiler,
    is_known: &dyn Fn(&str) -> bool,
) -> Result<String, Error> {
    let found = overheads(compiler, threads, TIMEOUT).map_err(told)?;
    let mut text = format!("# with {threads} threads; seconds\n");
    for overhead in found.iter().filter(|overhead| is_known(&overhead.name)) {
        text.push_str(&format!("{} = {:.3e}\n", overhead.name, overhead.seconds));
    }
    Ok(text)
}
