//! The language: source files and errors with a place, the tree as it is written, its parser and its printer.

pub mod diagnostic;
pub mod effort;
pub mod syntax;
pub mod words;

use pamela_exact::{ring, with_stack};
use pamela_law::{special, table};
