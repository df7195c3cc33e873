//! From C and OpenMP programs, and measurements of them, to performance models in PAMELA+.
//!
//! Data goes one way through the rooms:
//!
//! ```text
//! problem < source < lowering
//! ```
//!
//! `source` reads a program as the user's compiler preprocesses it, `lowering` makes a model of it. Nothing of the
//! program is run.

pub mod lowering;
pub mod problem;
pub mod source;

pub use lowering::{Model, Options, model};
pub use problem::{Place, Problem};
