//! What the signs of an item stand for, as far as the spaces around them depend on it.

use crate::syntax::{ItemKind, Token, TokenKind, is_reserved};

/// Role of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Plain,
    /// A sign before its operand.
    Prefix,
    /// The colon before facts.
    FactColon,
    /// The colon behind a case, a label, a row or a point.
    CaseColon,
    /// A token of a unit, with its brackets.
    Unit,
    /// The bracket behind the label of a task.
    LabelRanges,
    /// The bracket behind a word that belongs to the grammar.
    AfterWord,
    /// The stroke of a fraction of two numbers that is written without spaces.
    Fraction,
}

/// The roles of the tokens of one item.
pub(super) struct Roles(Vec<Role>);

impl Roles {
    pub(super) fn of(text: &str, kind: ItemKind, tokens: &[Token]) -> Roles {
        let mut search = Search {
            text,
            kind,
            tokens,
            roles: vec![Role::Plain; tokens.len()],
            open: Vec::new(),
            seen_equals: false,
        };
        for position in 0..tokens.len() {
            search.token(position);
        }
        Roles(search.roles)
    }

    pub(super) fn at(&self, position: usize) -> Role {
        self.0.get(position).copied().unwrap_or_default()
    }
}

struct Search<'t> {
    text: &'t str,
    kind: ItemKind,
    tokens: &'t [Token],
    roles: Vec<Role>,
    /// Positions of the open brackets.
    open: Vec<usize>,
    /// True behind the `=` of the item.
    seen_equals: bool,
}

impl Search<'_> {
    fn text_at(&self, position: usize) -> &str {
        self.tokens
            .get(position)
            .map_or("", |token| token.text(self.text))
    }

    /// True if the token ends an operand.
    fn ends_operand(&self, position: usize) -> bool {
        let token = self.tokens[position];
        let is_head = token.kind == TokenKind::Close && self.closes_condition(position);
        token.ends_operand(self.text) && !is_head && !self.is_clause_word(position)
    }

    /// True if the bracket at a position closes the condition of an `if`.
    fn closes_condition(&self, position: usize) -> bool {
        let mut depth = 0_usize;
        for before in (0..=position).rev() {
            match self.tokens[before].kind {
                TokenKind::Close => depth += 1,
                TokenKind::Open => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return before > 0 && self.text_at(before - 1) == "if";
            }
        }
        false
    }

    /// True for a word of the grammar that begins a clause; elsewhere it is a name.
    fn is_clause_word(&self, position: usize) -> bool {
        let is_word = matches!(self.text_at(position), "for" | "with" | "when");
        is_word && position > 0 && self.tokens[position - 1].ends_operand(self.text)
    }

    /// True if the brackets around belong to the head of the item.
    fn is_in_head(&self) -> bool {
        match self.kind {
            ItemKind::Record => true,
            _ => !self.seen_equals && self.open.len() <= 1,
        }
    }

    fn token(&mut self, position: usize) {
        let token = self.tokens[position];
        let before = position.checked_sub(1);
        if let Some(&opener) = self.open.last()
            && self.roles[opener] == Role::Unit
        {
            self.roles[position] = Role::Unit;
        }
        match (token.kind, self.text_at(position)) {
            (TokenKind::Open, sign) => {
                let role = match sign {
                    "[" if self.opens_unit(before) => Role::Unit,
                    "(" => self.role_of_round(position, before),
                    _ => Role::Plain,
                };
                self.roles[position] = role;
                self.open.push(position);
            }
            (TokenKind::Close, _) => drop(self.open.pop()),
            (TokenKind::Symbol, "=") if self.open.is_empty() => self.seen_equals = true,
            (TokenKind::Symbol, "-" | "!") => {
                let is_prefix = before.is_none_or(|before| !self.ends_operand(before));
                if is_prefix && self.roles[position] == Role::Plain {
                    self.roles[position] = Role::Prefix;
                }
            }
            (TokenKind::Symbol, ":") => {
                let is_case = self.open.last().is_some_and(|&opener| {
                    self.text_at(opener) != "(" && self.kind != ItemKind::Record
                });
                self.roles[position] = if is_case || !self.is_in_head() {
                    Role::CaseColon
                } else {
                    Role::FactColon
                };
            }
            (TokenKind::Symbol, "/") if self.is_fraction(position) => {
                self.roles[position] = Role::Fraction;
            }
            _ => {}
        }
    }

    /// True for `1/2`.
    fn is_fraction(&self, position: usize) -> bool {
        let Some(before) = position.checked_sub(1) else {
            return false;
        };
        let (Some(first), Some(last)) = (self.tokens.get(before), self.tokens.get(position + 1))
        else {
            return false;
        };
        let own = self.tokens[position];
        let are_numbers = first.kind == TokenKind::Number && last.kind == TokenKind::Number;
        are_numbers
            && first.end == own.start
            && own.end == last.start
            && self.roles[position] == Role::Plain
    }

    /// True if a square bracket behind `before` opens a unit.
    fn opens_unit(&self, before: Option<usize>) -> bool {
        let Some(before) = before else {
            return false;
        };
        let token = self.tokens[before];
        match token.kind {
            _ if self.kind == ItemKind::Unit => true,
            _ if self.roles[before] == Role::FactColon => true,
            TokenKind::Number => true,
            TokenKind::Word => !is_reserved(self.text_at(before)) && !self.is_clause_word(before),
            TokenKind::Close => self.is_in_head() && self.open.is_empty(),
            _ => false,
        }
    }

    fn role_of_round(&self, position: usize, before: Option<usize>) -> Role {
        let Some(before) = before else {
            return Role::Plain;
        };
        let names_index = self
            .tokens
            .get(position + 1)
            .is_some_and(|t| t.kind == TokenKind::Word)
            && matches!(self.text_at(position + 2), "=" | "in");
        let belongs_to_grammar = match self.text_at(before) {
            "max" | "min" => names_index,
            "graph" => self.text_at(position + 2) == "in",
            "assert" => before == 0,
            _ => self.is_clause_word(before),
        };
        if belongs_to_grammar {
            return Role::AfterWord;
        }
        let is_word = self.tokens[before].kind == TokenKind::Word;
        let is_label = is_word && names_index && !self.open.is_empty();
        if is_label && self.is_before_colon(position) {
            Role::LabelRanges
        } else {
            Role::Plain
        }
    }

    /// True if a colon follows the bracket that closes the one at a position.
    fn is_before_colon(&self, position: usize) -> bool {
        let mut depth = 0_usize;
        for (offset, token) in self.tokens[position..].iter().enumerate() {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return self.text_at(position + offset + 1) == ":";
            }
        }
        false
    }
}
