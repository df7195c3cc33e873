//! `at(e, P, v, ...)`: an expression in which names stand for other values.
//!
//! `at(T(main), P, 1)` is the time of `main` in a model whose `P` is 1. The name is replaced in the expression and in
//! all equations that it reaches by name. The values come from outside `at`, and so do arguments of the enclosing
//! equation. [`super::names`] ensures that they do not depend on a replaced name.

use std::collections::HashSet;

use super::predefined::{self, AT, Measure};
use super::walk::calls;
use super::{Model, order};
use crate::syntax::tree::{Expr, ExprKind, Name};

/// The parts of `at(e, P, v, ...)`.
pub struct Replacements<'e> {
    pub of: &'e Expr,
    /// Positions of equations, with the new values of their names.
    pub values: Vec<(usize, &'e Expr)>,
}

impl Model {
    /// The measure and the process of a call, if it is one of these functions.
    pub fn measure<'e>(&self, name: &Name, arguments: &'e [Expr]) -> Option<(Measure, &'e Expr)> {
        match arguments {
            [process] if self.callee(&name.text).is_none() => {
                Some((predefined::measure(&name.text)?, process))
            }
            _ => None,
        }
    }

    /// True if the equation `name` may have another value inside an `at`.
    pub fn may_be_replaced(&self, name: &str) -> bool {
        let mentions = |equation| !order::mentions(self, equation).is_empty();
        self.lookup(name).is_some_and(mentions) && !targets(self).is_empty()
    }

    /// The parts of a call of `at`, if it is one.
    pub fn replacements<'e>(&self, name: &Name, arguments: &'e [Expr]) -> Option<Replacements<'e>> {
        let (of, pairs) = arguments.split_first()?;
        if name.text != AT || self.callee(AT).is_some() {
            return None;
        }
        let value = |pair: &'e [Expr]| match pair {
            [
                Expr {
                    kind: ExprKind::Name(name),
                    ..
                },
                value,
            ] => Some((self.position(name)?, value)),
            _ => None,
        };
        let values = pairs.chunks(2).map(value).collect::<Option<Vec<_>>>()?;
        Some(Replacements { of, values })
    }
}

/// Positions of all equations that are replaced somewhere.
pub(super) fn targets(model: &Model) -> HashSet<usize> {
    let mut targets = HashSet::new();
    for root in model.expressions() {
        calls(root, &mut |name, arguments| {
            let replacements = model.replacements(name, arguments);
            let values = replacements.into_iter().flat_map(|r| r.values);
            targets.extend(values.map(|(position, _)| position));
        });
    }
    targets
}
