//! Parses one item of a text.

use crate::diagnostic::Span;
use crate::syntax::build::{Built, Parsed, parse_item};
use crate::syntax::explain::File;
use crate::syntax::items::ItemKind;

/// The tree of an item.
pub(super) fn parse_text(
    file: File<'_>,
    kind: ItemKind,
    start: usize,
    end: usize,
) -> Built<Parsed> {
    let place = Span {
        file: file.number,
        start: start as u32,
        end: end as u32,
    };
    parse_item(kind, file.text.get(start..end).unwrap_or_default(), place)
}

/// True if the grammar accepts an item.
pub fn is_item(kind: ItemKind, text: &str) -> bool {
    parse_item(kind, text, Span::default()).is_ok()
}

/// The comment after `end` on the same line, if there is one.
pub(super) fn comment_after(text: &str, end: usize) -> Option<String> {
    let line = text.get(end..)?.lines().next()?;
    let comment = line.trim_start().strip_prefix('%')?.trim();
    (!comment.is_empty()).then(|| comment.to_owned())
}
