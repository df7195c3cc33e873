//! Positions in texts as editors count them.

use lsp_types::{Position, PositionEncodingKind, Range};
use pamela::diagnostic::Span;

/// The unit in which columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// The encoding among those that an editor offers.
    pub(crate) fn of(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let is_utf8 = |kind: &PositionEncodingKind| *kind == PositionEncodingKind::UTF8;
        if offered.is_some_and(|kinds| kinds.iter().any(is_utf8)) {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// The starts of the lines of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    pub(crate) fn of(text: &str, encoding: Encoding) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1));
        Lines {
            starts: starts.collect(),
            encoding,
        }
    }

    /// The line of a byte, from 0.
    fn line(&self, byte: usize) -> usize {
        let after = self.starts.partition_point(|start| *start <= byte);
        after.saturating_sub(1)
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, byte: usize) -> Position {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.line(byte);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = text.get(start..byte).unwrap_or_default();
        let column: usize = before.chars().map(|own| self.encoding.length(own)).sum();
        Position::new(line as u32, column as u32)
    }

    /// The byte of a position; positions behind the end of a line mean its end.
    pub(crate) fn byte(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len();
        };
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = position.character as usize;
        for (offset, character) in line.char_indices() {
            let length = self.encoding.length(character);
            if left < length {
                return start + offset;
            }
            left -= length;
        }
        start + line.len()
    }

    pub(crate) fn range(&self, text: &str, bytes: std::ops::Range<usize>) -> Range {
        let start = self.position(text, bytes.start);
        Range::new(start, self.position(text, bytes.end))
    }

    pub(crate) fn range_of(&self, text: &str, span: Span) -> Range {
        self.range(text, span.start as usize..span.end as usize)
    }

    /// The bytes of a range of positions, in order.
    pub(crate) fn bytes(&self, text: &str, range: Range) -> std::ops::Range<usize> {
        let (start, end) = (self.byte(text, range.start), self.byte(text, range.end));
        start.min(end)..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units_or_bytes() {
        let text = "a\u{1d4af}b\r\n\u{e9}x\n";
        let utf16 = Lines::of(text, Encoding::Utf16);
        let utf8 = Lines::of(text, Encoding::Utf8);
        // `b` follows one letter of one unit and one of two units, or of four bytes.
        assert_eq!(utf16.position(text, 5), Position::new(0, 3));
        assert_eq!(utf8.position(text, 5), Position::new(0, 5));
        assert_eq!(utf16.byte(text, Position::new(0, 3)), 5);
        // In the middle of a pair, and behind the end of a line.
        assert_eq!(utf16.byte(text, Position::new(0, 2)), 1);
        assert_eq!(utf16.byte(text, Position::new(0, 99)), 6);
        assert_eq!(utf16.byte(text, Position::new(9, 0)), text.len());
        let boundaries = (0..=text.len()).filter(|byte| text.is_char_boundary(*byte));
        for byte in boundaries.filter(|byte| *byte != 7) {
            for lines in [&utf16, &utf8] {
                assert_eq!(lines.byte(text, lines.position(text, byte)), byte);
            }
        }
    }
}
