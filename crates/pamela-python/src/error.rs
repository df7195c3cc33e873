//! Converts errors of the library to exceptions.

use pamela::Error;
use pamela::diagnostic::{Diagnostic, Severity, Sources};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Arguments of `pamelaplus.Diagnostic`: message, file, span in characters, line, column, label,
/// hint, severity.
type Parts<'a> = (
    &'a str,
    Option<&'a str>,
    Option<(usize, usize)>,
    Option<usize>,
    Option<usize>,
    Option<&'a str>,
    Option<&'a str>,
    &'static str,
);

/// Makes the exception `pamelaplus.PamelaError` from an error.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    match exception(py, error) {
        Ok(exception) => PyErr::from_value(exception),
        // Making an exception failed, which is one itself.
        Err(other) => other,
    }
}

/// Makes the exception as an object, without raising it.
pub fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    let error = error.clone().worded(|name| format!("{name}=..."));
    let parts = error.diagnostics.iter();
    let parts = PyList::new(py, parts.map(|one| parts_of(one, &error.sources)))?;
    let class = py.import("pamelaplus._errors")?.getattr("PamelaError")?;
    class.call_method1("_of", (error.render(false), parts))
}

/// Makes an exception from a message.
pub fn refuse(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raise(py, &Error::new(message))
}

fn parts_of<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Parts<'a> {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Unsupported => "unsupported",
    };
    let hint = diagnostic.hint.as_deref();
    let (message, label) = (diagnostic.message.as_str(), diagnostic.labels.first());
    let Some((span, label)) = label else {
        return (message, None, None, None, None, None, hint, severity);
    };
    let Some(file) = sources.0.get(span.file as usize) else {
        return (message, None, None, None, None, Some(label), hint, severity);
    };
    let before = |byte: u32| file.text.get(..byte as usize).unwrap_or(&file.text);
    let characters = |byte: u32| before(byte).chars().count();
    let start = before(span.start);
    let line = 1 + start.matches('\n').count();
    let column = 1 + start.rsplit('\n').next().map_or(0, |l| l.chars().count());
    (
        message,
        Some(&file.name),
        Some((characters(span.start), characters(span.end))),
        Some(line),
        Some(column),
        Some(label),
        hint,
        severity,
    )
}
