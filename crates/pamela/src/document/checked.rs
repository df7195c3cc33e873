//! Everything that is wrong with models, for other programs.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity, Sources, Span};
use crate::formula::json::Assertion;
use crate::pipeline::Draft;

/// What is wrong with a file and the files that it includes.
#[derive(Debug, Serialize)]
pub struct Checked {
    /// Name of the file.
    pub file: String,
    /// Errors and warnings.
    pub diagnostics: Vec<Reported>,
    /// The claims of a model without errors, with an answer for each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
}

/// A diagnostic.
#[derive(Debug, Serialize)]
pub struct Reported {
    /// Stable code, such as `name-unbound`.
    pub code: &'static str,
    /// How severe it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The main place, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What is found or expected at the main place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Further places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// Changes that follow the hint: all or none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Change>,
}

/// A part of a file. Lines and columns begin with 1; columns count characters. Bytes begin with 0.
#[derive(Debug, Serialize)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Its first line.
    pub line: usize,
    /// Its first column.
    pub column: usize,
    /// Its last line.
    pub end_line: usize,
    /// The column after it.
    pub end_column: usize,
    /// Its first byte.
    pub start_byte: u32,
    /// The byte after it.
    pub end_byte: u32,
}

/// A further place of a diagnostic.
#[derive(Debug, Serialize)]
pub struct Related {
    /// The place.
    pub place: Place,
    /// What is there.
    pub label: String,
}

/// The text at `place` becomes `text`.
#[derive(Debug, Serialize)]
pub struct Change {
    /// The place.
    pub place: Place,
    /// The new text.
    pub text: String,
}

impl Checked {
    /// The diagnostics of a model.
    pub fn of(file: &str, draft: &Draft) -> Checked {
        let sources = draft.model.checked().sources();
        Checked::with(file, &draft.diagnostics, sources)
    }

    /// A file with these diagnostics.
    pub fn with(file: &str, diagnostics: &[Diagnostic], sources: &Sources) -> Checked {
        let reported = diagnostics.iter().map(|own| reported(own, sources));
        Checked {
            file: file.to_owned(),
            diagnostics: reported.collect(),
            assertions: Vec::new(),
        }
    }

    /// True if one is an error, not a warning.
    pub fn has_errors(&self) -> bool {
        let mut own = self.diagnostics.iter();
        own.any(|own| own.severity == Severity::Error)
    }
}

fn reported(diagnostic: &Diagnostic, sources: &Sources) -> Reported {
    let mut labels = diagnostic.labels.iter();
    let main = labels.next();
    let related = labels.filter_map(|(span, label)| {
        Some(Related {
            place: place(*span, sources)?,
            label: label.clone(),
        })
    });
    let edits = diagnostic.edits.iter().filter_map(|edit| {
        Some(Change {
            place: place(edit.span, sources)?,
            text: edit.text.clone(),
        })
    });
    Reported {
        code: diagnostic.code.slug(),
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        place: main.and_then(|(span, _)| place(*span, sources)),
        label: main.map(|(_, label)| label.clone()),
        hint: diagnostic.hint.clone(),
        related: related.collect(),
        edits: edits.collect(),
    }
}

fn place(span: Span, sources: &Sources) -> Option<Place> {
    let file = sources.0.get(span.file as usize)?;
    let position = |byte: u32| {
        let before = file.text.get(..byte as usize).unwrap_or(&file.text);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let lines = before.matches('\n').count();
        (lines + 1, before[line..].chars().count() + 1)
    };
    let ((line, column), (end_line, end_column)) = (position(span.start), position(span.end));
    Some(Place {
        file: file.name.clone(),
        line,
        column,
        end_line,
        end_column,
        start_byte: span.start,
        end_byte: span.end,
    })
}
