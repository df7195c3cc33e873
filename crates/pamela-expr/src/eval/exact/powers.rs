//! Powers.

use super::super::EvalError;
use super::super::functions::{apply, power};
use super::super::value::Number;
use super::Evaluator;
use crate::expr::{ExprId, Function, Node};
use crate::ring::Rational;

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
            return apply(Function::Exp, &product);
        }
        power(&self.number(base)?, &self.number(exponent)?)
    }
}
