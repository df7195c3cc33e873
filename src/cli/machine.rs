//! `pamela machine`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use pamela_programs::profile::overheads;
use pamela_programs::source::Compiler;

use super::measured::told;
use super::shared::Input;
use super::{Outcome, output, read_model};
use crate::diagnostic::Error;

pub const EXAMPLES: &str = "\
Examples:
  pamela machine --threads 2                             what OpenMP takes with two threads
  pamela machine --threads 2 --for model.pam -o machine.toml
  pamela calibrate model.pam data.csv --params machine.toml -D P=2

Builds and runs a small program that measures starting a team of threads, a barrier, a chunk of a dynamic schedule, a
lock, a part of a reduction and a task, as the models of `pamela model` have them, in seconds: medians of 31
repetitions, with all threads running before.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// How many threads
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=4096))]
    threads: u64,
    /// Only the times that this model has
    #[arg(long = "for", value_name = "MODEL")]
    model: Option<String>,
    /// The compiler, with its options
    #[arg(long, value_name = "COMMAND", default_value = "cc -O2 -fopenmp")]
    cc: String,
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
    let compiler = Compiler::read(&arguments.cc).map_err(told)?;
    let found = overheads(&compiler, arguments.threads, Duration::from_secs(600)).map_err(told)?;
    let mut text = format!("# with {} threads; seconds\n", arguments.threads);
    for overhead in found {
        if known
            .as_ref()
            .is_none_or(|known| known.contains(&overhead.name))
        {
            text.push_str(&format!("{} = {:.3e}\n", overhead.name, overhead.seconds));
        }
    }
    match &arguments.output {
        Some(file) => std::fs::write(file, &text)
            .map_err(|error| Error::new(format!("cannot write `{}`: {error}", file.display())))?,
        None => output::line(text.trim_end())?,
    }
    Ok(Outcome::Done)
}
