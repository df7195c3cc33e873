//! The command line of `pamela` as a library, used by the program and by the Python package.

// The lints of the crates apply here as well; tests are elsewhere.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod cli;

#[cfg(feature = "plot")]
use pamela::plot;
use pamela::{
    algebra, claims, compiled, diagnostic, document, effort, emit, estimate, eval, expr, formula,
    law, layout, model, pipeline, ring, rules, simulate, syntax, timing, uncertain,
};
#[cfg(feature = "tools")]
use pamela::{diff, optimise, report, solve, sweep};
#[cfg(feature = "tools")]
use pamela_gates as gates;
