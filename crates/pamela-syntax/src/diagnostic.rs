//! Source files, spans and errors. The ground floor: knows nothing else of the project.

mod plain;
mod render;

pub use plain::one_line;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A byte range in one file of [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Position of the file in [`Sources`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; the file is that of `self`.
    pub fn to(self, end: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(end.start),
            end: self.end.max(end.end),
        }
    }
}

/// One file that a model was read from: the name shown to the user, and its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

/// All files of one model, in the order in which they were opened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sources(pub Vec<SourceFile>);

impl Sources {
    /// `file:line:column` of the first byte of a span.
    pub fn place(&self, span: Span) -> String {
        let Some(file) = self.0.get(span.file as usize) else {
            return "a place that is not known".to_string();
        };
        let before = file.text.get(..span.start as usize).unwrap_or(&file.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before
            .rsplit('\n')
            .next()
            .map_or(0, |last| last.chars().count());
        format!("{}:{line}:{column}", file.name)
    }
}

/// What is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub message: String,
    /// The places, the main one first; each with a short text such as `expected a scalar`.
    pub labels: Vec<(Span, String)>,
    pub hint: Option<String>,
    /// The name that lacks a value: each program has a way of its own to give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    pub severity: Severity,
    /// What programs decide by; nothing that a reader sees.
    #[serde(default, skip)]
    pub cause: Cause,
}

/// Causes that callers of the library treat in a way of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Any other.
    #[default]
    Other,
    /// A number has no declaration: the hint says how to declare it in a model.
    Undeclared,
    /// A value is not as it is declared.
    NotAsDeclared,
}

/// How much a diagnostic says of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The model is wrong.
    #[default]
    Error,
    /// The model may mean something else than what was meant.
    Warning,
    /// The model is right, and what is asked of it is not built yet.
    Unsupported,
}

/// A diagnostic for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    pub severity: Severity,
    pub message: String,
    /// `file:line:column` of the main place; none where there is no place.
    pub place: Option<String>,
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at `span`; `label` says what was found or expected there.
    pub fn error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            labels: vec![(span, label.into())],
            hint: None,
            lacks: None,
            severity: Severity::Error,
            cause: Cause::Other,
        }
    }

    /// A warning at `span`; `label` says what may not be meant there.
    pub fn warning(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(message, span, label)
        }
    }

    /// The diagnostic in rustc's style with the lines of `sources` that it points into;
    /// `color` adds the escape sequences of a terminal.
    pub fn render(&self, sources: &Sources, color: bool) -> String {
        render::render(self, sources, color)
    }

    /// Adds a second place, for example that of an earlier definition.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push((span, label.into()));
        self
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what programs decide by.
    pub fn because(mut self, cause: Cause) -> Diagnostic {
        self.cause = cause;
        self
    }

    /// Adds that a name is to be given a value.
    pub fn lacks(mut self, name: &str) -> Diagnostic {
        self.lacks = Some(name.to_string());
        self.hint("give it a value")
    }
}

/// One or more diagnostics with the text they point into: the one error type of the library.
#[derive(Clone, Serialize, Deserialize)]
pub struct Error {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Arc<Sources>,
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

impl std::error::Error for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// All diagnostics in rustc's style, without colour.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl Error {
    /// An error that has no place in a model.
    pub fn new(message: impl Into<String>) -> Error {
        Error {
            diagnostics: vec![Diagnostic {
                message: message.into(),
                labels: Vec::new(),
                hint: None,
                lacks: None,
                severity: Severity::Error,
                cause: Cause::Other,
            }],
            sources: Arc::default(),
        }
    }

    /// Adds what to do about it to each diagnostic that has no hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        let hint = hint.into();
        let without = |diagnostic: &&mut Diagnostic| diagnostic.hint.is_none();
        for diagnostic in self.diagnostics.iter_mut().filter(without) {
            diagnostic.hint = Some(hint.clone());
        }
        self
    }

    /// The same with hints that say how a name is given a value here.
    pub fn worded(mut self, how: impl Fn(&str) -> String) -> Error {
        for diagnostic in &mut self.diagnostics {
            if let Some(name) = &diagnostic.lacks {
                diagnostic.hint = Some(format!("give it a value: {}", how(name)));
            }
        }
        self
    }

    /// The message of the first diagnostic, without its place.
    pub fn first_message(&self) -> &str {
        self.diagnostics
            .first()
            .map_or("", |diagnostic| &diagnostic.message)
    }

    /// The diagnostics for programs.
    pub fn reports(&self) -> impl Iterator<Item = Report> {
        self.diagnostics.iter().map(|diagnostic| Report {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            place: diagnostic
                .labels
                .first()
                .map(|(span, _)| self.sources.place(*span)),
            hint: diagnostic.hint.clone(),
        })
    }

    /// All diagnostics in rustc's style, a blank line between them; `color` adds the escape
    /// sequences of a terminal. However long the sources and their lines are, the text is short.
    pub fn render(&self, color: bool) -> String {
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.sources, color))
            .collect();
        rendered.join("\n\n")
    }
}

/// The first of many names.
pub fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let shown = names.iter().take(MOST).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{shown} and {more} more"),
        _ if names.is_empty() => "none".to_string(),
        _ => shown,
    }
}
