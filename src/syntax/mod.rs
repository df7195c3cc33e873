//! The PAMELA+ language as text: grammar, tree, parser, printer.

pub mod tree;
