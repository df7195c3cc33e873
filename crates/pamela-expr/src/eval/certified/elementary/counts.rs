//! Harmonic numbers and factorials of whole numbers.

use std::sync::LazyLock;

use super::{log, two_to_minus};
use crate::eval::certified::CertifiedDouble;
use crate::eval::certified::kernels::{UNKNOWN, add, divide, subtract};
use crate::ring::Rational;
use crate::special;

/// Up to here values stand in tables; beyond, a few terms of the series of a harmonic number are enough.
const LAST: usize = 256;

/// Factorials of larger numbers exceed the doubles.
const LAST_FACTORIAL: usize = 160;

/// Euler's constant.
const EULER: CertifiedDouble = CertifiedDouble {
    high: 0.5772156649015329,
    low: -4.942915152430645e-18,
    error: two_to_minus(106),
};

/// Error of the series of a harmonic number: rounding of its double terms, and the first omitted term.
const LOST_BY_SERIES: f64 = two_to_minus(88);

static HARMONIC: LazyLock<Vec<CertifiedDouble>> = LazyLock::new(|| {
    let exact = |n| Rational::from(special::exact_harmonic(n as u64, 1));
    (0..=LAST).map(|n| CertifiedDouble::of(&exact(n))).collect()
});

static FACTORIAL: LazyLock<Vec<CertifiedDouble>> = LazyLock::new(|| {
    let exact = |n| Rational::from(special::exact_factorial(n as u64));
    let all = (0..=LAST_FACTORIAL).map(|n| CertifiedDouble::of(&exact(n)));
    all.collect()
});

/// True if it is known to be a whole number that is not below 0.
fn is_count(a: CertifiedDouble) -> bool {
    a.error == 0.0 && a.low == 0.0 && a.high >= 0.0 && a.high.fract() == 0.0
}

/// `1 + 1/2 + .. + 1/n`
pub(in crate::eval::certified) fn harmonic(n: CertifiedDouble) -> CertifiedDouble {
    let count = n.high;
    if !is_count(n) || count > 1e15 {
        return UNKNOWN;
    }
    if count <= LAST as f64 {
        return HARMONIC[count as usize];
    }
    // log(n) + gamma + 1/(2 n) - 1/(12 n^2) + 1/(120 n^4) - 1/(252 n^6) + 1/(240 n^8) - 1/(132 n^10), by Bernoulli's numbers;
    // the next term is below 2^-100.
    let of = CertifiedDouble::from;
    let square = 1.0 / (count * count);
    let tail = square.mul_add(-1.0 / 132.0, 1.0 / 240.0);
    let tail = square.mul_add(tail, -1.0 / 252.0);
    let tail = square * square * square.mul_add(tail, 1.0 / 120.0);
    let tail = CertifiedDouble {
        high: tail,
        low: 0.0,
        error: LOST_BY_SERIES,
    };
    let half = divide(of(0.5), n);
    let sum = add(add(log(n), EULER), half);
    // A sixth of the square of the half.
    let second = divide(divide(half, n), of(6.0));
    add(subtract(sum, second), tail)
}

/// `1 * 2 * .. * n`
pub(in crate::eval::certified) fn factorial(n: CertifiedDouble) -> CertifiedDouble {
    if is_count(n) && n.high <= LAST_FACTORIAL as f64 {
        FACTORIAL[n.high as usize]
    } else {
        UNKNOWN
    }
}
