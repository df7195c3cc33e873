//! Powers, and what is left of 1 beside them.
//!
//! `(1 - x)^n` for a small x and a great n, and `1 - (1 - x)^n`, lose digits step by step; by the logarithm of the power
//! they keep them.

use super::Evaluator;
use crate::eval::EvalError;
use crate::eval::{Number, Value};
use crate::expr::{ExprId, Function, Node};
use crate::operators::power;
use crate::real::Real;
use crate::ring::Rational;

/// Errors of doubles that are greater than this, relatively, come from lost digits.
const PRECISE: f64 = 1e-14;

/// The relative error of an elementary function of doubles, with some to spare.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Number of steps counted for the length of a power: it needs no common divisor.
pub(super) fn cost_of_power(power: &Rational) -> u64 {
    let words = power.bits() / 64;
    words * words.isqrt() / 64
}

impl Evaluator<'_> {
    /// `base ^ exponent`; `1 / exp(x)` is small where `exp(x)` is beyond the largest double.
    pub(super) fn power_of(&mut self, base: ExprId, exponent: ExprId) -> Result<Number, EvalError> {
        if let Node::Apply(Function::Exp, operand) = *self.arena.node(base) {
            let operand = self.number(operand)?;
            let product = operand.multiply(&self.number(exponent)?)?;
            return Function::Exp.value(&product);
        }
        let plain = power(&self.number(base)?, &self.number(exponent)?)?;
        if is_precise(&plain) {
            return Ok(plain);
        }
        let Some((log, error)) = self.logarithm_of_power(base, exponent)? else {
            return Ok(plain);
        };
        let value = log.exp();
        Ok(better(plain, value, value * (error.exp_m1() + ROUNDING)))
    }

    /// The sum of scalars or vectors.
    pub(super) fn sum_of(&mut self, list: &[ExprId]) -> Result<Value, EvalError> {
        let plain = self.fold(list, Number::add)?;
        match plain {
            Value::Scalar(number) if !is_precise(&number) => {
                let logarithm = match self.beside_one(list, true) {
                    Some(subtracted) => self.logarithm_of(subtracted)?,
                    None => None,
                };
                Ok(Value::Scalar(match logarithm {
                    Some((log, error)) => {
                        let value = -log.exp_m1();
                        better(
                            number,
                            value,
                            log.exp() * error.exp_m1() + value.abs() * ROUNDING,
                        )
                    }
                    None => number,
                }))
            }
            other => Ok(other),
        }
    }

    /// The other of two terms beside 1; with `negated`, without its factor -1.
    fn beside_one(&self, list: &[ExprId], negated: bool) -> Option<ExprId> {
        let is = |id: ExprId, value: i64| self.arena.as_number(id) == Some(&value.into());
        let other = match *list {
            [one, other] | [other, one] if is(one, 1) => other,
            _ => return None,
        };
        match self.arena.node(other) {
            _ if !negated => Some(other),
            Node::Mul(factors) => match **factors {
                [minus, factor] if is(minus, -1) => Some(factor),
                _ => None,
            },
            _ => None,
        }
    }

    /// The logarithm of an exponential or a power, with a bound of its error.
    fn logarithm_of(&mut self, id: ExprId) -> Result<Option<(f64, f64)>, EvalError> {
        match *self.arena.node(id) {
            Node::Apply(Function::Exp, operand) => {
                let operand = self.number(operand)?.to_real();
                Ok(Some((operand.value, operand.error)))
            }
            Node::Pow(base, exponent) => self.logarithm_of_power(base, exponent),
            _ => Ok(None),
        }
    }

    /// The logarithm of `(1 + x) ^ n`, with a bound of its error; `None` for other powers.
    fn logarithm_of_power(
        &mut self,
        base: ExprId,
        exponent: ExprId,
    ) -> Result<Option<(f64, f64)>, EvalError> {
        let arena = self.arena;
        let Node::Add(list) = arena.node(base) else {
            return Ok(None);
        };
        let Some(excess) = self.beside_one(list, false) else {
            return Ok(None);
        };
        let (x, n) = (
            self.number(excess)?.to_real(),
            self.number(exponent)?.to_real(),
        );
        if x.value - x.error <= -0.5 {
            return Ok(None);
        }
        let log = x.value.ln_1p();
        let error = 2.0 * x.error + log.abs() * ROUNDING;
        let product = n.value * log;
        let error = (n.value.abs() + n.error) * error + n.error * log.abs();
        Ok(Some((product, error + product.abs() * ROUNDING)))
    }
}

fn is_precise(number: &Number) -> bool {
    match number {
        Number::Exact(_) => true,
        Number::Real(real) => real.error <= PRECISE * real.value.abs(),
    }
}

/// The double with the smaller error.
fn better(plain: Number, value: f64, error: f64) -> Number {
    let Number::Real(known) = &plain else {
        return plain;
    };
    match Real::within(value, error) {
        Ok(found) if found.error < known.error => Number::Real(found),
        _ => plain,
    }
}
