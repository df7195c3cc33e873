//! Definitional evaluation of ranges, one iteration after another.

use std::cmp::Ordering;

use super::Sort;
use super::evaluate::{Evaluator, at};
use super::number::{Fault, Number};
use super::scope::{Local, Scope, bind};
use super::value::{Value, Vector};
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{MulOp, Range, ReduceKind, Reduction};

/// A range as it runs.
pub(super) struct Indices {
    next: Number,
    upper: Number,
    stride: Number,
    span: Span,
}

impl Indices {
    pub(super) fn between(lower: Number, upper: Number, stride: Number, range: &Range) -> Indices {
        Indices {
            next: lower,
            upper,
            stride,
            span: range.index.span,
        }
    }

    /// True if the next index is beyond the last one.
    fn have_passed(&self) -> Result<bool, Fault> {
        let beyond = self.next.compare(&self.upper)?;
        Ok(match self.stride.compare(&Number::zero())? {
            Ordering::Less => beyond.is_lt(),
            _ => beyond.is_gt(),
        })
    }
}

impl<'m> Evaluator<'m> {
    /// The indices of a range: `lower, lower + step, ...` until `upper` is passed.
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
        let stride = self.stride(range, scope)?;
        if drawn {
            let place = range.lower.span.to(range.upper.span);
            at(whole(&next, &upper, &stride), place)?;
        }
        let indices = Indices::between(next, upper, stride, range);
        self.empty += u64::from(at(indices.have_passed(), indices.span)?);
        Ok(indices)
    }

    /// The step of a range.
    pub(super) fn stride(
        &mut self,
        range: &'m Range,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let Some(step) = &range.step else {
            return Ok(Number::one());
        };
        let stride = self.fixed(step, scope)?;
        if stride.is_zero() {
            let message = "the step of a range is 0";
            return Err(Diagnostic::error(message, step.span, "must not be 0"));
        }
        Ok(stride)
    }

    /// The next index and the scope in which it is bound.
    pub(super) fn advance(
        &mut self,
        indices: &mut Indices,
        range: &'m Range,
        scope: &Scope<'m>,
    ) -> Result<Option<Scope<'m>>, Diagnostic> {
        self.step(indices.span, 1)?;
        if at(indices.have_passed(), indices.span)? {
            return Ok(None);
        }
        let after = at(indices.next.add(&indices.stride), indices.span)?;
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
                let index = bind(&range.index.text, Local::Index(Number::zero()), scope);
                let extent = self.extent(&reduction.body, &index);
                Value::Vector(extent.map(Vector::of_extent).unwrap_or_default())
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
        values.sort_by(Number::order);
        let Some(quorum) = &range.quorum else {
            return Ok(within_reach(&values, 0));
        };
        let k = self.fixed(quorum, scope)?;
        let position = (0..values.len()).find(|n| k == Number::from(*n as i64 + 1));
        position.map(|n| within_reach(&values, n)).ok_or_else(|| {
            let message = format!("the quorum is {k}, not one of 1, ..., {}", values.len());
            Diagnostic::error(
                message,
                quorum.span,
                "must be an integer between 1 and the number of iterations",
            )
        })
    }
}

/// One of ascending values, enlarged to contain all values that cannot be distinguished from it.
fn within_reach(values: &[Number], position: usize) -> Number {
    let own = &values[position];
    let near = values.iter().filter(|value| own.compare(value).is_err());
    near.fold(own.clone(), |own, value| own.either(value))
}

/// Fails unless a range with random bounds has a whole number of iterations.
pub(super) fn whole(lower: &Number, upper: &Number, stride: &Number) -> Result<(), Fault> {
    let last = upper.subtract(lower)?.divide(stride)?;
    if last.is_integer()? && last.compare(&Number::from(-1))?.is_ge() {
        return Ok(());
    }
    Err(format!(
        "a random bound: from {lower} to {upper}, expected a whole number of iterations from 0 on"
    ))
}
