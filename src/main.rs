//! The program `pamela`: the command line, a thin reader of the library.

// As in the crates; tests stand outside.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;
#[cfg(feature = "plot")]
use pamela::plot;
use pamela::{
    algebra, compiled, diagnostic, document, effort, emit, estimate, eval, expr, formula, law,
    model, optimise, pipeline, report, ring, rules, simulate, sweep, syntax, timing,
};
use pamela_lab::{gates, study};

/// A closed form is made of many short lists, which this allocator hands out in less time than the system's.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
