//! Equations that were read before, by their texts.

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::syntax::items::{ItemKind, ItemText};
use crate::syntax::tree::{Equation, Item, spans_of_equation_mut};

/// Least number of equations at which the cache drops those that were not used.
const FEW: usize = 256;

/// Equations by their texts, for reading a text again after a change.
#[derive(Clone, Debug, Default)]
pub struct ItemCache {
    /// Each with the reading in which it was last used.
    equations: HashMap<Box<str>, (Equation, u64)>,
    reading: u64,
    /// Equations that this reading used.
    used: usize,
}

impl ItemCache {
    /// Begins to read a text.
    pub(super) fn begin(&mut self) {
        if self.equations.len() > FEW.max(2 * self.used) {
            let last = self.reading;
            self.equations.retain(|_, (_, reading)| *reading == last);
        }
        self.reading += 1;
        self.used = 0;
    }

    /// The equation with this text, at its new place.
    pub(super) fn find(&mut self, item: ItemText, text: &str, file: u32) -> Option<Item> {
        if !is_equation(item.kind) {
            return None;
        }
        let (known, reading) = self.equations.get_mut(text)?;
        *reading = self.reading;
        self.used += 1;
        let mut equation = known.clone();
        let moved = (item.start as u32).wrapping_sub(known.span.start);
        spans_of_equation_mut(&mut equation, &mut |span: &mut Span| {
            span.file = file;
            span.start = span.start.wrapping_add(moved);
            span.end = span.end.wrapping_add(moved);
        });
        Some(Item::Equation(equation))
    }

    /// Keeps an equation.
    pub(super) fn keep(&mut self, item: ItemText, text: &str, tree: &Item) {
        if let (true, Item::Equation(equation)) = (is_equation(item.kind), tree) {
            self.used += 1;
            let known = (equation.clone(), self.reading);
            self.equations.insert(text.into(), known);
        }
    }
}

fn is_equation(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Numeric | ItemKind::Process | ItemKind::Resource
    )
}
