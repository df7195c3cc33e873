//! Renaming: every use of a name, checked by reading the result again.

use std::collections::HashMap;

use lsp_types::{PrepareRenameResponse, TextEdit, Uri, WorkspaceEdit};
use pamela::diagnostic::Span;
use pamela::model::Use;
use pamela::pipeline::{Draft, Model};
use pamela::syntax::is_reserved;
use serde_json::Value;

use super::hover::word;
use super::place::place;
use crate::analysis::Analysis;
use crate::documents::{OpenFiles, uri_of};

pub(super) fn prepare(analysis: &Analysis, byte: usize) -> Result<PrepareRenameResponse, String> {
    let (name, span) = analysis.name_at(byte).ok_or("there is no name here")?;
    renamed(analysis, byte)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: analysis.lines.range_of(analysis.text(), span),
        placeholder: name.to_owned(),
    })
}

/// The definition of the name at a byte.
fn renamed(analysis: &Analysis, byte: usize) -> Result<Span, String> {
    let (name, _) = analysis.name_at(byte).ok_or("there is no name here")?;
    if is_reserved(name) {
        return Err(format!("`{name}` is a reserved word"));
    }
    let found = analysis.use_at(byte);
    let definition = found.and_then(|own| own.target.definition());
    definition.ok_or_else(|| match word(name) {
        Some(_) => format!("`{name}` is predefined"),
        None => format!("it is not known what `{name}` means here"),
    })
}

pub(super) fn rename(
    analysis: &Analysis,
    files: &OpenFiles,
    byte: usize,
    new: &str,
) -> Result<Value, String> {
    let definition = renamed(analysis, byte)?;
    is_free(new)?;
    let spans: Vec<Span> = analysis.uses_of(definition).map(|own| own.span).collect();
    keeps_bindings(analysis, files, &spans, new)?;
    #[expect(
        clippy::mutable_key_type,
        reason = "the protocol has identifiers as keys"
    )]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for span in spans {
        let (uri, range) = place(analysis, span).ok_or("a use lies in a library of the program")?;
        let edit = TextEdit::new(range, new.to_owned());
        changes.entry(uri).or_default().push(edit);
    }
    let edit = WorkspaceEdit::new(changes);
    serde_json::to_value(edit).map_err(|error| error.to_string())
}

/// # Errors
/// Fails unless a text may be a name.
fn is_free(new: &str) -> Result<(), String> {
    let begins = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_name = begins && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!(
            "`{new}` is not a name: use letters, digits and `_`"
        ));
    }
    if is_reserved(new) {
        return Err(format!("`{new}` is a reserved word"));
    }
    match word(new) {
        Some(_) => Err(format!("`{new}` is predefined")),
        None => Ok(()),
    }
}

/// # Errors
/// Fails if the model with the new name has other errors, or if a name in it then means something
/// else.
fn keeps_bindings(
    analysis: &Analysis,
    files: &OpenFiles,
    spans: &[Span],
    new: &str,
) -> Result<(), String> {
    let sources = &analysis.sources().0;
    let mut files = files.clone();
    let mut main = analysis.text().to_owned();
    for (number, file) in sources.iter().enumerate() {
        let mut own: Vec<&Span> = { spans.iter() }
            .filter(|span| span.file as usize == number)
            .collect();
        if own.is_empty() {
            continue;
        }
        if number > 0 && uri_of(&file.name).is_none() {
            return Err(format!("`{}` cannot be changed", file.name));
        }
        own.sort_by_key(|span| std::cmp::Reverse(span.start));
        let mut text = file.text.clone();
        for span in own {
            text.replace_range(span.start as usize..span.end as usize, new);
        }
        match number {
            0 => main = text,
            _ => files = files.with(&file.name, &text),
        }
    }
    let name = &analysis.document.name;
    let changed = Model::draft(name, &main, &files.with(name, &main));
    let codes = |draft: &Draft| {
        let own = draft.diagnostics.iter();
        own.map(|own| own.code).collect::<Vec<_>>()
    };
    if codes(&changed) != codes(&analysis.draft) {
        let first = changed.diagnostics.first().map(|own| own.message.clone());
        let reason = first.unwrap_or_else(|| "the errors of the model would change".to_owned());
        return Err(format!("cannot rename to `{new}`: {reason}"));
    }
    if bindings(&changed.uses) == bindings(&analysis.draft.uses) {
        Ok(())
    } else {
        Err(format!(
            "cannot rename to `{new}`: a name would then mean something else"
        ))
    }
}

/// What each use is bound to, as the position of the definition among the uses.
fn bindings(uses: &[Use]) -> Vec<Option<usize>> {
    let positions: HashMap<Span, usize> = uses.iter().map(|own| own.span).zip(0..).collect();
    let target = |own: &Use| own.target.definition();
    let bound = uses
        .iter()
        .map(|own| target(own).and_then(|span| positions.get(&span).copied()));
    bound.collect()
}
