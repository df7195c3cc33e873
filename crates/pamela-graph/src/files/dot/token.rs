//! Tokens of DOT.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum Token<'a> {
    /// A word or a number.
    Name(Cow<'a, str>),
    /// A text in quotes, or HTML.
    Text(Cow<'a, str>),
    Open,
    Close,
    OpenList,
    CloseList,
    /// `->`
    Arrow,
    /// `--`
    Line,
    Equals,
    /// `;` or `,`
    Separator,
    Colon,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::Name(text) | Token::Text(text) => text,
            Token::Open => "{",
            Token::Close => "}",
            Token::OpenList => "[",
            Token::CloseList => "]",
            Token::Arrow => "->",
            Token::Line => "--",
            Token::Equals => "=",
            Token::Separator => ";",
            Token::Colon => ":",
        })
    }
}

pub struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            rest: text,
            line: 1,
        }
    }

    /// Line of the next token.
    pub fn line(&self) -> usize {
        self.line
    }

    pub fn next(&mut self) -> Result<Option<Token<'a>>, String> {
        self.skip()?;
        let sign = |rest: &str, text: &str| rest.starts_with(text);
        let signs = [
            ("{", Token::Open),
            ("}", Token::Close),
            ("[", Token::OpenList),
            ("]", Token::CloseList),
            ("->", Token::Arrow),
            ("--", Token::Line),
            ("=", Token::Equals),
            (";", Token::Separator),
            (",", Token::Separator),
            (":", Token::Colon),
        ];
        if self.rest.is_empty() {
            return Ok(None);
        }
        for (text, token) in signs {
            if sign(self.rest, text) {
                self.advance(text.len());
                return Ok(Some(token));
            }
        }
        Ok(Some(match self.rest.as_bytes()[0] {
            b'"' => Token::Text(self.quoted()?),
            b'<' => Token::Text(self.html()?),
            _ => Token::Name(self.word()?),
        }))
    }

    /// The next token, without consuming it.
    pub fn peek(&mut self) -> Result<Option<Token<'a>>, String> {
        let here = (self.rest, self.line);
        let token = self.next();
        (self.rest, self.line) = here;
        token
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (gone, rest) = self.rest.split_at(bytes);
        self.line += gone.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        gone
    }

    /// Blanks, comments, and lines of a preprocessor.
    fn skip(&mut self) -> Result<(), String> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.advance(blank);
            let end = match self.rest {
                rest if rest.starts_with("//") || rest.starts_with('#') => {
                    rest.find('\n').unwrap_or(rest.len())
                }
                rest if rest.starts_with("/*") => match rest.find("*/") {
                    Some(end) => end + 2,
                    None => {
                        return Err("a comment begins here with `/*`, but does not end".to_string());
                    }
                },
                _ => return Ok(()),
            };
            self.advance(end);
        }
    }

    /// A text in quotes, and those that are joined to it by `+`.
    fn quoted(&mut self) -> Result<Cow<'a, str>, String> {
        let mut text = self.quoted_part()?;
        loop {
            let here = (self.rest, self.line);
            self.skip()?;
            if !self.rest.starts_with('+') {
                (self.rest, self.line) = here;
                return Ok(text);
            }
            self.advance(1);
            self.skip()?;
            if !self.rest.starts_with('"') {
                return Err("a text in quotes was expected after `+`".to_string());
            }
            let part = self.quoted_part()?;
            text.to_mut().push_str(&part);
        }
    }

    fn quoted_part(&mut self) -> Result<Cow<'a, str>, String> {
        let bytes = self.rest.as_bytes();
        let mut end = 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            return Err("a text begins here with a quote, but does not end".to_string());
        }
        let whole = self.advance(end + 1);
        let inside = &whole[1..end];
        // Only the quote is escaped by the language; other escapes are for labels.
        Ok(if inside.contains("\\\"") || inside.contains("\\\n") {
            Cow::Owned(inside.replace("\\\"", "\"").replace("\\\n", ""))
        } else {
            Cow::Borrowed(inside)
        })
    }

    fn html(&mut self) -> Result<Cow<'a, str>, String> {
        let mut depth = 0_usize;
        for (place, byte) in self.rest.bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Cow::Borrowed(self.advance(place + 1)));
            }
        }
        Err("a text begins here with `<`, but does not end".to_string())
    }

    fn word(&mut self) -> Result<Cow<'a, str>, String> {
        let is_number = self.rest.starts_with(['-', '.'])
            || self.rest.starts_with(|c: char| c.is_ascii_digit());
        let belongs = |c: char| {
            if is_number {
                c.is_ascii_digit() || c == '.' || c == '-'
            } else {
                c.is_alphanumeric() || c == '_'
            }
        };
        let mut letters = self.rest.char_indices();
        let end = letters.find(|&(place, c)| !belongs(c) || (place > 0 && c == '-'));
        match end.map_or(self.rest.len(), |(place, _)| place) {
            0 => {
                let sign = self.rest.chars().next().unwrap_or(' ');
                Err(format!("the sign `{sign}` means nothing here"))
            }
            end => Ok(Cow::Borrowed(self.advance(end))),
        }
    }
}
