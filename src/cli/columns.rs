//! Parquet and Arrow files, where the program was built with them.

use std::path::Path;

use crate::diagnostic::Error;

/// The kind of a columnar file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Parquet,
    Arrow,
}

impl Format {
    /// By the ending of a file name.
    pub fn of_ending(ending: &str) -> Option<Format> {
        match ending {
            "parquet" => Some(Format::Parquet),
            "arrow" | "feather" | "ipc" => Some(Format::Arrow),
            _ => None,
        }
    }
}

#[cfg(feature = "columns")]
impl From<Format> for pamela_columns::Format {
    fn from(format: Format) -> pamela_columns::Format {
        match format {
            Format::Parquet => pamela_columns::Format::Parquet,
            Format::Arrow => pamela_columns::Format::Arrow,
        }
    }
}

#[cfg(feature = "columns")]
/// The columns of a file, which are numbers.
pub fn read(path: &Path, format: Format) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let wrong = |problem| Error::new(format!("no parameters in `{}`: {problem}", path.display()));
    pamela_columns::read(path, format.into()).map_err(wrong)
}

#[cfg(not(feature = "columns"))]
pub fn read(_: &Path, _: Format) -> Result<Vec<(String, Vec<f64>)>, Error> {
    Err(not_built())
}

#[cfg(not(feature = "columns"))]
pub fn not_built() -> Error {
    let message = "this program was built without Parquet and Arrow; \
                   `cargo install --path . --features columns` installs one with them";
    Error::new(message.to_string())
}
