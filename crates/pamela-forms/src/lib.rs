//! Closed forms of performance models: from checked models to formulas, and from formulas to values.
//!
//! [`Model`](pipeline::Model) reads and simplifies; [`Compiled`](compiled::Compiled) evaluates. The crate `pamela`
//! re-exports all of it.

#![warn(missing_docs)]

pub mod compiled;
pub mod formula;
pub mod pipeline;
pub mod pool;
pub mod rules;
pub mod timing;

pub use pamela_algebra::algebra;
pub use pamela_definition::simulate;
pub use pamela_exact::{real, ring};
pub use pamela_expr::{eval, expr};
pub use pamela_law as law;
pub use pamela_syntax::{diagnostic, effort, layout, syntax, words};

use pamela_exact::with_stack;

/// Checked models, and their values by the definition.
pub mod model {
    pub use pamela_definition::definition::*;
    pub use pamela_model::model::*;
}
