//! Definitional evaluation of names: parameters, arguments and indices.

use std::rc::Rc;

use super::evaluate::Evaluator;
use super::scope::{Argument, Local, Scope, bind, find};
use super::value::Value;
use super::walk::with_stack;
use super::{Extent, Sort};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Equation, Expr, ExprKind, Value as Definition};

impl<'m> Evaluator<'m> {
    /// The scope of a call: its formals bound to the arguments as they are in the scope of the caller.
    pub(super) fn call_scope(
        &self,
        equation: &'m Equation,
        arguments: &'m [Expr],
        scope: &Scope<'m>,
    ) -> Scope<'m> {
        let mut inner = None;
        for (formal, expr) in equation.formals.iter().zip(arguments) {
            let passed_on = match &expr.kind {
                ExprKind::Name(name) => find(scope, name).cloned(),
                _ => None,
            };
            let local =
                passed_on.unwrap_or_else(|| Local::Argument(Rc::new(Argument::new(expr, scope))));
            inner = bind(&formal.text, local, &inner);
        }
        inner
    }

    pub(super) fn name(
        &mut self,
        name: &str,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        match find(scope, name) {
            Some(Local::Index(index)) => Ok(index.clone().into()),
            Some(Local::Argument(argument)) => self.argument(&argument.clone()),
            None => match self.model.position(name) {
                Some(position) => self.global(position, span),
                None => self.bindings.get(name).cloned().ok_or_else(|| {
                    Diagnostic::error(format!("`{name}` is not defined"), span, "needed here")
                }),
            },
        }
    }

    /// The value of an argument, which is kept unless it is random.
    pub(super) fn argument(&mut self, argument: &Argument<'m>) -> Result<Value, Diagnostic> {
        if let Some(value) = argument.value.borrow().as_ref() {
            return Ok(value.clone());
        }
        let (value, drawn) = self.drawing(|e| e.expr(argument.expr, &argument.scope))?;
        if !drawn {
            *argument.value.borrow_mut() = Some(value.clone());
        }
        Ok(value)
    }

    /// The value of the numeric equation at `position`, which has no arguments; `span` is where it is used.
    pub(super) fn global(&mut self, position: usize, span: Span) -> Result<Value, Diagnostic> {
        let model = self.model;
        let equation = &model.equations()[position];
        let name = &equation.name;
        if let Some(value) = self.replacement(position) {
            return value;
        }
        if let Some(value) = self.bindings.get(&name.text) {
            return Ok(value.clone());
        }
        if let Some(value) = self.numbers.get(&position) {
            return Ok(value.clone());
        }
        let Some(Definition::Numeric(value)) = &equation.value else {
            return Err(Diagnostic::error(
                format!("`{}` has no value", name.text),
                span,
                "needed here",
            )
            .also(name.span, "declared here")
            .lacks(&name.text));
        };
        if !equation.formals.is_empty() {
            return Err(Diagnostic::error(
                format!("`{}` needs arguments", name.text),
                span,
                "used without",
            ));
        }
        if equation.parameter && self.replaced.is_some() {
            // A default value is evaluated outside the replacements of `at`.
            return self.with_replaced(None, |evaluator| evaluator.global(position, span));
        }
        let (value, drawn) = self.drawing(|evaluator| evaluator.expr(value, &None))?;
        if !drawn {
            self.numbers.insert(position, value.clone());
        }
        Ok(value)
    }

    /// True if `expr` is a truth value by its form, see [`Model::is_truth_value`].
    pub(super) fn is_truth_value(&self, expr: &Expr, scope: &Scope<'m>) -> bool {
        self.model
            .is_truth_value(expr, &|name| match find(scope, name) {
                Some(Local::Index(_)) => Some(false),
                Some(Local::Argument(argument)) => Some(self.is_true_or_false(argument)),
                None => self.bindings.contains_key(name).then_some(false),
            })
    }

    /// True if an argument is a truth value by its form.
    pub(super) fn is_true_or_false(&self, argument: &Argument<'m>) -> bool {
        let form = || with_stack(|| self.is_truth_value(argument.expr, &argument.scope));
        *argument.truth.get_or_init(form)
    }

    /// The components of `expr` by its form, if it is a vector; see [`Extent`].
    pub(super) fn extent(&self, expr: &Expr, scope: &Scope<'m>) -> Option<Extent> {
        self.model.extent(expr, &|name| match find(scope, name) {
            Some(Local::Index(_)) => Some(None),
            Some(Local::Argument(argument)) => {
                Some(with_stack(|| self.extent(argument.expr, &argument.scope)))
            }
            None => self.bindings.get(name).map(|value| match value {
                Value::Scalar(_) => None,
                Value::Vector(vector) => Some(vector.extent()),
            }),
        })
    }

    /// The value of one branch of a choice `of` several, with the components of all of them.
    pub(super) fn branch(
        &mut self,
        chosen: &'m Expr,
        of: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        Ok(match self.expr(chosen, scope)? {
            Value::Vector(vector) => Value::Vector(match self.extent(of, scope) {
                Some(extent) => vector.within(extent),
                None => vector,
            }),
            scalar => scalar,
        })
    }

    /// The sort of the body of a reduction over `index`, which an empty sum of vectors needs.
    pub(super) fn sort(&mut self, body: &'m Expr, index: &'m str, scope: &Scope<'m>) -> Sort {
        let mut names = self.sorts_in_scope(scope);
        names.push((index, Sort::Scalar));
        self.sorts.of(body, names)
    }

    /// True if `expr` is a law by its sort.
    pub(super) fn is_law(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> bool {
        let names = self.sorts_in_scope(scope);
        self.sorts.of(expr, names) == Sort::Law
    }

    pub(super) fn sorts_in_scope(&mut self, scope: &Scope<'m>) -> Vec<(&'m str, Sort)> {
        let bindings = self.bindings;
        let mut names: Vec<(&'m str, Sort)> = Vec::new();
        let mut frame = scope.as_ref();
        while let Some(inner) = frame {
            let sort = match &inner.local {
                Local::Index(_) => Sort::Scalar,
                Local::Argument(argument) => with_stack(|| {
                    let outer = self.sorts_in_scope(&argument.scope);
                    self.sorts.of(argument.expr, outer)
                }),
            };
            names.push((inner.name, sort));
            frame = inner.outer.as_ref();
        }
        names.extend(
            bindings
                .iter()
                .map(|(name, value)| (name.as_str(), value.sort())),
        );
        names.reverse();
        names
    }
}
