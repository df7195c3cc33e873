//! What is wrong with a file or a list of tasks, and where.

use std::fmt;

/// What is wrong, where, and what was expected instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file with its line or entry; empty where tasks come from no file.
    pub place: String,
    /// What was found, what was expected, and what to do.
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
        match self.place.is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "{}: {}", self.place, self.message),
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
