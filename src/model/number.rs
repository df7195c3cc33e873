//! Numbers of the definitional evaluator: exact, until a root or a logarithm makes them real.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::special;

/// Bits past which an integer counts as an error of the model.
const MAX_BITS: u64 = 1_000_000;

/// The same for numerator and denominator of a fraction, whose reduction takes quadratic time.
const MAX_FRACTION_BITS: u64 = 200_000;

/// A scalar value.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Exact(BigRational),
    /// The nearest double, once `sqrt`, `log`, `exp` or a fractional power has no rational value.
    Real(f64),
}

/// Why an operation has no value.
pub(super) type Fault = String;

fn exact(value: BigRational) -> Result<Number, Fault> {
    let limit = if value.is_integer() {
        MAX_BITS
    } else {
        MAX_FRACTION_BITS
    };
    if value.numer().bits().max(value.denom().bits()) > limit {
        return Err(too_long(limit));
    }
    Ok(Number::Exact(value))
}

fn too_long(limit: u64) -> Fault {
    format!("the number is too long: its exact value has more than {limit} bits")
}

fn real(value: f64) -> Result<Number, Fault> {
    if value.is_finite() {
        Ok(Number::Real(value))
    } else {
        Err("the value is not a finite number".to_owned())
    }
}

impl Number {
    pub fn zero() -> Number {
        Number::Exact(BigRational::zero())
    }

    pub fn one() -> Number {
        Number::Exact(BigRational::one())
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_zero(),
            Number::Real(value) => *value == 0.0,
        }
    }

    pub fn is_one(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_one(),
            Number::Real(value) => *value == 1.0,
        }
    }

    pub fn is_integer(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_integer(),
            Number::Real(value) => value.fract() == 0.0,
        }
    }

    /// The nearest double; infinite where the exact value is too large for one.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64().unwrap_or(f64::NAN),
            Number::Real(value) => *value,
        }
    }

    /// The exact value, if there is one.
    pub fn as_exact(&self) -> Option<&BigRational> {
        match self {
            Number::Exact(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    /// How many steps the operation that gave the number counts for its length.
    pub(super) fn cost(&self) -> u64 {
        match self {
            Number::Exact(value) if value.is_integer() => value.numer().bits() / 64,
            Number::Exact(value) => {
                ((value.numer().bits() + value.denom().bits()) / 64).pow(2) / 16
            }
            Number::Real(_) => 0,
        }
    }

    /// Integers apart, since fractions are reduced even where there is nothing to reduce.
    fn combine(
        &self,
        other: &Number,
        on_integers: impl Fn(&BigInt, &BigInt) -> BigInt,
        on_exact: impl Fn(&BigRational, &BigRational) -> BigRational,
        on_real: impl Fn(f64, f64) -> f64,
    ) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) if a.is_integer() && b.is_integer() => {
                exact(BigRational::from_integer(on_integers(a.numer(), b.numer())))
            }
            (Number::Exact(a), Number::Exact(b)) => exact(on_exact(a, b)),
            _ => real(on_real(self.to_f64(), other.to_f64())),
        }
    }

    pub(super) fn add(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a + b, |a, b| a + b, |a, b| a + b)
    }

    pub(super) fn subtract(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a - b, |a, b| a - b, |a, b| a - b)
    }

    pub(super) fn multiply(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a * b, |a, b| a * b, |a, b| a * b)
    }

    pub(super) fn divide(&self, other: &Number) -> Result<Number, Fault> {
        if other.is_zero() {
            return Err("division by zero".to_owned());
        }
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => exact(a / b),
            _ => real(self.to_f64() / other.to_f64()),
        }
    }

    /// `floor(self / other)`
    pub(super) fn floor_divide(&self, other: &Number) -> Result<Number, Fault> {
        self.divide(other)?.floor()
    }

    /// `self - other * floor(self / other)`, for a positive `other`.
    pub(super) fn modulo(&self, other: &Number) -> Result<Number, Fault> {
        if other.compare(&Number::zero()) != Ordering::Greater {
            return Err("`mod` is only defined for a positive right side".to_owned());
        }
        self.subtract(&other.multiply(&self.floor_divide(other)?)?)
    }

    pub(super) fn negate(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(-value),
            Number::Real(value) => Number::Real(-value),
        }
    }

    /// `1 - self`
    pub(super) fn complement(&self) -> Result<Number, Fault> {
        Number::one().subtract(self)
    }

    /// The power, with `0^0 = 1`.
    pub(super) fn power(&self, exponent: &Number) -> Result<Number, Fault> {
        let negative = exponent.compare(&Number::zero()) == Ordering::Less;
        if self.is_zero() && negative {
            return Err("zero has no negative power".to_owned());
        }
        match (self, exponent) {
            (Number::Exact(base), Number::Exact(exponent)) if exponent.is_integer() => {
                integer_power(base, exponent.numer())
            }
            _ if self.compare(&Number::zero()) == Ordering::Less && !exponent.is_integer() => {
                Err("a negative number has no fractional power".to_owned())
            }
            _ => real(self.to_f64().powf(exponent.to_f64())),
        }
    }

    pub(super) fn floor(&self) -> Result<Number, Fault> {
        match self {
            Number::Exact(value) => Ok(Number::Exact(value.floor())),
            Number::Real(value) => integral(value.floor()),
        }
    }

    pub(super) fn ceil(&self) -> Result<Number, Fault> {
        match self {
            Number::Exact(value) => Ok(Number::Exact(value.ceil())),
            Number::Real(value) => integral(value.ceil()),
        }
    }

    pub(super) fn abs(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(value.abs()),
            Number::Real(value) => Number::Real(value.abs()),
        }
    }

    /// The square root; exact for squares of rationals.
    pub(super) fn sqrt(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero()) == Ordering::Less {
            return Err("a negative number has no square root".to_owned());
        }
        if let Number::Exact(value) = self {
            let (numerator, denominator) = (value.numer().sqrt(), value.denom().sqrt());
            if &(&numerator * &numerator) == value.numer()
                && &(&denominator * &denominator) == value.denom()
            {
                return Ok(Number::Exact(BigRational::new(numerator, denominator)));
            }
        }
        real(self.to_f64().sqrt())
    }

    /// The natural logarithm; `log(1)` is exactly 0.
    pub(super) fn log(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero()) != Ordering::Greater {
            return Err("only a positive number has a logarithm".to_owned());
        }
        match self {
            Number::Exact(value) if value.is_one() => Ok(Number::zero()),
            _ => real(self.to_f64().ln()),
        }
    }

    /// The exponential function; `exp(0)` is exactly 1.
    pub(super) fn exp(&self) -> Result<Number, Fault> {
        match self {
            Number::Exact(value) if value.is_zero() => Ok(Number::one()),
            _ => real(self.to_f64().exp()),
        }
    }

    /// The whole number that this is, if it is at least 0.
    fn count(&self, function: &str) -> Result<Option<u64>, Fault> {
        if !self.is_integer() || self.compare(&Number::zero()) == Ordering::Less {
            return Err(format!(
                "`{function}` is only defined for whole numbers from 0 on"
            ));
        }
        Ok(self
            .as_exact()
            .and_then(|value| value.to_integer().to_u64()))
    }

    /// `1/1^k + ... + 1/n^k`; exact for small numbers.
    pub(super) fn harmonic(&self, k: u32) -> Result<Number, Fault> {
        match self.count("H")? {
            Some(n) if n.saturating_mul(k.into()) <= special::MAX_EXACT_HARMONIC => {
                exact(special::exact_harmonic(n, k))
            }
            _ => real(special::harmonic(self.to_f64(), k)),
        }
    }

    /// `1 * 2 * ... * n`; exact for an exact number.
    pub(super) fn factorial(&self) -> Result<Number, Fault> {
        match (self.count("fact")?, self) {
            (Some(n), _) if n <= special::MAX_EXACT_FACTORIAL => {
                exact(BigRational::from_integer(special::exact_factorial(n)))
            }
            (_, Number::Exact(_)) => Err(too_long(MAX_BITS)),
            (_, Number::Real(n)) => real(special::factorial(*n)),
        }
    }

    /// The natural logarithm of the gamma function; exactly 0 at 1 and 2.
    pub(super) fn ln_gamma(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero()) != Ordering::Greater {
            return Err("`lgamma` is only defined for positive numbers".to_owned());
        }
        match self {
            Number::Exact(value) if value.is_one() || (value - BigRational::one()).is_one() => {
                Ok(Number::zero())
            }
            _ => real(special::ln_gamma(self.to_f64())),
        }
    }

    /// The order of the values; exact, if both are.
    pub fn compare(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => a.cmp(b),
            _ => self
                .to_f64()
                .partial_cmp(&other.to_f64())
                .unwrap_or(Ordering::Equal),
        }
    }

    pub(super) fn max(self, other: Number) -> Number {
        if other.compare(&self) == Ordering::Greater {
            other
        } else {
            self
        }
    }

    pub(super) fn min(self, other: Number) -> Number {
        if other.compare(&self) == Ordering::Less {
            other
        } else {
            self
        }
    }
}

fn integral(value: f64) -> Result<Number, Fault> {
    BigRational::from_float(value)
        .map(Number::Exact)
        .ok_or_else(|| "the value is not a finite number".to_owned())
}

fn integer_power(base: &BigRational, exponent: &BigInt) -> Result<Number, Fault> {
    if exponent.is_zero() || base.is_one() {
        return Ok(Number::one());
    }
    if base.is_zero() {
        return Ok(Number::zero());
    }
    if (-base).is_one() {
        return Ok(Number::Exact(if exponent.bit(0) {
            base.clone()
        } else {
            BigRational::one()
        }));
    }
    let bits = base.numer().bits().max(base.denom().bits());
    match exponent.to_i32() {
        Some(n)
            if u64::from(n.unsigned_abs()).saturating_mul(bits.saturating_sub(1)) <= MAX_BITS =>
        {
            exact(base.pow(n))
        }
        _ => Err(too_long(MAX_BITS)),
    }
}

impl From<BigRational> for Number {
    fn from(value: BigRational) -> Number {
        Number::Exact(value)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Exact(BigRational::from_integer(value.into()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Exact(value) => write!(f, "{value}"),
            Number::Real(value) => write!(f, "{value}"),
        }
    }
}
