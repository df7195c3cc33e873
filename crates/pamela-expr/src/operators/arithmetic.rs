//! Powers, remainders and what the rows of functions share; errors say why a result is undefined.

use crate::number::{EvalError, Number};
use crate::real;
use crate::ring::Rational;

/// Numbers of more bits are not searched for roots.
pub const MAX_FOLDED_BITS: u64 = 256;

/// Special functions of greater numbers stay as they are: their values are long.
const MAX_FOLDED: u64 = 20;

pub(super) fn undefined<T>(reason: &str) -> Result<T, EvalError> {
    Err(EvalError::Undefined(reason.to_string()))
}

/// `base ^ exponent`; `0 ^ 0` is 1.
///
/// # Errors
/// Fails for a negative power of 0, a fractional one of a negative number, and results that are too long.
pub fn power(base: &Number, exponent: &Number) -> Result<Number, EvalError> {
    if exponent.is_zero() {
        return Ok(Number::Exact(Rational::ONE));
    }
    if base.is_zero() {
        let negative = exponent.compare(&Number::Exact(Rational::ZERO))?.is_lt();
        return if negative {
            undefined("a division by zero")
        } else {
            Ok(Number::Exact(Rational::ZERO))
        };
    }
    if let (Number::Exact(base), Number::Exact(power)) = (base, exponent)
        && power.is_integer()
    {
        let result = power.to_i64().and_then(|power| base.pow(power));
        return result.ok_or(EvalError::TooLarge).and_then(Number::exact);
    }
    let negative = base.compare(&Number::Exact(Rational::ZERO))?.is_lt();
    if negative && !is_integer(exponent)? {
        return undefined("a fractional power of a negative number");
    }
    Number::known(base.to_real().power(&exponent.to_real()))
}

pub(super) fn is_integer(x: &Number) -> Result<bool, EvalError> {
    match x {
        Number::Exact(x) => Ok(x.is_integer()),
        Number::Real(x) => Ok(x.is_integer()?),
    }
}

/// `a mod b = a - b * floor(a / b)`
///
/// # Errors
/// Fails for a divisor that is not positive, and where a step is too close to decide.
pub fn modulo(a: &Number, b: &Number) -> Result<Number, EvalError> {
    if b.compare(&Number::Exact(Rational::ZERO))?.is_le() {
        return undefined("mod takes a divisor greater than zero");
    }
    if let (Number::Exact(a), Number::Exact(b)) = (a, b) {
        return match a.checked_div(b) {
            Some(quotient) => Number::exact(a - b * quotient.floor()),
            None => undefined("a division by zero"),
        };
    }
    let quotient = Number::known(a.to_real().divide(&b.to_real()))?;
    let whole = quotient.floor()?.multiply(b)?;
    a.add(&whole.multiply(&Number::Exact(Rational::from(-1)))?)
}

/// The whole number that the operand is, if it is exact and fits.
pub(super) fn count(operand: &Number, function: &str) -> Result<Option<u64>, EvalError> {
    let negative = operand.compare(&Number::Exact(Rational::ZERO))?.is_lt();
    if negative || !is_integer(operand)? {
        return undefined(&format!(
            "{function} of a number that is not an integer >= 0"
        ));
    }
    let exact = operand.as_exact().and_then(Rational::to_i64);
    Ok(exact.and_then(|n| u64::try_from(n).ok()))
}

/// The whole number that `x` is, if it is not negative and as short as a number of this order may be that is written out.
pub(super) fn short_count(x: &Rational, order: u32) -> Option<u64> {
    let n = x.to_i64().and_then(|n| u64::try_from(n).ok())?;
    (n <= MAX_FOLDED / u64::from(order)).then_some(n)
}

/// At least the size of the slope of `lgamma` at `x > 0`, which lies between `ln x - 1/x` and `ln x`.
pub(super) fn digamma_bound(x: f64) -> f64 {
    x.ln().abs() + 1.0 / x
}

/// `base^exponent`, if it is rational and the base is positive.
pub fn rational_power(base: &Rational, exponent: &Rational) -> Option<Rational> {
    let small = base.is_positive() && base.bits() <= MAX_FOLDED_BITS;
    let size = exponent.abs().checked_div(&Rational::from(64))?;
    if !small || size > Rational::ONE {
        return None;
    }
    real::rational_power(&base.to_big(), &exponent.to_big()).map(Rational::from)
}

/// Whole operands, exactly.
pub(super) fn whole(operands: &[Number], reason: &str) -> Result<Vec<Rational>, EvalError> {
    let one = |x: &Number| match is_integer(x)?.then(|| x.floor()) {
        Some(Ok(Number::Exact(number))) => Ok(number),
        Some(_) => Err(EvalError::TooLarge),
        None => undefined(reason),
    };
    operands.iter().map(one).collect()
}
