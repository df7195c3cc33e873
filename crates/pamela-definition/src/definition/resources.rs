//! Definitional evaluation of resources: elements of arrays, with their multiplicity.

use num_traits::Zero;

use super::fraction::Fraction;
use super::scope::{Local, Scope, find};

use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, ExprKind, Value as Definition};

/// An element of an array of resources: its name and the index.
pub(super) type Element<'m> = (&'m str, Fraction);

/// One element of an array of resources.
pub(super) struct Resource<'m> {
    pub(super) array: &'m str,
    pub(super) index: Fraction,
    pub(super) multiplicity: Number,
}

impl<'m> Evaluator<'m> {
    pub(super) fn resource(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Resource<'m>, Diagnostic> {
        self.step(expr.span, 1)?;
        with_stack(|| match &expr.kind {
            ExprKind::Name(name) => match find(scope, name).cloned() {
                Some(Local::Argument(argument)) => self.resource(argument.expr, &argument.scope),
                _ => self.resource_of_name(name, &[], expr.span, scope),
            },
            ExprKind::Call(name, arguments) => {
                self.resource_of_name(&name.text, arguments, name.span, scope)
            }
            _ => Err(Diagnostic::error(
                "expected a resource, found a number",
                expr.span,
                "a number",
            )),
        })
    }

    fn resource_of_name(
        &mut self,
        name: &'m str,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Resource<'m>, Diagnostic> {
        let model = self.model;
        if model.is_resource_array(name) {
            let index = match arguments.first() {
                Some(index) => self.index(index, scope)?,
                None => Fraction::zero(),
            };
            let own = model
                .lookup(name)
                .and_then(|e| Some((e, model.servers(e)?)));
            let (multiplicity, scope) = match (arguments.get(1), own) {
                (Some(multiplicity), _) => (multiplicity, scope.clone()),
                (None, Some((equation, servers))) => {
                    (servers, self.call_scope(equation, arguments, scope))
                }
                (None, None) => {
                    return Ok(Resource {
                        array: name,
                        index,
                        multiplicity: Number::one(),
                    });
                }
            };
            let place = multiplicity.span;
            let multiplicity = self.fixed(multiplicity, &scope)?;
            let is_positive = at(multiplicity.compare(&Number::zero()), place)?.is_gt();
            let is_whole = multiplicity.as_exact().is_some_and(Fraction::is_integer);
            if !is_positive || !is_whole {
                return Err(crate::model::not_servers(&multiplicity, place));
            }
            return Ok(Resource {
                array: name,
                index,
                multiplicity,
            });
        }
        match model.lookup(name).map(|e| (e, &e.value)) {
            Some((equation, Some(Definition::Resource(value)))) => {
                let inner = self.call_scope(equation, arguments, scope);
                self.resource(value, &inner)
            }
            _ => Err(Diagnostic::error(
                format!("`{name}` is not a resource"),
                span,
                "expected a resource",
            )),
        }
    }
}
