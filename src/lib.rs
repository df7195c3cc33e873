//! The command line of `pamela` as a library, used by the program and by the Python package.

// The lints of the crates apply here as well; tests are elsewhere.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod cli;

#[cfg(feature = "plot")]
use pamela::plot;
use pamela::{
    algebra, claims, compiled, diagnostic, diff, document, effort, emit, estimate, eval, expr,
    formula, law, model, optimise, pipeline, report, ring, rules, simulate, solve, sweep, syntax,
    timing, uncertain,
};
use pamela_lab::{gates, study};
