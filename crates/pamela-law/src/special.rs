//! Special functions: harmonic numbers, factorials, binomials and the logarithm of the gamma
//! function.
//!
//! They are exact for small whole arguments, and in doubles otherwise. The module also has
//! incomplete gamma and beta functions, and exact sums. It knows only numbers; callers decide how
//! much accuracy is worth its cost.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

mod exact_sum;
mod exponential;
mod halves;
mod incomplete;

pub use exact_sum::ExactSum;
pub use exponential::exp_all;
pub use halves::Halves;
pub use incomplete::{BetaDensity, incomplete_beta, incomplete_gamma};
pub use incomplete::{log_beta_density, log_gamma_density};

/// The greatest order of a harmonic number in the language.
pub const MAX_ORDER: u32 = 64;

/// Harmonic numbers with `n * k` up to this are computed exactly, in some 6,000 bits.
pub const MAX_EXACT_HARMONIC: u64 = 4_096;

/// Up to this argument, `lgamma` of a whole number is the logarithm of its factorial.
pub const MAX_EXACT_LOG_GAMMA: u64 = 1_000;

/// Limit of exact factorials; larger ones have more than a million bits.
pub const MAX_EXACT_FACTORIAL: u64 = 60_000;

/// `H(n, k) = 1/1^k + 1/2^k + ... + 1/n^k`, exactly; `H(0, k) = 0`.
pub fn exact_harmonic(n: u64, k: u32) -> BigRational {
    if n == 0 {
        return BigRational::zero();
    }
    let (numerator, denominator) = sum_of_reciprocals(1, n, k);
    BigRational::new(numerator, denominator)
}

/// Numerator and denominator of `1/first^k + ... + 1/last^k`, not reduced: halves are joined, so that
/// long numbers meet long ones.
fn sum_of_reciprocals(first: u64, last: u64, k: u32) -> (BigInt, BigInt) {
    if first == last {
        return (BigInt::one(), BigInt::from(first).pow(k));
    }
    let middle = first + (last - first) / 2;
    let (a, b) = sum_of_reciprocals(first, middle, k);
    let (c, d) = sum_of_reciprocals(middle + 1, last, k);
    (a * &d + c * &b, b * d)
}

/// `n! = 1 * 2 * ... * n`, exactly.
pub fn exact_factorial(n: u64) -> BigInt {
    product(1, n)
}

fn product(first: u64, last: u64) -> BigInt {
    if first > last {
        return BigInt::one();
    }
    if last - first < 8 {
        return (first..=last).map(BigInt::from).product();
    }
    let middle = first + (last - first) / 2;
    product(first, middle) * product(middle + 1, last)
}

/// Binomial coefficient `n (n-1) ... (n-k+1) / k!`, exactly.
pub fn exact_binomial(n: &BigInt, k: u64) -> BigInt {
    (0..k).fold(BigInt::one(), |product, i| product * (n - i) / (i + 1))
}

/// Binomial coefficient for whole `n >= 0` and `k`, 0 outside of `0 <= k <= n`; NaN elsewhere.
pub fn binomial(n: f64, k: f64) -> f64 {
    if !is_whole(n) || !k.is_finite() || k.fract() != 0.0 {
        return f64::NAN;
    }
    if k < 0.0 || k > n {
        return 0.0;
    }
    let least = k.min(n - k);
    if least > MAX_MULTIPLIED {
        return (ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)).exp();
    }
    let product = |product: f64, i: u32| product * (n - f64::from(i)) / f64::from(i + 1);
    (0..least as u32).fold(1.0, product)
}

/// Greater binomial coefficients come from logarithms.
const MAX_MULTIPLIED: f64 = 1000.0;

/// `B_2j / (2j)!` for j = 1, 2, ...: the coefficients of Euler and Maclaurin.
const EULER_MACLAURIN: [f64; 7] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
];

/// Below this, series are summed term by term; from here on their expansions are exact in doubles.
const FIRST_EXPANDED: f64 = 24.0;

/// `H(n, k)` for whole `n >= 0` and `k >= 1`, to some units in the last place; NaN elsewhere.
pub fn harmonic(n: f64, k: u32) -> f64 {
    if !is_whole(n) {
        return f64::NAN;
    }
    let power = |x: f64| 1.0 / x.powi(k as i32);
    let direct = n.min(FIRST_EXPANDED) as u32;
    // The small terms first.
    let head: f64 = (1..=direct).rev().map(|i| power(f64::from(i))).sum();
    if n <= FIRST_EXPANDED {
        return head;
    }
    let start = FIRST_EXPANDED;
    let order = f64::from(k);
    let integral = match k {
        1 => (n / start).ln(),
        _ => (start * power(start) - n * power(n)) / (order - 1.0),
    };
    // The derivative of degree 2j - 1 of x^-k is -k (k+1) ... (k+2j-2) / x^(k+2j-1).
    let mut correction = (power(n) - power(start)) / 2.0;
    let (mut rising, mut at_start, mut at_end) = (order, power(start) / start, power(n) / n);
    for (coefficient, j) in EULER_MACLAURIN.iter().zip(1..) {
        correction += coefficient * rising * (at_start - at_end);
        let next = order + 2.0 * f64::from(j) - 1.0;
        rising *= next * (next + 1.0);
        (at_start, at_end) = (at_start / (start * start), at_end / (n * n));
    }
    head + (integral + correction)
}

/// `n!` for whole `n >= 0`, infinite from 171 on; NaN elsewhere.
pub fn factorial(n: f64) -> f64 {
    if !is_whole(n) {
        return f64::NAN;
    }
    if n > 170.0 {
        return f64::INFINITY;
    }
    (2..=n as u32).map(f64::from).product()
}

/// `log(gamma(x))` for `x > 0`; NaN elsewhere.
///
/// Near 1 and 2, where it is 0, the error is some units in the last place of 1 rather than of the
/// result.
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    if x.fract() == 0.0 && x <= 171.0 {
        return factorial(x - 1.0).ln();
    }
    // gamma(x + 1) = x gamma(x)
    let (mut shifted, mut factor) = (x, 1.0);
    while shifted < FIRST_STIRLING {
        factor *= shifted;
        shifted += 1.0;
    }
    stirling(shifted) - factor.ln()
}

/// From here on Stirling's series is exact in doubles.
const FIRST_STIRLING: f64 = 10.0;

fn stirling(x: f64) -> f64 {
    // B_2j / (2j (2j - 1))
    const COEFFICIENTS: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1_260.0,
        -1.0 / 1_680.0,
        1.0 / 1_188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let inverse_square = 1.0 / (x * x);
    let series = COEFFICIENTS
        .iter()
        .rev()
        .fold(0.0, |sum, coefficient| sum * inverse_square + coefficient);
    let half_log_of_two_pi = 0.918_938_533_204_672_7;
    (x - 0.5) * x.ln() - x + half_log_of_two_pi + series / x
}

fn is_whole(x: f64) -> bool {
    x >= 0.0 && x.is_finite() && x.fract() == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-14 * expected.abs()
    }

    #[test]
    fn harmonic_numbers_are_sums_of_reciprocals() {
        let expected = BigRational::new(7381.into(), 2520.into());
        assert_eq!(exact_harmonic(10, 1), expected);
        assert_eq!(exact_harmonic(3, 2), BigRational::new(49.into(), 36.into()));
        assert!(exact_harmonic(0, 1).is_zero());
    }

    #[test]
    fn doubles_of_harmonic_numbers_are_the_exact_ones() {
        for k in [1, 2, 3, 7, 20] {
            for n in [0, 1, 2, 23, 24, 25, 26, 30, 100, 400] {
                let exact = exact_harmonic(n, k).to_f64().unwrap_or(f64::NAN);
                assert!(close(harmonic(n as f64, k), exact), "H({n}, {k})");
            }
        }
    }

    #[test]
    fn harmonic_numbers_of_great_arguments_have_their_limits() {
        // Euler's constant, and pi^2 / 6.
        let gamma = 0.577_215_664_901_532_9;
        let n = 1e12;
        assert!(close(harmonic(n, 1), n.ln() + gamma + 0.5 / n));
        assert!(close(
            harmonic(1e15, 2),
            std::f64::consts::PI.powi(2) / 6.0 - 1e-15
        ));
        assert!(harmonic(2.5, 1).is_nan() && harmonic(-1.0, 1).is_nan());
    }

    #[test]
    fn factorials_are_products() {
        assert_eq!(exact_factorial(0), BigInt::from(1));
        assert_eq!(
            exact_factorial(20),
            BigInt::from(2_432_902_008_176_640_000_u64)
        );
        let by_steps: BigInt = (1..=100).map(BigInt::from).product();
        assert_eq!(exact_factorial(100), by_steps);
        assert!(close(
            factorial(170.0),
            exact_factorial(170).to_f64().unwrap_or(f64::NAN)
        ));
        assert!(factorial(171.0).is_infinite() && factorial(0.5).is_nan());
    }

    #[test]
    fn the_logarithm_of_gamma_is_that_of_the_factorial() {
        for n in [1, 2, 3, 10, 24, 25, 100, 170, 171, 172, 300, 1000] {
            let factorial = exact_factorial(n - 1);
            let shift = factorial.bits().saturating_sub(64);
            let top = (factorial >> shift).to_f64().unwrap_or(f64::NAN);
            let expected = top.ln() + shift as f64 * std::f64::consts::LN_2;
            assert!(close(ln_gamma(n as f64), expected), "lgamma({n})");
        }
    }

    #[test]
    fn gamma_of_a_half_is_the_root_of_pi() {
        let root = std::f64::consts::PI.sqrt();
        for (x, factor) in [
            (0.5, 1.0),
            (1.5, 0.5),
            (2.5, 0.75),
            (3.5, 1.875),
            (4.5, 6.5625),
        ] {
            let expected: f64 = (root * factor).ln();
            let error = (ln_gamma(x) - expected).abs();
            assert!(
                error <= 1e-14 * expected.abs().max(1.0),
                "lgamma({x}): {error:e}"
            );
        }
        assert!(ln_gamma(0.0).is_nan() && ln_gamma(-0.5).is_nan());
    }
}
