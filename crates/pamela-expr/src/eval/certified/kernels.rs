//! Operations on [`CertifiedDouble`] numbers without branches, so that loops over them vectorise.
//!
//! Sums, products and quotients of pairs of doubles are those of Joldes, Muller and Popescu, *Tight
//! and rigorous error bounds for basic building blocks of double-word arithmetic* (2017). Their
//! relative errors are 3, 5 and 15 u^2 with u = 2^-53, without overflow or underflow.

use super::CertifiedDouble;

/// Smaller results would lose bits to underflow; they are unknown.
pub(super) const LEAST: f64 = 1e-250;
/// Larger results might overflow on the way.
pub(super) const GREATEST: f64 = 1e290;

/// More than 32 u^2.
const RELATIVE: f64 = 1.0 / (1u128 << 100) as f64;
/// Exceeds all relative errors made in computing a bound.
pub(super) const UP: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;
pub(super) const UNKNOWN: CertifiedDouble = CertifiedDouble {
    high: f64::NAN,
    low: 0.0,
    error: f64::INFINITY,
};

#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let rest = sum - a;
    (sum, (a - (sum - rest)) + (b - rest))
}

/// Sum and error, for `|a| >= |b|`.
#[inline(always)]
pub(super) fn quick_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

#[inline(always)]
pub(super) fn choose<T>(condition: bool, then: T, otherwise: T) -> T {
    if condition { then } else { otherwise }
}

/// Infinite if a nonzero result is too small, or a result too large, for certain last bits.
#[inline(always)]
pub(super) fn range_error(high: f64) -> f64 {
    let size = high.abs();
    choose((LEAST..=GREATEST).contains(&size), 0.0, f64::INFINITY)
}

#[inline(always)]
pub(super) fn add(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let (sum, rest) = two_sum(a.high, b.high);
    let (low, lowest) = two_sum(a.low, b.low);
    let (high, rest) = quick_sum(sum, rest + low);
    let (high, low) = quick_sum(high, rest + lowest);
    let exact = a.low == 0.0 && b.low == 0.0;
    let rounding = choose(exact, 0.0, high.abs() * RELATIVE);
    let range = choose(high == 0.0, 0.0, range_error(high));
    CertifiedDouble {
        high,
        low,
        error: (a.error + b.error + rounding) * UP + range,
    }
}

#[inline(always)]
pub(super) fn negate(a: CertifiedDouble) -> CertifiedDouble {
    CertifiedDouble {
        high: -a.high,
        low: -a.low,
        error: a.error,
    }
}

#[inline(always)]
pub(super) fn subtract(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    add(a, negate(b))
}

#[inline(always)]
pub(super) fn multiply(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let product = a.high * b.high;
    let rest = a.high.mul_add(b.high, -product);
    let cross = a.low.mul_add(b.high, a.high.mul_add(b.low, a.low * b.low));
    let (high, low) = quick_sum(product, rest + cross);
    let exact = a.low == 0.0 && b.low == 0.0;
    let rounding = choose(exact, 0.0, high.abs() * RELATIVE);
    let zero = a.high == 0.0 || b.high == 0.0;
    let range = choose(zero, 0.0, range_error(product));
    let passed = a.high.abs() * b.error + b.high.abs() * a.error + a.error * b.error;
    CertifiedDouble {
        high,
        low,
        error: (passed + rounding) * UP + range,
    }
}

#[inline(always)]
pub(super) fn divide(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let first = a.high / b.high;
    let product = first * b.high;
    let rest = first.mul_add(b.high, -product);
    let (back, behind) = quick_sum(product, first.mul_add(b.low, rest));
    let left = (a.high - back) + (a.low - behind);
    let (high, low) = quick_sum(first, left / b.high);
    let exact = a.low == 0.0 && b.low == 0.0 && rest == 0.0 && product == a.high;
    let rounding = choose(exact, 0.0, high.abs() * RELATIVE);
    let divisor = b.high.abs();
    // Half of the divisor is less than the divisor minus its error.
    let apart = divisor > 4.0 * b.error;
    let passed = 2.0 * (a.error + high.abs() * b.error) / divisor;
    let zero = a.high == 0.0 && a.low == 0.0;
    let range = choose(zero, 0.0, range_error(first) + range_error(a.high)) + range_error(b.high);
    CertifiedDouble {
        high,
        low,
        error: choose(apart, (passed + rounding) * UP + range, f64::INFINITY),
    }
}

/// The difference of `a` and `b`, and its error.
#[inline(always)]
fn difference(a: CertifiedDouble, b: CertifiedDouble) -> (f64, f64) {
    let (sum, rest) = two_sum(a.high, -b.high);
    let difference = sum + (rest + (a.low - b.low));
    let exact = a.low == 0.0 && b.low == 0.0;
    let rounding = choose(exact, 0.0, (a.high.abs() + b.high.abs()) * RELATIVE);
    (difference, (a.error + b.error + rounding) * UP)
}

/// The larger where they can be told apart; else either, with the error of both.
#[inline(always)]
fn extreme(a: CertifiedDouble, b: CertifiedDouble, sign: f64) -> CertifiedDouble {
    let (difference, reach) = difference(a, b);
    let first = difference * sign > 0.0;
    let apart = difference.abs() > reach;
    // A NaN, or an unknown value, on one side makes the result unknown.
    let both = choose(a.error > b.error, a.error, b.error) + difference.abs() + reach;
    let error = choose(first, a.error, b.error);
    CertifiedDouble {
        high: choose(first, a.high, b.high),
        low: choose(first, a.low, b.low),
        error: choose(apart, error, both) + 0.0 * (a.error + b.error),
    }
}

#[inline(always)]
pub(super) fn larger(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    extreme(a, b, 1.0)
}

#[inline(always)]
pub(super) fn smaller(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    extreme(a, b, -1.0)
}

#[inline(always)]
pub(super) fn truth(holds: bool, known: bool) -> CertifiedDouble {
    CertifiedDouble {
        high: choose(holds, 1.0, 0.0),
        low: 0.0,
        error: choose(known, 0.0, f64::INFINITY),
    }
}

/// Equal numbers are known to be so only where both are exact.
#[inline(always)]
fn order(a: CertifiedDouble, b: CertifiedDouble) -> (f64, bool) {
    let (difference, reach) = difference(a, b);
    let exact = a.error + b.error == 0.0;
    let same = exact && a.high == b.high && a.low == b.low;
    let difference = choose(same, 0.0, difference);
    (difference, same || difference.abs() > reach)
}

#[inline(always)]
pub(super) fn less(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let (difference, known) = order(a, b);
    truth(difference < 0.0, known)
}

#[inline(always)]
pub(super) fn less_equal(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let (difference, known) = order(a, b);
    truth(difference <= 0.0, known)
}

#[inline(always)]
pub(super) fn equal(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let (difference, known) = order(a, b);
    truth(difference == 0.0, known)
}

#[inline(always)]
pub(super) fn absolute(a: CertifiedDouble) -> CertifiedDouble {
    let negative = a.high < 0.0;
    CertifiedDouble {
        high: choose(negative, -a.high, a.high),
        low: choose(negative, -a.low, a.low),
        error: a.error,
    }
}

/// 2^52: adding it to a smaller number leaves no bits for a fraction.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// Without a call, so that it vectorises on every machine.
#[inline(always)]
fn double_floor(x: f64) -> f64 {
    let nearest = ((x.abs() + INTEGERS) - INTEGERS).copysign(x);
    let floor = choose(nearest > x, nearest - 1.0, nearest);
    choose(x.abs() < INTEGERS, floor, x)
}

/// The greatest integer that is at most the pair, how far the pair is above it, and how far this may be off.
#[inline(always)]
fn split(a: CertifiedDouble) -> (f64, f64, f64, f64) {
    let whole = double_floor(a.high);
    let integral = whole == a.high;
    let below = choose(integral, double_floor(a.low), 0.0);
    // A low part below 0 takes a fraction below the next integer at most.
    let fraction = choose(integral, a.low - below, (a.high - whole) + a.low);
    (whole, below, fraction, a.error * UP + f64::EPSILON)
}

#[inline(always)]
pub(super) fn floor(a: CertifiedDouble) -> CertifiedDouble {
    let (whole, below, fraction, reach) = split(a);
    let exact = a.error == 0.0 && (a.low == 0.0 || whole == a.high);
    let known = exact || (fraction > reach && fraction < 1.0 - reach);
    let (high, low) = two_sum(whole, below);
    CertifiedDouble {
        high,
        low,
        error: choose(known, 0.0, f64::INFINITY) + 0.0 * a.high,
    }
}

#[inline(always)]
pub(super) fn ceil(a: CertifiedDouble) -> CertifiedDouble {
    negate(floor(negate(a)))
}

#[inline(always)]
pub(super) fn integer(a: CertifiedDouble) -> CertifiedDouble {
    let (whole, _, fraction, reach) = split(a);
    let exact = a.error == 0.0 && (a.low == 0.0 || whole == a.high);
    let apart = fraction > reach && fraction < 1.0 - reach;
    truth(exact && whole == a.high && fraction == 0.0, exact || apart)
}

/// `a - b * floor(a / b)`, for `b > 0`.
#[inline(always)]
pub(super) fn modulo(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    let rest = subtract(a, multiply(b, floor(divide(a, b))));
    CertifiedDouble {
        error: choose(b.high > 2.0 * b.error, rest.error, f64::INFINITY),
        ..rest
    }
}

/// The gcd of whole numbers; remainders of doubles are exact.
fn divisor_of_doubles(a: f64, b: f64) -> f64 {
    if a.floor() != a || b.floor() != b || !(a - b).is_finite() {
        return f64::NAN;
    }
    let (mut a, mut b) = (a.abs(), b.abs());
    while b > 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

/// For whole numbers that doubles hold.
pub(super) fn common_divisor(a: CertifiedDouble, b: CertifiedDouble) -> CertifiedDouble {
    if a.low != 0.0 || b.low != 0.0 || a.error + b.error != 0.0 {
        return UNKNOWN;
    }
    let high = divisor_of_doubles(a.high, b.high);
    CertifiedDouble {
        high,
        low: 0.0,
        error: choose(high.is_nan(), f64::INFINITY, 0.0),
    }
}

/// `then` if `condition` is 1, `otherwise` if it is 0.
#[inline(always)]
pub(super) fn select(
    condition: CertifiedDouble,
    then: CertifiedDouble,
    otherwise: CertifiedDouble,
) -> CertifiedDouble {
    let holds = condition.high != 0.0;
    CertifiedDouble {
        high: choose(holds, then.high, otherwise.high),
        low: choose(holds, then.low, otherwise.low),
        error: choose(holds, then.error, otherwise.error) + condition.error,
    }
}

/// The double nearest to the number, if the error bound leaves only one; else NaN.
#[inline(always)]
pub(super) fn nearest(a: CertifiedDouble) -> f64 {
    let high = a.high + a.low;
    let low = (a.high - high) + a.low;
    let reach = a.error * UP + low.abs() * (4.0 * f64::EPSILON) + 0.0;
    let sure = high + (low + reach) == high && high + (low - reach) == high;
    let sized = high == 0.0 || range_error(high) == 0.0;
    let known = a.error == 0.0 || (sure && a.error < f64::INFINITY);
    // Plus 0 makes the negative zero positive.
    choose(known && sized, high + 0.0, f64::NAN)
}
