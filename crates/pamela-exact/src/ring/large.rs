//! Arithmetic of rationals that do not fit machine integers.
//!
//! Greatest common divisors take nearly all of the time there. Sums and products cancel before they multiply (Knuth,
//! *The Art of Computer Programming*, 4.5.1), so common divisors are computed for numbers of half the length, or not
//! at all.

use std::borrow::Cow;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::divisors::greatest_common;
use super::rational::{Rational, Repr};

fn parts(value: &Rational) -> Cow<'_, BigRational> {
    match &value.0 {
        Repr::Small(..) => Cow::Owned(value.to_big()),
        Repr::Big(big) => Cow::Borrowed(big),
    }
}

/// `left + right`, with `g` the greatest common divisor of the denominators `g b` and `g d`:
/// `(a d + c b) / (g b d)`, in which only a divisor of `g` is left to cancel.
pub(super) fn add(left: &Rational, right: &Rational) -> Rational {
    let (left, right) = (parts(left), parts(right));
    let common = greatest_common(left.denom(), right.denom());
    let (numerator, denominator) = if common.is_one() {
        (
            left.numer() * right.denom() + right.numer() * left.denom(),
            left.denom() * right.denom(),
        )
    } else {
        let (b, d) = (left.denom() / &common, right.denom() / &common);
        let numerator = left.numer() * &d + right.numer() * &b;
        let rest = greatest_common(&numerator, &common);
        (numerator / &rest, b * (right.denom() / rest))
    };
    Rational::from(BigRational::new_raw(numerator, denominator))
}

/// `left * right`, cancelled across before anything is multiplied.
pub(super) fn mul(left: &Rational, right: &Rational) -> Rational {
    if left.is_zero() || right.is_zero() {
        return Rational::ZERO;
    }
    let (left, right) = (parts(left), parts(right));
    let first = greatest_common(left.numer(), right.denom());
    let second = greatest_common(right.numer(), left.denom());
    let without = |number: &BigInt, divisor: &BigInt| {
        if divisor.is_one() {
            number.clone()
        } else {
            number / divisor
        }
    };
    Rational::from(BigRational::new_raw(
        without(left.numer(), &first) * without(right.numer(), &second),
        without(left.denom(), &second) * without(right.denom(), &first),
    ))
}
