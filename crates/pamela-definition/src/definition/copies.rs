//! Cumulants of a random number of copies of a law, for a number with infinitely many values.

use super::cumulants::Cumulants;
use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::scope::Scope;
use super::walk::{Part, parts_of_expr, with_stack};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{AddOp, Expr, ExprKind, ReduceKind, Reduction};

impl<'m> Evaluator<'m> {
    /// Cumulants of a sum with a random upper bound and never a negative number of terms. `why` is the error if the
    /// number may be negative, or if the terms differ.
    pub(super) fn cumulants_of_copies(
        &mut self,
        reduction: &'m Reduction,
        why: &Diagnostic,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let (range, body) = (&reduction.range, &reduction.body);
        let alike = reduction.kind == ReduceKind::Sum && !mentions(body, &range.index.text);
        if !alike || range.step.is_some() {
            return Err(why.clone());
        }
        let lower = self.settled(why, |evaluator| evaluator.scalar(&range.lower, scope))?;
        let before = at(lower.subtract(&Number::one()), span)?;
        let least = self.least(&range.upper, why, scope)?;
        let fewest = at(least.subtract(&before), span)?;
        if !at(fewest.is_integer(), span)? || fewest.order(&Number::zero()).is_lt() {
            return Err(why.clone());
        }
        let skipped = at(Number::zero().subtract(&before), span)?;
        let last = self.cumulants(&range.upper, scope)?;
        let count = at(last.plus(&Cumulants::constant(skipped)), span)?;
        let copy = self.cumulants(body, scope)?;
        at(Cumulants::of_copies(&count, &copy), span)
    }

    /// The least value of whole-number laws and numbers that are added.
    fn least(
        &mut self,
        expr: &'m Expr,
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        match &expr.kind {
            ExprKind::Sum(first, rest) => {
                let mut sum = self.least(first, why, scope)?;
                for (op, term) in rest {
                    let of = |evaluator: &mut Self| evaluator.scalar(term, scope);
                    let term = match op {
                        AddOp::Add => with_stack(|| self.least(term, why, scope))?,
                        AddOp::Subtract => self.settled(why, of)?.negate(),
                    };
                    sum = at(sum.add(&term), expr.span)?;
                }
                Ok(sum)
            }
            ExprKind::Call(name, _) if self.model.callee(&name.text).is_none() => {
                match name.text.as_str() {
                    "poisson" | "binomial" => Ok(Number::zero()),
                    "geometric" => Ok(Number::one()),
                    _ => self.settled(why, |evaluator| evaluator.scalar(expr, scope)),
                }
            }
            _ => self.settled(why, |evaluator| evaluator.scalar(expr, scope)),
        }
    }
}

fn mentions(expr: &Expr, name: &str) -> bool {
    if let ExprKind::Name(mentioned) = &expr.kind {
        return mentioned == name;
    }
    let mut found = false;
    parts_of_expr(expr, &mut |part, _| {
        if let Part::Expr(part) = part {
            found = found || with_stack(|| mentions(part, name));
        }
    });
    found
}
