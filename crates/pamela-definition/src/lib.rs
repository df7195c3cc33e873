//! The definition of the language: values of models by direct evaluation, and simulated runs.

#![warn(clippy::match_bool)]

pub mod definition;
pub mod simulate;

/// Checked models, and their values.
mod model {
    pub use crate::definition::*;
    pub use pamela_model::model::*;
}

use pamela_exact::real;
use pamela_law::{self as law, special};
use pamela_syntax::{diagnostic, syntax};
