//! Evaluates expressions: exactly at one point, or in doubles over batches of points.

pub mod certified;
mod decimal;
mod exact;
mod functions;
mod lanes;
mod laws;
mod longest;
mod paths;
#[cfg(test)]
mod tests;
mod unsupported;
mod value;

use std::fmt;

pub use decimal::{decimal, is_whole};
pub use exact::{Evaluation, Limits, evaluate, evaluate_by};
pub use laws::{has_random_paths, is_raised_by_paths};
pub use longest::longest_path;
pub use pamela_graph::Samples;
pub use paths::{PathBounds, PathLaw, PathLaws, StandardErrors};
pub use unsupported::Unsupported;
pub use value::{Bindings, Number, Value, Vector};

pub use crate::law::shortest::text as real_text;

pub use crate::real::Real;

/// Reason why an expression has no value at a point, or why none was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// An operation is undefined there, such as a division by zero.
    Undefined(String),
    /// No double is near the value.
    NotFinite,
    /// A step or a comparison lies within the error.
    Undecided(String),
    /// A parameter has no value.
    Unbound(String),
    /// The limit of steps was exceeded.
    TooManySteps(u64),
    /// An exact number has too many digits.
    TooLarge,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Undefined(reason) => write!(f, "undefined: {reason}"),
            EvalError::NotFinite => write!(f, "undefined: {}", crate::real::Fault::NotFinite),
            EvalError::Undecided(reason) => f.write_str(reason),
            EvalError::Unbound(name) => write!(f, "the parameter `{name}` has no value"),
            EvalError::TooManySteps(limit) => write!(f, "more than {limit} steps of evaluation"),
            EvalError::TooLarge => f.write_str("an exact number has more than a million bits"),
        }
    }
}

impl std::error::Error for EvalError {}
