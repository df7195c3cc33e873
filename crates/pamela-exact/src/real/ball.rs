//! Balls: numbers known up to a radius, in binary floating point of any precision.
//!
//! Every operation rounds its midpoint and widens its radius accordingly, so the ball contains the
//! exact value.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::series;

/// Exponents past this are given up.
const MAX_EXPONENT: i64 = 1 << 40;

/// Coefficients `B(2k) / (2k (2k - 1))` of Stirling's series of the logarithm of the gamma function.
const STIRLING: [(i64, i64); 10] = [
    (1, 12),
    (-1, 360),
    (1, 1_260),
    (-1, 1_680),
    (1, 1_188),
    (-691, 360_360),
    (1, 156),
    (-3_617, 122_400),
    (43_867, 244_188),
    (-174_611, 125_400),
];

/// Roots of a higher order are taken by logarithm and exponential.
const MAX_ROOT: u32 = 16;

/// All numbers from `(middle - radius) * 2^exponent` to `(middle + radius) * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Ball {
    middle: BigInt,
    radius: BigInt,
    exponent: i64,
}

/// `value * 2^shift`, rounded down.
fn shifted(value: &BigInt, shift: i64) -> BigInt {
    if shift >= 0 {
        value << shift.unsigned_abs()
    } else {
        value >> shift.unsigned_abs()
    }
}

/// `a / b` rounded up, of positive numbers.
fn quotient_above(a: BigInt, b: &BigInt) -> BigInt {
    a.div_ceil(b)
}

impl Ball {
    pub fn integer(value: BigInt) -> Ball {
        Ball {
            middle: value,
            radius: BigInt::zero(),
            exponent: 0,
        }
    }

    /// The quotient, to `bits` bits.
    pub fn rational(value: &BigRational, bits: u64) -> Option<Ball> {
        let (numerator, denominator) = (value.numer().clone(), value.denom().clone());
        if denominator.is_one() {
            Ball::integer(numerator).rounded(bits)
        } else {
            Ball::integer(numerator).divide(&Ball::integer(denominator), bits)
        }
    }

    /// `middle / 2^scale`, within `radius` of these units.
    fn fixed(middle: BigInt, radius: u64, scale: u64) -> Option<Ball> {
        Some(Ball {
            middle,
            radius: radius.into(),
            exponent: -i64::try_from(scale).ok()?,
        })
    }

    fn rounded(mut self, bits: u64) -> Option<Ball> {
        let excess = self.middle.bits().max(self.radius.bits());
        if excess > bits {
            let shift = excess - bits;
            let whole = self.radius.is_zero() && self.middle.trailing_zeros() >= Some(shift);
            self.middle >>= shift;
            self.radius >>= shift;
            self.radius += if whole { 0 } else { 2 };
            self.exponent += i64::try_from(shift).ok()?;
        }
        (self.exponent.abs() < MAX_EXPONENT).then_some(self)
    }

    fn is_exact_zero(&self) -> bool {
        self.middle.is_zero() && self.radius.is_zero()
    }

    /// The position of the leading bit of the greatest size.
    fn magnitude(&self) -> i64 {
        let size = self.middle.abs() + &self.radius;
        i64::try_from(size.bits())
            .unwrap_or(MAX_EXPONENT)
            .saturating_add(self.exponent)
    }

    pub fn add(&self, other: &Ball, bits: u64) -> Option<Ball> {
        if self.is_exact_zero() || other.is_exact_zero() {
            let one = if self.is_exact_zero() { other } else { self };
            return one.clone().rounded(bits);
        }
        let (high, low) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let gap = high.exponent - low.exponent;
        // A term wholly below the last digit only widens the ball.
        if gap > i64::try_from(4 * bits).ok()? && low.magnitude() <= high.exponent {
            let mut sum = high.clone();
            sum.radius += 1;
            return sum.rounded(bits);
        }
        if gap > MAX_EXPONENT >> 16 {
            return None;
        }
        Ball {
            middle: shifted(&high.middle, gap) + &low.middle,
            radius: shifted(&high.radius, gap) + &low.radius,
            exponent: low.exponent,
        }
        .rounded(bits)
    }

    pub fn multiply(&self, other: &Ball, bits: u64) -> Option<Ball> {
        Ball {
            middle: &self.middle * &other.middle,
            radius: self.middle.abs() * &other.radius
                + &self.radius * other.middle.abs()
                + &self.radius * &other.radius,
            exponent: self.exponent + other.exponent,
        }
        .rounded(bits)
    }

    /// The quotient; `None` if the divisor may be 0.
    pub fn divide(&self, other: &Ball, bits: u64) -> Option<Ball> {
        let least = other.middle.abs() - &other.radius;
        if !least.is_positive() {
            return None;
        }
        let shift = (bits + 2 + other.middle.bits()).saturating_sub(self.middle.bits());
        let middle = (&self.middle << shift).div_floor(&other.middle);
        // |a/b - m/n| <= (|n| da + |m| db) / (|n| (|n| - db))
        let size = other.middle.abs();
        let error = (&self.radius * &size + self.middle.abs() * &other.radius) << shift;
        Ball {
            middle,
            radius: quotient_above(error, &(size * least)) + 1,
            exponent: self.exponent - other.exponent - i64::try_from(shift).ok()?,
        }
        .rounded(bits)
    }

    /// The logarithm of the gamma function of a positive integer, by Stirling's series. It ends after ten terms: the ball is
    /// narrow where the integer is large.
    pub fn log_gamma(n: &BigInt, bits: u64) -> Option<Ball> {
        let whole = Ball::integer(n.clone());
        let half = |value: Ball| Ball {
            exponent: value.exponent - 1,
            ..value
        };
        // (n - 1/2) log n - n + log(2 pi)/2
        let order = half(Ball::integer(2 * n - 1));
        let (pi, error) = series::pi(series::scale(bits));
        let turn = Ball::fixed(pi << 1u32, 2 * error, series::scale(bits))?;
        let mut sum = order.multiply(&whole.log(bits)?, bits)?;
        sum = sum.add(&Ball::integer(-n), bits)?;
        sum = sum.add(&half(turn.log(bits)?), bits)?;
        for (k, (numerator, denominator)) in (0..).zip(STIRLING) {
            let power = n.pow(2 * k + 1) * denominator;
            let term = Ball::integer(numerator.into()).divide(&Ball::integer(power), bits)?;
            sum = sum.add(&term, bits)?;
        }
        // The error is less than the next term, 77683/5796/n^21.
        let left = i64::try_from((n.bits() - 1) * 21).ok()? - 4;
        let rest = Ball {
            middle: BigInt::zero(),
            radius: BigInt::one(),
            exponent: -left,
        };
        sum.add(&rest, bits)
    }

    /// The natural logarithm; `None` if the ball contains a number `<= 0`.
    pub fn log(&self, bits: u64) -> Option<Ball> {
        let least = &self.middle - &self.radius;
        if !least.is_positive() {
            return None;
        }
        // middle * 2^exponent = t * 2^k, t from 1 to 2
        let length = i64::try_from(self.middle.bits()).ok()?;
        let k = self.exponent + length - 1;
        let scale = series::scale(bits);
        let t = shifted(&self.middle, i64::try_from(scale).ok()? - length + 1);
        let (log_t, error) = series::log(&t, scale);
        let (log_two, error_of_two) = series::log(&(BigInt::from(2) << scale), scale);
        let error = u64::try_from(k.abs())
            .ok()?
            .checked_mul(error_of_two)?
            .checked_add(error)?;
        let value = Ball::fixed(log_t + log_two * k, error, scale)?;
        // The slope is at most 1 / least.
        let carried = quotient_above(&self.radius << bits, &least);
        let carried = Ball {
            middle: BigInt::zero(),
            radius: carried,
            exponent: -i64::try_from(bits).ok()?,
        };
        value.add(&carried, bits)
    }

    /// The exponential; `None` if the argument is known only up to 1 or more, or is out of range.
    pub fn exp(&self, bits: u64) -> Option<Ball> {
        let scale = series::scale(bits);
        let at_scale = self.exponent + i64::try_from(scale).ok()?;
        if self.magnitude() > 24 {
            return None;
        }
        let x = shifted(&self.middle, at_scale);
        let radius: BigInt = shifted(&self.radius, at_scale) + 2;
        if radius.bits() >= scale {
            return None;
        }
        let (value, error, k) = series::exp(&x, scale)?;
        // exp(x + d) - exp(x) <= 2 d exp(x) for d <= 1
        let carried = ((&radius * (&value + error)) >> (scale - 1)) + 1;
        Ball {
            middle: value,
            radius: carried + error,
            exponent: k - i64::try_from(scale).ok()?,
        }
        .rounded(bits)
    }

    /// `self^exponent`; `None` if the ball contains a number `<= 0`.
    pub fn power(&self, exponent: &BigRational, bits: u64) -> Option<Ball> {
        let order = exponent.denom().to_u32().filter(|n| *n <= MAX_ROOT);
        let power = exponent.numer().to_i64().filter(|n| n.abs() <= 64);
        match (order, power) {
            (Some(order), Some(power)) => self.root(order, bits)?.integer_power(power, bits),
            _ => {
                let exponent = Ball::rational(exponent, bits + 32)?;
                let log = self.log(bits + 32)?;
                exponent.multiply(&log, bits + 32)?.exp(bits)
            }
        }
    }

    pub fn integer_power(&self, power: i64, bits: u64) -> Option<Ball> {
        let mut result = Ball::integer(BigInt::one());
        for _ in 0..power.unsigned_abs() {
            result = result.multiply(self, bits + 16)?;
        }
        if power < 0 {
            Ball::integer(BigInt::one()).divide(&result, bits)
        } else {
            result.rounded(bits)
        }
    }

    fn root(&self, order: u32, bits: u64) -> Option<Ball> {
        let least = &self.middle - &self.radius;
        if !least.is_positive() {
            return None;
        }
        if order == 1 {
            return self.clone().rounded(bits);
        }
        let n = i64::from(order);
        let wanted = i64::try_from(bits).ok()? * n - i64::try_from(self.middle.bits()).ok()?;
        let mut shift = wanted.max(0);
        shift += (self.exponent - shift).rem_euclid(n);
        let root = shifted(&self.middle, shift).nth_root(order);
        // The slope at y is y^(1/n) / (n y), and no y of the ball has twice the root.
        let carried = quotient_above(BigInt::from(2) * (&root + 1) * &self.radius, &least);
        Ball {
            middle: root,
            radius: carried + 1,
            exponent: (self.exponent - shift).div_euclid(n),
        }
        .rounded(bits)
    }

    /// The sign, if all numbers of the ball have it.
    pub fn sign(&self) -> Option<std::cmp::Ordering> {
        let known = self.middle.abs() > self.radius;
        known.then(|| self.middle.cmp(&BigInt::zero()))
    }

    /// True if all numbers of the ball are below `2^-bits` in absolute value.
    pub fn is_within(&self, bits: u64) -> bool {
        i64::try_from(bits).is_ok_and(|bits| self.magnitude() <= -bits)
    }

    /// The least and the greatest integer part of a number in the ball.
    pub fn floors(&self) -> (BigInt, BigInt) {
        let floor = |value: BigInt| shifted(&value, self.exponent);
        (
            floor(&self.middle - &self.radius),
            floor(&self.middle + &self.radius),
        )
    }

    /// The midpoint as the nearest double, if the ball is small enough.
    pub fn to_f64(&self) -> Option<f64> {
        if (&self.radius << 56u32) > self.middle.abs() {
            return None;
        }
        // Seventy bits are more than a double holds.
        let shift = i64::try_from(self.middle.bits()).ok()? - 70;
        let top = shifted(&self.middle, -shift).to_f64()?;
        let exponent = shift + self.exponent;
        let half = i32::try_from(exponent / 2).ok()?;
        let rest = i32::try_from(exponent - exponent / 2).ok()?;
        Some(top * 2f64.powi(half) * 2f64.powi(rest))
    }
    /// The double nearest to all numbers of the ball, if there is one.
    pub fn nearest(&self) -> Option<f64> {
        let ends = [&self.middle - &self.radius, &self.middle + &self.radius];
        let half = i32::try_from(self.exponent / 2).ok()?;
        let rest = i32::try_from(self.exponent - self.exponent / 2).ok()?;
        let [low, high] = ends.map(|end| Some(end.to_f64()? * 2f64.powi(half) * 2f64.powi(rest)));
        // Only of normal numbers multiplying by powers of 2 loses nothing.
        low.filter(|low| low.is_normal() && Some(*low) == high)
    }
}
