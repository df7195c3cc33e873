//! Places in the files of a model, for the editor.

use lsp_types::{Location, Range, Uri};
use pamela::diagnostic::Span;

use crate::analysis::Analysis;
use crate::documents::uri_of;
use crate::positions::Lines;

/// The place of a span, in whichever file it lies; carried libraries have no place.
pub(super) fn location(analysis: &Analysis, span: Span) -> Option<Location> {
    let (uri, range) = place(analysis, span)?;
    Some(Location::new(uri, range))
}

pub(super) fn place(analysis: &Analysis, span: Span) -> Option<(Uri, Range)> {
    if span.file == 0 {
        let range = analysis.lines.range_of(analysis.text(), span);
        return Some((analysis.document.uri.clone(), range));
    }
    let file = analysis.sources().0.get(span.file as usize)?;
    let lines = Lines::of(&file.text, analysis.encoding);
    Some((uri_of(&file.name)?, lines.range_of(&file.text, span)))
}
