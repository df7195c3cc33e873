//! A compiler from performance models of parallel programs to closed-form formulas.
//!
//! Read a model, find its closed forms once, then evaluate them at points and over columns:
//!
//! ```
//! use pamela::{Column, Model, Options};
//!
//! # fn main() -> pamela::Result<()> {
//! let model = Model::parse(
//!     "numeric parameter P : integer >= 1   % number of clients
//!      numeric parameter N : integer >= 0   % number of iterations
//!      numeric parameter tl : >= 0          % local processing
//!      numeric parameter ts : >= 0          % service
//!      resource s = fcfs(0, 1)
//!      process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }",
//! )?;
//! let compiled = model.compile(&Options::default())?;
//! let time = &compiled["T_main"];
//! assert_eq!(time.formula.to_string(), "N * max(tl + ts, P * ts)");
//! assert_eq!(time.standing.words(), "lower bound");
//!
//! let point = compiled.at([("P", 100), ("N", 1000), ("tl", 10), ("ts", 1)])?;
//! assert_eq!(point.number("T_main")?, 100_000.0);
//!
//! let clients = Column::new(vec![1.0, 10.0, 100.0]);
//! let constant = |value| Column::new(vec![value; 3]);
//! let others = [("N", constant(1000.0)), ("tl", constant(10.0)), ("ts", constant(1.0))];
//! let columns = compiled.batch(&[&[("P", clients)], &others[..]].concat(), &[])?;
//! assert_eq!(columns.equation("T_main").unwrap().values, [11_000.0, 11_000.0, 100_000.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The main types:
//!
//! - [`Model`] is a model that was read and checked.
//! - [`Simplified`] holds its closed forms. Each is a [`Formula`] with conditions and notes.
//! - [`Compiled`] evaluates the closed forms.
//! - [`Error`] points to a fault in the text and says what to do.
//!
//! The modules below are the parts of the program `pamela`. They may change with any version.

#![warn(missing_docs)]

// Differences and solutions use parts of it that nothing else does.
#[cfg_attr(not(feature = "tools"), allow(dead_code, unused_imports))]
pub mod claims;
#[cfg(feature = "tools")]
pub mod diff;
pub mod document;
pub mod emit;
pub mod estimate;
#[cfg(feature = "tools")]
pub mod optimise;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "tools")]
pub mod report;
#[cfg(feature = "tools")]
pub mod solve;
#[cfg(feature = "tools")]
pub mod sweep;
pub mod uncertain;

pub use compiled::{
    Column, Columns, Compiled, Evaluated, EvaluatedEquation, LawValue, Method, Parameter, Point,
};
pub use diagnostic::{Error, Result};
pub use effort::{Effort, Interrupt};
pub use formula::Formula;
pub use pamela_exact::{real, ring};
pub use pamela_forms::{
    algebra, compiled, diagnostic, effort, eval, expr, formula, law, layout, model, pipeline, pool,
    rules, simulate, syntax, timing, words,
};
pub use pamela_law::special;

pub use pipeline::{Crossing, Model, Options, Regime, Regimes, Simplified, SimplifiedEquation};

use pamela_exact::with_stack;
