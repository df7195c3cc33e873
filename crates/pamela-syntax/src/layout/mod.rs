//! The layout of a model's text, as `pamela fmt` writes it.
//!
//! Line breaks are the author's; indentation and spaces follow rules. The layout works on tokens
//! with their comments, so it changes neither. Items with errors are left as they are.

mod comments;
mod roles;
mod spacing;

use self::comments::align;
use self::roles::Roles;
use self::spacing::is_spaced;
use crate::syntax::{ItemKind, ItemPlace, Token, TokenKind, is_item, item_places, tokens};

/// Spaces for each level of brackets, and before the further lines of an item.
const INDENT: usize = 4;

/// Lays out the text of a model.
///
/// Laying out the result again changes nothing.
pub fn format(text: &str) -> String {
    let mut layout = Layout::new(text);
    for place in item_places(text) {
        layout.comments_before(place.start);
        let own = layout.take_until(place.end);
        let code = text.get(place.start..place.end).unwrap_or_default();
        if place.is_faulty || !is_item(place.kind, code) {
            layout.keep(place);
        } else {
            layout.item(place, &own);
        }
    }
    layout.comments_before(text.len());
    layout.finish()
}

/// Lays out the items that have a part in `range`, a range of bytes. Returns the bytes to replace
/// and their new text.
pub fn format_range(
    text: &str,
    range: std::ops::Range<usize>,
) -> Option<(std::ops::Range<usize>, String)> {
    let touched = item_places(text).filter(|own| own.start <= range.end && range.start <= own.end);
    let touched: Vec<ItemPlace> = touched.collect();
    let start = touched.first()?.start;
    let start = text.get(..start)?.rfind('\n').map_or(0, |line| line + 1);
    let end = touched.last()?.end;
    let end = end
        + text
            .get(end..)?
            .find('\n')
            .map_or(text.len() - end, |line| line);
    let laid_out = format(text.get(start..end)?);
    Some((start..end, laid_out.trim_end_matches('\n').to_owned()))
}

/// A line of the result.
#[derive(Debug, Default)]
struct Line {
    indent: usize,
    code: String,
    comment: Option<Comment>,
    blank_before: bool,
    /// The code is text that was not laid out, with its comments.
    kept: bool,
}

/// A comment behind code.
#[derive(Debug)]
struct Comment {
    text: String,
    /// Column in which it began, in characters.
    column: usize,
}

impl Line {
    /// Number of characters before the comment.
    fn width(&self) -> usize {
        self.indent + self.code.chars().count()
    }
}

struct Layout<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// The next token.
    next: usize,
    /// Byte at which the last token ended.
    last_end: usize,
    lines: Vec<Line>,
}

impl<'t> Layout<'t> {
    fn new(text: &'t str) -> Layout<'t> {
        Layout {
            text,
            tokens: tokens(text).collect(),
            next: 0,
            last_end: 0,
            lines: Vec::new(),
        }
    }

    /// The tokens before the byte `end`, which are then taken.
    fn take_until(&mut self, end: usize) -> Vec<Token> {
        let rest = self.tokens.get(self.next..).unwrap_or_default();
        let own: Vec<Token> = { rest.iter() }
            .take_while(|token| token.start < end)
            .copied()
            .collect();
        self.next += own.len();
        own
    }

    /// Number of line ends between the last token and the byte `start`.
    fn breaks_before(&self, start: usize) -> usize {
        let between = self.text.get(self.last_end..start).unwrap_or_default();
        between.matches('\n').count()
    }

    fn begin_line(&mut self, start: usize, indent: usize) -> &mut Line {
        let blank_before = !self.lines.is_empty() && self.breaks_before(start) > 1;
        self.lines.push(Line {
            indent,
            blank_before,
            ..Line::default()
        });
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// Writes the comments between items.
    fn comments_before(&mut self, end: usize) {
        for token in self.take_until(end) {
            self.comment(token, 0);
        }
    }

    /// Writes a comment: behind the last code if it is on the same line, else on a line of its own.
    fn comment(&mut self, token: Token, indent: usize) {
        let text = token.text(self.text).to_owned();
        let is_behind = self.breaks_before(token.start) == 0;
        match self.lines.last_mut() {
            Some(line) if is_behind => {
                let before = self.text.get(..token.start).unwrap_or_default();
                let line_start = before.rfind('\n').map_or(0, |end| end + 1);
                let column = before.get(line_start..).unwrap_or_default().chars().count();
                line.comment = Some(Comment { text, column });
            }
            _ => self.begin_line(token.start, indent).code = text,
        }
        self.last_end = token.end;
    }

    /// Copies an item as it is, with a comment behind it.
    fn keep(&mut self, place: ItemPlace) {
        let before = self.text.get(..place.start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let is_first = before
            .get(line..)
            .is_some_and(|lead| lead.trim().is_empty());
        let start = if is_first { line } else { place.start };
        let mut end = place.end;
        if let Some(comment) = self.tokens.get(self.next)
            && comment.kind == TokenKind::Comment
            && !self
                .text
                .get(end..comment.start)
                .unwrap_or_default()
                .contains('\n')
        {
            end = comment.end;
            self.next += 1;
        }
        let code = self.text.get(start..end).unwrap_or_default().trim_end();
        let code = code.trim_start_matches('\u{feff}').to_owned();
        let line = self.begin_line(place.start, 0);
        line.code = code;
        line.kept = true;
        self.last_end = end;
    }

    /// Lays out an item.
    fn item(&mut self, place: ItemPlace, own: &[Token]) {
        let code: Vec<Token> = { own.iter() }
            .filter(|token| token.kind != TokenKind::Comment)
            .copied()
            .collect();
        let roles = Roles::of(self.text, place.kind, &code);
        // The indentation of the line of each open bracket.
        let mut open: Vec<usize> = Vec::new();
        let mut position = 0;
        for token in own {
            if token.kind == TokenKind::Comment {
                let inside = open.last().map_or(INDENT, |line| line + INDENT);
                self.comment(*token, inside);
                continue;
            }
            if position == 0 || self.breaks_before(token.start) > 0 {
                let indent = self.indent(place.kind, &code, position, &open);
                self.begin_line(token.start, indent);
            } else if let Some(line) = self.lines.last_mut()
                && is_spaced(self.text, &code, &roles, position)
            {
                line.code.push(' ');
            }
            let text = token.text(self.text);
            let Some(line) = self.lines.last_mut() else {
                continue;
            };
            line.code.push_str(text);
            match token.kind {
                TokenKind::Open => open.push(line.indent),
                TokenKind::Close => drop(open.pop()),
                _ => {}
            }
            self.last_end = token.end;
            position += 1;
        }
    }

    /// The indentation of a line of an item that begins with the token at `position`; `open` has
    /// that of the line of each open bracket.
    fn indent(&self, kind: ItemKind, code: &[Token], position: usize, open: &[usize]) -> usize {
        let Some(before) = position.checked_sub(1) else {
            return 0;
        };
        let Some(innermost) = open.last() else {
            return INDENT;
        };
        let first = code[position];
        let mut last = self.last_end;
        let closing = code[position..].iter().take_while(|token| {
            let between = self.text.get(last..token.start).unwrap_or_default();
            let is_on_line = last == self.last_end || !between.contains('\n');
            last = token.end;
            is_on_line && token.kind == TokenKind::Close
        });
        if let Some(closed) = closing.count().checked_sub(1) {
            let outermost = open.iter().rev().nth(closed);
            return outermost.copied().unwrap_or(0);
        }
        let ends_part = |token: Token| {
            token.kind == TokenKind::Open || matches!(token.text(self.text), ";" | ",")
        };
        let continues =
            !ends_part(code[before]) && first.text(self.text) != ";" && kind != ItemKind::Table;
        innermost + INDENT * (1 + usize::from(continues))
    }

    fn finish(mut self) -> String {
        align(&mut self.lines);
        let mut result = String::with_capacity(self.text.len());
        for line in &self.lines {
            if line.blank_before {
                result.push('\n');
            }
            result.extend(std::iter::repeat_n(' ', line.indent));
            result.push_str(&line.code);
            if let Some(comment) = &line.comment {
                let gap = comment.column.saturating_sub(line.width());
                result.extend(std::iter::repeat_n(' ', gap));
                result.push_str(&comment.text);
            }
            result.push('\n');
        }
        result
    }
}
