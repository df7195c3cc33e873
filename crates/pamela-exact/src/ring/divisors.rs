//! Greatest common divisors and least common multiples of whole numbers.

use std::borrow::Cow;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// Number of leading bits of both numbers that decide quotients: sums with cofactors fit 64 bits.
const LEADING: u64 = 62;

/// 0 for two zeros.
pub(super) fn greatest_common_divisor<T: Integer + Copy>(mut a: T, mut b: T) -> T {
    while !b.is_zero() {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor, 0 of two zeros.
///
/// Lehmer's algorithm (Knuth, 4.5.2, algorithm L): leading bits decide some 18 quotients of Euclid's algorithm,
/// which are then carried out on the long numbers at once.
pub(super) fn greatest_common(left: &BigInt, right: &BigInt) -> BigInt {
    if left.is_one() || right.is_one() {
        return BigInt::one();
    }
    let (mut long, mut short) = (
        Cow::Borrowed(left.magnitude()),
        Cow::Borrowed(right.magnitude()),
    );
    if long < short {
        std::mem::swap(&mut long, &mut short);
    }
    loop {
        if short.is_zero() {
            return BigInt::from(long.into_owned());
        }
        if let (Some(a), Some(b)) = (long.to_u64(), short.to_u64()) {
            return BigInt::from(greatest_common_divisor(a, b));
        }
        let next = match Cofactors::of(&long, &short) {
            Some(cofactors) => cofactors.applied(&long, &short),
            None => (short.clone().into_owned(), long.as_ref() % short.as_ref()),
        };
        (long, short) = (Cow::Owned(next.0), Cow::Owned(next.1));
    }
}

/// Some steps of Euclid's algorithm: `(long, short)` become `(a long + b short, c long + d short)`.
struct Cofactors {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
}

impl Cofactors {
    /// The steps that leading bits decide, where they decide one. `long >= short`.
    fn of(long: &BigUint, short: &BigUint) -> Option<Cofactors> {
        let shift = long.bits().saturating_sub(LEADING);
        let (mut high, mut low) = ((long >> shift).to_i64()?, (short >> shift).to_i64()?);
        let (mut a, mut b, mut c, mut d) = (1_i64, 0_i64, 0_i64, 1_i64);
        // The quotients at both ends of the possible range of the numbers must agree.
        while low + c != 0 && low + d != 0 {
            let quotient = (high + a) / (low + c);
            if quotient != (high + b) / (low + d) {
                break;
            }
            (a, c) = (c, a - quotient * c);
            (b, d) = (d, b - quotient * d);
            (high, low) = (low, high - quotient * low);
        }
        (b != 0).then_some(Cofactors { a, b, c, d })
    }

    fn applied(&self, long: &BigUint, short: &BigUint) -> (BigUint, BigUint) {
        // One of two cofactors is positive, the other is not.
        let combined = |a: i64, b: i64| {
            if a > b {
                long * a.unsigned_abs() - short * b.unsigned_abs()
            } else {
                short * b.unsigned_abs() - long * a.unsigned_abs()
            }
        };
        (combined(self.a, self.b), combined(self.c, self.d))
    }
}

/// The least common multiple of denominators, and of 1.
pub(super) fn common_multiple(left: &BigInt, right: &BigInt) -> BigInt {
    let divisor = greatest_common(left, right);
    left / divisor * right
}
