//! Standard output and standard error, whose readers may leave early.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::diagnostic::{Error, Severity};
use crate::pipeline::Simplified;
use crate::simulate::Basis;

/// Writes a text and a line end to standard output. A reader that closes the pipe early is not an error.
pub fn line(text: &str) -> Result<(), Error> {
    print(&format!("{text}\n"))
}

/// Writes a text to standard output. A reader that closes the pipe early is not an error.
pub fn print(text: &str) -> Result<(), Error> {
    let mut output = std::io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::new(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// Tells the user something beside the result; where nobody listens, nothing is lost.
pub fn note(text: &str) {
    // There is no one left to be told of a failure.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// An error as text, whose hints say how values are given on the command line.
pub fn error(error: Error, color: bool) -> String {
    error.worded(|name| format!("-D {name}=...")).render(color)
}

/// Prints the errors of some parts of the model, beside the results of the other parts.
pub fn failures(errors: &[Error]) {
    let color = std::io::stderr().is_terminal();
    let texts = errors
        .iter()
        .map(|one| error(one.clone(), color).trim_end().to_owned());
    let texts: Vec<String> = texts.collect();
    if !texts.is_empty() {
        note(&texts.join("\n\n"));
    }
}

/// Prints `errors` as warnings: the command continues, without the results of the wrong parts.
pub fn missing(errors: &[Error]) {
    let warning = |error: &Error| {
        let mut error = error.clone();
        for diagnostic in &mut error.diagnostics {
            diagnostic.severity = Severity::Warning;
        }
        error
    };
    let warnings: Vec<Error> = errors.iter().map(warning).collect();
    failures(&warnings);
}

/// Prints the notes that results shown as bare numbers need.
pub fn caveats(simplified: &Simplified) {
    for caveat in simplified.caveats() {
        note(&format!("note: {caveat}"));
    }
}

/// A text as a CSV cell: quoted if it contains a comma, a quote or a line end.
#[cfg(feature = "programs")]
pub fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

/// Writes a value as indented JSON.
pub fn json(value: &impl Serialize) -> Result<(), Error> {
    line(&json_text(value)?)
}

/// A value as indented JSON.
pub fn json_text(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value);
    text.map_err(|error| Error::new(format!("cannot write JSON: {error}")))
}

/// The error for a file that cannot be written.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| error.kind() == ErrorKind::NotFound && !folder.exists()) {
        Some(folder) => {
            let (path, folder) = (path.display(), folder.display());
            Error::new(format!(
                "cannot write `{path}`: there is no directory `{folder}`"
            ))
        }
        None => Error::new(format!("cannot write `{}`: {error}", path.display())),
    }
}

/// Writes a text to a file and ends its last line.
pub fn file(path: &Path, text: &str) -> Result<(), Error> {
    let written = std::fs::write(path, format!("{text}\n"));
    written.map_err(|error| cannot_write(path, &error))
}

/// Writes bytes to a file as they are.
#[cfg(feature = "plot")]
pub fn bytes(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = std::fs::write(path, bytes);
    written.map_err(|error| cannot_write(path, &error))
}

/// Writes bytes to standard output. A reader that closes the pipe early is not an error.
#[cfg(feature = "plot")]
pub fn raw(bytes: &[u8]) -> Result<(), Error> {
    let mut output = std::io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::new(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// Basis of a mean, in words.
pub fn basis(basis: Basis, runs: usize) -> String {
    match basis {
        Basis::Exact => "exact".to_string(),
        Basis::TextOrder => "exact in the order of the text".to_string(),
        Basis::EqualOrders => format!("the same in {runs} orders"),
        Basis::Orders => format!("{runs} orders"),
        Basis::Rounded => "rounded".to_string(),
        Basis::OneDraw => "one draw".to_string(),
        Basis::EqualDraws => format!("the same in {runs} draws"),
        Basis::Draws => format!("{runs} draws"),
    }
}

/// Six digits.
pub fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    rounded.to_string()
}
