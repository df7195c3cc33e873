//! Numbers that stay exact as long as possible.

use std::cmp::Ordering;
use std::fmt;

use crate::law::shortest;
use crate::real::{Fault, Real, RealOrRational};
use crate::ring::Rational;

/// Numbers of more bits are given up.
const MAX_BITS: u64 = 1_000_000;

/// A scalar: exact, or real once an irrational function occurs.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Exact(Rational),
    Real(Real),
}

/// Reason why an expression has no value at a point, or why none was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// An operation is undefined there, such as a division by zero.
    Undefined(String),
    /// No double is near the value.
    NotFinite,
    /// A step or a comparison lies within the error.
    Undecided(String),
    /// A parameter has no value.
    Unbound(String),
    /// The limit of steps was exceeded.
    TooManySteps(u64),
    /// An exact number has too many digits.
    TooLarge,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Undefined(reason) => write!(f, "undefined: {reason}"),
            EvalError::NotFinite => write!(f, "undefined: {}", crate::real::Fault::NotFinite),
            EvalError::Undecided(reason) => f.write_str(reason),
            EvalError::Unbound(name) => write!(f, "the parameter `{name}` has no value"),
            EvalError::TooManySteps(limit) => write!(f, "more than {limit} steps of evaluation"),
            EvalError::TooLarge => f.write_str("an exact number has more than a million bits"),
        }
    }
}

impl std::error::Error for EvalError {}

impl Number {
    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64(),
            Number::Real(real) => real.value,
        }
    }

    /// The number as a double with its error.
    pub fn to_real(&self) -> Real {
        match self {
            Number::Exact(value) => Real::rational(&value.to_big()),
            Number::Real(real) => real.clone(),
        }
    }

    /// See [`Value::cost`]: reducing a fraction takes quadratic time.
    pub fn cost(&self) -> u64 {
        match self {
            Number::Exact(value) if value.is_integer() => value.bits() / 64,
            Number::Exact(value) => (value.bits() / 64).pow(2) / 64,
            Number::Real(_) => 0,
        }
    }

    /// The value of an exact number.
    pub fn as_exact(&self) -> Option<&Rational> {
        match self {
            Number::Exact(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_zero(),
            Number::Real(real) => real.sign() == Ok(Ordering::Equal),
        }
    }

    pub fn exact(value: Rational) -> Result<Number, EvalError> {
        if value.bits() > MAX_BITS {
            return Err(EvalError::TooLarge);
        }
        Ok(Number::Exact(value))
    }

    /// A double whose error is at most its last digit.
    pub fn real(value: f64) -> Result<Number, EvalError> {
        Number::real_within(value, 0.0)
    }

    /// A double computed from others, with the resulting error.
    pub fn real_within(value: f64, error: f64) -> Result<Number, EvalError> {
        Ok(Number::Real(Real::within(value, error)?))
    }

    pub fn known(result: Result<RealOrRational, Fault>) -> Result<Number, EvalError> {
        match result? {
            RealOrRational::Rational(value) => Number::exact(value.into()),
            RealOrRational::Real(real) => Ok(Number::Real(real)),
        }
    }

    /// Compares the values.
    ///
    /// # Errors
    /// Fails if they are too close to decide.
    pub fn compare(&self, other: &Number) -> Result<Ordering, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Ok(a.cmp(b)),
            (a, b) => Ok(a.to_real().compare(&b.to_real())?),
        }
    }

    /// Compares the values; undecidable pairs count as equal.
    pub fn order(&self, other: &Number) -> Ordering {
        self.compare(other).unwrap_or(Ordering::Equal)
    }

    /// A number that is one of two indistinguishable numbers.
    pub fn either(&self, other: &Number) -> Number {
        Number::Real(self.to_real().either(&other.to_real()))
    }

    /// The greatest integer that is not greater.
    ///
    /// # Errors
    /// Fails if two are too close to decide.
    pub fn floor(&self) -> Result<Number, EvalError> {
        match self {
            Number::Exact(x) => Ok(Number::Exact(x.floor())),
            Number::Real(x) => Number::exact(Rational::from(x.floor()?)),
        }
    }

    pub fn add(&self, other: &Number) -> Result<Number, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a + b),
            (a, b) => Number::known(a.to_real().add(&b.to_real())),
        }
    }

    /// The product.
    ///
    /// # Errors
    /// Fails if it is too large.
    pub fn multiply(&self, other: &Number) -> Result<Number, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a * b),
            (a, b) => Number::known(a.to_real().multiply(&b.to_real())),
        }
    }
}

impl From<Fault> for EvalError {
    fn from(fault: Fault) -> EvalError {
        match fault {
            Fault::NotFinite => EvalError::NotFinite,
            Fault::Undecided(reason) => EvalError::Undecided(reason),
        }
    }
}

/// Text that reads back as the same value: exact where that is short, else 17 significant digits.
impl Number {
    /// True for an exact whole number.
    pub fn is_whole(&self) -> bool {
        matches!(self, Number::Exact(value) if value.is_integer())
    }

    /// The exact decimal if it terminates and the number is not very long, else the nearest double.
    pub fn decimal_text(&self) -> String {
        /// Whole numbers of more than 64 digits are not printed in full.
        const MAX_WHOLE_BITS: u64 = 212;
        match self {
            Number::Exact(value) if value.is_integer() && value.bits() > MAX_WHOLE_BITS => {
                value.to_scientific()
            }
            Number::Exact(value) if !value.is_integer() && value.to_decimal().is_none() => {
                match value.to_f64() {
                    double if double.is_normal() => Number::Real(Real::double(double)).to_string(),
                    _ => value.to_scientific(),
                }
            }
            other => other.to_string(),
        }
    }

    /// The exact fraction, at any length.
    pub fn exact_text(&self) -> String {
        match self {
            Number::Exact(value) if !value.is_integer() => match value.to_decimal() {
                Some(decimal) => decimal,
                None => value.to_string(),
            },
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer fractions are not for reading.
        const MAX_FRACTION_BITS: u64 = 40;
        match self {
            Number::Exact(value) => match value.to_decimal() {
                Some(decimal) => f.write_str(&decimal),
                None if value.is_integer() || value.bits() <= MAX_FRACTION_BITS => {
                    fmt::Display::fmt(value, f)
                }
                None => match value.to_f64() {
                    double if double.is_normal() => f.write_str(&shortest::text(double)),
                    _ => f.write_str(&value.to_scientific()),
                },
            },
            Number::Real(real) => f.write_str(&shortest::text(real.value)),
        }
    }
}
