//! Logarithms, exponentials, roots, real powers, harmonic numbers and factorials of
//! [`CertifiedDouble`] numbers.
//!
//! They have no branches, so loops vectorise. An exponential is a power of 2 from two tables times
//! a short series, in pairs of doubles. A logarithm is one Newton step from a double, with that
//! exponential. Bounds count the loss of each operation on pairs (3 to 15 u^2 with u = 2^-53, see
//! [`kernels`](super::kernels)) and the truncation of series, and are generous.

mod counts;
mod tables;
#[cfg(test)]
mod tests;

use super::CertifiedDouble;
use super::kernels::{UP, choose, divide, multiply, quick_sum, range_error, two_sum};
pub(super) use counts::{factorial, harmonic};
use tables::{COARSE, FINE};

/// 1024 / log(2)
const STEPS: f64 = 1_477.319_721_870_298_5;
/// log(2) / 1024 as a sum: products of the first two, of 32 bits each, with a number of steps are exact.
const STEP: [f64; 3] = [
    0.0006769015433292225,
    1.8634911414483108e-13,
    4.1749761618629385e-23,
];
/// Adding it rounds to a whole number, which stands in the last bits.
const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;
/// Exponentials of larger numbers are not computed: they approach the limit of doubles.
const MOST: f64 = 575.0;

/// 1/6
const SIXTH: [f64; 2] = [1.0 / 6.0, 9.25185853854297e-18];

/// Relative errors of pairs, as powers of 2.
const fn two_to_minus(bits: u32) -> f64 {
    1.0 / (1u128 << bits) as f64
}

/// Error of an exponential: in its series and products, and for each unit of the exponent, from which a multiple of
/// log(2) is subtracted.
const LOST_BY_EXP: [f64; 2] = [two_to_minus(99), two_to_minus(103)];
/// Error of a logarithm, and error for each unit of its size.
const LOST_BY_LOG: [f64; 2] = [two_to_minus(98), two_to_minus(101)];
const LOST_BY_ROOT: f64 = two_to_minus(102);

type Pair = (f64, f64);

#[inline(always)]
fn product((ah, al): Pair, (bh, bl): Pair) -> Pair {
    let high = ah * bh;
    let rest = ah.mul_add(bh, -high);
    quick_sum(high, al.mul_add(bh, ah.mul_add(bl, rest)))
}

/// The sum of a double and a pair that is not larger.
#[inline(always)]
fn sum(a: f64, (bh, bl): Pair) -> Pair {
    let (high, rest) = quick_sum(a, bh);
    quick_sum(high, rest + bl)
}

/// `e^(high + low)` for a size of at most [`MOST`].
#[inline(always)]
fn exponential(high: f64, low: f64) -> Pair {
    let rounded = high.mul_add(STEPS, ROUNDING);
    let steps = rounded - ROUNDING;
    let (rest, first) = two_sum(high, -(steps * STEP[0]));
    let (rest, second) = two_sum(rest, -(steps * STEP[1]));
    let behind = (first + second) + (-steps).mul_add(STEP[2], low);
    let r = quick_sum(rest, behind);
    // e^r - 1 with |r| < 2^-11.4: the terms from the fourth on need a double only.
    let x = r.0;
    let tail = x.mul_add(1.0 / 5040.0, 1.0 / 720.0);
    let tail = x.mul_add(tail, 1.0 / 120.0);
    let tail = x * x.mul_add(tail, 1.0 / 24.0);
    let third = sum(SIXTH[0], (tail, SIXTH[1]));
    let second = sum(0.5, product(r, third));
    let first = sum(1.0, product(r, second));
    let (growth, of_growth) = product(r, first);
    // The number of steps is in the last bits, those of a table of each five.
    let bits = rounded.to_bits();
    let (coarse, fine) = (COARSE[(bits >> 5) as usize & 31], FINE[bits as usize & 31]);
    let (base, of_base) = product((coarse[0], coarse[1]), (fine[0], fine[1]));
    let (grown, of_grown) = product((base, of_base), (growth, of_growth));
    let (value, rest) = quick_sum(base, grown);
    let (value, rest) = quick_sum(value, rest + (of_base + of_grown));
    let whole = bits.wrapping_sub(ROUNDING.to_bits()) & !1023;
    let scale = f64::from_bits((whole << 42).wrapping_add(1.0f64.to_bits()));
    (value * scale, rest * scale)
}

/// The natural logarithm of a normal number above 0, right to a few last places.
#[inline(always)]
fn near_logarithm(x: f64) -> f64 {
    // x = 2^power * m with m from sqrt(1/2) to sqrt(2); log(m) = 2 * artanh((m - 1) / (m + 1)).
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    let power = (x.to_bits().wrapping_sub(HALF_ROOT) as i64) >> 52;
    let m = f64::from_bits(x.to_bits().wrapping_sub((power << 52) as u64));
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut series = 1.0 / 21.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = square.mul_add(series, 1.0 / odd);
    }
    let of_m = 2.0 * s.mul_add(square * series, s);
    // The bits of a power are converted as all bits are: by adding a number whose last bits are free.
    let power = f64::from_bits((ROUNDING.to_bits() as i64).wrapping_add(power) as u64) - ROUNDING;
    power.mul_add(std::f64::consts::LN_2, of_m)
}

#[inline(always)]
fn is_exactly(a: CertifiedDouble, value: f64) -> bool {
    a.high == value && a.low == 0.0 && a.error == 0.0
}

#[inline(always)]
pub(super) fn exp(a: CertifiedDouble) -> CertifiedDouble {
    let size = a.high.abs();
    let is_sized = size <= MOST;
    let (high, low) = exponential(choose(is_sized, a.high, 0.0), choose(is_sized, a.low, 0.0));
    let lost = size.mul_add(LOST_BY_EXP[1], LOST_BY_EXP[0]);
    // For x below 1/2, e^x - 1 is below 2 * x.
    let is_near = is_sized && a.error < 0.5;
    let error = high * ((2.0 * a.error + lost) * UP);
    let error = choose(is_near, error, f64::INFINITY);
    CertifiedDouble {
        high,
        low,
        error: choose(is_exactly(a, 0.0), 0.0, error),
    }
}

/// The natural logarithm of a positive number; unknown for others.
#[inline(always)]
pub(super) fn log(a: CertifiedDouble) -> CertifiedDouble {
    let is_sized = a.high > 0.0 && range_error(a.high) == 0.0;
    let is_near = is_sized && a.error < 0.25 * a.high;
    let (x, low) = (choose(is_sized, a.high, 1.0), choose(is_sized, a.low, 0.0));
    let near = near_logarithm(x);
    // log(x) = y + log(1 + d) with 1 + d = x * e^-y, and d is small.
    let (back, of_back) = product((x, low), exponential(-near, 0.0));
    let d = (back - 1.0) + of_back;
    let (high, low) = quick_sum(near, (-0.5 * d).mul_add(d, d));
    let lost = near.abs().mul_add(LOST_BY_LOG[1], LOST_BY_LOG[0]);
    let error = (2.0 * a.error / x + lost) * UP;
    let error = choose(is_near, error, f64::INFINITY);
    CertifiedDouble {
        high,
        low,
        error: choose(is_exactly(a, 1.0), 0.0, error),
    }
}

/// The square root, which is exact if a double holds it.
#[inline(always)]
pub(super) fn square_root(a: CertifiedDouble) -> CertifiedDouble {
    let is_sized = a.high > 0.0 && range_error(a.high) == 0.0;
    let is_near = is_sized && a.error < 0.25 * a.high;
    let (x, own) = (choose(is_sized, a.high, 1.0), choose(is_sized, a.low, 0.0));
    let root = x.sqrt();
    // The residual of the squared root is a double.
    let left = (-root).mul_add(root, x) + own;
    let (high, low) = quick_sum(root, left / (2.0 * root));
    let lost = choose(left == 0.0, 0.0, LOST_BY_ROOT);
    let error = high * ((a.error / x + lost) * UP);
    let error = choose(is_near, error, f64::INFINITY);
    let is_zero = is_exactly(a, 0.0);
    CertifiedDouble {
        high: choose(is_zero, 0.0, high),
        low: choose(is_zero, 0.0, low),
        error: choose(is_zero, 0.0, error),
    }
}

/// A power of a positive number with any exponent; 0 to a positive exponent is 0.
#[inline(always)]
pub(super) fn real_power(base: CertifiedDouble, exponent: CertifiedDouble) -> CertifiedDouble {
    let power = exp(multiply(exponent, log(base)));
    let is_zero = is_exactly(base, 0.0) && exponent.high > 2.0 * exponent.error;
    CertifiedDouble {
        high: choose(is_zero, 0.0, power.high),
        low: choose(is_zero, 0.0, power.low),
        error: choose(is_zero, 0.0, power.error),
    }
}

/// The logarithm of `x` to the base `base`.
#[inline(always)]
pub(super) fn log_to_base(x: CertifiedDouble, base: CertifiedDouble) -> CertifiedDouble {
    divide(log(x), log(base))
}
