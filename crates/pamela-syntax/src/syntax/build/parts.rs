//! Grammar pairs with their locations in the file, without punctuation.

use pest::iterators::{Pair, Pairs};

use super::{Built, Rule};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::Name;

/// A piece of an item that matched one grammar rule, with its remaining pieces.
pub(super) struct Parts<'i> {
    pair: Pair<'i, Rule>,
    pieces: Pairs<'i, Rule>,
    /// Start of the item.
    item: Span,
}

impl<'i> Parts<'i> {
    fn new(pair: Pair<'i, Rule>, item: Span) -> Parts<'i> {
        let pieces = pair.clone().into_inner();
        Parts { pair, pieces, item }
    }

    /// The item itself, which starts at `place`.
    pub(super) fn of_item(mut pairs: Pairs<'i, Rule>, place: Span) -> Built<Parts<'i>> {
        match pairs.next() {
            Some(pair) => Ok(Parts::new(pair, place)),
            None => Err(lost(place)),
        }
    }

    pub(super) fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    pub(super) fn text(&self) -> &'i str {
        self.pair.as_str()
    }

    pub(super) fn span(&self) -> Span {
        let span = self.pair.as_span();
        let length = self.pair.as_str().trim_end().len();
        let start = self.item.start + span.start() as u32;
        Span {
            file: self.item.file,
            start,
            end: start + length as u32,
        }
    }

    pub(super) fn name(&self) -> Name {
        Name {
            text: self.text().to_owned(),
            span: self.span(),
        }
    }

    /// Takes the next piece, if there is one.
    pub(super) fn next(&mut self) -> Option<Parts<'i>> {
        let piece = self.pieces.find(|piece| !is_punctuation(piece.as_rule()))?;
        Some(Parts::new(piece, self.item))
    }

    /// Takes the next piece, which the grammar guarantees.
    pub(super) fn take(&mut self) -> Built<Parts<'i>> {
        self.next().ok_or_else(|| lost(self.span()))
    }

    /// True if only punctuation is left.
    pub(super) fn is_done(&self) -> bool {
        let mut rest = self.pieces.clone();
        rest.all(|piece| is_punctuation(piece.as_rule()))
    }

    /// Takes the next piece if it matched `rule`.
    pub(super) fn take_if(&mut self, rule: Rule) -> Option<Parts<'i>> {
        while self
            .pieces
            .peek()
            .is_some_and(|piece| is_punctuation(piece.as_rule()))
        {
            self.pieces.next();
        }
        if self.pieces.peek()?.as_rule() == rule {
            self.next()
        } else {
            None
        }
    }
}

/// Reports a missing piece that the grammar guarantees: a defect of this program.
pub(super) fn lost(span: Span) -> super::Failure {
    Diagnostic::error("the parser lost its place", span, "while it read this")
        .hint("this is a defect of the program: please report it with the model")
        .into()
}

/// Pieces that say nothing beyond the form that they belong to.
fn is_punctuation(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::EOI
            | Rule::equals
            | Rule::comma
            | Rule::colon
            | Rule::there
            | Rule::semicolon
            | Rule::arrow
            | Rule::lparen
            | Rule::rparen
            | Rule::lbrace
            | Rule::rbrace
            | Rule::lbracket
            | Rule::rbracket
            | Rule::numeric_word
            | Rule::process_word
            | Rule::open_word
            | Rule::resource_word
            | Rule::assume_word
            | Rule::assert_word
            | Rule::include_word
            | Rule::import_word
            | Rule::from_word
            | Rule::record_word
            | Rule::table_word
            | Rule::unit_word
            | Rule::power_sign
            | Rule::as_word
            | Rule::with_word
            | Rule::delay_word
            | Rule::use_word
            | Rule::if_word
            | Rule::else_word
            | Rule::switch_word
            | Rule::of_word
            | Rule::graph_word
            | Rule::after_word
            | Rule::for_word
            | Rule::in_word
            | Rule::default_word
            | Rule::tracks_word
            | Rule::law_word
            | Rule::truth_word
            | Rule::let_word
            | Rule::fn_word
            | Rule::ensures_word
            | Rule::maps_to
            | Rule::spread_sign
            | Rule::when_word
            | Rule::kept_word
            | Rule::example_word
            | Rule::notin_word
    )
}
