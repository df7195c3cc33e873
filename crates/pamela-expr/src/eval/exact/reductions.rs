//! Reductions, index by index.

use super::blocks::Attempt;
use super::{EvalError, Evaluator, Frame, Number, Value, Vector, sort_mismatch};
use crate::expr::{Function, ReduceKind, Reduction, Sort, Symbol};
use crate::ring::Rational;
use crate::special::Halves;

impl Evaluator<'_> {
    /// The lower bound of a reduction and its number of iterations.
    pub(in crate::eval) fn range(
        &mut self,
        reduction: &Reduction,
    ) -> Result<(Number, Rational), EvalError> {
        let lower = self.number(reduction.lower)?;
        let upper = self.number(reduction.upper)?;
        let minus_one = Number::Exact(Rational::from(-1));
        let distance = upper.add(&lower.multiply(&minus_one)?)?;
        let last = Function::Floor.value(&distance)?;
        let count = last.as_exact().map(|last| last + Rational::ONE);
        Ok((lower, count.unwrap_or_default().max(Rational::ZERO)))
    }

    /// Runs `body` for `count` values of an index from `lower` on.
    pub(in crate::eval) fn over(
        &mut self,
        symbol: Symbol,
        lower: &Number,
        count: &Rational,
        mut body: impl FnMut(&mut Self) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let one = Number::Exact(Rational::ONE);
        let (mut index, mut done) = (lower.clone(), Rational::ZERO);
        self.frames.push(Frame::default());
        while done < *count {
            self.step()?;
            let next = index.add(&one)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.known.clear();
                frame.index = Some((symbol, index));
            }
            index = next;
            done += Rational::ONE;
            body(self)?;
        }
        self.frames.pop();
        Ok(())
    }

    /// Loops over `lower, lower + 1, ...` while `<= upper`.
    pub(super) fn reduction(
        &mut self,
        reduction: &Reduction,
        sort: Sort,
    ) -> Result<Value, EvalError> {
        let (lower, count) = self.range(reduction)?;
        let known = match self.repeated(reduction, &count)? {
            None if sort != Sort::Vector => self.by_blocks(reduction, &lower, &count)?,
            known => known,
        };
        if let Some(value) = known {
            return Ok(value);
        }
        let quorum = match reduction.kind {
            ReduceKind::Kth(quorum) => Some(self.number(quorum)?),
            _ => None,
        };
        let mut ranked: Vec<Number> = Vec::new();
        let mut values = Halves::default();
        let combine = combination(reduction.kind);
        self.over(reduction.index, &lower, &count, |this| {
            let value = this.value(reduction.body)?;
            match (reduction.kind, value) {
                (ReduceKind::Kth(_), Value::Scalar(number)) => ranked.push(number),
                (_, value) => values.push(value, |a, b| this.joined(a, b, combine))?,
            }
            Ok(())
        })?;
        let result = values.finish(|a, b| self.joined(a, b, combine))?;
        match (quorum, result) {
            (Some(quorum), _) if !ranked.is_empty() => smallest(ranked, &quorum),
            (_, Some(result)) => Ok(result),
            (_, None) if sort == Sort::Vector => Ok(Value::Vector(Vector::default())),
            (_, None) if reduction.kind == ReduceKind::Product => Ok(Rational::ONE.into()),
            (_, None) => Ok(Rational::ZERO.into()),
        }
    }

    /// The value of a reduction whose body is the same in each iteration.
    pub(super) fn repeated(&mut self, reduction: &Reduction, count: &Rational) -> Attempt<Value> {
        if count.is_zero() || self.arena.mentions(reduction.body, reduction.index) {
            return Ok(None);
        }
        let count = Number::Exact(match reduction.kind {
            ReduceKind::Sum => count.clone(),
            ReduceKind::Max | ReduceKind::Min => Rational::ONE,
            _ => return Ok(None),
        });
        Ok(match self.value(reduction.body)? {
            Value::Scalar(number) => Some(Value::Scalar(number.multiply(&count)?)),
            Value::Vector(vector) => {
                let times = |number: &Number| number.multiply(&count);
                Some(Value::Vector(vector.map(times)?))
            }
            Value::Law(_) => None,
        })
    }
}

/// The k-th smallest.
fn smallest(mut values: Vec<Number>, quorum: &Number) -> Result<Value, EvalError> {
    let rank = quorum
        .as_exact()
        .and_then(Rational::to_i64)
        .and_then(|k| usize::try_from(k).ok());
    match rank {
        Some(rank) if (1..=values.len()).contains(&rank) => {
            values.sort_by(Number::order);
            // Values that cannot be distinguished from the chosen one may be the right one.
            let own = &values[rank - 1];
            let near = values.iter().filter(|value| own.compare(value).is_err());
            let chosen = near.fold(own.clone(), |own, value| own.either(value));
            Ok(Value::Scalar(chosen))
        }
        _ => Err(EvalError::Undefined(format!(
            "the k of kth is {quorum}, not an integer from 1 to {}",
            values.len()
        ))),
    }
}

fn combination(kind: ReduceKind) -> fn(&Number, &Number) -> Result<Number, EvalError> {
    match kind {
        ReduceKind::Product => Number::multiply,
        ReduceKind::Max | ReduceKind::LawMax => larger,
        ReduceKind::Min | ReduceKind::LawMin => smaller,
        ReduceKind::Sum | ReduceKind::Kth(_) | ReduceKind::LawKth(_) | ReduceKind::Each => {
            Number::add
        }
    }
}

pub(super) fn larger(a: &Number, b: &Number) -> Result<Number, EvalError> {
    Ok(match a.compare(b) {
        Ok(order) if order.is_lt() => b.clone(),
        Ok(_) => a.clone(),
        Err(_) => a.either(b),
    })
}

pub(super) fn smaller(a: &Number, b: &Number) -> Result<Number, EvalError> {
    Ok(match a.compare(b) {
        Ok(order) if order.is_gt() => b.clone(),
        Ok(_) => a.clone(),
        Err(_) => a.either(b),
    })
}

pub(super) fn join(
    left: Value,
    right: Value,
    combine: fn(&Number, &Number) -> Result<Number, EvalError>,
) -> Result<Value, EvalError> {
    match (left, right) {
        (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(combine(&a, &b)?)),
        (Value::Vector(a), Value::Vector(b)) => Ok(Value::Vector(a.combine(b, combine)?)),
        _ => Err(sort_mismatch()),
    }
}
