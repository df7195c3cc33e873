//! A compiler from performance models of parallel programs to closed-form formulas.

pub mod compiled;
pub mod document;
pub mod emit;
pub mod estimate;
pub mod formula;
pub mod optimise;
pub mod pipeline;
#[cfg(feature = "plot")]
pub mod plot;
pub mod report;
pub mod rules;
pub mod sweep;
pub mod timing;

pub use compiled::{Compiled, Point};
pub use pamela_algebra::algebra;
pub use pamela_definition::simulate;
pub use pamela_exact::{real, ring};
pub use pamela_expr::{eval, expr};
pub use pamela_law as law;
pub use pamela_law::special;
pub use pamela_syntax::{diagnostic, effort, syntax};
pub use pipeline::{Model, Options, Simplified, SimplifiedEquation};

/// Checked models, and their values by the definition.
pub mod model {
    pub use pamela_definition::definition::*;
    pub use pamela_model::model::*;
}
