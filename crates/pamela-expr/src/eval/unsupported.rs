//! Expressions that cannot be compiled.

use std::fmt;

/// Reason why an expression cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A reduction needs a loop.
    OpenReduction,
    /// The value is a vector.
    Vector,
    /// The value is a law, or contains moments without closed form.
    Law,
    /// A root, a logarithm or another function with irrational values.
    Irrational,
    /// A function that batches do not support.
    Function(&'static str),
    /// A parameter without a column.
    Unbound(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::OpenReduction => f.write_str("the formula has an open reduction"),
            Unsupported::Vector => f.write_str("the formula is a vector"),
            Unsupported::Law => f.write_str("the formula is a law"),
            Unsupported::Irrational => {
                f.write_str("the formula has a value that is not a fraction")
            }
            Unsupported::Function(name) => write!(f, "`{name}` is only computed exactly"),
            Unsupported::Unbound(name) => write!(f, "the parameter `{name}` has no column"),
        }
    }
}

impl std::error::Error for Unsupported {}
