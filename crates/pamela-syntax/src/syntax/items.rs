//! Splits a text into items: equations, assumptions, inclusions, imports, rules.
//!
//! Each item begins with a word of its own. The scan also finds faults that need no grammar: unknown characters,
//! unmatched brackets, excessive nesting. An error in one item therefore hides none in the next, and recursion over
//! an item is limited.

use super::lexer::{Lexer, Token, TokenKind, is_reserved};

/// Limit of the total nesting of brackets, prefix forms and prefix operators.
pub(super) const MAX_NESTING: u32 = 250;
/// Limit of the length of an item, in bytes and in tokens. A token takes some 300 bytes of memory.
///
/// A process of 50,000 phases of four loops each is shorter.
pub(super) const MAX_ITEM_LENGTH: usize = 16 << 20;
pub(super) const MAX_ITEM_TOKENS: usize = 3_000_000;

/// The word that begins an item, or a single expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Numeric,
    Process,
    Resource,
    Assume,
    Assert,
    Include,
    Import,
    From,
    Record,
    Table,
    Unit,
    Rule,
    Function,
    Expression,
    /// A claim from outside of a model.
    LoneAssertion,
    /// Text before the first item.
    Stray,
}

/// Kind of file, which decides the words that begin an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Model,
    Rules,
    /// The whole text is one expression.
    Expression,
    /// The whole text is one claim, with its condition.
    Assertion,
}

/// A fault in the tokens of an item, with byte positions in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A token that no model contains: unknown characters, an unclosed text, `2x`.
    Token(Token),
    /// A closing bracket without an open one of its kind; also the bracket that is open there, if
    /// any.
    Unmatched {
        closer: Token,
        opener: Option<Token>,
    },
    /// The item ends inside this bracket.
    Unclosed {
        opener: Token,
        end: usize,
    },
    TooDeep(Token),
    TooLong,
}

/// One item: the byte range from its first to its last token.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemText {
    pub(super) kind: ItemKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) fault: Option<Fault>,
}

/// Place of an item in a model's text: the byte range from its first to its last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemPlace {
    pub kind: ItemKind,
    pub start: usize,
    pub end: usize,
    /// True if its tokens alone show that it is wrong: unmatched brackets, unknown characters.
    pub is_faulty: bool,
}

/// The places of the items of a model's text, in order.
pub fn item_places(source: &str) -> impl Iterator<Item = ItemPlace> {
    Items::new(source, FileKind::Model).map(|item| ItemPlace {
        kind: item.kind,
        start: item.start,
        end: item.end,
        is_faulty: item.fault.is_some(),
    })
}

/// Iterates over the items of `source`, in order.
pub(super) struct Items<'a> {
    source: &'a str,
    file: FileKind,
    lexer: Lexer<'a>,
    /// The token before [`Items::pending`].
    previous: Option<Token>,
    /// The first token of the next item.
    pending: Option<Token>,
}

impl<'a> Items<'a> {
    pub(super) fn new(source: &'a str, file: FileKind) -> Items<'a> {
        let start = if source.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        Items::from(source, start, file)
    }

    /// The items from a byte position on.
    pub(super) fn from(source: &'a str, start: usize, file: FileKind) -> Items<'a> {
        let mut lexer = Lexer::new(source, start, file == FileKind::Rules);
        let pending = lexer.next();
        Items {
            source,
            file,
            lexer,
            previous: None,
            pending,
        }
    }

    /// The kind of item that `token` begins, if it begins one.
    fn begins(&self, token: Token) -> Option<ItemKind> {
        match (self.file, token.text(self.source)) {
            (FileKind::Model, "numeric") => Some(ItemKind::Numeric),
            (FileKind::Model, "process") => Some(ItemKind::Process),
            (FileKind::Model, "resource") => Some(ItemKind::Resource),
            (FileKind::Model, "assume") => Some(ItemKind::Assume),
            (FileKind::Model, "assert") if self.begins_assertion(token) => Some(ItemKind::Assert),
            (FileKind::Model, "include") => Some(ItemKind::Include),
            (FileKind::Model, "import") if self.text_follows(token) => Some(ItemKind::Import),
            (FileKind::Model, "from") if self.text_follows(token) => Some(ItemKind::From),
            (FileKind::Model, "unit") if self.bracket_follows(token) => Some(ItemKind::Unit),
            (FileKind::Model, "record") if self.name_and(token, &["{"]) => Some(ItemKind::Record),
            (FileKind::Model, "table") if self.name_and(token, &["{", ":", "="]) => {
                Some(ItemKind::Table)
            }
            (FileKind::Rules, "fn") if !self.continues_name(token) => Some(ItemKind::Function),
            (FileKind::Rules, "rule" | "builtin") if !self.continues_name(token) => {
                Some(ItemKind::Rule)
            }
            _ => None,
        }
    }

    /// True if a quoted text comes next, which never follows a name.
    fn text_follows(&self, token: Token) -> bool {
        let next = Lexer::new(self.source, token.end, false).next();
        next.is_some_and(|next| next.kind == TokenKind::Text)
    }

    /// True if a square bracket comes next, which never follows a name.
    fn bracket_follows(&self, token: Token) -> bool {
        let next = Lexer::new(self.source, token.end, false).next();
        next.is_some_and(|next| next.text(self.source) == "[")
    }

    /// True if a name and one of the given signs follow; a name never directly follows a name.
    fn name_and(&self, token: Token, signs: &[&str]) -> bool {
        let mut lexer = Lexer::new(self.source, token.end, false);
        let (Some(name), Some(sign)) = (lexer.next(), lexer.next()) else {
            return false;
        };
        name.kind == TokenKind::Word
            && !is_reserved(name.text(self.source))
            && signs.contains(&sign.text(self.source))
    }

    /// True if `assert` follows a finished item and a claim follows it; otherwise it is a name.
    ///
    /// Where the text declares something with this name, `assert (` is a call.
    fn begins_assertion(&self, token: Token) -> bool {
        let before = self.previous.map(|previous| previous.text(self.source));
        let ends_item = self
            .previous
            .is_none_or(|previous| previous.ends_operand(self.source));
        let belongs_to_name = matches!(before, Some("kept" | "after" | "as" | "in" | "of"));
        if !ends_item || belongs_to_name {
            return false;
        }
        let next = Lexer::new(self.source, token.end, false).next();
        next.is_none_or(|next| match (next.kind, next.text(self.source)) {
            (TokenKind::Word, "if" | "sum" | "prod" | "kth" | "switch") => true,
            (TokenKind::Word, word) => !is_reserved(word),
            (TokenKind::Number | TokenKind::Text, _) | (_, "-" | "!" | "[") => true,
            (_, "(") => !self.declares_assert(),
            _ => false,
        })
    }

    /// True if the text declares something that is called `assert`.
    fn declares_assert(&self) -> bool {
        let mut before = "";
        Lexer::new(self.source, 0, false).any(|token| {
            let own = token.text(self.source);
            let declares = matches!(
                before,
                "numeric" | "process" | "resource" | "parameter" | "kept"
            );
            before = own;
            declares && own == "assert"
        })
    }

    /// True if a `-` ties this word to a rule's name, as in `max-rule`.
    fn continues_name(&self, token: Token) -> bool {
        let bytes = self.source.as_bytes();
        bytes.get(token.end) == Some(&b'-')
            || self.previous.is_some_and(|previous| {
                previous.end == token.start && previous.text(self.source) == "-"
            })
    }
}

impl Iterator for Items<'_> {
    type Item = ItemText;

    fn next(&mut self) -> Option<ItemText> {
        let first = self.pending.take()?;
        let kind = match (self.begins(first), self.file) {
            (Some(kind), _) => kind,
            (None, FileKind::Expression) => ItemKind::Expression,
            (None, FileKind::Assertion) => ItemKind::LoneAssertion,
            (None, _) => ItemKind::Stray,
        };
        let mut nesting = Nesting::new(kind == ItemKind::Process);
        let mut last = first;
        let mut token = Some(first);
        let mut tokens = 0;
        while let Some(current) = token {
            tokens += 1;
            nesting.enter(current, self.source);
            last = current;
            self.previous = token;
            token = self.lexer.next();
            if token.is_some_and(|next| self.begins(next).is_some()) {
                break;
            }
        }
        self.pending = token;
        let too_long = last.end - first.start > MAX_ITEM_LENGTH || tokens > MAX_ITEM_TOKENS;
        let fault = match nesting.finish(last.end) {
            Some(deep @ Fault::TooDeep(_)) => Some(deep),
            _ if too_long => Some(Fault::TooLong),
            fault => fault,
        };
        Some(ItemText {
            kind,
            start: first.start,
            end: last.end,
            fault,
        })
    }
}

/// Open forms at a token of an item: brackets, and in each bracket the forms that wait for an operand.
struct Nesting {
    levels: Vec<Level>,
    /// Number of brackets and pending forms on all levels.
    depth: u32,
    previous_ends_operand: bool,
    fault: Option<Fault>,
}

struct Level {
    /// `None` for the item itself.
    opener: Option<Token>,
    /// True if `||` joins processes here.
    process: bool,
    /// Number of pending numeric `if`s, whose last branch extends to the end of this level, and
    /// process `if`s.
    conditionals: u32,
    /// Number of forms and operators whose operand ends at the next binary operator.
    prefixes: u32,
}

impl Nesting {
    fn new(process: bool) -> Nesting {
        let item = Level {
            opener: None,
            process,
            conditionals: 0,
            prefixes: 0,
        };
        Nesting {
            levels: vec![item],
            depth: 0,
            previous_ends_operand: false,
            fault: None,
        }
    }

    fn enter(&mut self, token: Token, source: &str) {
        if self.fault.is_some() {
            return;
        }
        match token.kind {
            TokenKind::Open => self.open(token, source),
            TokenKind::Close => self.close(token, source),
            TokenKind::Word | TokenKind::Symbol => self.operator(token.text(source)),
            TokenKind::Unknown | TokenKind::UnclosedText | TokenKind::RunOnNumber => {
                self.fault = Some(Fault::Token(token));
            }
            TokenKind::Number | TokenKind::Text | TokenKind::Comment => {}
        }
        if self.depth > MAX_NESTING {
            self.fault.get_or_insert(Fault::TooDeep(token));
        }
        self.previous_ends_operand = token.ends_operand(source);
    }

    fn open(&mut self, token: Token, source: &str) {
        let process =
            token.text(source) == "{" && self.levels.last().is_some_and(|level| level.process);
        self.levels.push(Level {
            opener: Some(token),
            process,
            conditionals: 0,
            prefixes: 0,
        });
        self.depth += 1;
    }

    fn close(&mut self, closer: Token, source: &str) {
        let opener = self.levels.last().and_then(|level| level.opener);
        let matches =
            opener.is_some_and(|opener| closing(opener.text(source)) == closer.text(source));
        if !matches {
            self.fault = Some(Fault::Unmatched { closer, opener });
        } else if let Some(level) = self.levels.pop() {
            self.depth -= 1 + level.conditionals + level.prefixes;
        }
    }

    /// Counts the forms that begin or end at a word or symbol.
    fn operator(&mut self, text: &str) {
        let unary = !self.previous_ends_operand;
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        match text {
            "if" => {
                level.conditionals += 1;
                self.depth += 1;
            }
            "seq" | "par" | "any" | "sum" | "prod" | "kth" | "max" | "min" | "^" | "!" => {
                level.prefixes += 1;
                self.depth += 1;
            }
            "-" if unary => {
                level.prefixes += 1;
                self.depth += 1;
            }
            ";" | "," | ":" | "=>" | "<>" => self.end_all_forms(),
            "||" if level.process => self.end_all_forms(),
            "-" | "+" | "*" | "/" | "mod" | "div" | "&&" | "||" | "==" | "!=" | "<" | "<="
            | ">" | ">=" => {
                self.depth -= level.prefixes;
                level.prefixes = 0;
            }
            _ => {}
        }
    }

    fn end_all_forms(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.depth -= level.conditionals + level.prefixes;
            (level.conditionals, level.prefixes) = (0, 0);
        }
    }

    fn finish(self, end: usize) -> Option<Fault> {
        let open = self.levels.last().and_then(|level| level.opener);
        self.fault
            .or(open.map(|opener| Fault::Unclosed { opener, end }))
    }
}

/// The bracket that closes `opener`.
pub(super) fn closing(opener: &str) -> &'static str {
    match opener {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}
