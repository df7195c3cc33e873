//! Definitional evaluation of conditions: truth values select, probabilities weigh.

use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::scope::Scope;
use super::value::Value;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::Expr;

/// A share of copies, or a chance, is at least 0 and at most 1.
fn probability(role: &str, value: &Number, span: Span) -> Result<(), Diagnostic> {
    if value.order(&Number::zero()).is_ge() && value.order(&Number::one()).is_le() {
        return Ok(());
    }
    let message = format!("{role} is {value}, expected a truth value or a probability from 0 to 1");
    Err(Diagnostic::error(message, span, "not from 0 to 1")
        .hint("to test a number write a comparison, for example `x != 0`"))
}

/// The value of a condition: of its form, a truth value or a probability.
pub(super) enum Condition {
    Truth(bool),
    Weight(Number),
}

impl<'m> Evaluator<'m> {
    pub(super) fn condition(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Condition, Diagnostic> {
        let (value, drawn) = self.drawing(|evaluator| evaluator.scalar(expr, scope))?;
        if self.is_truth_value(expr, scope) {
            return Ok(Condition::Truth(!value.is_zero()));
        }
        if !drawn {
            probability("a condition", &value, expr.span)?;
            Ok(Condition::Weight(value))
        } else if value.is_zero() || value.is_one() {
            Ok(Condition::Truth(value.is_one()))
        } else if self.chance.has_trials() {
            Ok(Condition::Weight(value))
        } else {
            Err(self.product_form(
                format!("a random condition is {value}, expected 1 or 0"),
                expr.span,
            ))
        }
    }

    /// The conditions of a `switch`: the position of the first true one, or all weights.
    pub(super) fn switch(
        &mut self,
        conditions: &[&'m Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Result<usize, Vec<Number>>, Diagnostic> {
        let truths = conditions.iter().all(|c| self.is_truth_value(c, scope));
        if truths || conditions.iter().any(|c| self.is_law(c, scope)) {
            return self.first_true(conditions, span, scope).map(Ok);
        }
        let mut weights = Vec::new();
        let mut total = Number::zero();
        for condition in conditions {
            let weight = self.scalar(condition, scope)?;
            probability("a condition of the `switch`", &weight, condition.span)?;
            total = at(total.add(&weight), span)?;
            weights.push(weight);
        }
        if !total.is_one() {
            let message = format!("the probabilities of the `switch` add up to {total}");
            return Err(Diagnostic::error(message, span, "they must add up to 1"));
        }
        Ok(Err(weights))
    }

    /// The position of the first condition that holds, of truth values and of laws, which are drawn.
    fn first_true(
        &mut self,
        conditions: &[&'m Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<usize, Diagnostic> {
        for (position, condition) in conditions.iter().enumerate() {
            match self.condition(condition, scope)? {
                Condition::Truth(true) => return Ok(position),
                Condition::Truth(false) => {}
                Condition::Weight(weight) if weight.is_one() => return Ok(position),
                Condition::Weight(weight) if weight.is_zero() => {}
                Condition::Weight(weight) => {
                    return Err(self.product_form(
                        format!("a share of {weight} together with a random condition"),
                        condition.span,
                    ));
                }
            }
        }
        Err(Diagnostic::error(
            "no case of the `switch` holds",
            span,
            "all conditions are false",
        )
        .hint("add a last case with the condition 1"))
    }

    /// `a && b` is `a*b`, `a || b` is `a + b - a*b`; of truth values, only as many as are needed.
    pub(super) fn connective(
        &mut self,
        parts: &'m [Expr],
        or: bool,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let lazy = parts.iter().all(|e| self.is_truth_value(e, scope));
        let mut result = if or { Number::zero() } else { Number::one() };
        for part in parts {
            if lazy && result.is_zero() != or {
                break;
            }
            let value = self.scalar(part, scope)?;
            let product = at(result.multiply(&value), span)?;
            result = if or {
                at(
                    result.add(&value).and_then(|sum| sum.subtract(&product)),
                    span,
                )?
            } else {
                product
            };
        }
        Ok(result.into())
    }

    pub(super) fn weighted(
        &mut self,
        parts: &[(Number, &'m Expr)],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        if self.chance.has_trials() && parts.iter().any(|(_, e)| self.is_law(e, scope)) {
            let weights: Vec<Number> = parts.iter().map(|(weight, _)| weight.clone()).collect();
            self.draws += 1;
            let chosen = at(self.chance.choose(&weights), span)?;
            return self.expr(parts[chosen].1, scope);
        }
        let mut sum: Option<Value> = None;
        for (weight, e) in parts {
            let (value, drawn) = self.drawing(|evaluator| evaluator.expr(e, scope))?;
            self.share(weight, drawn, e.span)?;
            let value = self.map(&value, span, |x| x.multiply(weight))?;
            sum = Some(match sum {
                Some(sum) => self.add(sum, value, span)?,
                None => value,
            });
        }
        Ok(sum.unwrap_or_else(|| Number::zero().into()))
    }

    /// A share of a random process cannot be drawn, unless it is all or nothing.
    pub(super) fn share(
        &mut self,
        weight: &Number,
        drawn: bool,
        span: Span,
    ) -> Result<(), Diagnostic> {
        // It has a complement, a product, and a sum.
        self.step(span, 3 * weight.cost())?;
        if !drawn || weight.is_zero() || weight.is_one() {
            return Ok(());
        }
        Err(self.product_form(format!("a share of {weight} of a law"), span))
    }

    fn product_form(&mut self, message: String, span: Span) -> Diagnostic {
        self.chance.refuse();
        Diagnostic::error(message, span, "only the cumulants of this are defined").hint(
            "`bernoulli(p)` chooses at random; any other condition stands for a share of copies, \
             whose cumulants are those of the product form",
        )
    }
}
