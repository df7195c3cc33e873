//! Table files: formats by file name, and columnar formats if the program was built with them.

use std::path::Path;

use clap::ValueEnum;

use crate::diagnostic::Error;
use crate::sweep::Form;

/// The requested format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// A line of names, then a line for each point.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// Parquet; needs the feature `columns`.
    Parquet,
    /// Arrow IPC, also called Feather; needs the feature `columns`. Standard output gets a stream.
    Arrow,
}

/// A file to write to; none for `-`, which is standard output.
pub fn file(output: &Option<std::path::PathBuf>) -> Option<&Path> {
    let path = output.as_deref();
    path.filter(|path| *path != Path::new("-"))
}

/// The requested format, or the one of the file name.
///
/// # Errors
/// Fails if the file name has no known ending.
pub fn form(asked: Option<TableFormat>, output: Option<&Path>) -> Result<Option<Form>, Error> {
    let ending = output.and_then(Path::extension);
    let ending = ending.map(|ending| ending.to_string_lossy());
    let told = ending.as_deref().and_then(Form::of_ending);
    match (asked, ending) {
        (Some(TableFormat::Csv), _) => Ok(Some(Form::Csv)),
        (Some(TableFormat::Jsonl), _) => Ok(Some(Form::Jsonl)),
        (Some(TableFormat::Parquet), _) => Ok(Some(Form::Parquet)),
        (Some(TableFormat::Arrow), _) => Ok(Some(match output {
            Some(_) if told == Some(Form::Stream) => Form::Stream,
            Some(_) => Form::Arrow,
            None => Form::Stream,
        })),
        (None, Some(ending)) if told.is_none() => {
            let message = format!("no table format has the file extension `.{ending}`");
            let hint = "use .csv, .jsonl, .parquet or .arrow, or state the format, for example `--format \
                        csv`";
            Err(Error::new(message).hint(hint))
        }
        (None, _) => Ok(told),
    }
}

/// The columns of a file, which are numbers.
#[cfg(feature = "columns")]
pub fn read(path: &Path, form: Form) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let wrong = |problem| Error::new(format!("no parameters in `{}`: {problem}", path.display()));
    let format = form.columns().unwrap_or(pamela_columns::Format::Parquet);
    pamela_columns::read(path, format).map_err(wrong)
}

#[cfg(not(feature = "columns"))]
pub fn read(_: &Path, _: Form) -> Result<Vec<(String, Vec<f64>)>, Error> {
    Err(not_built())
}

#[cfg(not(feature = "columns"))]
pub fn not_built() -> Error {
    let message = "this program was built without Parquet and Arrow; \
                   install it with `cargo install --path . --features columns`";
    Error::new(message.to_string())
}
