//! Logarithm, exponential and pi in fixed point: `x` stands for `x / 2^scale`.

use num_bigint::BigInt;
use num_integer::{Integer, Roots};
use num_traits::{One, ToPrimitive, Zero};

/// The scale that leaves `bits` bits after all errors.
pub(super) fn scale(bits: u64) -> u64 {
    bits + 2 * halvings(bits) + 64
}

/// Number of times that an argument is halved, or its root taken, before its series is summed.
fn halvings(bits: u64) -> u64 {
    bits.sqrt() / 2 + 4
}

/// The logarithm of a number from 1 to 2, and a bound of its error in the last place.
pub(super) fn log(x: &BigInt, scale: u64) -> (BigInt, u64) {
    let one = BigInt::one() << scale;
    let roots = halvings(scale);
    // log(x) = 2^roots log(x^(1/2^roots)); a root halves what errors there are, and adds one.
    let root = (0..roots).fold(x.clone(), |x, _| (x << scale).sqrt());
    // log(y) = 2 artanh z for z = (y - 1) / (y + 1)
    let z = ((&root - &one) << scale).div_floor(&(root + one));
    let square = (&z * &z) >> scale;
    let (mut power, mut sum, mut n) = (z, BigInt::zero(), 1u64);
    while !power.is_zero() {
        sum += &power / n;
        power = (power * &square) >> scale;
        n += 2;
    }
    (sum << (roots + 1), (n + 8) << (roots + 1))
}

/// Pi, and a bound of its error in the last place: `16 arctan(1/5) - 4 arctan(1/239)` (Machin 1706).
pub(super) fn pi(scale: u64) -> (BigInt, u64) {
    let arctan = |inverse: u32| {
        let mut power = (BigInt::one() << scale) / inverse;
        let (mut sum, mut n) = (BigInt::zero(), 1u64);
        while !power.is_zero() {
            let term = &power / n;
            if n % 4 == 1 {
                sum += term;
            } else {
                sum -= term;
            }
            power /= inverse * inverse;
            n += 2;
        }
        (sum, n)
    };
    let ((first, n), (second, m)) = (arctan(5), arctan(239));
    (16 * first - 4 * second, 16 * n + 4 * m)
}

/// `exp(x) = value * 2^k`, with `value` from 1 to 2 and a bound of its error in the last place.
pub(super) fn exp(x: &BigInt, scale: u64) -> Option<(BigInt, u64, i64)> {
    // The multiple of log 2 that is taken off multiplies the error of log 2.
    let finer = scale + 128;
    let (log_two, _) = log(&(BigInt::from(2) << finer), finer);
    let (k, rest) = (x << 128u32).div_mod_floor(&log_two);
    let k = k.to_i64()?;
    let squarings = halvings(scale);
    let reduced = (rest >> 128u32) >> squarings;
    let one = BigInt::one() << scale;
    let (mut term, mut sum, mut n) = (one.clone(), one, 1u64);
    while !term.is_zero() {
        term = ((term * &reduced) >> scale) / n;
        sum += &term;
        n += 1;
    }
    let value = (0..squarings).fold(sum, |x, _| (&x * &x) >> scale);
    Some((value, (n + squarings + 8) << (squarings + 3), k))
}
