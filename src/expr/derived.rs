//! Functions that are others in disguise, and the numbers in them that are rational.

use super::{Arena, ExprId, Function, Relation};
use crate::real;
use crate::ring::Rational;
use num_traits::One;

/// Binomial coefficients of fewer elements are polynomials.
const MAX_MULTIPLIED_CHOICE: i64 = 4;

impl Arena {
    /// `log(operand) / log(base)`
    pub fn log_to(&mut self, operand: ExprId, base: ExprId) -> ExprId {
        let (log, of_base) = (
            self.apply(Function::Log, operand),
            self.apply(Function::Log, base),
        );
        self.divide(log, of_base)
    }

    /// `operand^(1/order)`
    pub fn root(&mut self, operand: ExprId, order: ExprId) -> ExprId {
        let inverse = self.reciprocal(order);
        self.pow(operand, inverse)
    }

    /// How many subsets of `k` elements a set of `n` has.
    pub fn choose(&mut self, n: ExprId, k: ExprId) -> ExprId {
        let zero = self.number(0);
        if let Some(few) = self.as_number(k).and_then(Rational::to_i64)
            && few <= MAX_MULTIPLIED_CHOICE
        {
            return self.choose_few(n, few);
        }
        let rest = self.subtract(n, k);
        let factorials = [n, k, rest].map(|x| self.apply(Function::Factorial, x));
        let below = self.mul(&factorials[1..]);
        let quotient = self.divide(factorials[0], below);
        let (from, to) = (
            self.relate(Relation::LessEqual, zero, k),
            self.relate(Relation::LessEqual, k, n),
        );
        let inside = self.mul(&[from, to]);
        self.if_else(inside, quotient, zero)
    }

    /// `n (n-1) ... (n-k+1) / k!`; 0 for negative `k`.
    fn choose_few(&mut self, n: ExprId, k: i64) -> ExprId {
        if k < 0 {
            return self.number(0);
        }
        let mut factors = Vec::new();
        for i in 0..k {
            let less = self.number(-i);
            let divisor = self.number(i + 1);
            factors.push(self.add(&[n, less]));
            factors.push(self.reciprocal(divisor));
        }
        self.mul(&factors)
    }
}

/// A number as a power of another one; `None` where it is a power of nothing less.
pub(super) fn root_of_number(value: &Rational) -> Option<(Rational, Rational)> {
    if !value.is_positive() || value.is_one() || value.bits() > MAX_FOLDED_BITS {
        return None;
    }
    let (base, power) = real::perfect_power(&value.to_big());
    (!power.is_one()).then(|| (base.into(), power.into()))
}

/// Numbers of more bits are not searched for roots.
const MAX_FOLDED_BITS: u64 = 256;

/// `base^exponent`, where that is rational and the base positive.
pub(super) fn rational_power(base: &Rational, exponent: &Rational) -> Option<Rational> {
    let small = base.is_positive() && base.bits() <= MAX_FOLDED_BITS;
    let size = exponent.abs().checked_div(&Rational::from(64))?;
    if !small || size > Rational::ONE {
        return None;
    }
    real::rational_power(&base.to_big(), &exponent.to_big()).map(Rational::from)
}
