//! The moment operators by definition: `E(X)`, `Var(X)`, `Skw(X)`, `Kur(X)`, `K3(X)`, `K4(X)`.
//!
//! Finitely many outcomes are enumerated. Otherwise cumulants are known for predefined laws, sums
//! of independent terms, order statistics of some laws, and conditions that are defined by
//! cumulants alone.

use super::chance::Chance;
use super::cumulants::Cumulants;
use super::distribution::Failure;
use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::predefined;
use super::reductions::{Indices, whole};
use super::scope::{Local, Scope, find};
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, ReduceKind, Reduction, Type, Value as Definition,
};

impl<'m> Evaluator<'m> {
    /// The moment that `operator` names, of the law `argument`.
    pub(super) fn moment(
        &mut self,
        operator: &str,
        argument: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let cumulants = self.cumulants(argument, scope)?;
        if cumulants.misses(operator) {
            let message = format!("`{operator}` of this law does not exist");
            return Err(
                Diagnostic::error(message, argument.span, "its tail is too heavy").hint(
                    "the moment of order r of `pareto(shape, scale)` exists where `shape > r`",
                ),
            );
        }
        match operator {
            "E" => Ok(cumulants.mean),
            "Var" => Ok(cumulants.variance),
            "K3" => Ok(cumulants.third),
            "K4" => Ok(cumulants.fourth),
            "Skw" => at(cumulants.skewness(), argument.span),
            _ => at(cumulants.kurtosis(), argument.span),
        }
    }

    /// The cumulants of a law; a scalar is a constant one.
    pub(super) fn cumulants(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        match self.enumerate(expr.span, |evaluator| evaluator.scalar(expr, scope)) {
            Ok(distribution) => Ok(distribution.cumulants()),
            Err(Failure::Wrong(diagnostic)) => Err(diagnostic),
            Err(Failure::NotEnumerable(why)) => {
                self.step(expr.span, 1)?;
                with_stack(|| self.cumulants_by_form(expr, why, scope))
            }
        }
    }

    /// The cumulants of a value that cannot be enumerated; `why` is the error if its form has none.
    fn cumulants_by_form(
        &mut self,
        expr: &'m Expr,
        why: Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => match find(scope, name).cloned() {
                Some(Local::Argument(argument)) => self.cumulants(argument.expr, &argument.scope),
                _ => self.cumulants_of_equation(self.model.position(name), &[], why, scope),
            },
            ExprKind::Call(name, arguments) => {
                let position = self.model.callee(&name.text);
                if position.is_none() && predefined::law(&name.text).is_some() {
                    return self.cumulants_of_law(name, arguments, span, scope);
                }
                if position.is_none() && matches!(name.text.as_str(), "max" | "min") {
                    let largest = name.text == "max";
                    return self.cumulants_of_extreme(largest, arguments, &why, span, scope);
                }
                if let Some(replacements) = self.model.replacements(name, arguments) {
                    let inner = self.replacing(&replacements, scope);
                    return self.with_replaced(inner, |e| e.cumulants(replacements.of, scope));
                }
                self.cumulants_of_equation(position, arguments, why, scope)
            }
            ExprKind::Negate(e) => {
                let cumulants = self.cumulants(e, scope)?;
                at(cumulants.scaled(&Number::from(-1)), span)
            }
            ExprKind::Sum(first, rest) => {
                let mut sum = self.cumulants(first, scope)?;
                for (op, term) in rest {
                    let sign = Number::from(if *op == AddOp::Subtract { -1 } else { 1 });
                    let term = at(self.cumulants(term, scope)?.scaled(&sign), term.span)?;
                    sum = at(sum.plus(&term), span)?;
                }
                Ok(sum)
            }
            ExprKind::Product(first, rest) => self.cumulants_of_product(first, rest, &why, scope),
            ExprKind::If(condition, a, b) => {
                self.cumulants_of_choice(condition, [a, b], span, scope)
            }
            ExprKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(c, _)| c).collect();
                let weights = self.settled(&why, |e| e.switch(&conditions, span, scope))?;
                let Err(weights) = weights else {
                    return Err(why);
                };
                let mut sum = Cumulants::constant(Number::zero());
                for (weight, (_, part)) in weights.iter().zip(cases) {
                    let part = at(self.cumulants(part, scope)?.repeated(weight), span)?;
                    sum = at(sum.plus(&part), span)?;
                }
                Ok(sum)
            }
            ExprKind::Reduce(reduction) if reduction.kind == ReduceKind::Sum => {
                self.cumulants_of_sum(reduction, &why, span, scope)
            }
            ExprKind::Reduce(reduction) => self.cumulants_of_order(reduction, &why, span, scope),
            _ => Err(why),
        }
    }

    fn cumulants_of_equation(
        &mut self,
        position: Option<usize>,
        arguments: &'m [Expr],
        why: Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let model = self.model;
        let equation = position.map(|position| &model.equations()[position]);
        match equation.map(|equation| (equation, equation.kind, &equation.value)) {
            Some((equation, Type::Numeric, Some(Definition::Numeric(value)))) => {
                let inner = self.call_scope(equation, arguments, scope);
                self.cumulants(value, &inner)
            }
            _ => Err(why),
        }
    }

    /// Cumulants of a product of independent laws and numbers.
    fn cumulants_of_product(
        &mut self,
        first: &'m Expr,
        rest: &'m [(MulOp, Expr)],
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let mut scale = Number::one();
        let mut product: Option<Cumulants> = None;
        let factors = rest.iter().map(|(op, factor)| (*op, factor));
        for (op, factor) in std::iter::once((MulOp::Multiply, first)).chain(factors) {
            let random = self.is_law(factor, scope);
            if random && op == MulOp::Multiply {
                let law = self.cumulants(factor, scope)?;
                product = Some(match product {
                    Some(others) => at(others.times(&law), factor.span)?,
                    None => law,
                });
                continue;
            }
            let number = self.settled(why, |evaluator| evaluator.scalar(factor, scope))?;
            scale = match op {
                MulOp::Multiply => at(scale.multiply(&number), factor.span)?,
                MulOp::Divide => at(scale.divide(&number), factor.span)?,
                MulOp::Modulo | MulOp::FloorDivide => return Err(why.clone()),
            };
        }
        let product = product.ok_or_else(|| why.clone())?;
        at(product.scaled(&scale), first.span)
    }

    /// Cumulants of a choice: one branch if the condition is certain, else the product form.
    fn cumulants_of_choice(
        &mut self,
        condition: &'m Expr,
        [a, b]: [&'m Expr; 2],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let chance = self.cumulants(condition, scope)?;
        if chance.variance.is_zero() && self.is_truth_value(condition, scope) {
            return self.cumulants(if chance.mean.is_zero() { b } else { a }, scope);
        }
        let (a, b) = (self.cumulants(a, scope)?, self.cumulants(b, scope)?);
        at(Cumulants::product_form(&chance, &a, &b), span)
    }

    fn cumulants_of_sum(
        &mut self,
        reduction: &'m Reduction,
        why: &Diagnostic,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let (lower, upper) = (&reduction.range.lower, &reduction.range.upper);
        let outcomes = |evaluator: &mut Self, bound: &'m Expr| {
            evaluator
                .enumerate(bound.span, |evaluator| evaluator.scalar(bound, scope))
                .map_err(|failure| match failure {
                    Failure::NotEnumerable(_) => why.clone(),
                    Failure::Wrong(diagnostic) => diagnostic,
                })
        };
        let lower = outcomes(self, lower)?.outcomes;
        let upper = match outcomes(self, upper) {
            Ok(upper) => upper.outcomes,
            Err(_) => return self.cumulants_of_copies(reduction, why, span, scope),
        };
        let random = lower.len() * upper.len() > 1;
        let stride = self.stride(&reduction.range, scope)?;
        let mut parts = Vec::new();
        for (from, p) in &lower {
            for (to, q) in &upper {
                if random {
                    at(whole(from, to, &stride), span)?;
                }
                let (from, to, stride) = (from.clone(), to.clone(), stride.clone());
                let indices = Indices::between(from, to, stride, &reduction.range);
                parts.push((
                    Number::Exact(p * q),
                    self.cumulants_in_range(reduction, indices, scope)?,
                ));
            }
        }
        Ok(Cumulants::mixture(&parts))
    }

    fn cumulants_in_range(
        &mut self,
        reduction: &'m Reduction,
        mut indices: Indices,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let mut sum = Cumulants::constant(Number::zero());
        while let Some(inner) = self.advance(&mut indices, &reduction.range, scope)? {
            let term = self.cumulants(&reduction.body, &inner)?;
            sum = at(sum.plus(&term), reduction.body.span)?;
        }
        Ok(sum)
    }

    /// The value of an expression that must not be random; `why` is the error if it is.
    pub(super) fn settled<T>(
        &mut self,
        why: &Diagnostic,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let outer = (
            std::mem::replace(&mut self.chance, Chance::None),
            self.draws,
        );
        let value = work(self);
        let drawn = self.draws > outer.1;
        (self.chance, self.draws) = outer;
        if drawn { Err(why.clone()) } else { value }
    }
}
