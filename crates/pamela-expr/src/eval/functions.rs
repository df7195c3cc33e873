//! Operations of the language on numbers; errors say why a result is undefined.

use super::EvalError;
use super::value::Number;
use crate::expr::{Function, Relation};
use crate::real::Real;
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

fn is_integer(x: &Number) -> Result<bool, EvalError> {
    match x {
        Number::Exact(x) => Ok(x.is_integer()),
        Number::Real(x) => Ok(x.is_integer()?),
    }
}

/// `a mod b = a - b * floor(a / b)`
pub(super) fn modulo(a: &Number, b: &Number) -> Result<Number, EvalError> {
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
    let whole = apply(Function::Floor, &quotient)?.multiply(b)?;
    a.add(&whole.multiply(&Number::Exact(Rational::from(-1)))?)
}

/// `gcd(a, b)`
pub(super) fn common_divisor(a: &Number, b: &Number) -> Result<Number, EvalError> {
    let whole = |x: &Number| {
        if is_integer(x)? {
            apply(Function::Floor, x)
        } else {
            undefined("gcd takes whole numbers")
        }
    };
    match (whole(a)?, whole(b)?) {
        (Number::Exact(a), Number::Exact(b)) => {
            let divisor = a.common_divisor(&b).ok_or(EvalError::TooLarge)?;
            Number::exact(divisor)
        }
        _ => Err(EvalError::TooLarge),
    }
}

/// `floorsum(n, m, a, b, p, q)`, with its number of steps.
pub(super) fn floor_sum(
    operands: [Result<Number, EvalError>; 6],
) -> Result<(Number, u64), EvalError> {
    let mut whole = Vec::new();
    for operand in operands {
        let operand = operand?;
        match is_integer(&operand)?.then(|| apply(Function::Floor, &operand)) {
            Some(Ok(Number::Exact(number))) => whole.push(number),
            Some(_) => return Err(EvalError::TooLarge),
            None => return undefined("floorsum takes whole numbers"),
        }
    }
    let [n, m, a, b, p, q] = whole.as_slice() else {
        return Err(EvalError::TooLarge);
    };
    if [n, p, q].into_iter().any(Rational::is_negative) {
        return undefined("floorsum takes a count and powers from 0 on");
    }
    if !m.is_positive() {
        return undefined("floorsum takes a divisor greater than zero");
    }
    let powers = (p + q)
        .to_i64()
        .and_then(|powers| u64::try_from(powers).ok());
    let Some(powers) = powers.filter(|&powers| powers <= 6) else {
        return undefined("floorsum takes powers that are at most 6 together");
    };
    let sum = Rational::floor_sum([n, m, a, b, p, q]).ok_or(EvalError::TooLarge)?;
    // There are about as many steps as m has bits, each with sums of all powers, of numbers as long as the longest.
    let longest = whole.iter().map(Rational::bits).max().unwrap_or(0);
    let steps = 2 * m.bits() * (powers + 1).pow(3) * (1 + longest / 64);
    Ok((Number::exact(sum)?, steps))
}

pub(super) fn apply(function: Function, operand: &Number) -> Result<Number, EvalError> {
    match (function, operand) {
        (Function::Sqrt, _) => square_root(operand),
        (Function::Log, _) => logarithm(operand),
        (Function::Exp, x) => Number::known(x.to_real().exp()),
        (Function::Floor, Number::Exact(x)) => Ok(Number::Exact(x.floor())),
        (Function::Ceil, Number::Exact(x)) => Ok(Number::Exact(x.ceil())),
        (Function::Abs, Number::Exact(x)) => Ok(Number::Exact(x.abs())),
        (Function::Harmonic(order), x) => harmonic(x, order),
        (Function::Factorial, x) => factorial(x),
        (Function::LogGamma, x) => ln_gamma(x),
        (Function::Floor, Number::Real(x)) => Number::exact(Rational::from(x.floor()?)),
        (Function::Ceil, Number::Real(x)) => Number::exact(-Rational::from(x.negate().floor()?)),
        (Function::Abs, Number::Real(x)) => Ok(Number::Real(x.abs())),
        (Function::Integer, x) => Ok(truth(is_integer(x)?)),
    }
}

fn square_root(operand: &Number) -> Result<Number, EvalError> {
    let negative = operand.compare(&Number::Exact(Rational::ZERO))?.is_lt();
    if negative {
        return undefined("the square root of a negative number");
    }
    let half = Rational::new(1, 2).unwrap_or_default();
    power(operand, &Number::Exact(half))
}

fn logarithm(operand: &Number) -> Result<Number, EvalError> {
    if operand.compare(&Number::Exact(Rational::ZERO))?.is_le() {
        return undefined("the logarithm of a number <= 0");
    }
    Number::known(match operand {
        Number::Exact(x) => Real::log_of(&x.to_big()),
        Number::Real(x) => x.log(),
    })
}

/// The whole number that the operand is, if it is exact and fits.
fn count(operand: &Number, function: &str) -> Result<Option<u64>, EvalError> {
    let negative = operand.compare(&Number::Exact(Rational::ZERO))?.is_lt();
    if negative || !is_integer(operand)? {
        return undefined(&format!(
            "{function} of a number that is not an integer >= 0"
        ));
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
    if operand.compare(&Number::Exact(Rational::ZERO))?.is_le() {
        return undefined("lgamma of a number <= 0");
    }
    let n = operand.as_exact().and_then(Rational::to_i64);
    if let Some(n) = n.and_then(|n| u64::try_from(n).ok()) {
        if n > special::MAX_EXACT_LOG_GAMMA {
            let near = special::ln_gamma(n as f64);
            return Number::known(Real::log_gamma_of(&n.into(), near));
        }
        let factorial = special::exact_factorial(n - 1);
        return Number::known(Real::log_of(&factorial.into()));
    }
    let x = operand.to_real();
    // Near 1 and 2, where the value is 0, the error is absolute.
    let error = digamma_bound(x.value) * x.error + 4.0 * f64::EPSILON;
    Number::real_within(special::ln_gamma(x.value), error)
}

/// At least the size of the slope of `lgamma` at `x > 0`, which lies between `ln x - 1/x` and `ln x`.
fn digamma_bound(x: f64) -> f64 {
    x.ln().abs() + 1.0 / x
}

pub(super) fn relate(relation: Relation, a: &Number, b: &Number) -> Result<Number, EvalError> {
    let order = a.compare(b)?;
    Ok(truth(match relation {
        Relation::Less => order.is_lt(),
        Relation::LessEqual => order.is_le(),
        Relation::Equal => order.is_eq(),
    }))
}

fn truth(holds: bool) -> Number {
    Number::Exact(Rational::from(i64::from(holds)))
}
