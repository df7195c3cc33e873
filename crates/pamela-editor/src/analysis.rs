//! The analysis of a document: its tokens, its model, its errors and its closed forms.

use std::sync::Arc;

use pamela::diagnostic::{Sources, Span};
use pamela::model::{Target, Use};
use pamela::pipeline::{Draft, Model, Simplified};
use pamela::syntax::tree::Equation;
use pamela::syntax::{ItemCache, Token, TokenKind, tokens};

use crate::documents::{Document, OpenFiles};
use crate::positions::{Encoding, Lines};

/// A document with all that was found out about it.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    pub(crate) document: Document,
    pub(crate) lines: Lines,
    pub(crate) draft: Arc<Draft>,
    pub(crate) tokens: Arc<[Token]>,
    /// Closed forms of this text, or of an earlier one.
    pub(crate) forms: Option<Arc<Simplified>>,
    pub(crate) encoding: Encoding,
    /// False if further errors are still to be looked for, which takes long for a large model.
    pub(crate) is_whole: bool,
}

/// Largest number of equations of a model that is checked in full while the user types.
const MOST_AT_ONCE: usize = 400;

impl Analysis {
    pub(crate) fn of(
        document: &Document,
        files: &OpenFiles,
        encoding: Encoding,
        cache: &mut ItemCache,
    ) -> Analysis {
        let mut draft = Model::draft_again(&document.name, &document.text, files, cache);
        let is_whole = draft.model.checked().equations().len() <= MOST_AT_ONCE;
        if is_whole {
            let further = draft.further_errors();
            draft.diagnostics.splice(0..0, further);
        }
        Analysis {
            lines: Lines::of(&document.text, encoding),
            tokens: tokens(&document.text).collect(),
            draft: Arc::new(draft),
            document: document.clone(),
            forms: None,
            encoding,
            is_whole,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.document.text
    }

    pub(crate) fn sources(&self) -> &Sources {
        self.draft.model.checked().sources()
    }

    /// The position in [`Analysis::tokens`] of the token that covers or touches a byte; words come
    /// before other tokens.
    pub(crate) fn token_at(&self, byte: usize) -> Option<usize> {
        let after = self.tokens.partition_point(|token| token.start <= byte);
        let last = after.checked_sub(1)?;
        let touches = |position: &usize| self.tokens[*position].end >= byte;
        let is_word = |position: &usize| self.tokens[*position].kind == TokenKind::Word;
        let before = last.checked_sub(1).filter(touches).filter(is_word);
        let own = Some(last).filter(touches);
        own.filter(is_word).or(before).or(own)
    }

    /// The name at a byte, with its place; of a path the part at the byte.
    pub(crate) fn name_at(&self, byte: usize) -> Option<(&str, Span)> {
        let token = self.tokens[self.token_at(byte)?];
        if token.kind != TokenKind::Word {
            return None;
        }
        let text = token.text(self.text());
        let mut start = token.start;
        for part in text.split('.') {
            let end = start + part.len();
            if byte <= end {
                let span = Span {
                    file: 0,
                    start: start as u32,
                    end: end as u32,
                };
                return Some((part, span));
            }
            start = end + 1;
        }
        None
    }

    /// What the name at a byte is bound to.
    pub(crate) fn use_at(&self, byte: usize) -> Option<Use> {
        let (_, span) = self.name_at(byte)?;
        let uses = &self.draft.uses;
        let found = uses.binary_search_by_key(&(span.file, span.start), |own| {
            (own.span.file, own.span.start)
        });
        found.ok().map(|position| uses[position])
    }

    /// The place where the name at a byte is defined.
    pub(crate) fn definition_at(&self, byte: usize) -> Option<Span> {
        if let Some(own) = self.use_at(byte) {
            return own.target.definition();
        }
        // The item that defines it may be wrong.
        let (name, _) = self.name_at(byte)?;
        let mut broken = self.draft.broken.iter().flat_map(|own| &own.names);
        broken.find(|own| own.text == name).map(|own| own.span)
    }

    /// All uses of what is defined at a place.
    pub(crate) fn uses_of(&self, definition: Span) -> impl Iterator<Item = &Use> {
        let uses = self.draft.uses.iter();
        uses.filter(move |own| own.target.definition() == Some(definition))
    }

    /// The equation that is defined at a place.
    pub(crate) fn equation_at(&self, definition: Span) -> Option<&Equation> {
        let mut equations = self.draft.model.checked().equations().iter();
        equations.find(|own| own.name.span == definition)
    }

    /// The equation that the name at a byte means, or that it is.
    pub(crate) fn equation_named_at(&self, byte: usize) -> Option<&Equation> {
        match self.use_at(byte)?.target {
            Target::Equation(definition) => self.equation_at(definition),
            _ => None,
        }
    }

    /// True if a byte lies in a comment.
    pub(crate) fn is_in_comment(&self, byte: usize) -> bool {
        let after = self.tokens.partition_point(|token| token.start < byte);
        let own = after.checked_sub(1).map(|position| self.tokens[position]);
        let comment = own.filter(|token| token.kind == TokenKind::Comment);
        comment.is_some_and(|token| {
            let between = self.text().get(token.end..byte).unwrap_or_default();
            !between.contains('\n')
        })
    }
}
