//! Operations on whole numbers in doubles, as long as results fit.
//!
//! Each returns its result and a flag that it is exact. Rounding is monotone: a result below 2^53
//! was below it before rounding, so it was not rounded at all.

use super::CertifiedDouble;

/// 2^53: every whole number below it is a double.
const LIMIT: f64 = (1u64 << 53) as f64;

#[inline(always)]
fn checked(value: f64) -> (f64, bool) {
    (value, value.abs() < LIMIT)
}

/// True if a double is a whole number below the limit.
#[inline(always)]
pub(super) fn is_whole(value: f64) -> bool {
    value.trunc() == value && value.abs() < LIMIT
}

/// True if a number is known to be whole.
#[inline(always)]
pub(super) fn is_known(value: CertifiedDouble) -> bool {
    value.low == 0.0 && value.error == 0.0 && is_whole(value.high)
}

#[inline(always)]
pub(super) fn add(a: f64, b: f64) -> (f64, bool) {
    checked(a + b)
}

#[inline(always)]
pub(super) fn subtract(a: f64, b: f64) -> (f64, bool) {
    checked(a - b)
}

#[inline(always)]
pub(super) fn multiply(a: f64, b: f64) -> (f64, bool) {
    checked(a * b)
}

/// A quotient without remainder.
#[inline(always)]
pub(super) fn divide(a: f64, b: f64) -> (f64, bool) {
    let quotient = a / b;
    let whole = is_whole(quotient) && b != 0.0;
    (quotient, whole && quotient.mul_add(b, -a) == 0.0)
}

/// The floor of the quotient and the remainder, for a positive divisor.
#[inline(always)]
fn divided(a: f64, b: f64) -> (f64, f64) {
    // The quotient may have been rounded up to the next whole number; what is left over then is negative, and exact.
    let quotient = (a / b).floor();
    let rest = (-quotient).mul_add(b, a);
    if rest < 0.0 {
        (quotient - 1.0, rest + b)
    } else {
        (quotient, rest)
    }
}

#[inline(always)]
pub(super) fn quotient(a: f64, b: f64) -> (f64, bool) {
    (divided(a, b).0, b > 0.0)
}

#[inline(always)]
pub(super) fn modulo(a: f64, b: f64) -> (f64, bool) {
    (divided(a, b).1, b > 0.0)
}

#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> (f64, bool) {
    (if a > b { a } else { b }, true)
}

#[inline(always)]
pub(super) fn smaller(a: f64, b: f64) -> (f64, bool) {
    (if a < b { a } else { b }, true)
}

#[inline(always)]
fn truth(holds: bool) -> (f64, bool) {
    (if holds { 1.0 } else { 0.0 }, true)
}

#[inline(always)]
pub(super) fn less(a: f64, b: f64) -> (f64, bool) {
    truth(a < b)
}

#[inline(always)]
pub(super) fn less_equal(a: f64, b: f64) -> (f64, bool) {
    truth(a <= b)
}

#[inline(always)]
pub(super) fn equal(a: f64, b: f64) -> (f64, bool) {
    truth(a == b)
}
