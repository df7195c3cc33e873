//! Reads and writes tables of numbers and texts as columnar files: Parquet and Arrow IPC.

mod column;
mod convert;
mod parquet;
mod read;
mod write;

pub use column::{Cell, Column, numbers, texts};
pub use convert::{decimals, doubles};
pub use read::{MOST_CELLS, batches, read};
pub use write::{Field, Writer};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Parquet,
    /// Arrow IPC, as a file; its format is also called Feather.
    Arrow,
    /// Arrow IPC as a stream, which is read while it is written.
    Stream,
}

/// A reason, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(pub String);

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

fn problem(error: impl std::fmt::Display) -> Problem {
    Problem(error.to_string())
}
