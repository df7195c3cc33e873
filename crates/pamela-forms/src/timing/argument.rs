//! Meaning of names while equations are lowered.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::cost::Notes;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Symbol};
use crate::model::Extent;

/// The meaning of a name that is bound by an equation, not by the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Argument {
    Number {
        value: ExprId,
        /// True if it is a truth value by its form.
        truth: bool,
        /// The components of a vector, if its form shows them.
        extent: Option<Extent>,
        /// Conditions that its evaluation requires.
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

/// A range of step 1, with the index that it binds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binder {
    pub(super) index: Symbol,
    pub(super) lower: ExprId,
    pub(super) upper: ExprId,
    /// Value of the range's name: the index, or `a + c * index` for a range with a step.
    pub(super) value: ExprId,
}

/// An instance of an equation.
///
/// It has the position, the arguments, the replacements inside an `at`, and a flag: true if it
/// mentions other equations by name.
pub(super) type Instance = (usize, Rc<[Argument]>, Rc<BTreeMap<usize, ExprId>>, bool);

/// Conditions and notes of a lowered equation, beside its value.
#[derive(Clone, Debug)]
pub(super) struct Provisos {
    pub(super) conditions: Rc<[ExprId]>,
    pub(super) notes: Notes,
}

/// The error for a name of the wrong type, which the checker excludes.
pub(super) fn not_a(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("expected a {what}"), span, format!("not a {what}"))
}
