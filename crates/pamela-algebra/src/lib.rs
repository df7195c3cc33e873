//! Finds closed forms of expressions by equality saturation with a given set of rules.

#![warn(clippy::match_bool)]

pub mod algebra;

use pamela_exact::{ring, with_stack};
use pamela_expr::expr;
use pamela_law::special;
use pamela_syntax::{diagnostic, effort, syntax};
