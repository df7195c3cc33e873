//! `at(e, P, v, ...)`: an expression in which names stand for other values, wherever it leads.
//!
//! `at(T(main), P, 1)` is the time of `main` in a model whose `P` is 1: the name is replaced in the expression and
//! in all equations that it comes to by names. The values are those where `at` stands, and so are arguments that
//! the enclosing equation was called with; [`super::names`] sees to it that none of these depends on what is
//! replaced, so that there is no difference.

use std::collections::HashSet;

use super::predefined::{self, AT, Measure};
use super::walk::calls;
use super::{Model, order};
use crate::syntax::tree::{Expr, ExprKind, Name};

/// The parts of `at(e, P, v, ...)`.
pub struct Replacements<'e> {
    pub of: &'e Expr,
    /// Positions of equations, each with what its name stands for.
    pub values: Vec<(usize, &'e Expr)>,
}

impl Model {
    /// What a call tells of which process, if it is that of such a function.
    pub fn measure<'e>(&self, name: &Name, arguments: &'e [Expr]) -> Option<(Measure, &'e Expr)> {
        match arguments {
            [process] if self.callee(&name.text).is_none() => {
                Some((predefined::measure(&name.text)?, process))
            }
            _ => None,
        }
    }

    /// Whether the equation `name` may have another value within an `at`.
    pub fn may_be_replaced(&self, name: &str) -> bool {
        let mentions = |equation| !order::mentions(self, equation).is_empty();
        self.lookup(name).is_some_and(mentions) && !targets(self).is_empty()
    }

    /// The parts of a call, if it is one of `at`.
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

/// The positions of all equations whose names are replaced somewhere.
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
