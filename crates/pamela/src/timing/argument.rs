//! What names stand for, and what equations were lowered with.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::cost::Notes;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Symbol};
use crate::model::Extent;

/// What a name that is not the model's stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Argument {
    Number {
        value: ExprId,
        /// Whether it is a truth value by its form.
        truth: bool,
        /// The components that it has by its form, if it is a vector.
        extent: Option<Extent>,
        /// What it asks for where it is evaluated.
        asks: Rc<[ExprId]>,
    },
    Resource(Resource),
    /// A process equation with its arguments.
    Process(usize, Rc<[Argument]>),
}

/// One element of an array of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Resource {
    pub(super) array: Symbol,
    pub(super) index: ExprId,
    pub(super) multiplicity: ExprId,
}

/// A range of step 1, as it binds its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binder {
    pub(super) index: Symbol,
    pub(super) lower: ExprId,
    pub(super) upper: ExprId,
    /// What the name of the range stands for: the index, or `a + c * index` where the range has a step.
    pub(super) value: ExprId,
}

/// An equation by its position, with its arguments, what stands for names in it within an `at`, and whether it
/// mentions others by name.
pub(super) type Instance = (usize, Rc<[Argument]>, Rc<BTreeMap<usize, ExprId>>, bool);

/// What is to be known of a lowered equation beside its value: what it asks for, and the notes for its reader.
#[derive(Clone, Debug)]
pub(super) struct Provisos {
    pub(super) conditions: Rc<[ExprId]>,
    pub(super) notes: Notes,
}

/// The error for a name of the wrong type, which the checker has excluded.
pub(super) fn not_a(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("expected a {what}"), span, format!("not a {what}"))
}
