//! Meaning of names in a scope: arguments, indices, and replacements by an `at`.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::number::Number;
use super::value::Value;
use crate::syntax::tree::Expr;

/// An argument, evaluated where it is first needed; a random one wherever it is needed.
pub(super) struct Argument<'m> {
    pub(super) expr: &'m Expr,
    pub(super) scope: Scope<'m>,
    pub(super) value: RefCell<Option<Value>>,
    /// True if it has the form of a truth value.
    pub(super) truth: OnceCell<bool>,
}

impl<'m> Argument<'m> {
    pub(super) fn new(expr: &'m Expr, scope: &Scope<'m>) -> Argument<'m> {
        Argument {
            expr,
            scope: scope.clone(),
            value: RefCell::new(None),
            truth: OnceCell::new(),
        }
    }
}

/// Meaning of a name that is local to a scope.
#[derive(Clone)]
pub(super) enum Local<'m> {
    Index(Number),
    Argument(Rc<Argument<'m>>),
}

/// The names in scope, innermost first.
pub(super) type Scope<'m> = Option<Rc<Frame<'m>>>;

pub(super) struct Frame<'m> {
    pub(super) name: &'m str,
    pub(super) local: Local<'m>,
    pub(super) outer: Scope<'m>,
}

pub(super) fn find<'s, 'm>(scope: &'s Scope<'m>, name: &str) -> Option<&'s Local<'m>> {
    let mut frame = scope.as_ref();
    while let Some(inner) = frame {
        if inner.name == name {
            return Some(&inner.local);
        }
        frame = inner.outer.as_ref();
    }
    None
}

/// Meanings of the names in scope, innermost first.
pub(super) fn locals<'m>(scope: &Scope<'m>) -> Vec<Local<'m>> {
    let frames = std::iter::successors(scope.as_ref(), |frame| frame.outer.as_ref());
    frames.map(|frame| frame.local.clone()).collect()
}

pub(super) fn bind<'m>(name: &'m str, local: Local<'m>, outer: &Scope<'m>) -> Scope<'m> {
    Some(Rc::new(Frame {
        name,
        local,
        outer: outer.clone(),
    }))
}

/// Replacements of names, innermost `at` first.
pub(super) type Replaced<'m> = Option<Rc<At<'m>>>;

pub(super) struct At<'m> {
    pub(super) values: HashMap<usize, Rc<Argument<'m>>>,
    pub(super) outer: Replaced<'m>,
}
