//! Closed forms of expressions, found by rules that come from above.

pub mod algebra;

use pamela_exact::{ring, with_stack};
use pamela_expr::expr;
use pamela_law::special;
use pamela_syntax::{diagnostic, effort, syntax};
