//! Diagnostics, as `pamela check` prints them.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString,
    PublishDiagnosticsParams, Range,
};
use pamela::diagnostic::{self, Severity};

use super::place::location;
use crate::analysis::Analysis;

/// All diagnostics of a document, with further errors first.
pub(crate) fn published(
    analysis: &Analysis,
    further: &[diagnostic::Diagnostic],
) -> PublishDiagnosticsParams {
    let own = further.iter().chain(&analysis.draft.diagnostics);
    PublishDiagnosticsParams {
        diagnostics: own.map(|own| converted(analysis, own)).collect(),
        version: Some(analysis.document.version),
        uri: analysis.document.uri.clone(),
    }
}

/// A diagnostic for the editor. One in another file stands at the beginning of the document.
pub(super) fn converted(analysis: &Analysis, own: &diagnostic::Diagnostic) -> Diagnostic {
    let main = own.labels.first();
    let here = main.filter(|(span, _)| span.file == 0);
    let range = here.map_or(Range::default(), |(span, _)| {
        analysis.lines.range_of(analysis.text(), *span)
    });
    let mut message = own.message.clone();
    if let (None, Some((span, _))) = (here, main) {
        message = format!("{}: {message}", analysis.sources().place(*span));
    }
    if let Some(hint) = &own.hint {
        message = format!("{message}\n{hint}");
    }
    let further = own.labels.iter().skip(usize::from(here.is_some()));
    let related = further.filter_map(|(span, label)| {
        Some(DiagnosticRelatedInformation {
            location: location(analysis, *span)?,
            message: label.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range,
        severity: Some(match own.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Unsupported => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(own.code.slug().to_owned())),
        source: Some("pamela".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
