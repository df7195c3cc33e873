//! Numbers of the definitional evaluator: exact until a root or a logarithm makes them real.
//!
//! Reals are decided as far as [`crate::real`] can. A step or a comparison that it cannot decide is
//! a fault.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::fraction::Fraction;
use crate::real::{Real, RealOrRational};
use crate::special;

/// Bits past which an integer counts as an error of the model.
const MAX_BITS: u64 = 1_000_000;

/// Limit for the numerator and denominator of a fraction, whose reduction takes quadratic time.
const MAX_FRACTION_BITS: u64 = 200_000;

/// Limit for numbers whose common divisor is computed, which also takes quadratic time.
const MAX_DIVISOR_BITS: u64 = 100_000;

/// A scalar value.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Exact(Fraction),
    /// A real, after `sqrt`, `log`, `exp` or a fractional power without a rational value.
    Real(Real),
}

/// Reason why an operation has no value.
pub type Fault = String;

fn exact(value: impl Into<Fraction>) -> Result<Number, Fault> {
    let value = value.into();
    let limit = if value.is_integer() {
        MAX_BITS
    } else {
        MAX_FRACTION_BITS
    };
    let (numer, denom) = value.bits();
    if numer.max(denom) > limit {
        return Err(too_long(limit));
    }
    Ok(Number::Exact(value))
}

fn too_long(limit: u64) -> Fault {
    format!("the number is too long: its exact value has more than {limit} bits")
}

/// A double that comes from others, whose errors make this one.
fn real(value: f64, error: f64) -> Result<Number, Fault> {
    let real = Real::within(value, error).map_err(|fault| fault.to_string());
    real.map(Number::Real)
}

fn known(result: Result<RealOrRational, crate::real::Fault>) -> Result<Number, Fault> {
    match result.map_err(|fault| fault.to_string())? {
        RealOrRational::Rational(value) => exact(value),
        RealOrRational::Real(real) => Ok(Number::Real(real)),
    }
}

impl Number {
    pub fn zero() -> Number {
        Number::Exact(Fraction::zero())
    }

    pub fn one() -> Number {
        Number::Exact(Fraction::one())
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_zero(),
            Number::Real(value) => value.sign() == Ok(Ordering::Equal),
        }
    }

    pub fn is_one(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_one(),
            Number::Real(_) => self.order(&Number::one()).is_eq(),
        }
    }

    /// True if the number is an integer.
    ///
    /// # Errors
    /// Fails if it is too close to an integer to decide.
    pub fn is_integer(&self) -> Result<bool, String> {
        match self {
            Number::Exact(value) => Ok(value.is_integer()),
            Number::Real(value) => value.is_integer().map_err(|fault| fault.to_string()),
        }
    }

    /// The nearest double; infinite if the exact value is too large.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64(),
            Number::Real(real) => real.value,
        }
    }

    /// A double, taken as exact.
    pub fn double(value: f64) -> Number {
        Number::Real(Real::double(value))
    }

    fn to_real(&self) -> Real {
        match self {
            Number::Exact(value) => Real::rational(&value.to_big()),
            Number::Real(real) => real.clone(),
        }
    }

    /// The exact value, if there is one.
    pub fn as_exact(&self) -> Option<&Fraction> {
        match self {
            Number::Exact(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    /// Number of steps that an operation counts for the length of its result.
    pub fn cost(&self) -> u64 {
        match self {
            Number::Exact(value) if value.is_integer() => value.bits().0 / 64,
            Number::Exact(value) => {
                let (numer, denom) = value.bits();
                ((numer + denom) / 64).pow(2) / 16
            }
            Number::Real(_) => 0,
        }
    }

    fn combine(
        &self,
        other: &Number,
        on_exact: impl Fn(&Fraction, &Fraction) -> Fraction,
        on_real: impl Fn(&Real, &Real) -> Result<RealOrRational, crate::real::Fault>,
    ) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => exact(on_exact(a, b)),
            _ => known(on_real(&self.to_real(), &other.to_real())),
        }
    }

    pub fn add(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a + b, Real::add)
    }

    pub fn subtract(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a - b, |a, b| a.add(&b.negate()))
    }

    pub fn multiply(&self, other: &Number) -> Result<Number, Fault> {
        self.combine(other, |a, b| a * b, Real::multiply)
    }

    pub fn divide(&self, other: &Number) -> Result<Number, Fault> {
        if other.is_zero() {
            return Err("division by zero".to_owned());
        }
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => exact(a / b),
            _ => known(self.to_real().divide(&other.to_real())),
        }
    }

    /// `floor(self / other)`
    pub fn floor_divide(&self, other: &Number) -> Result<Number, Fault> {
        self.divide(other)?.floor()
    }

    /// `self - other * floor(self / other)`, for a positive `other`.
    pub fn modulo(&self, other: &Number) -> Result<Number, Fault> {
        if other.compare(&Number::zero())?.is_le() {
            return Err("`mod` is only defined for a positive right side".to_owned());
        }
        self.subtract(&other.multiply(&self.floor_divide(other)?)?)
    }

    pub fn negate(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(-value),
            Number::Real(value) => Number::Real(value.negate()),
        }
    }

    /// `1 - self`
    pub fn complement(&self) -> Result<Number, Fault> {
        Number::one().subtract(self)
    }

    /// The power, with `0^0 = 1`.
    pub fn power(&self, exponent: &Number) -> Result<Number, Fault> {
        if let (Number::Exact(base), Number::Exact(exponent)) = (self, exponent)
            && exponent.is_integer()
            && !(base.is_zero() && exponent.is_negative())
        {
            return integer_power(base, &exponent.numer());
        }
        match self.compare(&Number::zero())? {
            Ordering::Equal if exponent.compare(&Number::zero())?.is_lt() => {
                Err("zero has no negative power".to_owned())
            }
            Ordering::Equal => Ok(Number::zero()),
            Ordering::Less if !exponent.is_integer()? => {
                Err("a negative number has no fractional power".to_owned())
            }
            _ => known(self.to_real().power(&exponent.to_real())),
        }
    }

    pub fn floor(&self) -> Result<Number, Fault> {
        match self {
            Number::Exact(value) => Ok(Number::Exact(value.floor())),
            Number::Real(value) => {
                let floor = value.floor().map_err(|fault| fault.to_string())?;
                exact(floor)
            }
        }
    }

    pub fn ceil(&self) -> Result<Number, Fault> {
        Ok(self.negate().floor()?.negate())
    }

    pub fn abs(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(value.abs()),
            Number::Real(value) => Number::Real(value.abs()),
        }
    }

    /// The square root; exact for squares of rationals.
    pub fn sqrt(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero())?.is_lt() {
            return Err("a negative number has no square root".to_owned());
        }
        self.power(&Number::Exact(Fraction::new(1, 2)))
    }

    /// The natural logarithm; `log(1)` is exactly 0.
    pub fn log(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero())?.is_le() {
            return Err("only a positive number has a logarithm".to_owned());
        }
        match self {
            Number::Exact(value) => known(Real::log_of(&value.to_big())),
            Number::Real(value) => known(value.log()),
        }
    }

    /// The logarithm to a base; exact if it is rational.
    pub fn log_to(&self, base: &Number) -> Result<Number, Fault> {
        let (log, of_base) = (self.log()?, base.log()?);
        if of_base.is_zero() {
            return Err("there is no logarithm to the base 1".to_owned());
        }
        log.divide(&of_base)
    }

    /// `self^(1/order)`
    pub fn root(&self, order: &Number) -> Result<Number, Fault> {
        if order.is_zero() {
            return Err("there is no root of order 0".to_owned());
        }
        self.power(&Number::one().divide(order)?)
    }

    /// The exponential function; `exp(0)` is exactly 1.
    pub fn exp(&self) -> Result<Number, Fault> {
        known(self.to_real().exp())
    }

    /// Binomial coefficient; 0 for `k` below 0 or above `self`.
    pub fn choose(&self, k: &Number) -> Result<Number, Fault> {
        let n = self.count("binom")?;
        if !k.is_integer()? {
            return Err("`binom` is only defined for whole numbers".to_owned());
        }
        let (Number::Exact(top), Number::Exact(k)) = (self, k) else {
            return real(special::binomial(self.to_f64(), k.to_f64()), f64::INFINITY);
        };
        if k.is_negative() || k > top {
            return Ok(Number::zero());
        }
        let least = k.min(&(top - k)).to_u64();
        let length = least.and_then(|least| least.checked_mul(top.bits().0));
        match (n, least, length) {
            (Some(_) | None, Some(least), Some(length)) if length <= 4 * MAX_BITS => {
                exact(special::exact_binomial(&top.numer(), least))
            }
            _ => Err(too_long(MAX_BITS)),
        }
    }

    /// Greatest common divisor of two whole numbers; 0 for 0 and 0.
    pub fn common_divisor(&self, other: &Number) -> Result<Number, Fault> {
        let whole = |x: &Number| {
            if x.is_integer()? {
                x.floor()
            } else {
                Err(format!(
                    "`gcd` is only defined for whole numbers, not for {x}"
                ))
            }
        };
        let (Number::Exact(a), Number::Exact(b)) = (whole(self)?, whole(other)?) else {
            return Err("`gcd` of a number that is only known approximately".to_owned());
        };
        if a.bits().0.max(b.bits().0) > MAX_DIVISOR_BITS {
            return Err(too_long(MAX_DIVISOR_BITS));
        }
        exact(a.numer().gcd(&b.numer()))
    }

    /// The whole number that this is, if it is at least 0.
    fn count(&self, function: &str) -> Result<Option<u64>, Fault> {
        if !self.is_integer()? || self.compare(&Number::zero())?.is_lt() {
            return Err(format!(
                "`{function}` is only defined for whole numbers from 0 on"
            ));
        }
        Ok(self.as_exact().and_then(Fraction::to_u64))
    }

    /// `1/1^k + ... + 1/n^k`; exact for small numbers.
    pub fn harmonic(&self, k: u32) -> Result<Number, Fault> {
        match self.count("H")? {
            Some(n) if n.saturating_mul(k.into()) <= special::MAX_EXACT_HARMONIC => {
                exact(special::exact_harmonic(n, k))
            }
            _ => {
                let n = self.to_real();
                real(special::harmonic(n.value, k), n.error / n.value.max(1.0))
            }
        }
    }

    /// `1 * 2 * ... * n`; exact for an exact number.
    pub fn factorial(&self) -> Result<Number, Fault> {
        match (self.count("fact")?, self) {
            (Some(n), _) if n <= special::MAX_EXACT_FACTORIAL => exact(special::exact_factorial(n)),
            // A real that is a whole number is a double that was drawn.
            (_, Number::Real(n)) => real(special::factorial(n.value), n.error),
            (_, Number::Exact(_)) => Err(too_long(MAX_BITS)),
        }
    }

    /// The natural logarithm of the gamma function; exactly 0 at 1 and 2.
    pub fn ln_gamma(&self) -> Result<Number, Fault> {
        if self.compare(&Number::zero())?.is_le() {
            return Err("`lgamma` is only defined for positive numbers".to_owned());
        }
        match self.as_exact().and_then(Fraction::to_u64) {
            Some(n) if n <= special::MAX_EXACT_LOG_GAMMA => {
                let factorial = special::exact_factorial(n - 1);
                known(Real::log_of(&BigRational::from_integer(factorial)))
            }
            _ => {
                let x = self.to_real();
                // The slope lies between log(x) - 1/x and log(x); near 1 and 2 the error is absolute.
                let slope = x.value.ln().abs() + 1.0 / x.value;
                real(
                    special::ln_gamma(x.value),
                    slope * x.error + 4.0 * f64::EPSILON,
                )
            }
        }
    }

    /// Compares the values.
    ///
    /// # Errors
    /// Fails if they are too close to decide.
    pub fn compare(&self, other: &Number) -> Result<Ordering, String> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Ok(a.cmp(b)),
            (a, b) => {
                let order = a.to_real().compare(&b.to_real());
                order.map_err(|fault| fault.to_string())
            }
        }
    }

    /// Compares the values; undecidable pairs count as equal.
    pub fn order(&self, other: &Number) -> Ordering {
        self.compare(other).unwrap_or(Ordering::Equal)
    }

    /// The larger number; if undecidable, a number that covers both.
    pub fn max(self, other: Number) -> Number {
        match self.compare(&other) {
            Ok(Ordering::Less) => other,
            Ok(_) => self,
            Err(_) => self.either(&other),
        }
    }

    /// The smaller number; if undecidable, a number that covers both.
    pub fn min(self, other: Number) -> Number {
        match self.compare(&other) {
            Ok(Ordering::Greater) => other,
            Ok(_) => self,
            Err(_) => self.either(&other),
        }
    }

    /// A number that covers two indistinguishable numbers.
    pub fn either(&self, other: &Number) -> Number {
        Number::Real(self.to_real().either(&other.to_real()))
    }
}

fn integer_power(base: &Fraction, exponent: &BigInt) -> Result<Number, Fault> {
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
            Fraction::one()
        }));
    }
    let (numer, denom) = base.bits();
    let bits = numer.max(denom);
    match exponent.to_i32() {
        Some(n)
            if u64::from(n.unsigned_abs()).saturating_mul(bits.saturating_sub(1)) <= MAX_BITS =>
        {
            exact(base.to_big().pow(n))
        }
        _ => Err(too_long(MAX_BITS)),
    }
}

impl From<Fraction> for Number {
    fn from(value: Fraction) -> Number {
        Number::Exact(value)
    }
}

impl From<BigRational> for Number {
    fn from(value: BigRational) -> Number {
        Number::Exact(value.into())
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Exact(value.into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Exact(value) => write!(f, "{value}"),
            Number::Real(real) => write!(f, "{}", real.value),
        }
    }
}
