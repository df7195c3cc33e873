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
  pamela machine --threads 2
  pamela machine --threads 2 -o machine.toml     values for --params
  pamela machine --mpi --ranks 2,4               messages and collective operations";

pub const NOTES: &str = "\
Builds and runs a small program that measures the OpenMP parameters of `pamela model`: starting a team, a barrier, a \
chunk of a dynamic schedule, a lock, a part of a reduction, a task. Values are medians of 31 repetitions, in seconds.

With --mpi: messages of 8 bytes to 4 MiB between two ranks (t_startup, t_word), combining a word (t_op), and collective \
operations beside the times that the models predict.";

/// Measuring ends after so long.
const TIMEOUT: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
pub struct Arguments {
    /// Number of threads
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=4096), required_unless_present = "mpi")]
    threads: Option<u64>,
    #[command(flatten)]
    mpi: Mpi,
    /// Print only the parameters of this model
    #[arg(long = "for", value_name = "MODEL")]
    model: Option<String>,
    /// Compiler command [default: cc -O2 -fopenmp; with --mpi, mpicc -O2]
    #[arg(long, value_name = "COMMAND")]
    cc: Option<String>,
    /// Write the values to this file, for --params
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let known = match &arguments.model {
        Some(file) => {
            let model = read_model(&Input {
                file: file.clone(),
                library: Vec::new(),
                text: None,
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

/// Lines with the OpenMP times.
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
