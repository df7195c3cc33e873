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

/// True if a derived model cannot give a name to its own parts: reserved words, predefined resources and laws, and functions, which
/// its expressions may use. Names of moments and measures, and the harmonic number `H`, are as good as others: a model may
/// redefine them.
pub fn is_taken(name: &str) -> bool {
    let is_used = |word: &Word| match word.sort {
        Sort::Function | Sort::Law | Sort::Resource => true,
        Sort::Special => name != "H",
        Sort::Moment | Sort::Measure => false,
    };
    ["in", "integer", "law"].contains(&name)
        || RESERVED.contains(&name)
        || RESOURCES
            .iter()
            .chain(WORDS.iter())
            .any(|word| word.name == name && is_used(word))
}

/// The predefined function or law with this name.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
