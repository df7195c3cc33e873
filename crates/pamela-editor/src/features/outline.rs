//! The items of a document: symbols, folding, selections.

use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Position, Range, SelectionRange, SymbolKind,
};
use pamela::syntax::{ItemKind, ItemPlace, Token, TokenKind, is_reserved, item_places};
use serde_json::Value;

use crate::analysis::Analysis;

/// The tokens of an item, without comments.
pub(super) fn tokens_of(analysis: &Analysis, place: ItemPlace) -> impl Iterator<Item = Token> + '_ {
    let start = analysis
        .tokens
        .partition_point(|token| token.start < place.start);
    let end = analysis
        .tokens
        .partition_point(|token| token.start < place.end);
    let own = analysis.tokens[start..end].iter().copied();
    own.filter(|token| token.kind != TokenKind::Comment)
}

#[expect(deprecated, reason = "the protocol type has a deprecated field")]
pub(super) fn symbols(analysis: &Analysis) -> Vec<DocumentSymbol> {
    let text = analysis.text();
    let symbols = item_places(text).filter_map(|place| {
        let kind = match place.kind {
            ItemKind::Numeric => SymbolKind::VARIABLE,
            ItemKind::Process => SymbolKind::FUNCTION,
            ItemKind::Resource => SymbolKind::CLASS,
            ItemKind::Record => SymbolKind::STRUCT,
            ItemKind::Table => SymbolKind::ARRAY,
            ItemKind::Import | ItemKind::From | ItemKind::Include => SymbolKind::MODULE,
            _ => return None,
        };
        let mut words = tokens_of(analysis, place).skip(1);
        let is_parameter = words
            .next()
            .is_some_and(|first| first.text(text) == "parameter");
        let name = tokens_of(analysis, place).skip(1).find(|token| {
            let word = token.text(text);
            let is_name = token.kind == TokenKind::Word
                && !is_reserved(word)
                && !["kept", "unknown"].contains(&word);
            is_name || token.kind == TokenKind::Text
        })?;
        let own = name.text(text).trim_matches('"');
        let kind = match place.kind {
            ItemKind::Numeric if is_parameter => SymbolKind::CONSTANT,
            _ => kind,
        };
        Some(DocumentSymbol {
            name: if own.is_empty() {
                "..".to_owned()
            } else {
                own.to_owned()
            },
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: analysis.lines.range(text, place.start..place.end),
            selection_range: analysis.lines.range(text, name.start..name.end),
            children: None,
        })
    });
    symbols.collect()
}

pub(super) fn folding(analysis: &Analysis) -> Vec<FoldingRange> {
    let text = analysis.text();
    let mut ranges = Vec::new();
    let mut add = |start: usize, end: usize, kind: Option<FoldingRangeKind>| {
        let lines = analysis.lines.range(text, start..end);
        if lines.start.line < lines.end.line {
            ranges.push(FoldingRange {
                start_line: lines.start.line,
                end_line: lines.end.line,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    for place in item_places(text) {
        add(place.start, place.end, None);
    }
    let mut open = Vec::new();
    // The first and the last of consecutive comments on lines of their own.
    let mut comments: Option<(usize, usize)> = None;
    for token in analysis.tokens.iter() {
        let before = text.get(..token.start).unwrap_or_default();
        let is_alone = before
            .rsplit('\n')
            .next()
            .is_some_and(|lead| lead.trim().is_empty());
        match (token.kind, comments) {
            (TokenKind::Comment, Some((start, end))) if is_alone => {
                let between = text.get(end..token.start).unwrap_or_default();
                match between.matches('\n').count() {
                    0 | 1 => comments = Some((start, token.end)),
                    _ => {
                        add(start, end, Some(FoldingRangeKind::Comment));
                        comments = Some((token.start, token.end));
                    }
                }
                continue;
            }
            (TokenKind::Comment, None) if is_alone => {
                comments = Some((token.start, token.end));
                continue;
            }
            (TokenKind::Open, _) => open.push(token.start),
            (TokenKind::Close, _) => {
                if let Some(start) = open.pop() {
                    add(start, token.start, None);
                }
            }
            _ => {}
        }
        if let Some((start, end)) = comments.take() {
            add(start, end, Some(FoldingRangeKind::Comment));
        }
    }
    if let Some((start, end)) = comments {
        add(start, end, Some(FoldingRangeKind::Comment));
    }
    ranges.sort_by_key(|range| (range.start_line, std::cmp::Reverse(range.end_line)));
    ranges.dedup_by_key(|range| (range.start_line, range.end_line));
    ranges
}

pub(super) fn selections(analysis: &Analysis, params: &Value) -> Vec<SelectionRange> {
    let positions = params.get("positions").cloned().unwrap_or_default();
    let positions: Vec<Position> = serde_json::from_value(positions).unwrap_or_default();
    let around = positions
        .iter()
        .map(|position| selection(analysis, *position));
    around.collect()
}

/// Token, brackets from inside, item, document.
fn selection(analysis: &Analysis, position: Position) -> SelectionRange {
    let text = analysis.text();
    let byte = analysis.lines.byte(text, position);
    let covers = |start: usize, end: usize| start <= byte && byte <= end;
    let items = item_places(text).filter(|own| covers(own.start, own.end));
    let items = items.map(|own| own.start..own.end);
    let mut ranges: Vec<std::ops::Range<usize>> =
        std::iter::once(0..text.len()).chain(items).collect();
    let mut open = Vec::new();
    let mut brackets = Vec::new();
    for token in analysis.tokens.iter() {
        match token.kind {
            TokenKind::Open => open.push(token.start),
            TokenKind::Close => {
                if let Some(start) = open.pop()
                    && covers(start, token.end)
                {
                    brackets.push(start..token.end);
                }
            }
            _ => {}
        }
    }
    // The outermost comes first.
    ranges.extend(brackets.into_iter().rev());
    ranges.extend(
        analysis
            .token_at(byte)
            .map(|at| analysis.tokens[at].start..analysis.tokens[at].end),
    );
    let mut found: Option<SelectionRange> = None;
    for bytes in ranges {
        let range: Range = analysis.lines.range(text, bytes);
        let is_inside = found.as_ref().is_none_or(|outer| {
            outer.range.start <= range.start && range.end <= outer.range.end && outer.range != range
        });
        if is_inside {
            found = Some(SelectionRange {
                range,
                parent: found.map(Box::new),
            });
        }
    }
    found.unwrap_or(SelectionRange {
        range: Range::new(position, position),
        parent: None,
    })
}
