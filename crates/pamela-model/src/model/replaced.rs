//! `at(e, P, v, ...)`: an expression in which names stand for other values, wherever it leads.
//!
//! `at(T(main), P, 1)` is the time of `main` in a model whose `P` is 1: the name is replaced in the expression and
//! in all equations that it comes to by names. The values are those where `at` stands, and so are arguments that
//! the enclosing equation was called with; [`super::names`] sees to it that none of these depends on what is
//! replaced, so that there is no difference.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::environment::{Argument, Scope};
use super::evaluate::Evaluator;
use super::predefined::{self, AT, Measure};
use super::processes::{Duration, largest};
use super::value::Value;
use super::walk::calls;
use super::{Model, order};
use crate::diagnostic::Diagnostic;
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

/// What names stand for, innermost `at` first.
pub(super) type Replaced<'m> = Option<Rc<At<'m>>>;

pub(super) struct At<'m> {
    values: HashMap<usize, Rc<Argument<'m>>>,
    outer: Replaced<'m>,
}

impl<'m> Evaluator<'m> {
    /// The value of `at(e, P, v, ...)`.
    pub(super) fn at(
        &mut self,
        replacements: Replacements<'m>,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let inner = self.replacing(&replacements, scope);
        self.with_replaced(inner, |evaluator| evaluator.expr(replacements.of, scope))
    }

    /// What names stand for within an `at` that stands here.
    pub(super) fn replacing(
        &self,
        replacements: &Replacements<'m>,
        scope: &Scope<'m>,
    ) -> Replaced<'m> {
        let values = replacements.values.iter();
        Some(Rc::new(At {
            values: values
                .map(|&(position, expr)| (position, Rc::new(Argument::new(expr, scope))))
                .collect(),
            outer: self.replaced.clone(),
        }))
    }

    /// What the name of the equation at `position` stands for instead of its value, if it is replaced.
    pub(super) fn replacement(&mut self, position: usize) -> Option<Result<Value, Diagnostic>> {
        let mut frame = self.replaced.as_ref();
        while let Some(at) = frame {
            if let Some(argument) = at.values.get(&position) {
                let (argument, outer) = (argument.clone(), at.outer.clone());
                return Some(self.with_replaced(outer, |evaluator| evaluator.argument(&argument)));
            }
            frame = at.outer.as_ref();
        }
        None
    }

    /// Evaluates where other names are replaced; what is known of equations holds only where the same ones are.
    pub(super) fn with_replaced<T>(
        &mut self,
        replaced: Replaced<'m>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = (
            std::mem::replace(&mut self.replaced, replaced),
            std::mem::take(&mut self.numbers),
            std::mem::take(&mut self.durations),
            std::mem::take(&mut self.demands),
        );
        let calls = std::mem::take(&mut self.calls);
        let value = work(self);
        (self.replaced, self.numbers, self.durations, self.demands) = known;
        self.calls = calls;
        value
    }

    /// What a predefined function tells of a process.
    pub(super) fn measure(
        &mut self,
        measure: Measure,
        process: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let (process, inner) = self.process_of(process, scope)?;
        Ok(match measure {
            Measure::Time => self.duration(Duration::Time, process, &inner)?.into(),
            Measure::Path => self.duration(Duration::Path, process, &inner)?.into(),
            Measure::Demand => Value::Vector(self.demand(process, &inner)?),
            Measure::LargestDemand => largest(&self.demand(process, &inner)?).into(),
        })
    }
}
