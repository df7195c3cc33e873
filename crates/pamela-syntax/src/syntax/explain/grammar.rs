//! Position at which the grammar stops within an item, and the tokens that it accepts there.

mod hints;

use pest::error::{ErrorVariant, InputLocation};

use super::File;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::build::Rule;
use crate::syntax::items::{FileKind, ItemKind};
use crate::syntax::lexer::{Lexer, Token, TokenKind, is_reserved};

/// The point at which the grammar stops within an item.
pub(in crate::syntax) struct Stop {
    /// The first token that does not fit; `None` at the end of the item.
    found: Option<Token>,
    next: Option<Token>,
    previous: Option<Token>,
    /// The innermost open bracket.
    opener: Option<Token>,
    /// Grammar rules that could continue.
    expected: Vec<Rule>,
    end: usize,
}

impl Stop {
    /// Reads the stop from a grammar error; `end` is the end of the item's readable text.
    pub(in crate::syntax) fn new(
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

    pub(in crate::syntax) fn at_end(&self) -> bool {
        self.found.is_none()
    }

    /// True if what was found seems to stand outside of the innermost bracket.
    fn leaves_bracket(&self, file: File<'_>) -> bool {
        let Some(found) = self.found else { return true };
        let begins_equation = self.next.is_some_and(|next| next.text(file.text) == "=");
        let ends_step = found.text(file.text) == ";" && !self.expects(&[Rule::process_operator]);
        let begins_body = found.text(file.text) == "{" && self.expects(&[Rule::rparen]);
        found.kind == TokenKind::Close || begins_equation || ends_step || begins_body
    }

    /// True if the found token is on the line of the previous one.
    fn on_one_line(&self, file: File<'_>) -> bool {
        let (Some(previous), Some(found)) = (self.previous, self.found) else {
            return false;
        };
        let between = file.text.get(previous.end..found.start);
        between.is_some_and(|between| !between.contains('\n'))
    }

    /// True if a value follows where the `,` of a range was to be.
    fn lacks_end_of_range(&self, file: File<'_>) -> bool {
        let value = self.found.is_some_and(|found| match found.kind {
            TokenKind::Word => !is_reserved(found.text(file.text)),
            TokenKind::Number => true,
            _ => found.text(file.text) == "(",
        });
        let is_range = self.expects(&[Rule::comma]) && !self.expects(&[Rule::rparen]);
        value && is_range && self.expects_operator() && self.on_one_line(file)
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

    /// True if a list that names an expression, a process or an operator need not name this too.
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
        } else if self.expects(&[Rule::name, Rule::path]) && !self.expects(&[Rule::integer_fact]) {
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

/// Names of the expected tokens, in the order in which they are listed.
const WANTED: [(Rule, &str); 26] = [
    (Rule::process_operator, "`;`, `||`, `<>`"),
    (Rule::text, "a quoted text"),
    (Rule::rule_name, "the name of the rule"),
    (Rule::arrow, "`=>`"),
    (Rule::unit_part, "a unit"),
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
    (Rule::after_word, "`after`"),
    (Rule::in_word, "`in`"),
    (Rule::default_word, "`default`"),
    (Rule::tracks_word, "`tracks`"),
    (Rule::tracks, "`order` or `free`"),
    (Rule::else_word, "`else`"),
    (Rule::rparen, "`)`"),
    (Rule::rbracket, "`]`"),
    (Rule::rbrace, "`}`"),
    (Rule::notin_word, "`notin`"),
    (Rule::EOI, "the next equation"),
];

/// Explains why the grammar rejects an item.
pub(in crate::syntax) fn explain_grammar(
    file: File<'_>,
    kind: ItemKind,
    stop: &Stop,
) -> Diagnostic {
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
    } else if matches!(kind, ItemKind::Assert | ItemKind::LoneAssertion) {
        let end = match kind {
            ItemKind::Assert => "the next equation",
            _ => "the end",
        };
        let wanted = stop.wanted();
        if stop.expects(&[Rule::when_word]) {
            wanted.replace(" or the next equation", &format!(", `when` or {end}"))
        } else {
            wanted.replace("the next equation", end)
        }
    } else {
        stop.wanted()
    };
    let found = match stop.found {
        Some(token) => file.quote(token),
        None if matches!(kind, ItemKind::Expression | ItemKind::LoneAssertion) => {
            "the end".to_owned()
        }
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
    )
    .code(Code::Syntax);
    if let (Some(opener), true) = (stop.opener, stop.leaves_bracket(file)) {
        diagnostic = diagnostic.also(file.token_span(opener), "opened here");
    }
    match hints::hint(file, kind, stop) {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}
