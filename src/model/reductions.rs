//! The definitional evaluator of ranges: one iteration after the other.

use std::cmp::Ordering;

use super::Sort;
use super::environment::{Local, Scope, bind};
use super::evaluate::{Evaluator, at};
use super::number::{Fault, Number};
use super::value::{Value, Vector};
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{MulOp, Range, ReduceKind, Reduction};

/// A range as it runs.
pub(super) struct Indices {
    next: Number,
    upper: Number,
    span: Span,
}

impl Indices {
    pub(super) fn between(lower: Number, upper: Number, range: &Range) -> Indices {
        Indices {
            next: lower,
            upper,
            span: range.index.span,
        }
    }
}

impl<'m> Evaluator<'m> {
    /// The indices of a range: `lower, lower + 1, ...` while they are at most `upper`.
    ///
    /// Bounds that are laws are drawn once, and must leave a whole number of iterations.
    pub(super) fn indices(
        &mut self,
        range: &'m Range,
        scope: &Scope<'m>,
    ) -> Result<Indices, Diagnostic> {
        let (bounds, drawn) = self.drawing(|evaluator| {
            Ok((
                evaluator.scalar(&range.lower, scope)?,
                evaluator.scalar(&range.upper, scope)?,
            ))
        })?;
        let (next, upper) = bounds;
        if drawn {
            at(whole(&next, &upper), range.lower.span.to(range.upper.span))?;
        }
        Ok(Indices::between(next, upper, range))
    }

    /// The next index and the scope in which it is bound.
    pub(super) fn advance(
        &mut self,
        indices: &mut Indices,
        range: &'m Range,
        scope: &Scope<'m>,
    ) -> Result<Option<Scope<'m>>, Diagnostic> {
        self.step(indices.span, 1)?;
        if indices.next.compare(&indices.upper) == Ordering::Greater {
            return Ok(None);
        }
        let after = at(indices.next.add(&Number::one()), indices.span)?;
        let index = std::mem::replace(&mut indices.next, after);
        Ok(Some(bind(&range.index.text, Local::Index(index), scope)))
    }

    pub(super) fn reduce(
        &mut self,
        reduction: &'m Reduction,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let range = &reduction.range;
        if reduction.kind == ReduceKind::Kth {
            return self.kth(reduction, scope);
        }
        let mut indices = self.indices(range, scope)?;
        let mut values = Halves::default();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            let value = self.expr(&reduction.body, &inner)?;
            values.push(value, |a, b| self.combined(reduction.kind, a, b, span))?;
        }
        let result = values.finish(|a, b| self.combined(reduction.kind, a, b, span))?;
        Ok(match result {
            Some(result) => result,
            None if reduction.kind == ReduceKind::Product => Number::one().into(),
            None if self.sort(&reduction.body, &range.index.text, scope) == Sort::Vector => {
                Value::Vector(Vector::default())
            }
            None => Number::zero().into(),
        })
    }

    /// The values of two neighbouring parts of a range as one.
    fn combined(
        &mut self,
        kind: ReduceKind,
        before: Value,
        after: Value,
        span: Span,
    ) -> Result<Value, Diagnostic> {
        let value = match kind {
            ReduceKind::Sum => self.add(before, after, span)?,
            ReduceKind::Product => self.factor(MulOp::Multiply, before, after, span)?,
            _ => self.extreme(kind == ReduceKind::Max, &before, &after, span)?,
        };
        self.step(span, value.cost())?;
        Ok(value)
    }

    pub(super) fn kth(
        &mut self,
        reduction: &'m Reduction,
        scope: &Scope<'m>,
    ) -> Result<Value, Diagnostic> {
        let range = &reduction.range;
        let mut indices = self.indices(range, scope)?;
        let mut values = Vec::new();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            values.push(self.scalar(&reduction.body, &inner)?);
        }
        Ok(self.quorum(range, values, scope)?.into())
    }

    /// The k-th smallest value, where k is the quorum of the range (the smallest, if it has none).
    pub(super) fn quorum(
        &mut self,
        range: &'m Range,
        mut values: Vec<Number>,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        if values.is_empty() {
            return Ok(Number::zero());
        }
        values.sort_by(Number::compare);
        let Some(quorum) = &range.quorum else {
            return Ok(values.swap_remove(0));
        };
        let k = self.fixed(quorum, scope)?;
        let position = (1..).zip(&values).find(|(n, _)| k == Number::from(*n));
        position.map(|(_, value)| value.clone()).ok_or_else(|| {
            let message = format!("the quorum is {k}, not one of 1, ..., {}", values.len());
            Diagnostic::error(
                message,
                quorum.span,
                "must be an integer between 1 and the number of iterations",
            )
        })
    }
}

/// Whether a range with random bounds has a number of iterations.
pub(super) fn whole(lower: &Number, upper: &Number) -> Result<(), Fault> {
    let last = upper.subtract(lower)?;
    if last.is_integer() && last.compare(&Number::from(-1)).is_ge() {
        return Ok(());
    }
    Err(format!(
        "a random bound: from {lower} to {upper}, expected a whole number of iterations from 0 on"
    ))
}
