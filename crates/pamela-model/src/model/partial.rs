//! Checks models that are partly wrong: what is right in them is kept, all errors are found.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Findings, Model, Use, constants, in_order, uses};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::syntax::tree::{self, ImportedNames, Item};
use crate::syntax::{Loader, Partial, words_of};

/// Checks of a model that is wrong; what is still wrong then is not kept.
const MAX_ROUNDS: usize = 16;

/// A model that is partly wrong.
#[derive(Clone, Debug, Default)]
pub struct PartialModel {
    /// The equations that are right and mention no wrong ones.
    pub model: Model,
    /// All errors in the order of the text, up to 50.
    pub diagnostics: Vec<Diagnostic>,
    /// What each name is bound to, in the order of the text; also in wrong equations that could be
    /// read.
    pub uses: Vec<Use>,
}

impl Model {
    /// Checks a model as far as it could be read.
    ///
    /// Equations that are wrong, and those that mention them, are left out of the model. A name
    /// that a broken item defines is no error where it is used. The errors include those of the
    /// grammar, and for a model without such errors those of [`Model::check`].
    pub fn check_partial(
        partial: Partial,
        sources: Arc<Sources>,
        loader: &dyn Loader,
    ) -> PartialModel {
        let broken = partial.broken.iter().flat_map(|own| &own.names);
        let mut search = Search {
            sources: &sources,
            unknown: broken.map(|name| name.text.clone()).collect(),
            diagnostics: partial.diagnostics,
        };
        let mut remaining = partial.model;
        let mut recorded = None;
        let mut checked = None;
        for _ in 0..MAX_ROUNDS {
            // Only a model that is wrong is checked again.
            let mut tree = remaining.clone();
            let mut model = Model {
                sources: sources.clone(),
                ..Model::default()
            };
            let (found, linked) = match model.take_items(&mut tree) {
                Ok(()) => {
                    let record = recorded.is_none();
                    let mut found = model.findings(loader, constants::check, record);
                    let uses = std::mem::take(&mut found.uses);
                    recorded.get_or_insert(uses);
                    (found, true)
                }
                Err(wrong) => (Findings::of_names(wrong), false),
            };
            if found.names.is_empty() && found.others.is_empty() {
                checked = Some(model);
                break;
            }
            if !search.leave_out(&mut remaining, found, linked) {
                break;
            }
        }
        let empty = || Model {
            sources: sources.clone(),
            ..Model::default()
        };
        PartialModel {
            diagnostics: in_order(search.diagnostics),
            uses: uses::in_order(recorded.unwrap_or_default(), &sources),
            model: checked.unwrap_or_else(empty),
        }
    }
}

struct Search<'s> {
    sources: &'s Sources,
    /// Names that items define which were left out.
    unknown: HashSet<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Search<'_> {
    /// Leaves the items out of a model in which something was found, and keeps the errors that are
    /// no consequences; false if there are no such items.
    ///
    /// Unless the files could be linked, items that mention others are kept: their names have not
    /// been checked.
    fn leave_out(&mut self, model: &mut tree::Model, found: Findings, linked: bool) -> bool {
        let items = Items::of(&model.items, self.sources);
        let mut wrong: HashSet<usize> = HashSet::new();
        let mut uncertain: HashSet<usize> = HashSet::new();
        let mut elsewhere = false;
        let place = |diagnostic: &Diagnostic| diagnostic.labels.first().map(|(span, _)| *span);
        for diagnostic in found.names {
            let item = place(&diagnostic).and_then(|span| items.around(span));
            elsewhere |= item.is_none();
            if self.is_consequence(&diagnostic) {
                uncertain.extend(item);
            } else {
                wrong.extend(item);
                self.keep(diagnostic);
            }
        }
        items.add_dependents(&mut uncertain, &self.unknown);
        for diagnostic in found.others {
            let item = place(&diagnostic).and_then(|span| items.around(span));
            elsewhere |= item.is_none();
            if item.is_none_or(|item| !uncertain.contains(&item)) {
                wrong.extend(item);
                self.keep(diagnostic);
            }
        }
        wrong.extend(uncertain);
        if linked {
            items.add_dependents(&mut wrong, &HashSet::new());
        }
        // An error in a library concerns all imports.
        if wrong.is_empty() && elsewhere {
            let is_import = |item: &&usize| matches!(model.items[**item], Item::Import(_));
            let all: Vec<usize> = (0..model.items.len()).collect();
            wrong.extend(all.iter().filter(is_import));
        }
        let left_out = wrong.iter().flat_map(|&item| &items.names[item]);
        self.unknown.extend(left_out.map(|name| (*name).to_owned()));
        let any = !wrong.is_empty();
        drop(items);
        let mut position = 0;
        model.items.retain(|_| {
            position += 1;
            !wrong.contains(&(position - 1))
        });
        any
    }

    /// True if an error concerns a name that was left out.
    fn is_consequence(&self, diagnostic: &Diagnostic) -> bool {
        let Some((span, _)) = diagnostic.labels.first() else {
            return false;
        };
        let text = text_of(self.sources, *span);
        let name = text.split('.').next().unwrap_or_default();
        self.unknown.contains(name)
    }

    fn keep(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}

fn text_of(sources: &Sources, span: Span) -> &str {
    let source = sources.0.get(span.file as usize);
    let text = source.map_or("", |source| source.text.as_str());
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

/// The items of a model, with their names and places.
struct Items<'m> {
    /// The names that each item defines.
    names: Vec<Vec<&'m str>>,
    texts: Vec<&'m str>,
    /// Place and position of each item, in the order of the text.
    places: Vec<(Span, usize)>,
}

impl<'m> Items<'m> {
    fn of(items: &'m [Item], sources: &'m Sources) -> Items<'m> {
        let spans: Vec<Span> = items.iter().map(span_of).collect();
        let texts = spans.iter().map(|span| text_of(sources, *span));
        let mut places: Vec<(Span, usize)> = spans.iter().copied().zip(0..).collect();
        places.sort_by_key(|(span, _)| (span.file, span.start));
        Items {
            names: items.iter().map(names_of).collect(),
            texts: texts.collect(),
            places,
        }
    }

    /// The item that a place lies in.
    fn around(&self, place: Span) -> Option<usize> {
        let key = (place.file, place.start);
        let after = self
            .places
            .partition_point(|(span, _)| (span.file, span.start) <= key);
        let (span, item) = self.places.get(after.checked_sub(1)?)?;
        (span.file == place.file && place.start <= span.end).then_some(*item)
    }

    /// Adds the items that mention what items of a set define, or `further` names.
    fn add_dependents(&self, set: &mut HashSet<usize>, further: &HashSet<String>) {
        if set.is_empty() && further.is_empty() {
            return;
        }
        let mut users: HashMap<&str, Vec<usize>> = HashMap::new();
        for (item, text) in self.texts.iter().enumerate() {
            for word in words_of(text) {
                users.entry(word).or_default().push(item);
            }
        }
        let mut pending: Vec<&str> = set
            .iter()
            .flat_map(|&item| &self.names[item])
            .copied()
            .collect();
        pending.extend(further.iter().map(String::as_str));
        while let Some(name) = pending.pop() {
            for item in users.remove(name).unwrap_or_default() {
                if set.insert(item) {
                    pending.extend(&self.names[item]);
                }
            }
        }
    }
}

/// The names that an item defines.
fn names_of(item: &Item) -> Vec<&str> {
    match item {
        Item::Equation(own) => vec![own.name.text.as_str()],
        Item::Later(own) => vec![own.name.text.as_str()],
        Item::Record(own) => vec![own.name.text.as_str()],
        Item::Table(own) => vec![own.name.text.as_str()],
        Item::Unit(own) => vec![own.name.text.as_str()],
        Item::Import(own) => match &own.names {
            ImportedNames::Under(Some(name)) => vec![name.text.as_str()],
            ImportedNames::Under(None) => {
                let path = own.path.text.as_str();
                let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
                vec![file.split('.').next().unwrap_or(file)]
            }
            ImportedNames::Single(names) => names.iter().map(|name| name.text.as_str()).collect(),
        },
        Item::Assume(_) | Item::Assert(_) => Vec::new(),
    }
}

fn span_of(item: &Item) -> Span {
    match item {
        Item::Equation(own) => own.span,
        Item::Later(own) => own.span,
        Item::Record(own) => own.span,
        Item::Table(own) => own.span,
        Item::Unit(own) => own.span,
        Item::Import(own) => own.span,
        Item::Assert(own) => own.span,
        Item::Assume(relations) => match (relations.first(), relations.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        },
    }
}
