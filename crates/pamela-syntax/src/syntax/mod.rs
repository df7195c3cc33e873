//! The PAMELA+ language as text: grammar, tree, parser, printer.
//!
//! Reading takes time and memory in proportion to the text. Files, items, nesting and numbers are
//! limited; exceeding a limit is an error with a location.

mod build;
mod carried;
mod explain;
mod items;
mod lexer;
mod loader;
pub mod number;
mod parser;
mod printer;
mod recorded;
pub mod rewrite;
pub mod tree;

pub use items::{ItemKind, ItemPlace, item_places};
pub use lexer::{Token, TokenKind, is_reserved, tokens, words_of};
pub use loader::MAX_TEXT;
pub use loader::{FileLoader, LibraryLoader, Loader, NoFiles};
pub use parser::{
    Broken, ItemCache, Partial, is_item, parse_assertion, parse_expression, parse_model,
    parse_partial, parse_rules, read_later,
};
pub use printer::Part;
pub use recorded::{Recorded, Recorder};

#[cfg(test)]
mod tests;
