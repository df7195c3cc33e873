//! Equations of libraries, parsed only if something may refer to them, so unused libraries cost little.

use std::collections::{HashMap, HashSet};

use super::one::{comment_after, parse_text};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::syntax::build::{Failure, Parsed};
use crate::syntax::explain::{File, Stop, explain_grammar};
use crate::syntax::items::{FileKind, ItemKind, ItemText};
use crate::syntax::lexer::{Lexer, TokenKind, words_of};
use crate::syntax::tree::{Item, Later, Name, Type};

/// The head of an item that is an equation of a library, if the head is well-formed.
pub(super) fn of_item(text: &str, item: ItemText, file: u32) -> Option<Later> {
    let kind = match item.kind {
        ItemKind::Numeric => Type::Numeric,
        ItemKind::Process => Type::Process,
        ItemKind::Resource => Type::Resource,
        _ => return None,
    };
    let own = text.get(item.start..item.end)?;
    // The word of the item itself comes first.
    let mut tokens = Lexer::new(own, 0, false).skip(1).peekable();
    let mut name = tokens.next()?;
    let is_word = |kind: TokenKind| kind == TokenKind::Word;
    let is_flag = matches!(name.text(own), "parameter" | "kept");
    if is_flag && tokens.peek().is_some_and(|next| is_word(next.kind)) {
        name = tokens.next()?;
    }
    let place = |start: usize, end: usize| Span {
        file,
        start: (item.start + start) as u32,
        end: (item.start + end) as u32,
    };
    is_word(name.kind).then(|| Later {
        kind,
        name: Name {
            text: name.text(own).to_owned(),
            span: place(name.start, name.end),
        },
        takes_arguments: tokens.peek().is_some_and(|next| next.text(own) == "("),
        span: place(0, item.end - item.start),
    })
}

/// Parses the equations of libraries that `words` may mean, and those that these may mean.
///
/// # Errors
/// Fails with the errors of the grammar in them.
pub fn read_later<'t>(
    libraries: Vec<&mut Vec<Item>>,
    sources: &'t Sources,
    words: impl Iterator<Item = &'t str>,
) -> std::result::Result<(), Vec<Diagnostic>> {
    let mut libraries = libraries;
    let mut named: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for (library, items) in libraries.iter().enumerate() {
        for (position, item) in items.iter().enumerate() {
            if let Item::Later(later) = item {
                let places = named.entry(later.name.text.clone()).or_default();
                places.push((library, position));
            }
        }
    }
    let mut seen: HashSet<&str> = HashSet::new();
    let mut pending: Vec<&str> = words.filter(|word| seen.insert(word)).collect();
    let mut diagnostics = Vec::new();
    while let Some(word) = pending.pop() {
        for (library, position) in named.remove(word).unwrap_or_default() {
            let Item::Later(later) = &libraries[library][position] else {
                continue;
            };
            let span = later.span;
            match read(sources, later) {
                Ok(item) => libraries[library][position] = item,
                Err(error) => diagnostics.push(error),
            }
            let own = words_of(text_of(sources, span)).filter(|word| seen.insert(word));
            pending.extend(own);
        }
    }
    // In the order of the text.
    diagnostics.sort_by_key(|error| {
        error
            .labels
            .first()
            .map(|(place, _)| (place.file, place.start))
    });
    if diagnostics.is_empty() {
        Ok(())
    } else {
        Err(diagnostics)
    }
}

/// The text of a span.
pub(super) fn text_of(sources: &Sources, span: Span) -> &str {
    let source = sources.0.get(span.file as usize);
    let text = source.map_or("", |source| source.text.as_str());
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

fn read(sources: &Sources, later: &Later) -> std::result::Result<Item, Diagnostic> {
    let number = later.span.file;
    let source = sources.0.get(number as usize);
    let text = source.map_or("", |source| source.text.as_str());
    let kind = match later.kind {
        Type::Numeric => ItemKind::Numeric,
        Type::Process => ItemKind::Process,
        Type::Resource => ItemKind::Resource,
    };
    let file = File {
        text,
        number,
        kind: FileKind::Model,
    };
    let (start, end) = (later.span.start as usize, later.span.end as usize);
    match parse_text(file, kind, start, end) {
        Ok(Parsed::Item(mut item)) => {
            if let Item::Equation(equation) = &mut item {
                equation.comment = comment_after(text, end);
            }
            Ok(item)
        }
        Ok(_) => Err(Diagnostic::error(
            "expected an equation",
            later.span,
            "here",
        )),
        Err(Failure::Meaning(error)) => Err(*error),
        Err(Failure::Grammar(error)) => {
            let stop = Stop::new(file, start, end, &error);
            Err(explain_grammar(file, kind, &stop))
        }
    }
}
