//! Errors in a program, with their location and advice.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// Lines of a file that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    #[serde(serialize_with = "as_text")]
    pub file: Arc<str>,
    /// First line, from 1.
    pub first: usize,
    /// Last line.
    pub last: usize,
}

fn as_text<S: Serializer>(file: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(file)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.first)?;
        if self.last > self.first {
            write!(f, "-{}", self.last)?;
        }
        Ok(())
    }
}

/// A message with its place and a hint, if there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: Option<Place>,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub fn new(message: impl Into<String>) -> Problem {
        Problem {
            place: None,
            message: message.into(),
            hint: None,
        }
    }

    pub fn at(mut self, place: Place) -> Problem {
        self.place = Some(place);
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// A number rounded to six digits, as models print measured values.
pub fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A number with three digits; small numbers as `1.23e-9`.
pub fn short(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{number:.2e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                let digits = digits.trim_end_matches('0').trim_end_matches('.');
                format!("{digits}e{exponent}")
            }
            _ => text,
        };
    }
    let digits = (2 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}
