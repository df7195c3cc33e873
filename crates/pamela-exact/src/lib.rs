//! Exact numbers: rationals, polynomials and their sums, a prover of inequalities, and reals with
//! error bounds.

#![warn(clippy::match_bool)]

pub mod real;
pub mod ring;
mod stack;

pub use stack::with_stack;

use pamela_law::special;
