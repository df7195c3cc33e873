//! Tokens of a text, for splitting it into items, matching brackets and explaining errors.

use crate::words;

/// Kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a path of names, or a reserved word.
    Word,
    Number,
    /// A quoted text with both quotes.
    Text,
    /// `(`, `[` or `{`
    Open,
    /// `)`, `]` or `}`
    Close,
    /// An operator or other punctuation.
    Symbol,
    /// Characters that the language does not use.
    Unknown,
    /// A quoted text without a closing quote.
    UnclosedText,
    /// A number followed by letters or a second point, such as `2x` or `1.2.3`.
    RunOnNumber,
    /// A comment from `%` to the end of its line. Only [`tokens`] yields comments.
    Comment,
}

/// A token, as a byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Token {
    /// The text of the token in the source that it was read from.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// True if an operand ends here, so that a following `-` is a subtraction.
    pub fn ends_operand(self, source: &str) -> bool {
        match self.kind {
            TokenKind::Word => !is_reserved(self.text(source)),
            TokenKind::Number | TokenKind::Text | TokenKind::Close => true,
            _ => false,
        }
    }
}

/// True if a word is reserved.
pub fn is_reserved(word: &str) -> bool {
    words::RESERVED.contains(&word)
}

const TWO_CHARACTER_SYMBOLS: [&[u8]; 8] = [b"||", b"&&", b"==", b"!=", b"<=", b">=", b"<>", b"=>"];

/// The tokens of `source` from a byte position on, in order.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    source: &'a str,
    position: usize,
    /// In rule files, quoted texts may span lines, and `..` is a symbol.
    long_texts: bool,
    /// Comments are tokens.
    comments: bool,
}

impl<'a> Lexer<'a> {
    /// Starts at `start`, a character boundary of `source`.
    pub(super) fn new(source: &'a str, start: usize, long_texts: bool) -> Lexer<'a> {
        Lexer {
            source,
            position: start,
            long_texts,
            comments: false,
        }
    }

    fn byte(&self, position: usize) -> Option<u8> {
        self.source.as_bytes().get(position).copied()
    }

    fn bytes_while(&self, mut position: usize, holds: impl Fn(u8) -> bool) -> usize {
        while self.byte(position).is_some_and(&holds) {
            position += 1;
        }
        position
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            self.position = self.bytes_while(self.position, is_blank);
            if self.comments || self.byte(self.position) != Some(b'%') {
                return;
            }
            self.position = self.bytes_while(self.position, |byte| byte != b'\n');
        }
    }

    /// The kind and end of the token at `start`, whose first byte is `first`.
    fn token(&self, start: usize, first: u8) -> (TokenKind, usize) {
        match first {
            b'%' => (TokenKind::Comment, self.comment(start)),
            _ if is_word_byte(first) && !first.is_ascii_digit() => {
                (TokenKind::Word, self.path(start))
            }
            b'0'..=b'9' => self.number(start),
            b'"' => self.quoted(start),
            b'(' | b'[' | b'{' => (TokenKind::Open, start + 1),
            b')' | b']' | b'}' => (TokenKind::Close, start + 1),
            _ => match self.symbol(start, first) {
                Some(end) => (TokenKind::Symbol, end),
                None => (TokenKind::Unknown, self.unknown(start)),
            },
        }
    }

    /// The end of the names at `start` that are joined by points; rule files have none.
    fn path(&self, start: usize) -> usize {
        let mut end = self.bytes_while(start, is_word_byte);
        let begins_name = |byte: u8| is_word_byte(byte) && !byte.is_ascii_digit();
        while !self.long_texts
            && self.byte(end) == Some(b'.')
            && self.byte(end + 1).is_some_and(begins_name)
        {
            end = self.bytes_while(end + 1, is_word_byte);
        }
        end
    }

    /// The end of the comment at `start`, without the blanks at its end.
    fn comment(&self, start: usize) -> usize {
        let end = self.bytes_while(start, |byte| byte != b'\n');
        let text = self.source.get(start..end).unwrap_or_default();
        start + text.trim_end().len()
    }

    fn number(&self, start: usize) -> (TokenKind, usize) {
        let digit = |byte: u8| byte.is_ascii_digit();
        let mut end = self.bytes_while(start, digit);
        if self.byte(end) == Some(b'.') && self.byte(end + 1).is_some_and(digit) {
            end = self.bytes_while(end + 1, digit);
        }
        if matches!(self.byte(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(end + 1), Some(b'+' | b'-')));
            if self.byte(end + 1 + sign).is_some_and(digit) {
                end = self.bytes_while(end + 1 + sign, digit);
            }
        }
        let run_on = self.bytes_while(end, |byte| is_word_byte(byte) || byte == b'.');
        if run_on > end {
            (TokenKind::RunOnNumber, run_on)
        } else {
            (TokenKind::Number, end)
        }
    }

    fn quoted(&self, start: usize) -> (TokenKind, usize) {
        let inside = |byte| byte != b'"' && (self.long_texts || byte != b'\n');
        let end = self.bytes_while(start + 1, inside);
        match self.byte(end) {
            Some(b'"') => (TokenKind::Text, end + 1),
            _ => (TokenKind::UnclosedText, end),
        }
    }

    /// The end of the operator or punctuation at `start`, if there is one.
    fn symbol(&self, start: usize, first: u8) -> Option<usize> {
        let two = self.source.as_bytes().get(start..start + 2);
        if two.is_some_and(|two| TWO_CHARACTER_SYMBOLS.contains(&two)) {
            return Some(start + 2);
        }
        // A list of operands is written in rules only, as texts over several lines are.
        if self.long_texts && two == Some(b"..") {
            return Some(start + 2);
        }
        b"<>=+-*/^!;,:".contains(&first).then_some(start + 1)
    }

    /// The end of the characters from `start` on that begin no token.
    fn unknown(&self, start: usize) -> usize {
        let rest = self.source.get(start..).unwrap_or_default();
        let begins_token = |(offset, character): (usize, char)| {
            let position = start + offset;
            let first = u8::try_from(character).ok().filter(u8::is_ascii);
            offset > 0
                && first.is_some_and(|first| {
                    is_blank(first)
                        || is_word_byte(first)
                        || b"%\"()[]{}".contains(&first)
                        || self.symbol(position, first).is_some()
                })
        };
        let length = rest.char_indices().find(|&place| begins_token(place));
        start + length.map_or(rest.len(), |(offset, _)| offset)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks_and_comments();
        let start = self.position;
        let (kind, end) = self.token(start, self.byte(start)?);
        self.position = end;
        Some(Token { kind, start, end })
    }
}

/// The tokens of a model's text with its comments, in order.
pub fn tokens(source: &str) -> impl Iterator<Item = Token> {
    let start = source.len() - source.trim_start_matches('\u{feff}').len();
    Lexer {
        comments: true,
        ..Lexer::new(source, start, false)
    }
}

/// The names and reserved words in a model's text.
pub fn words_of(source: &str) -> impl Iterator<Item = &str> {
    let words = Lexer::new(source, 0, false).filter(|token| token.kind == TokenKind::Word);
    words.flat_map(|token| token.text(source).split('.'))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
