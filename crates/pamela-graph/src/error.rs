//! Errors in a file or in a list of tasks, with their location.

use std::fmt;

/// An error with its location and the expected input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file with its line or entry; empty if the tasks come from no file.
    pub place: String,
    /// Found and expected input, and advice.
    pub message: String,
}

impl Error {
    /// An error at a place such as `build.csv:7`.
    pub fn at(place: impl Into<String>, message: impl Into<String>) -> Error {
        Error {
            place: place.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.place, self.message)
        }
    }
}

impl std::error::Error for Error {}

/// The beginning of a text that may be long.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
