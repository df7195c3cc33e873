//! Parts of processes: components of a composition, alternatives of a choice, callee of a call.

use super::conditions::Condition;
use super::evaluate::{Evaluator, at};
use super::not_supported;
use super::number::Number;
use super::scope::{Local, Scope, find};
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    Composition, Expr, ExprKind, Process, ProcessKind, Range, Replication, Type,
    Value as Definition,
};

/// A process that is made of others.
#[derive(Clone, Copy)]
pub(super) struct Composed<'m> {
    pub(super) composition: Composition,
    parts: Parts<'m>,
}

#[derive(Clone, Copy)]
enum Parts<'m> {
    Listed(&'m [Process]),
    Repeated(&'m Replication),
}

impl<'m> Composed<'m> {
    pub(super) fn of(process: &'m Process) -> Option<Composed<'m>> {
        let (composition, parts) = match &process.kind {
            ProcessKind::Sequence(parts) => (Composition::Sequence, Parts::Listed(parts)),
            ProcessKind::Parallel(parts) => (Composition::Parallel, Parts::Listed(parts)),
            ProcessKind::Any(parts) => (Composition::Any, Parts::Listed(parts)),
            ProcessKind::Replicate(replication) => (replication.kind, Parts::Repeated(replication)),
            _ => return None,
        };
        Some(Composed { composition, parts })
    }

    /// The range of a replication.
    pub(super) fn range(&self) -> Option<&'m Range> {
        match self.parts {
            Parts::Listed(_) => None,
            Parts::Repeated(replication) => Some(&replication.range),
        }
    }
}

/// Callback for a part and its scope.
pub(super) type Visit<'v, 'm> =
    &'v mut dyn FnMut(&mut Evaluator<'m>, &'m Process, &Scope<'m>) -> Result<(), Diagnostic>;

impl<'m> Evaluator<'m> {
    /// Visits the parts one by one; bounds that are laws are drawn once.
    pub(super) fn each_part(
        &mut self,
        composed: Composed<'m>,
        scope: &Scope<'m>,
        visit: Visit<'_, 'm>,
    ) -> Result<(), Diagnostic> {
        match composed.parts {
            Parts::Listed(parts) => parts.iter().try_for_each(|part| visit(self, part, scope)),
            Parts::Repeated(replication) => {
                let range = &replication.range;
                let mut indices = self.indices(range, scope)?;
                while let Some(inner) = self.advance(&mut indices, range, scope)? {
                    visit(self, &replication.body, &inner)?;
                }
                Ok(())
            }
        }
    }

    /// The processes that an `if` or `switch` chooses, each with its share; one that is chosen has all.
    pub(super) fn alternatives(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Vec<(Number, &'m Process)>, Diagnostic> {
        match &process.kind {
            ProcessKind::If(condition, a, b) => Ok(match self.condition(condition, scope)? {
                Condition::Truth(true) => vec![(Number::one(), &**a)],
                Condition::Truth(false) => b.iter().map(|b| (Number::one(), &**b)).collect(),
                Condition::Weight(weight) => {
                    let rest = at(weight.complement(), condition.span)?;
                    let b = b.iter().map(|b| (rest.clone(), &**b));
                    std::iter::once((weight, &**a)).chain(b).collect()
                }
            }),
            ProcessKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(c, _)| c).collect();
                Ok(match self.switch(&conditions, process.span, scope)? {
                    Ok(chosen) => vec![(Number::one(), &cases[chosen].1)],
                    Err(weights) => weights
                        .into_iter()
                        .zip(cases.iter().map(|(_, p)| p))
                        .collect(),
                })
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The value of an alternative, of which there is a share of this weight.
    pub(super) fn shared<T>(
        &mut self,
        weight: &Number,
        span: Span,
        value: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let (value, drawn) = self.drawing(value)?;
        self.share(weight, drawn, span)?;
        Ok(value)
    }

    /// The request of an open process, and the name of its demand.
    pub(super) fn open_at(&self, position: usize) -> Option<(usize, &'m str)> {
        let open = self
            .model
            .open(&self.model.equations()[position].name.text)?;
        Some((self.model.position(&open.request)?, &open.demand))
    }

    /// The process at `position`, which has no arguments.
    pub(super) fn process_at(&self, position: usize) -> Result<&'m Process, Diagnostic> {
        let equation = &self.model.equations()[position];
        let name = &equation.name;
        let Some(Definition::Process(process)) = &equation.value else {
            return Err(not_supported("a process without a value", name.span));
        };
        if !equation.formals.is_empty() {
            let message = format!("`{}` needs arguments", name.text);
            let label = "only a process without arguments can be evaluated";
            return Err(Diagnostic::error(message, name.span, label));
        }
        Ok(process)
    }

    /// The process that a call stands for, with the scope of its arguments.
    pub(super) fn callee(
        &mut self,
        name: &str,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<(&'m Process, Scope<'m>), Diagnostic> {
        match find(scope, name) {
            Some(Local::Argument(argument)) => {
                let argument = argument.clone();
                return self.process_of(argument.expr, &argument.scope);
            }
            Some(Local::Index(_)) => {
                let message = "expected a process, found an index";
                return Err(Diagnostic::error(message, span, "a number"));
            }
            None => {}
        }
        let model = self.model;
        let process = model.lookup(name).filter(|e| e.kind == Type::Process);
        let Some((equation, Some(Definition::Process(process)))) = process.map(|e| (e, &e.value))
        else {
            let message = format!("`{name}` is not a process");
            return Err(Diagnostic::error(message, span, "expected a process"));
        };
        Ok((process, self.call_scope(equation, arguments, scope)))
    }

    /// The process that an argument stands for, with the scope of its own arguments.
    pub(super) fn process_of(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<(&'m Process, Scope<'m>), Diagnostic> {
        with_stack(|| match &expr.kind {
            ExprKind::Name(name) => self.callee(name, &[], expr.span, scope),
            ExprKind::Call(name, arguments) => self.callee(&name.text, arguments, name.span, scope),
            _ => {
                let message = "expected a process, found a number";
                Err(Diagnostic::error(message, expr.span, "a number"))
            }
        })
    }
}
