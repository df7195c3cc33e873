//! Explains in terms of the language why an item cannot be parsed, with advice.

mod grammar;

pub(in crate::syntax) use grammar::{Stop, explain_grammar};

use super::items::{
    Fault, FileKind, ItemText, MAX_ITEM_LENGTH, MAX_ITEM_TOKENS, MAX_NESTING, closing,
};
use super::lexer::{Lexer, Token, TokenKind, is_reserved};
use crate::diagnostic::{Code, Diagnostic, Span};

/// Maximum number of characters that a message repeats.
const MAX_QUOTED: usize = 40;

/// Text and number of a file.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) text: &'a str,
    pub(super) number: u32,
    pub(super) kind: FileKind,
}

impl File<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            file: self.number,
            start: start as u32,
            end: end as u32,
        }
    }

    fn token_span(&self, token: Token) -> Span {
        self.span(token.start, token.end)
    }

    /// The word that stands right before a bracket.
    fn word_before(&self, opener: Token) -> &str {
        last_word(self.text.get(..opener.start).unwrap_or_default())
    }

    /// True if a bracket opens a loop as other languages write it.
    fn begins_loop(&self, opener: Token) -> bool {
        is_loop(self.word_before(opener))
    }

    /// True if a bracket closes the head of such a loop.
    fn ends_head_of_loop(&self, closer: Token) -> bool {
        let mut open = 0_usize;
        let before = self.text.get(..closer.end).unwrap_or_default();
        let opener = before.char_indices().rev().find(|&(_, letter)| {
            match letter {
                ')' => open += 1,
                '(' => open = open.saturating_sub(1),
                _ => {}
            }
            open == 0
        });
        let head = opener.and_then(|(start, _)| before.get(..start));
        head.is_some_and(|head| is_loop(last_word(head)))
    }

    fn is_function(&self, word: &str) -> bool {
        matches!(
            word,
            "log"
                | "log2"
                | "ln"
                | "exp"
                | "sqrt"
                | "cbrt"
                | "floor"
                | "ceil"
                | "abs"
                | "fact"
                | "H"
                | "E"
                | "Var"
                | "quantile"
                | "prob"
                | "T"
        )
    }

    /// A token as a message shows it, shortened and free of control characters.
    fn quote(&self, token: Token) -> String {
        let text = token.text(self.text);
        let shown: String = text
            .chars()
            .take(MAX_QUOTED)
            .flat_map(char::escape_debug)
            .collect();
        let shown = shown.replace("\\\"", "\"").replace("\\'", "'");
        let more = if text.chars().nth(MAX_QUOTED).is_some() {
            "..."
        } else {
            ""
        };
        if token.kind == TokenKind::Word && is_reserved(text) {
            format!("the reserved word `{shown}`")
        } else {
            format!("`{shown}{more}`")
        }
    }
}

/// The word at the end of a text.
fn last_word(text: &str) -> &str {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.trim_end().rsplit(|c: char| !letter(c));
    words.into_iter().next().unwrap_or_default()
}

/// True if this begins a loop in other languages.
fn is_loop(word: &str) -> bool {
    matches!(
        word,
        "for" | "foreach" | "forall" | "loop" | "while" | "repeat" | "fork" | "parfor" | "parallel"
    )
}

/// Explains text before the first item of a file.
pub(super) fn explain_stray(file: File<'_>, item: ItemText) -> Diagnostic {
    let first = Lexer::new(file.text, item.start, true).next();
    let span = first.map_or(file.span(item.start, item.end), |token| {
        file.token_span(token)
    });
    let found = first.map_or_else(String::new, |token| {
        format!(", found {}", file.quote(token))
    });
    let begins = first.map_or("", |token| token.text(file.text));
    let (expected, hint) = match file.kind {
        FileKind::Model if begins.starts_with(['#', '/']) => {
            ("an equation", "a comment begins with `%`")
        }
        FileKind::Rules => (
            "a rule",
            "each rule begins with `rule` or `builtin`, each function with `fn`",
        ),
        _ if matches!(begins, "import" | "from") => (
            "an equation",
            "the name of a file is put in double quotes: `import \"std/collectives\"`",
        ),
        _ if matches!(begins, "parameter" | "param" | "const" | "var" | "let") => (
            "an equation",
            "a parameter is declared by `numeric parameter N`",
        ),
        _ => (
            "an equation",
            "each equation begins with its type: `numeric`, `process` or `resource`",
        ),
    };
    Diagnostic::error(
        format!("expected {expected}{found}"),
        span,
        format!("expected {expected}"),
    )
    .code(Code::Syntax)
    .hint(hint)
}

/// Explains faults that the tokens of an item show by themselves.
pub(super) fn explain_fault(file: File<'_>, item: ItemText, fault: Fault) -> Diagnostic {
    match fault {
        Fault::Token(token) => explain_token(file, token),
        Fault::Unmatched {
            closer,
            opener: None,
        } => {
            let message = format!("{} closes nothing", file.quote(closer));
            let diagnostic =
                Diagnostic::error(message, file.token_span(closer), "no bracket is open here")
                    .code(Code::BracketUnmatched)
                    .edit(file.token_span(closer), "");
            diagnostic.hint("remove it, or add the bracket that it should close")
        }
        Fault::Unmatched {
            closer,
            opener: Some(opener),
        } => {
            let expected = closing(opener.text(file.text));
            let message = format!(
                "expected `{expected}` to close {}, found {}",
                file.quote(opener),
                file.quote(closer)
            );
            Diagnostic::error(
                message,
                file.token_span(closer),
                format!("expected `{expected}` before this"),
            )
            .code(Code::BracketUnmatched)
            .also(file.token_span(opener), "opened here")
        }
        Fault::Unclosed { opener, end } => {
            let expected = closing(opener.text(file.text));
            let message = format!("expected `{expected}` to close {}", file.quote(opener));
            let label = format!("expected `{expected}`");
            let diagnostic = Diagnostic::error(message, file.span(end, end), label)
                .also(file.token_span(opener), "opened here")
                .code(Code::BracketUnclosed);
            if closes_in_comment(file.text, opener.end, expected) {
                diagnostic.hint(REMAINDER)
            } else {
                diagnostic
                    .hint(format!("add a `{expected}` here, or remove the bracket"))
                    .edit(file.span(end, end), expected)
            }
        }
        Fault::TooDeep(token) => {
            let message = format!("nested more than {MAX_NESTING} deep");
            Diagnostic::error(message, file.token_span(token), "too deep here")
                .hint("give a part of it its own name in an equation")
                .code(Code::NestingTooDeep)
        }
        Fault::TooLong => {
            let message = format!(
                "an equation of more than {} MiB, or of more than {MAX_ITEM_TOKENS} words and signs",
                MAX_ITEM_LENGTH >> 20
            );
            let first = Lexer::new(file.text, item.start, true).next();
            let span = first.map_or(file.span(item.start, item.start), |token| {
                file.token_span(token)
            });
            Diagnostic::error(message, span, "it begins here")
                .hint("split it into several equations")
                .code(Code::TooLarge)
        }
    }
}

/// Explains a `%` in a value from outside, where no comment can be meant.
pub(super) fn explain_comment(text: &str, place: usize) -> Diagnostic {
    let span = Span {
        file: 0,
        start: place as u32,
        end: place as u32 + 1,
    };
    let share = text[..place].trim().parse::<f64>().ok();
    let share = share.filter(|_| text[place + 1..].trim().is_empty());
    let hint = match share {
        Some(share) => format!("{share} per cent are {}", share / 100.0),
        None => REMAINDER.to_owned(),
    };
    Diagnostic::error("a comment in a value", span, "the rest would be left out").hint(hint)
}

/// Advice for a `%` that is not meant as a comment.
pub(super) const REMAINDER: &str = "`%` begins a comment; a remainder is written `a mod b`";

/// True if the bracket is closed on the line that it is opened in, but behind a `%`.
fn closes_in_comment(text: &str, opened: usize, closer: &str) -> bool {
    let rest = text.get(opened..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let comment = line.split_once('%');
    comment.is_some_and(|(code, comment)| !code.contains(closer) && comment.contains(closer))
}

fn explain_token(file: File<'_>, token: Token) -> Diagnostic {
    let span = file.token_span(token);
    let text = token.text(file.text);
    match token.kind {
        TokenKind::UnclosedText => {
            Diagnostic::error("a text without its closing quote", span, "it begins here")
                .hint("add a `\"`")
                .code(Code::TextUnclosed)
                .edit(file.span(token.end, token.end), "\"")
        }
        TokenKind::RunOnNumber => {
            let message = format!("{} is neither a number nor a name", file.quote(token));
            let letter = |character: char| character.is_ascii_alphabetic() || character == '_';
            let length = number_length(text);
            let word = Some(length).filter(|_| text[length..].starts_with(letter));
            let unit = word.and_then(|place| unit_hint(file, text, place));
            let is_product = unit.is_none() && !text.contains('.') && !text.starts_with("0x");
            let product = word.filter(|_| is_product).and_then(|place| {
                let (number, name) = text.split_at(place);
                let is_grouped = text.bytes().all(|b| b == b'_' || b.is_ascii_digit());
                (!is_grouped).then(|| format!("{number} * {name}"))
            });
            let hint = match word {
                _ if text.contains("..") => range_hint(file, token),
                _ if unit.is_some() => unit.unwrap_or_default(),
                // Digits in groups.
                Some(_) if text.bytes().all(|b| b == b'_' || b.is_ascii_digit()) => {
                    format!("`{text}` is `{}`", text.replace('_', ""))
                }
                Some(place) if !text.ends_with('.') && !text.starts_with("0x") => {
                    format!(
                        "a product needs its operator: `{} * {}`",
                        &text[..place],
                        &text[place..]
                    )
                }
                _ => "numbers are written `12`, `10.1` or `5e-3`".to_owned(),
            };
            let diagnostic = Diagnostic::error(message, span, "not readable")
                .hint(shorten(&hint))
                .code(Code::NumberMalformed);
            match product {
                Some(product) => diagnostic.edit(span, product),
                None => diagnostic,
            }
        }
        _ => {
            let message = format!("unknown character {}", file.quote(token));
            let diagnostic = Diagnostic::error(message, span, "not part of the language")
                .code(Code::UnknownCharacter);
            match hint_for_unknown(text) {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            }
        }
    }
}

/// Advice on `1..64`.
fn range_hint(file: File<'_>, token: Token) -> String {
    let text = token.text(file.text);
    let (first, last) = text.split_once("..").unwrap_or((text, ""));
    let last = last.trim_start_matches(['.', '=']);
    let before = file.text.get(..token.start).unwrap_or_default();
    match file.kind {
        FileKind::Expression => format!(
            "several values are written `{first}:{last}`, for `pamela sweep`, `plot` and `optimise --over`"
        ),
        _ if before.trim_end().ends_with(':') => {
            format!("bounds of a parameter are written `: >= {first} <= {last}`")
        }
        _ => "a range is written `(i = a, b)`".to_owned(),
    }
}

/// Units with their factors in seconds or as plain numbers, and their spelling in the language. Units of one letter
/// may be factors in a model.
const UNITS: [(&str, &str, &str); 24] = [
    ("ms", "e-3", "ms"),
    ("us", "e-6", "us"),
    ("ns", "e-9", "ns"),
    ("ps", "e-12", "ps"),
    ("sec", "", "s"),
    ("min", " * 60", "min"),
    ("KB", "e3", "kB"),
    ("kB", "e3", "kB"),
    ("MB", "e6", "MB"),
    ("GB", "e9", "GB"),
    ("TB", "e12", "TB"),
    ("KiB", " * 2^10", "KiB"),
    ("MiB", " * 2^20", "MiB"),
    ("GiB", " * 2^30", "GiB"),
    ("kHz", "e3", "kHz"),
    ("MHz", "e6", "MHz"),
    ("GHz", "e9", "GHz"),
    ("s", "", "s"),
    ("h", " * 3600", "h"),
    ("d", " * 86400", "d"),
    ("k", "e3", ""),
    ("K", "e3", ""),
    ("M", "e6", ""),
    ("G", "e9", ""),
];

/// Advice on `1us`, whose unit begins at `place`.
fn unit_hint(file: File<'_>, text: &str, place: usize) -> Option<String> {
    let (number, unit) = text.split_at_checked(place)?;
    let (_, factor, written) = UNITS.iter().find(|(own, ..)| *own == unit)?;
    if file.kind == FileKind::Model && unit.len() == 1 {
        return None;
    }
    // A number has one power of 10.
    let times = if number.contains(['e', 'E']) && factor.starts_with('e') {
        " * 1"
    } else {
        ""
    };
    let seconds = if unit.ends_with('s') || matches!(unit, "sec" | "min" | "h" | "d") {
        " in seconds"
    } else {
        ""
    };
    let in_brackets = if written.is_empty() {
        String::new()
    } else {
        format!("; where quantities have units, it is `{number} [{written}]`")
    };
    Some(format!(
        "`{text}` is `{number}{times}{factor}`{seconds}{in_brackets}"
    ))
}

/// Length of the number at the beginning of a text: `1.5e-6` in `1.5e-6s`.
fn number_length(text: &str) -> usize {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut length = digits(text);
    if let Some(rest) = text[length..].strip_prefix('.') {
        length += 1 + digits(rest);
    }
    if let Some(rest) = text[length..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['+', '-']));
        let exponent = digits(&rest[sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 3 * MAX_QUOTED {
        text.to_owned()
    } else {
        "write a `*` between factors".to_owned()
    }
}

fn hint_for_unknown(text: &str) -> Option<&'static str> {
    Some(match text.chars().next()? {
        '|' => "`||` runs processes in parallel, and is the logical or",
        '&' => "the logical and is `&&`; processes run in parallel with `||`",
        '#' => "a comment begins with `%`, and unequal is written `!=`",
        '.' => "a number begins with a digit: `0.5`; the name of a file is put in double quotes",
        '\'' => "a text is put in double quotes",
        '?' => "a choice is written `if (c) a else b`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '“' | '”' | '„' | '‘' | '’' => "a text is put in double quotes: `\"`",
        '²' | '³' => "a power is written `x^2`",
        '√' => "a root is written `sqrt(x)`",
        '∑' | 'Σ' => "a sum is written `sum (i = a, b) { e }`",
        '×' | '·' => "write `*`",
        '−' | '–' => "write `-`",
        '‖' => "write `||`",
        character if character.is_alphabetic() => "names consist of ASCII letters, digits and `_`",
        _ => return None,
    })
}
