//! What each name of a model is bound to.

use crate::diagnostic::{Sources, Span};

/// A name at a place. The definition of a name counts as a use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    pub span: Span,
    pub target: Target,
}

/// What a name is bound to, with the place where it is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The index of a loop, a reduction or a task.
    Index(Span),
    /// An argument of an equation.
    Formal(Span),
    Equation(Span),
    /// The label of a task of a graph.
    Task(Span),
    /// A function, law or resource of the language.
    Predefined,
}

impl Target {
    /// The place of the definition; predefined names have none.
    pub fn definition(self) -> Option<Span> {
        match self {
            Target::Index(span)
            | Target::Formal(span)
            | Target::Equation(span)
            | Target::Task(span) => Some(span),
            Target::Predefined => None,
        }
    }
}

/// The uses in the order of the text, each once. Of a path such as `pool.size`, the span is that of
/// its last name.
pub(super) fn in_order(mut uses: Vec<Use>, sources: &Sources) -> Vec<Use> {
    for own in &mut uses {
        let source = sources.0.get(own.span.file as usize);
        let text = source.and_then(|source| {
            let place = own.span.start as usize..own.span.end as usize;
            source.text.get(place)
        });
        if let Some(dot) = text.and_then(|text| text.rfind('.')) {
            own.span.start += dot as u32 + 1;
        }
    }
    let is_name = |own: &Use| {
        let source = sources.0.get(own.span.file as usize);
        let place = own.span.start as usize..own.span.end as usize;
        let text = source.and_then(|source| source.text.get(place));
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        text.is_some_and(|text| !text.is_empty() && text.chars().all(is_letter))
    };
    uses.retain(is_name);
    uses.sort_by_key(|own| (own.span.file, own.span.start, own.span.end));
    uses.dedup_by_key(|own| own.span);
    uses
}
