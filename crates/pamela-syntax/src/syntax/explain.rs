//! Says in the language's own terms why an item cannot be read, and what to do.

use pest::error::{ErrorVariant, InputLocation};

use super::build::Rule;
use super::items::{
    Fault, FileKind, ItemKind, ItemText, MAX_ITEM_LENGTH, MAX_ITEM_TOKENS, MAX_NESTING, closing,
};
use super::lexer::{Lexer, RESERVED, Token, TokenKind, is_reserved};
use crate::diagnostic::{Diagnostic, Span};

/// How much of the text a message repeats, in characters.
const MAX_QUOTED: usize = 40;

/// A file's text and number.
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
        let before = self.text.get(..opener.start).unwrap_or_default().trim_end();
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        before
            .rsplit(|c: char| !letter(c))
            .next()
            .unwrap_or_default()
    }

    /// Whether a bracket opens a loop as other languages write it.
    fn begins_loop(&self, opener: Token) -> bool {
        matches!(
            self.word_before(opener),
            "for"
                | "foreach"
                | "forall"
                | "loop"
                | "while"
                | "repeat"
                | "fork"
                | "parfor"
                | "parallel"
        )
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

/// Text before the first item of a file.
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
    .hint(hint)
}

/// What the tokens of an item alone show to be wrong.
pub(super) fn explain_fault(file: File<'_>, item: ItemText, fault: Fault) -> Diagnostic {
    match fault {
        Fault::Token(token) => explain_token(file, token),
        Fault::Unmatched {
            closer,
            opener: None,
        } => {
            let message = format!("{} closes nothing", file.quote(closer));
            let diagnostic =
                Diagnostic::error(message, file.token_span(closer), "no bracket is open here");
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
            .also(file.token_span(opener), "opened here")
        }
        Fault::Unclosed { opener, end } => {
            let expected = closing(opener.text(file.text));
            let message = format!("expected `{expected}` to close {}", file.quote(opener));
            let label = format!("expected `{expected}`");
            let diagnostic = Diagnostic::error(message, file.span(end, end), label)
                .also(file.token_span(opener), "opened here");
            match closes_in_comment(file.text, opener.end, expected) {
                true => diagnostic.hint(REMAINDER),
                false => diagnostic,
            }
        }
        Fault::TooDeep(token) => {
            let message = format!("nested more than {MAX_NESTING} deep");
            Diagnostic::error(message, file.token_span(token), "too deep here")
                .hint("give a part of it a name of its own, in an equation")
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
        }
    }
}

/// A `%` in a value that is given from outside, where no comment can be meant.
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

/// What to do where a `%` was meant for something else.
pub(super) const REMAINDER: &str = "`%` begins a comment; a remainder is written `a mod b`";

/// Whether the bracket is closed on the line that it is opened in, but behind a `%`.
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
        }
        TokenKind::RunOnNumber => {
            let message = format!("{} is neither a number nor a name", file.quote(token));
            let letter = |character: char| character.is_ascii_alphabetic() || character == '_';
            let word = text.find(letter);
            let unit = word.and_then(|place| unit_hint(file, text, place));
            let hint = match word {
                _ if text.contains("..") => range_hint(file, token),
                _ if unit.is_some() => unit.unwrap_or_default(),
                Some(place) if !text.ends_with('.') => {
                    format!(
                        "a product needs its operator: `{} * {}`",
                        &text[..place],
                        &text[place..]
                    )
                }
                _ => "numbers are written `12`, `10.1` or `5e-3`".to_owned(),
            };
            Diagnostic::error(message, span, "not readable").hint(shorten(&hint))
        }
        _ => {
            let message = format!("unknown character {}", file.quote(token));
            let diagnostic = Diagnostic::error(message, span, "not part of the language");
            match hint_for_unknown(text) {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            }
        }
    }
}

/// What to do about `1..64`.
fn range_hint(file: File<'_>, token: Token) -> String {
    let text = token.text(file.text);
    let (first, last) = text.split_once("..").unwrap_or((text, ""));
    let last = last.trim_start_matches(['.', '=']);
    let before = file.text.get(..token.start).unwrap_or_default();
    match file.kind {
        FileKind::Expression => format!(
            "several values are written `{first}:{last}`, and taken by `pamela sweep`, `plot` and `optimise --over`"
        ),
        _ if before.trim_end().ends_with(':') => {
            format!("bounds of a parameter are written `: >= {first} <= {last}`")
        }
        _ => "a range is written `(i = a, b)`".to_owned(),
    }
}

/// Units with what they are times: in seconds, or as mere numbers. Those of one letter may be factors in a model.
const UNITS: [(&str, &str); 22] = [
    ("ms", "e-3"),
    ("us", "e-6"),
    ("ns", "e-9"),
    ("ps", "e-12"),
    ("sec", ""),
    ("min", " * 60"),
    ("KB", "e3"),
    ("kB", "e3"),
    ("MB", "e6"),
    ("GB", "e9"),
    ("TB", "e12"),
    ("KiB", " * 2^10"),
    ("MiB", " * 2^20"),
    ("GiB", " * 2^30"),
    ("kHz", "e3"),
    ("MHz", "e6"),
    ("GHz", "e9"),
    ("s", ""),
    ("k", "e3"),
    ("K", "e3"),
    ("M", "e6"),
    ("G", "e9"),
];

/// What to do about `1us`, whose unit begins at `place`.
fn unit_hint(file: File<'_>, text: &str, place: usize) -> Option<String> {
    let (number, unit) = text.split_at_checked(place)?;
    let mut units = UNITS.iter().filter(|(own, _)| *own == unit);
    let (unit, factor) = units.next()?;
    if file.kind == FileKind::Model && unit.len() == 1 {
        return None;
    }
    Some(
        match unit.ends_with("s") || matches!(*unit, "sec" | "min") {
            true => format!(
                "numbers have no units, and a model has one unit of time: `{text}` is `{number}{factor}` in seconds"
            ),
            false => format!("numbers have no units: `{text}` is `{number}{factor}`"),
        },
    )
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
        '|' => "`||` puts processes side by side, and is the logical or",
        '&' => "the logical and is `&&`; processes stand side by side with `||`",
        '#' => "a comment begins with `%`, and unequal is written `!=`",
        '.' => "a number begins with a digit: `0.5`; the name of a file is put in double quotes",
        '\'' => "a text is put in double quotes",
        '?' => "a choice is written `if (c) a else b`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '×' | '·' => "write `*`",
        '−' | '–' => "write `-`",
        '‖' => "write `||`",
        character if character.is_alphabetic() => "names consist of ASCII letters, digits and `_`",
        _ => return None,
    })
}

/// Where the grammar gave up within an item.
pub(super) struct Stop {
    /// The first token that does not fit; absent at the end of the item.
    found: Option<Token>,
    next: Option<Token>,
    previous: Option<Token>,
    /// The innermost bracket that is open there.
    opener: Option<Token>,
    /// What the grammar could have read there.
    expected: Vec<Rule>,
    end: usize,
}

impl Stop {
    /// `end` is where the item's readable text ends.
    pub(super) fn new(
        file: File<'_>,
        start: usize,
        end: usize,
        error: &pest::error::Error<Rule>,
    ) -> Stop {
        let (InputLocation::Pos(offset) | InputLocation::Span((offset, _))) = error.location;
        let position = start + offset;
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let text = file.text.get(..end).unwrap_or_default();
        let mut lexer = Lexer::new(text, start, file.kind == FileKind::Rules);
        let (mut previous, mut openers) = (None, Vec::new());
        let found = loop {
            match lexer.next() {
                Some(token) if token.end <= position => {
                    match token.kind {
                        TokenKind::Open => openers.push(token),
                        TokenKind::Close => drop(openers.pop()),
                        _ => {}
                    }
                    previous = Some(token);
                }
                other => break other,
            }
        };
        Stop {
            found,
            next: lexer.next(),
            previous,
            opener: openers.pop(),
            expected,
            end,
        }
    }

    pub(super) fn at_end(&self) -> bool {
        self.found.is_none()
    }

    /// Whether what was found seems to stand outside of the innermost bracket.
    fn leaves_bracket(&self, file: File<'_>) -> bool {
        let Some(found) = self.found else { return true };
        let begins_equation = self.next.is_some_and(|next| next.text(file.text) == "=");
        let ends_step = found.text(file.text) == ";" && !self.expects(&[Rule::process_operator]);
        let begins_body = found.text(file.text) == "{" && self.expects(&[Rule::rparen]);
        found.kind == TokenKind::Close || begins_equation || ends_step || begins_body
    }

    /// Whether what was found stands on the line of what is before it.
    fn on_one_line(&self, file: File<'_>) -> bool {
        let (Some(previous), Some(found)) = (self.previous, self.found) else {
            return false;
        };
        let between = file.text.get(previous.end..found.start);
        between.is_some_and(|between| !between.contains('\n'))
    }

    fn expects(&self, rules: &[Rule]) -> bool {
        self.expected.iter().any(|rule| rules.contains(rule))
    }

    fn expects_expression(&self) -> bool {
        self.expects(&[Rule::expression, Rule::arithmetic, Rule::number])
    }

    fn expects_process(&self) -> bool {
        self.expects(&[Rule::process, Rule::delay, Rule::delay_word, Rule::block])
    }

    fn expects_operator(&self) -> bool {
        self.expects(&[Rule::infix, Rule::arithmetic_infix])
    }

    /// Whether a list that names an expression, a process or an operator need not name this too.
    fn goes_without_saying(&self, rule: Rule) -> bool {
        let begins_value = self.expects_process() || self.expects_expression();
        let follows_value = self.expects_operator() || self.expects(&[Rule::process_operator]);
        match rule {
            Rule::text | Rule::lbrace => begins_value,
            Rule::lparen => begins_value || follows_value,
            _ => false,
        }
    }

    /// `an expression`, "`,` or `)`", ...: what could have come, most telling first, if anything.
    fn wanted(&self) -> String {
        let mut wanted: Vec<&str> = Vec::new();
        if self.expects_process() {
            wanted.push("a process");
        } else if self.expects_expression() {
            wanted.push("an expression");
        } else if self.expects(&[Rule::name]) {
            wanted.push("a name");
        }
        if self.expects_operator() {
            wanted.push("an operator");
        }
        for (rule, text) in WANTED {
            if self.expects(&[rule]) && !self.goes_without_saying(rule) && !wanted.contains(&text) {
                wanted.push(text);
            }
        }
        match wanted.as_slice() {
            [] => "something else".to_owned(),
            [only] => (*only).to_owned(),
            [start @ .., last] => format!("{} or {last}", start.join(", ")),
        }
    }
}

/// How the expected tokens are called, in the order in which they are listed.
const WANTED: [(Rule, &str); 20] = [
    (Rule::process_operator, "`;`, `||`, `<>`"),
    (Rule::text, "a quoted text"),
    (Rule::rule_name, "the name of the rule"),
    (Rule::arrow, "`=>`"),
    (Rule::facts, "`:`"),
    (
        Rule::integer_fact,
        "`integer`, `law`, `>=`, `<=`, `>` or `<`",
    ),
    (Rule::equals, "`=`"),
    (Rule::lparen, "`(`"),
    (Rule::round, "`(`"),
    (Rule::range, "`(`"),
    (Rule::lbrace, "`{`"),
    (Rule::comma, "`,`"),
    (Rule::colon, "`:`"),
    (Rule::of_word, "`of`"),
    (Rule::else_word, "`else`"),
    (Rule::rparen, "`)`"),
    (Rule::rbracket, "`]`"),
    (Rule::rbrace, "`}`"),
    (Rule::notin_word, "`notin`"),
    (Rule::EOI, "the next equation"),
];

/// Why the grammar rejects an item.
pub(super) fn explain_grammar(file: File<'_>, kind: ItemKind, stop: &Stop) -> Diagnostic {
    let wanted = if kind == ItemKind::Function {
        stop.wanted()
            .replace("the next equation", "`ensures` or the next rule")
    } else if kind == ItemKind::Rule {
        stop.wanted().replace(
            "the next equation",
            "`law`, `truth`, `let`, `when`, `assume`, `kept`, `example`, `repeat`, `last` or the next rule",
        )
    } else if kind == ItemKind::Expression {
        stop.wanted().replace("the next equation", "the end")
    } else {
        stop.wanted()
    };
    let found = match stop.found {
        Some(token) => file.quote(token),
        None if kind == ItemKind::Expression => "the end".to_owned(),
        None if kind == ItemKind::Rule => "the end of the rule".to_owned(),
        None if kind == ItemKind::Function => "the end of the function".to_owned(),
        None => "the end of the equation".to_owned(),
    };
    let span = match stop.found {
        Some(token) => file.token_span(token),
        None => file.span(stop.end, stop.end),
    };
    let mut diagnostic = Diagnostic::error(
        format!("expected {wanted}, found {found}"),
        span,
        format!("expected {wanted}"),
    );
    if let (Some(opener), true) = (stop.opener, stop.leaves_bracket(file)) {
        diagnostic = diagnostic.also(file.token_span(opener), "opened here");
    }
    match hint(file, kind, stop) {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

/// What to do about a common slip.
fn hint(file: File<'_>, kind: ItemKind, stop: &Stop) -> Option<String> {
    let text = |token: Option<Token>| token.map_or("", |token| token.text(file.text));
    let (previous, found, next) = (text(stop.previous), text(stop.found), text(stop.next));
    let is_word = stop
        .found
        .is_some_and(|token| token.kind == TokenKind::Word);
    let number = |token: Option<Token>| token.is_some_and(|t| t.kind == TokenKind::Number);
    // A bound as it is written behind a colon.
    let is_bare = stop.opener.is_none();
    let fixed = match found {
        _ if stop.opener.is_some_and(|opener| file.begins_loop(opener)) => {
            "a loop is `seq (i = a, b) { .. }`, or `par (i = a, b) { .. }` where its steps run at once"
        }
        ":" | "," if kind == ItemKind::Expression => {
            "one value is given here; `pamela sweep`, `plot` and `optimise --over` go through several: `1:64`, `1,2,4`"
        }
        _ if kind == ItemKind::Numeric && is_word && is_nearly(previous, "parameter") => {
            return Some(format!("did you mean `numeric parameter {found}`?"));
        }
        "integer" | "law" | ">=" | "<=" | ">" | "<"
            if stop.expects(&[Rule::facts, Rule::colon]) && is_bare =>
        {
            "facts of a parameter follow a colon: `numeric parameter N : integer >= 1`"
        }
        "where" if stop.expects_operator() => "a value for other parameters is `at(T(main), P, 1)`",
        _ if is_word && stop.expects(&[Rule::integer_fact]) && next == "(" => {
            "facts are `integer`, `law` and bounds; a law is a value: `numeric X = exponential(3)`"
        }
        "and" if stop.expects_operator() => "the logical and is `&&`",
        "or" if stop.expects_operator() => "the logical or is `||`",
        _ if previous == "not" && stop.expects_operator() => "the logical not is `!c`",
        "mod" | "div" if stop.expects_expression() => {
            "a remainder is written `a mod b`, a quotient rounded down `a div b`"
        }
        "else" if stop.expects_expression() => "the last case of a `switch` is `1: e`",
        ":" if stop.expects(&[Rule::of_word]) => "a rank is written `(k of i = a, b)`",
        ":" if kind == ItemKind::Numeric && stop.opener.is_none() && stop.expects_operator() => {
            "what is known of a parameter stands before its value: `numeric parameter n : integer >= 1 = 8`"
        }
        _ if kind == ItemKind::Resource && number(stop.found) => {
            "several servers are written `resource pool = servers(4)`"
        }
        "int" | "whole" | "natural" if stop.expects(&[Rule::integer_fact]) => {
            "a whole number is `: integer`, one that is not negative `: integer >= 0`"
        }
        _ if stop.expects(&[Rule::integer_fact]) && number(stop.found) => {
            "bounds follow each other without the name: `: >= 1 <= 5`"
        }
        _ if is_word
            && !is_reserved(found)
            && number(stop.previous)
            && stop.expects_operator()
            && stop.on_one_line(file) =>
        {
            return Some(format!(
                "a product needs its operator: `{previous} * {found}`; numbers have no units"
            ));
        }
        _ if is_word && stop.opener.is_some() && next != "=" && file.is_function(previous) => {
            return Some(format!(
                "arguments are put in brackets: `{previous}({found})`"
            ));
        }
        _ if previous == ")"
            && stop.expects(&[Rule::lbrace])
            && !stop.expects_process()
            && !stop.expects_expression() =>
        {
            "a use takes a resource, and a time or a process: `use(disk, t)`, `use(disk) { .. }`"
        }
        "" if previous == ")" && stop.expects_expression() => {
            "what is summed or compared follows the range: `sum (i = a, b) { e }`"
        }
        ";" if stop.opener.is_none() && next.is_empty() => {
            "remove the `;`: an equation ends where the next one begins"
        }
        ";" if matches!(kind, ItemKind::Numeric | ItemKind::Assume) => "`;` joins processes only",
        "}" if previous == "{" => "a process that does nothing is `delay(0)`",
        "}" | ")" if previous == ";" => "remove the `;`",
        _ if previous == "if" && found != "(" => "a condition is put in brackets: `if (c)`",
        _ if stop.expects(&[Rule::of_word]) && found == "," => "a range is written `(i = a, b)`",
        "," if (previous == ")" || stop.opener.is_none())
            && !stop.expects(&[Rule::process_operator]) =>
        {
            "a `,` separates arguments within brackets; a parameter is an equation of its own, and its facts follow \
             each other without commas"
        }
        "to" if stop.expects(&[Rule::comma]) => "a range is written `(i = a, b)`",
        "=" if previous == ":" => "an equation has a single `=`",
        "=" if stop.expects_operator() => "equality is written `==`",
        "==" if stop.expects(&[Rule::equals]) => "an equation or a range has a single `=`",
        "<>" if stop.expects_operator() => "unequal is written `!=`; `<>` joins processes",
        _ if kind == ItemKind::Include && is_word => {
            return Some(format!(
                "the name of a file is put in double quotes: `include \"{found}\"`"
            ));
        }
        _ if matches!(previous, "delay" | "use") && found != "(" => {
            "arguments are put in brackets: `delay(t)`, `use(r, t)`, `use(r) { .. }`"
        }
        _ if matches!(previous, "seq" | "par" | "any" | "sum" | "prod" | "kth") && found != "(" => {
            "a range is put in brackets: `seq (i = a, b) { .. }`"
        }
        ":" if stop.expects(&[Rule::comma]) => "a range is written `(i = a, b)`",
        "+" | "-" | "*" | "," | "&&" if stop.expects(&[Rule::process_operator]) => {
            "processes are joined by `;` one after the other, by `||` at once"
        }
        "*" if previous == "*" => "a power is written `^`",
        "/" if previous == "/" => {
            "a comment begins with `%`; a quotient rounded down is written `a div b`"
        }
        "*" if previous == "/" => "a comment begins with `%` and ends with the line",
        "+" if stop.expects_expression() => "there is no unary `+`",
        "" if previous == ";" => "remove the `;`: an equation ends where the next one begins",
        "of" if previous != "(" => "only `kth` and `any` take a rank: `kth (k of i = a, b) { e }`",
        "delay" | "use" | "seq" | "par" | "any" if stop.expects_expression() => {
            "this is a process, which belongs into a `process` equation"
        }
        "(" if stop.expects_process() => "processes are grouped by braces",
        _ if is_reserved(found) && stop.expects(&[Rule::name]) && !stop.expects_process() => {
            return Some(format!(
                "reserved words name nothing else: {}",
                RESERVED.join(" ")
            ));
        }
        _ if stop
            .found
            .is_some_and(|token| token.kind == TokenKind::Number)
            && stop.expects_process() =>
        {
            "a process that takes time `t` is `delay(t)`"
        }
        _ if stop.expects(&[Rule::else_word]) && !stop.expects(&[Rule::process_operator]) => {
            "a numeric `if` has both branches: `if (c) a else b`"
        }
        _ if stop.expects(&[Rule::process_operator]) && begins_process(file, stop.found) => {
            if next == "=" {
                "an equation begins with its type: `numeric`, `process` or `resource`"
            } else {
                "put a `;` between processes"
            }
        }
        _ if is_word && stop.opener.is_none() && next == "=" => {
            "an equation begins with its type: `numeric`, `process` or `resource`"
        }
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// Whether a word was meant to be this one, and has at most two letters wrong, left out or too many.
fn is_nearly(word: &str, meant: &str) -> bool {
    let same = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    let together = same(word, meant) + same(&reversed(word), &reversed(meant));
    word != meant && word.len().abs_diff(meant.len()) <= 2 && together + 2 >= meant.len()
        || matches!(word, "param" | "params")
}

fn begins_process(file: File<'_>, token: Option<Token>) -> bool {
    token.is_some_and(|token| match token.kind {
        TokenKind::Word => !matches!(token.text(file.text), "else" | "of" | "mod" | "div"),
        TokenKind::Open => token.text(file.text) == "{",
        _ => false,
    })
}
