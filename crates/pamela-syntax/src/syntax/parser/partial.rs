//! Reads models that are wrong: what could be read, and what is wrong with the rest.

use std::sync::Arc;

use super::{ItemCache, ItemText, MAX_ERRORS, Reader};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::syntax::items::ItemKind;
use crate::syntax::lexer::{Lexer, TokenKind, is_reserved};
use crate::syntax::loader::Loader;
use crate::syntax::tree::{Model, Name};

/// A model as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Partial {
    pub model: Model,
    /// Items that could not be read, in all files.
    pub broken: Vec<Broken>,
    /// All errors, up to 50.
    pub diagnostics: Vec<Diagnostic>,
}

/// An item that could not be read.
#[derive(Clone, Debug)]
pub struct Broken {
    pub kind: ItemKind,
    /// The names that it probably defines.
    pub names: Vec<Name>,
    pub span: Span,
}

/// Reads a model like [`super::parse_model`], but keeps what could be read.
///
/// If there are no diagnostics, the model is the one that [`super::parse_model`] reads. Otherwise
/// the diagnostics are its errors.
///
/// Equations that the cache knows are not parsed again.
pub fn parse_partial(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    cache: &mut ItemCache,
) -> (Partial, Arc<Sources>) {
    cache.begin();
    let mut reader = Reader::new(loader);
    reader.cache = Some(cache);
    reader.broken = Some(Vec::new());
    let model = reader.read_model(name, text);
    let partial = Partial {
        model,
        broken: reader.broken.unwrap_or_default(),
        diagnostics: reader.diagnostics,
    };
    (partial, Arc::new(reader.sources))
}

impl Reader<'_> {
    /// Keeps an item as broken if it has added an error to the `before` earlier ones, and drops
    /// errors that nobody would read.
    pub(super) fn note_broken(&mut self, text: &str, item: ItemText, file: u32, before: usize) {
        let Some(broken) = &mut self.broken else {
            return;
        };
        if self.diagnostics.len() == before || item.kind == ItemKind::Include {
            return;
        }
        self.diagnostics.truncate(MAX_ERRORS);
        broken.push(Broken {
            kind: item.kind,
            names: defined_names(text, item, file),
            span: Span {
                file,
                start: item.start as u32,
                end: item.end as u32,
            },
        });
    }
}

/// The names that an item probably defines: of an equation the first word that is not reserved, of
/// an import all words, and the name of the file.
fn defined_names(text: &str, item: ItemText, file: u32) -> Vec<Name> {
    let own = text.get(..item.end).unwrap_or_default();
    let tokens = Lexer::new(own, item.start, false).skip(1);
    let is_import = matches!(item.kind, ItemKind::Import | ItemKind::From);
    let names = tokens.filter_map(|token| {
        let word = token.text(own);
        let word = match token.kind {
            TokenKind::Word if is_reserved(word) || word == "kept" => return None,
            TokenKind::Word => word,
            TokenKind::Text if is_import => stem(word.trim_matches('"')),
            _ => return None,
        };
        Some(Name {
            text: word.to_owned(),
            span: Span {
                file,
                start: token.start as u32,
                end: token.end as u32,
            },
        })
    });
    names.take(if is_import { usize::MAX } else { 1 }).collect()
}

/// The name of a file without its directory and its extension.
fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.split('.').next().unwrap_or(file)
}
