//! The operations of the language on numbers; where they are undefined they say why.

use super::EvalError;
use super::value::{Number, Real};
use crate::expr::{Function, Relation};
use crate::ring::Rational;
use crate::special;

fn undefined<T>(reason: &str) -> Result<T, EvalError> {
    Err(EvalError::Undefined(reason.to_string()))
}

/// `base ^ exponent`; `0 ^ 0` is 1.
pub(super) fn power(base: &Number, exponent: &Number) -> Result<Number, EvalError> {
    if exponent.is_zero() {
        return Ok(Number::Exact(Rational::ONE));
    }
    if base.is_zero() {
        let negative = exponent.to_f64() < 0.0;
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
    let (base, exponent) = (base.to_real(), exponent.to_real());
    if base.value < 0.0 && exponent.value.fract() != 0.0 {
        return undefined("a fractional power of a negative number");
    }
    let value = base.value.powf(exponent.value);
    let by_base = exponent.value * base.error / base.value;
    let by_exponent = base.value.abs().ln() * exponent.error;
    Number::real_within(value, value.abs() * (by_base.abs() + by_exponent.abs()))
}

/// `a mod b = a - b * floor(a / b)`
pub(super) fn modulo(a: &Number, b: &Number) -> Result<Number, EvalError> {
    if b.to_f64() <= 0.0 {
        return undefined("mod takes a divisor greater than zero");
    }
    if let (Number::Exact(a), Number::Exact(b)) = (a, b) {
        return match a.checked_div(b) {
            Some(quotient) => Number::exact(a - b * quotient.floor()),
            None => undefined("a division by zero"),
        };
    }
    let (a, b) = (a.to_real(), b.to_real());
    let quotient = Real {
        value: a.value / b.value,
        error: (a.error + (a.value / b.value * b.error).abs()) / b.value,
    };
    let carried = a.error + quotient.value.floor().abs() * b.error;
    let crossed = b.value * missed_steps(quotient, f64::floor);
    Number::real_within(a.value.rem_euclid(b.value), carried + crossed)
}

pub(super) fn apply(function: Function, operand: &Number) -> Result<Number, EvalError> {
    match (function, operand) {
        (Function::Sqrt, _) => square_root(operand),
        (Function::Log, _) => logarithm(operand),
        (Function::Exp, Number::Exact(x)) if x.is_zero() => Ok(Number::Exact(Rational::ONE)),
        (Function::Exp, x) => {
            let x = x.to_real();
            Number::real_within(x.value.exp(), x.value.exp() * x.error)
        }
        (Function::Floor, Number::Exact(x)) => Ok(Number::Exact(x.floor())),
        (Function::Ceil, Number::Exact(x)) => Ok(Number::Exact(x.ceil())),
        (Function::Abs, Number::Exact(x)) => Ok(Number::Exact(x.abs())),
        (Function::Harmonic(order), x) => harmonic(x, order),
        (Function::Factorial, x) => factorial(x),
        (Function::LogGamma, x) => ln_gamma(x),
        (Function::Floor, Number::Real(x)) => stepwise(*x, f64::floor),
        (Function::Ceil, Number::Real(x)) => stepwise(*x, f64::ceil),
        (Function::Abs, Number::Real(x)) => Number::real_within(x.value.abs(), x.error),
        (Function::Integer, Number::Exact(x)) => Ok(truth(x.is_integer())),
        (Function::Integer, Number::Real(x)) => Ok(truth(x.value.fract() == 0.0)),
    }
}

fn stepwise(x: Real, step: fn(f64) -> f64) -> Result<Number, EvalError> {
    Number::real_within(step(x.value), missed_steps(x, step))
}

/// How many steps of 1 lie within the error.
fn missed_steps(x: Real, step: fn(f64) -> f64) -> f64 {
    step(x.value + x.error) - step(x.value - x.error)
}

fn square_root(operand: &Number) -> Result<Number, EvalError> {
    let Number::Exact(x) = operand else {
        let x = operand.to_real();
        return if x.value < 0.0 {
            undefined("the square root of a negative number")
        } else {
            let root = x.value.sqrt();
            Number::real_within(root, x.error.sqrt().min(x.error / root))
        };
    };
    if x.is_negative() {
        return undefined("the square root of a negative number");
    }
    let (numerator, denominator) = (x.numerator().sqrt(), x.denominator().sqrt());
    let root = Rational::from(numerator).checked_div(&Rational::from(denominator));
    match root {
        Some(root) if &root * &root == *x => Ok(Number::Exact(root)),
        _ => Number::real(x.to_f64().sqrt()),
    }
}

fn logarithm(operand: &Number) -> Result<Number, EvalError> {
    match operand {
        Number::Exact(x) if x.is_one() => Ok(Number::Exact(Rational::ZERO)),
        Number::Exact(x) if !x.is_positive() => undefined("the logarithm of a number <= 0"),
        Number::Real(x) if x.value <= 0.0 => undefined("the logarithm of a number <= 0"),
        x => {
            let x = x.to_real();
            Number::real_within(x.value.ln(), x.error / x.value)
        }
    }
}

/// The whole number that the operand is, if it is exact and fits.
fn count(operand: &Number, function: &str) -> Result<Option<u64>, EvalError> {
    let x = operand.to_f64();
    let whole = match operand {
        Number::Exact(x) => x.is_integer(),
        Number::Real(x) => x.value.fract() == 0.0,
    };
    if !whole || x < 0.0 {
        return undefined(&format!("{function} of what is not a whole number >= 0"));
    }
    let exact = operand.as_exact().and_then(Rational::to_i64);
    Ok(exact.and_then(|n| u64::try_from(n).ok()))
}

fn harmonic(operand: &Number, order: u32) -> Result<Number, EvalError> {
    match count(operand, "H")? {
        Some(n) if n.saturating_mul(order.into()) <= special::MAX_EXACT_HARMONIC => {
            Number::exact(special::exact_harmonic(n, order).into())
        }
        _ => {
            let n = operand.to_real();
            Number::real_within(
                special::harmonic(n.value, order),
                n.error / n.value.max(1.0),
            )
        }
    }
}

fn factorial(operand: &Number) -> Result<Number, EvalError> {
    match (count(operand, "fact")?, operand) {
        (Some(n), _) if n <= special::MAX_EXACT_FACTORIAL => {
            Number::exact(special::exact_factorial(n).into())
        }
        (_, Number::Exact(_)) => Err(EvalError::TooLarge),
        (_, Number::Real(n)) => {
            let value = special::factorial(n.value);
            Number::real_within(value, value * digamma_bound(n.value + 1.0) * n.error)
        }
    }
}

fn ln_gamma(operand: &Number) -> Result<Number, EvalError> {
    if let Some(value) = operand.as_exact().and_then(|x| Function::LogGamma.exact(x)) {
        return Ok(Number::Exact(value));
    }
    let x = operand.to_real();
    if x.value <= 0.0 {
        return undefined("lgamma of a number <= 0");
    }
    Number::real_within(special::ln_gamma(x.value), digamma_bound(x.value) * x.error)
}

/// At least the size of the slope of `lgamma` at `x > 0`, which lies between `ln x - 1/x` and `ln x`.
fn digamma_bound(x: f64) -> f64 {
    x.ln().abs() + 1.0 / x
}

pub(super) fn relate(relation: Relation, a: &Number, b: &Number) -> Number {
    let order = a.compare(b);
    truth(match relation {
        Relation::Less => order.is_lt(),
        Relation::LessEqual => order.is_le(),
        Relation::Equal => order.is_eq(),
    })
}

fn truth(holds: bool) -> Number {
    Number::Exact(Rational::from(i64::from(holds)))
}
