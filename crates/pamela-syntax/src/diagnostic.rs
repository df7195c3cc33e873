//! Source files, spans and errors. Depends on no other module of the project.

mod code;
mod plain;
mod render;

pub use code::Code;
pub use plain::one_line;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A byte range in one file of [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Index of the file in [`Sources`].
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both, in the file of `self`.
    pub fn to(self, end: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(end.start),
            end: self.end.max(end.end),
        }
    }
}

/// A file that a model was read from: its displayed name and its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

/// All files of a model, in the order in which they were opened.
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

/// An error or a warning: description, location and advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub message: String,
    /// The locations, main one first, each with a short text such as `expected a scalar`.
    pub labels: Vec<(Span, String)>,
    pub hint: Option<String>,
    /// The name that lacks a value. The hint on how to give a value differs between programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    pub severity: Severity,
    /// Cause for callers to act on; not shown to readers.
    #[serde(default, skip)]
    pub cause: Cause,
    /// Stable code, for programs.
    #[serde(default, skip)]
    pub code: Code,
    /// Changes of the text that follow the advice; all of them or none.
    #[serde(default, skip)]
    pub edits: Box<[Edit]>,
}

/// Replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// Causes that callers of the library treat specially.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Any other cause.
    #[default]
    Other,
    /// A number has no declaration; the hint says how to declare it in a model.
    Undeclared,
    /// A value contradicts its declaration.
    NotAsDeclared,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The model is wrong.
    #[default]
    Error,
    /// The model is legal but probably unintended.
    Warning,
    /// The model is right, but a request is not supported yet.
    Unsupported,
}

/// A diagnostic as data for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    pub severity: Severity,
    pub message: String,
    /// `file:line:column` of the main location, if there is one.
    pub place: Option<String>,
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Creates an error at `span`; `label` describes the found or expected text.
    pub fn error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            labels: vec![(span, label.into())],
            hint: None,
            lacks: None,
            severity: Severity::Error,
            cause: Cause::Other,
            code: Code::Other,
            edits: Box::default(),
        }
    }

    /// Creates a warning at `span`; `label` describes the possibly unintended text.
    pub fn warning(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(message, span, label)
        }
    }

    /// Renders the diagnostic like rustc, with the source lines that it points to.
    ///
    /// `color` adds terminal escape sequences.
    pub fn render(&self, sources: &Sources, color: bool) -> String {
        render::render(self, sources, color)
    }

    /// Adds a second location, for example an earlier definition.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push((span, label.into()));
        self
    }

    /// Adds advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the code.
    pub fn code(mut self, code: Code) -> Diagnostic {
        self.code = code;
        self
    }

    /// Sets the code, unless it has one.
    pub fn or_code(self, code: Code) -> Diagnostic {
        match self.code {
            Code::Other => self.code(code),
            _ => self,
        }
    }

    /// Adds a change of the text that follows the advice.
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        let mut edits = std::mem::take(&mut self.edits).into_vec();
        edits.push(Edit { span, text });
        self.edits = edits.into();
        self
    }

    /// Adds the advice to write `near` in place of the text at `span`.
    pub fn suggest(self, span: Span, near: &str) -> Diagnostic {
        self.hint(format!("did you mean `{near}`?"))
            .edit(span, near)
    }

    /// Adds a cause for callers.
    pub fn because(mut self, cause: Cause) -> Diagnostic {
        self.cause = cause;
        self
    }

    /// Adds that a name needs a value.
    pub fn lacks(mut self, name: &str) -> Diagnostic {
        self.lacks = Some(name.to_string());
        self.hint("give it a value")
    }
}

/// One or more diagnostics with the sources that they point into; the only error type of the
/// library.
#[derive(Clone, Serialize, Deserialize)]
pub struct Error {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Arc<Sources>,
}

/// Result type of the library.
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
    /// Creates an error without a location in a model.
    pub fn new(message: impl Into<String>) -> Error {
        Error {
            diagnostics: vec![Diagnostic {
                message: message.into(),
                labels: Vec::new(),
                hint: None,
                lacks: None,
                severity: Severity::Error,
                cause: Cause::Other,
                code: Code::Other,
                edits: Box::default(),
            }],
            sources: Arc::default(),
        }
    }

    /// Adds advice to each diagnostic that has none.
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        let hint = hint.into();
        let without = |diagnostic: &&mut Diagnostic| diagnostic.hint.is_none();
        for diagnostic in self.diagnostics.iter_mut().filter(without) {
            diagnostic.hint = Some(hint.clone());
        }
        self
    }

    /// Replaces the hints about missing values by the caller's own words.
    pub fn worded(mut self, how: impl Fn(&str) -> String) -> Error {
        for diagnostic in &mut self.diagnostics {
            if let Some(name) = &diagnostic.lacks {
                diagnostic.hint = Some(format!("give it a value: {}", how(name)));
            }
        }
        self
    }

    /// The message of the first diagnostic, without its location.
    pub fn first_message(&self) -> &str {
        self.diagnostics
            .first()
            .map_or("", |diagnostic| &diagnostic.message)
    }

    /// The diagnostics as data for programs.
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

    /// Renders all diagnostics like rustc, separated by blank lines.
    ///
    /// `color` adds terminal escape sequences. The text is short even if sources or lines are long.
    pub fn render(&self, color: bool) -> String {
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.sources, color))
            .collect();
        rendered.join("\n\n")
    }
}

/// Lists the first of many names.
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
