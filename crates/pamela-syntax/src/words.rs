//! The words of the language: reserved words, predefined functions and laws.

mod row;
mod table;

use row::word;
pub use row::{Sort, Word};
pub use table::WORDS;

/// Reserved words; equal to `reserved` in the grammar.
pub const RESERVED: [&str; 20] = [
    "numeric",
    "process",
    "resource",
    "parameter",
    "assume",
    "include",
    "seq",
    "par",
    "any",
    "if",
    "else",
    "switch",
    "delay",
    "use",
    "of",
    "sum",
    "prod",
    "kth",
    "mod",
    "div",
];

/// The predefined resources.
pub static RESOURCES: [Word; 2] = [
    word(
        "fcfs",
        1..=2,
        Sort::Resource,
        "an element of the predefined array of first-come-first-served resources",
        &["index", "servers"],
        "fcfs(0, 1)",
    ),
    word(
        "servers",
        1..=1,
        Sort::Resource,
        "a resource of its own with a number of servers",
        &["number"],
        "servers(4)",
    ),
];

/// The words of the grammar that are names elsewhere.
pub const CONTEXTUAL: [&str; 26] = [
    "open",
    "graph",
    "after",
    "for",
    "in",
    "default",
    "tracks",
    "order",
    "free",
    "integer",
    "law",
    "increasing",
    "decreasing",
    "unit",
    "when",
    "kept",
    "unknown",
    "assert",
    "import",
    "from",
    "record",
    "table",
    "as",
    "with",
    "max",
    "min",
];

/// True if a name has a meaning in each model, which a name of its own would take away: reserved words, predefined names, and
/// words that stand where a name may.
pub fn is_taken(name: &str) -> bool {
    ["in", "integer", "law", "max", "min"].contains(&name)
        || RESERVED.contains(&name)
        || RESOURCES.iter().any(|resource| resource.name == name)
        || find(name).is_some()
}

/// The predefined function or law with this name.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
