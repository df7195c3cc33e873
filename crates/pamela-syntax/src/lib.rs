//! The language: source files, errors with locations, syntax tree, parser and printer.

pub mod diagnostic;
pub mod effort;
pub mod layout;
pub mod syntax;
pub mod words;

use pamela_exact::{ring, with_stack};
use pamela_law::{special, table};
