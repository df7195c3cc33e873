//! Words of the language that a model which is written here cannot give to its own names.

use pamela_law::LawName;

/// Words and functions of the language that name nothing else; laws are in their own table.
const TAKEN: [&str; 43] = [
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
    "max",
    "min",
    "floor",
    "ceil",
    "abs",
    "sqrt",
    "log",
    "exp",
    "integer",
    "law",
    "unitvec",
    "mixture",
    "empirical",
    "truncated",
    "fcfs",
    "servers",
    "cbrt",
    "root",
    "fact",
    "binom",
    "gcd",
    "floorsum",
    "in",
];

/// True if a name has a meaning in the language.
pub fn is_taken(name: &str) -> bool {
    TAKEN.contains(&name) || LawName::find(name).is_some()
}
