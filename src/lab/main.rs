//! The program `pamela-lab`: studies of pamela beside other programs, published results and measurements. `pamela study`
//! runs it.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "plot")]
mod pictures;
#[cfg(feature = "programs")]
mod programs;
mod study;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

/// As in the program `pamela`.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Run studies: compare pamela with other programs, with published results and with measurements
#[derive(Debug, Parser)]
#[command(
    name = "pamela-lab",
    bin_name = "pamela study",
    version,
    propagate_version = true,
    before_help = EXAMPLES,
    help_template = pamela_cli::cli::shared::HELP
)]
struct Arguments {
    #[command(subcommand)]
    study: Option<study::StudyCommand>,
}

const EXAMPLES: &str = "\
Examples:
  pamela study          names of all studies
  pamela study mrm      machine repair model: simulated, by mean value analysis, evaluated
  pamela study sums --json";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    ExitCode::from(pamela_cli::cli::run_with_stack(move || {
        study::run(arguments.study.as_ref())
    }))
}
