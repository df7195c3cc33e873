//! Operators of the definitional evaluator, for scalars and vectors.

use super::evaluate::{Evaluator, at};
use super::number::{Fault, Number};
use super::value::{Value, Vector};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::MulOp;

/// An operation on roots, logarithms and exponentials takes as long as this many operations on fractions.
pub(super) const IRRATIONAL_STEPS: u64 = 32;

impl Evaluator<'_> {
    /// The function of a scalar, or of each component that a vector names.
    pub(super) fn map(
        &mut self,
        value: &Value,
        span: Span,
        function: impl Fn(&Number) -> Result<Number, Fault>,
    ) -> Result<Value, Diagnostic> {
        match value {
            Value::Scalar(number) => {
                let result = at(function(number), span)?;
                if let (Number::Real(_), _) | (_, Number::Real(_)) = (number, &result) {
                    self.step(span, IRRATIONAL_STEPS)?;
                }
                Ok(result.into())
            }
            Value::Vector(vector) => {
                if !Vector::keeps_zero(&function) {
                    self.step(span, vector.len())?;
                }
                Ok(Value::Vector(at(vector.map(function), span)?))
            }
        }
    }

    pub(super) fn add(&mut self, a: Value, b: Value, span: Span) -> Result<Value, Diagnostic> {
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(at(a.add(&b), span)?.into()),
            (Value::Vector(a), Value::Vector(b)) => {
                Ok(Value::Vector(at(a.combine(&b, Number::add), span)?))
            }
            (Value::Scalar(scalar), vector) | (vector, Value::Scalar(scalar)) => {
                self.map(&vector, span, |x| x.add(&scalar))
            }
        }
    }

    /// `product op factor`
    pub(super) fn factor(
        &mut self,
        op: MulOp,
        product: Value,
        factor: Value,
        span: Span,
    ) -> Result<Value, Diagnostic> {
        match (op, product, factor) {
            (MulOp::Multiply, Value::Vector(a), Value::Vector(b)) => {
                Ok(Value::Vector(at(a.combine(&b, Number::multiply), span)?))
            }
            (MulOp::Multiply, Value::Scalar(scalar), value)
            | (MulOp::Multiply, value, Value::Scalar(scalar)) => {
                self.map(&value, span, |x| x.multiply(&scalar))
            }
            (MulOp::Divide, product, Value::Scalar(divisor)) => {
                self.map(&product, span, |x| x.divide(&divisor))
            }
            (MulOp::Modulo, Value::Scalar(a), Value::Scalar(b)) => {
                Ok(at(a.modulo(&b), span)?.into())
            }
            (MulOp::FloorDivide, Value::Scalar(a), Value::Scalar(b)) => {
                Ok(at(a.floor_divide(&b), span)?.into())
            }
            _ => Err(Diagnostic::error(
                "expected a scalar, found a vector",
                span,
                "a side of this is a vector",
            )),
        }
    }

    /// The larger or the smaller of two scalars, or elementwise of two vectors.
    pub(super) fn extreme(
        &mut self,
        largest: bool,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Result<Value, Diagnostic> {
        let pick = if largest { Number::max } else { Number::min };
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(pick(a.clone(), b.clone()).into()),
            (Value::Vector(a), Value::Vector(b)) => Ok(Value::Vector(at(
                a.combine(b, |x, y| Ok(pick(x.clone(), y.clone()))),
                span,
            )?)),
            _ => Err(Diagnostic::error(
                "maximum or minimum of a vector and a scalar",
                span,
                "of different sorts",
            )),
        }
    }
}
