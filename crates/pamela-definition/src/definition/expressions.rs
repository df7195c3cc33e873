//! Definitional evaluation of numeric expressions.

use std::cmp::Ordering;

use super::erlang;
use super::fraction::{Fraction, literal};
use super::memory::Quantity;
use super::scope::Scope;

use super::arithmetic::IRRATIONAL_STEPS;
use super::conditions::Condition;
use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::value::{Value, Vector};
use super::walk::with_stack;
use super::{Extent, FCFS, predefined};
use crate::diagnostic::{Cause, Diagnostic, Span};
use crate::syntax::tree::{
    AddOp, Equation, Expr, ExprKind, Name, ParameterFact, Relation, Type, Value as Definition,
    order_of_harmonic,
};

/// Arguments that wait to be evaluated take memory.
const STEPS_OF_A_CALL: u64 = 4;

impl<'m> Evaluator<'m> {
    pub(super) fn scalar(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        match self.expr(expr, scope)? {
            Value::Scalar(number) => Ok(number),
            Value::Vector(_) => Err(Diagnostic::error(
                "expected a scalar, found a vector",
                expr.span,
                "this is a vector",
            )),
        }
    }

    pub(super) fn expr(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Value, Diagnostic> {
        self.step(expr.span, 1)?;
        let value = with_stack(|| self.expr_here(expr, scope))?;
        if let Value::Scalar(number) = &value {
            self.step(expr.span, number.cost())?;
        }
        Ok(value)
    }

    pub(super) fn expr_here(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(literal(value).into()),
            ExprKind::Quantity(quantity) => Ok(literal(&quantity.value()).into()),
            ExprKind::Text(_) => {
                let message = "a text has no value";
                Err(Diagnostic::error(message, expr.span, "found here"))
            }
            ExprKind::Name(name) => self.name(name, expr.span, scope),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span, scope),
            ExprKind::Negate(e) => {
                let value = self.expr(e, scope)?;
                self.map(&value, expr.span, |x| Ok(x.negate()))
            }
            ExprKind::Not(e) => Ok(at(self.scalar(e, scope)?.complement(), expr.span)?.into()),
            ExprKind::Sum(first, rest) => {
                let mut sum = self.expr(first, scope)?;
                for (op, term) in rest {
                    let mut term_value = self.expr(term, scope)?;
                    if *op == AddOp::Subtract {
                        term_value = self.map(&term_value, term.span, |x| Ok(x.negate()))?;
                    }
                    sum = self.add(sum, term_value, expr.span)?;
                }
                Ok(sum)
            }
            ExprKind::Product(first, rest) => {
                let mut product = self.expr(first, scope)?;
                for (op, factor) in rest {
                    let factor_value = self.expr(factor, scope)?;
                    product =
                        self.factor(*op, product, factor_value, first.span.to(factor.span))?;
                }
                Ok(product)
            }
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.scalar(base, scope)?, self.scalar(exponent, scope)?);
                Ok(at(base.power(&exponent), expr.span)?.into())
            }
            ExprKind::Compare(relation, l, r) => {
                let (l, r) = (self.scalar(l, scope)?, self.scalar(r, scope)?);
                let order = at(l.compare(&r), expr.span)?;
                Ok(truth(holds(*relation, order)))
            }
            ExprKind::And(parts) => self.connective(parts, false, expr.span, scope),
            ExprKind::Or(parts) => self.connective(parts, true, expr.span, scope),
            ExprKind::If(condition, a, b) => match self.condition(condition, scope)? {
                Condition::Truth(true) => self.branch(a, expr, scope),
                Condition::Truth(false) => self.branch(b, expr, scope),
                Condition::Weight(weight) => {
                    let rest = at(weight.complement(), condition.span)?;
                    self.weighted(&[(weight, a), (rest, b)], expr.span, scope)
                }
            },
            ExprKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(c, _)| c).collect();
                match self.switch(&conditions, expr.span, scope)? {
                    Ok(chosen) => self.branch(&cases[chosen].1, expr, scope),
                    Err(weights) => {
                        let parts: Vec<_> = weights
                            .into_iter()
                            .zip(cases.iter().map(|(_, e)| e))
                            .collect();
                        self.weighted(&parts, expr.span, scope)
                    }
                }
            }
            ExprKind::Reduce(reduction) => self.reduce(reduction, expr.span, scope),
            ExprKind::Graph(graph) => Ok(self.graph_of_numbers(graph, expr.span, scope)?.into()),
            ExprKind::Vector(elements) => {
                let elements: Result<_, _> =
                    elements.iter().map(|e| self.scalar(e, scope)).collect();
                Ok(Value::Vector(Vector::from_elements(elements?)))
            }
        }
    }

    /// Looks whether a value of a kept function is as it is declared.
    fn require_declared(
        &mut self,
        equation: &'m Equation,
        value: &Number,
        span: Span,
    ) -> Result<(), Diagnostic> {
        for fact in &equation.facts {
            let (holds, place) = match fact {
                ParameterFact::Bound(relation, bound) => {
                    let limit = self.scalar(bound, &None)?;
                    let order = at(value.compare(&limit), bound.span)?;
                    (holds(*relation, order), bound.span)
                }
                ParameterFact::Integer(place) => (at(value.is_integer(), *place)?, *place),
                _ => continue,
            };
            if !holds {
                let name = &equation.name.text;
                let message = format!("`{name}` is {value} here, but declared `{fact}`");
                let error = Diagnostic::error(message, span, "called here");
                let error = error.because(Cause::NotAsDeclared);
                return Err(error.also(place, "declared here"));
            }
        }
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        name: &'m Name,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        if let Some(position) = self.model.callee(&name.text) {
            let model = self.model;
            let equation = &model.equations()[position];
            if let (Type::Numeric, Some(Definition::Numeric(value))) =
                (equation.kind, &equation.value)
            {
                self.step(span, STEPS_OF_A_CALL)?;
                let inner = self.call_scope(equation, arguments, scope);
                let found = self.call_of(
                    (Quantity::Number, position, &inner),
                    |calls| &mut calls.numbers,
                    |evaluator| evaluator.expr(value, &inner),
                )?;
                if let (true, Value::Scalar(number)) = (equation.kept, &found) {
                    self.require_declared(equation, number, span)?;
                }
                return Ok(found);
            }
        }
        if let Some((measure, process)) = self.model.measure(name, arguments) {
            return self.measure(measure, process, scope);
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            return self.at(replacements, scope);
        }
        if predefined::law(&name.text).is_some() {
            return self.law(name, arguments, span, scope);
        }
        match (name.text.as_str(), arguments) {
            (predefined::QUANTILE, [law, q]) => return Ok(self.quantile(law, q, scope)?.into()),
            (predefined::PROBABILITY, [comparison]) => {
                return Ok(self.probability_of(comparison, scope)?.into());
            }
            _ => {}
        }
        if let (true, [law]) = (predefined::is_moment(&name.text), arguments) {
            return Ok(self.moment(&name.text, law, scope)?.into());
        }
        if name.text == "unitvec" {
            return self.unit_vector(arguments, scope);
        }
        if let ("H", [n, order]) = (name.text.as_str(), arguments) {
            let n = self.expr(n, scope)?;
            let order = order_of_harmonic(order).unwrap_or(1);
            return self.map(&n, span, |n| n.harmonic(order));
        }
        let values: Result<Vec<Value>, _> = arguments.iter().map(|a| self.expr(a, scope)).collect();
        self.function(name, values?, span)
    }

    pub(super) fn unit_vector(
        &mut self,
        arguments: &'m [Expr],
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let (array, index) = match arguments {
            [
                Expr {
                    kind: ExprKind::Name(array),
                    ..
                },
                index,
            ] => (array.as_str(), index),
            [.., index] => (FCFS, index),
            [] => return Ok(Value::Vector(Vector::default())),
        };
        let unit = Vector::unit(array, self.index(index, scope)?);
        Ok(Value::Vector(match Extent::of_unit_vector(arguments) {
            Extent::Everywhere => unit,
            list => unit.only_within(list),
        }))
    }

    /// An index of an array, which must be exact.
    pub(super) fn index(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Fraction, Diagnostic> {
        match self.fixed(expr, scope)? {
            Number::Exact(index) => Ok(index),
            Number::Real(_) => Err(Diagnostic::error(
                "an index has no exact value",
                expr.span,
                "only known approximately",
            )
            .hint("round it with `floor` or `ceil`")),
        }
    }

    pub(super) fn function(
        &mut self,
        name: &'m Name,
        values: Vec<Value>,
        span: Span,
    ) -> Result<Value, Diagnostic> {
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return Err(Diagnostic::error(
                format!("`{}` needs an argument", name.text),
                span,
                "none given",
            ));
        };
        let largest = name.text == "max";
        if largest || name.text == "min" {
            return match (values.len(), first) {
                (0, Value::Vector(vector)) => Ok(vector
                    .extreme(if largest { Number::max } else { Number::min })
                    .into()),
                (_, first) => values.try_fold(first, |a, b| self.extreme(largest, &a, &b, span)),
            };
        }
        if name.text == "floorsum" {
            let values: Vec<Value> = std::iter::once(first).chain(values).collect();
            return self.floor_sum(&values, span);
        }
        if let Some(second) = values.next() {
            let function = match name.text.as_str() {
                "log" => Number::log_to,
                "root" => Number::root,
                "gcd" => Number::common_divisor,
                "erlangB" => erlang::loss,
                "erlangC" => erlang::wait,
                _ => Number::choose,
            };
            return match (first, second) {
                (Value::Scalar(a), Value::Scalar(b)) => {
                    let result = at(function(&a, &b), span)?;
                    if let Number::Real(_) = result {
                        self.step(span, IRRATIONAL_STEPS)?;
                    }
                    Ok(result.into())
                }
                _ => Err(Diagnostic::error(
                    "expected a scalar, found a vector",
                    span,
                    "an argument of this is a vector",
                )),
            };
        }
        match name.text.as_str() {
            "floor" => self.map(&first, span, Number::floor),
            "ceil" => self.map(&first, span, Number::ceil),
            "abs" => self.map(&first, span, |x| Ok(x.abs())),
            "sqrt" => self.map(&first, span, Number::sqrt),
            "log" | "ln" => self.map(&first, span, Number::log),
            "log2" => self.map(&first, span, |x| x.log_to(&Number::from(2))),
            "cbrt" => self.map(&first, span, |x| x.root(&Number::from(3))),
            "exp" => self.map(&first, span, Number::exp),
            "H" => self.map(&first, span, |x| x.harmonic(1)),
            "fact" => self.map(&first, span, Number::factorial),
            "lgamma" => self.map(&first, span, Number::ln_gamma),
            "integer" => self.map(&first, span, |x| {
                Ok(Number::from(i64::from(x.is_integer()?)))
            }),
            _ => Err(Diagnostic::error(
                format!("`{}` is not defined", name.text),
                name.span,
                "not a function",
            )),
        }
    }
}

fn truth(value: bool) -> Value {
    i64::from(value).into()
}

fn holds(relation: Relation, order: Ordering) -> bool {
    match relation {
        Relation::Less => order.is_lt(),
        Relation::LessEqual => order.is_le(),
        Relation::Greater => order.is_gt(),
        Relation::GreaterEqual => order.is_ge(),
        Relation::Equal => order.is_eq(),
        Relation::NotEqual => order.is_ne(),
    }
}
