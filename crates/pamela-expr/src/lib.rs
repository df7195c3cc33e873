//! Expressions (the intermediate representation) and their evaluation.

#![warn(clippy::match_bool)]

pub mod eval;
pub mod expr;
pub mod number;
pub mod operators;

use pamela_exact::{real, ring, with_stack};
use pamela_law::{self as law, special};
use pamela_syntax::syntax;
