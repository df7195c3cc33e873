//! Definitions and uses of names.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};
use serde_json::Value;

use super::place::location;
use crate::analysis::Analysis;

pub(super) fn definition(analysis: &Analysis, byte: usize) -> Option<Location> {
    location(analysis, analysis.definition_at(byte)?)
}

pub(super) fn references(analysis: &Analysis, byte: usize, params: &Value) -> Vec<Location> {
    let with_definition = params.pointer("/context/includeDeclaration");
    let with_definition = with_definition.and_then(Value::as_bool).unwrap_or(true);
    let Some(definition) = analysis.definition_at(byte) else {
        return Vec::new();
    };
    let uses = analysis.uses_of(definition);
    let uses = uses.filter(|own| with_definition || own.span != definition);
    uses.filter_map(|own| location(analysis, own.span))
        .collect()
}

pub(super) fn highlights(analysis: &Analysis, byte: usize) -> Vec<DocumentHighlight> {
    let Some(definition) = analysis.definition_at(byte) else {
        return Vec::new();
    };
    let here = analysis
        .uses_of(definition)
        .filter(|own| own.span.file == 0);
    let highlights = here.map(|own| DocumentHighlight {
        range: analysis.lines.range_of(analysis.text(), own.span),
        kind: Some(if own.span == definition {
            DocumentHighlightKind::WRITE
        } else {
            DocumentHighlightKind::READ
        }),
    });
    highlights.collect()
}
