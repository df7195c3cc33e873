//! Evaluates expressions: exactly at one point, or in doubles over batches of points.

pub mod certified;
mod decimal;
mod exact;
mod lanes;
mod laws;
mod longest;
mod paths;
#[cfg(test)]
mod tests;
mod unsupported;
mod value;

pub use decimal::{decimal, is_whole};
pub use exact::{Evaluation, Limits, evaluate, evaluate_by};
pub use laws::{has_random_paths, is_raised_by_paths};
pub use longest::longest_path;
pub use pamela_graph::Samples;
pub use paths::{PathBounds, PathLaw, PathLaws, StandardErrors};
pub use unsupported::Unsupported;
pub use value::{Bindings, Value, Vector};

pub use crate::number::{EvalError, Number};

pub use crate::law::shortest::text as real_text;

pub use crate::real::Real;
