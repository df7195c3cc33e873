//! Regularised incomplete gamma and beta functions, each with an accurate complement.

use super::ln_gamma;

const MAX_TERMS: usize = 1_000_000;
/// From here on the first term of the uniform expansion is exact in doubles.
const MIN_UNIFORM: f64 = 1e8;
/// From here on that of the beta function has a relative error below 1e-8.
const MIN_UNIFORM_BETA: f64 = 1e6;
const EPSILON: f64 = 1e-16;
/// Keeps the denominators of a continued fraction from 0 (Lentz).
const TINY: f64 = 1e-300;

/// `(P(a, x), Q(a, x))` with `P(a, x) = int_0^x t^(a-1) e^(-t) dt / Gamma(a)` and `P + Q = 1`.
///
/// Defined for `a > 0` and `x >= 0`; NaN elsewhere. The smaller of the two results has a relative error of about
/// 1e-14, even for large `a`.
pub fn incomplete_gamma(a: f64, x: f64) -> (f64, f64) {
    if a.is_nan() || x.is_nan() || a <= 0.0 || x < 0.0 {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    if a > MIN_UNIFORM && (x / a - 1.0).abs() < 0.5 {
        return gamma_uniform(a, x);
    }
    if x < a + 1.0 {
        let below = gamma_series(a, x);
        // For small `a` and `x` the complement is small beside 1, but no other expression is at hand.
        (below, 1.0 - below)
    } else {
        let above = gamma_fraction(a, x);
        (1.0 - above, above)
    }
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..MAX_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < EPSILON * sum {
            break;
        }
    }
    (log_gamma_density(a, x).exp() * sum).min(1.0)
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..MAX_TERMS {
        let n = n as f64;
        let numerator = -n * (n - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() < EPSILON {
            break;
        }
    }
    (log_gamma_density(a, x).exp() * a * fraction).min(1.0)
}

/// Temme's expansion for large `a` (DLMF 8.12.3): a normal law, and the remainder.
fn gamma_uniform(a: f64, x: f64) -> (f64, f64) {
    let half_square = deviance(a, x);
    let eta = (2.0 * half_square / a).sqrt().copysign(x - a);
    let c = if eta.abs() < 0.02 {
        let terms = [1.0 / 864.0, -2.0 / 135.0, 1.0 / 12.0, -1.0 / 3.0];
        terms
            .iter()
            .fold(1.0 / 2_835.0, |sum, term| sum * eta + term)
    } else {
        a / (x - a) - 1.0 / eta
    };
    let rest = c * (-half_square).exp() / (2.0 * std::f64::consts::PI * a).sqrt();
    let z = half_square.sqrt().copysign(eta);
    (0.5 * libm::erfc(-z) - rest, 0.5 * libm::erfc(z) + rest)
}

/// `ln(x^a e^(-x) / Gamma(a + 1))`: the logarithm of the Poisson probability of `a` with mean `x`.
///
/// Avoids the cancellation of its three large terms.
pub fn log_gamma_density(a: f64, x: f64) -> f64 {
    if a == 0.0 {
        return -x;
    }
    -stirling_error(a) - deviance(a, x) - 0.5 * (2.0 * std::f64::consts::PI * a).ln()
}

/// `(I_x(a, b), I_y(b, a))` with `I_x(a, b) = int_0^x t^(a-1) (1-t)^(b-1) dt / B(a, b)`, for
/// `a, b > 0`.
///
/// Takes both `x` and `y` with `x + y = 1`, because one alone is inaccurate near 1. The two results
/// add up to 1.
pub fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    let valid = a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    if !valid {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if y == 0.0 {
        return (1.0, 0.0);
    }
    if a.min(b) > MIN_UNIFORM_BETA && ((x * b - y * a) / a.min(b)).abs() < 0.5 {
        return beta_uniform(a, b, x, y);
    }
    let density = log_beta_density(a, b, x, y).exp();
    if x <= (a + 1.0) / (a + b + 2.0) {
        let below = (density * beta_fraction(a, b, x) / a).min(1.0);
        (below, 1.0 - below)
    } else {
        let above = (density * beta_fraction(b, a, y) / b).min(1.0);
        (1.0 - above, above)
    }
}

/// `ln(x^a y^b / B(a, b))`.
pub fn log_beta_density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    BetaDensity::new(a, b).ln(x, y)
}

/// The density of the logit of a beta variable (Loader, *Fast and accurate computation of binomial probabilities*).
#[derive(Clone, Copy, Debug)]
pub struct BetaDensity {
    a: f64,
    b: f64,
    /// Its logarithm at the mean.
    greatest: f64,
}

impl BetaDensity {
    /// The density for a beta variable of parameters `a` and `b`.
    pub fn new(a: f64, b: f64) -> BetaDensity {
        let n = a + b;
        let scale = 0.5 * (a / n * b / (2.0 * std::f64::consts::PI)).ln();
        let greatest = scale + stirling_error(n) - stirling_error(a) - stirling_error(b);
        BetaDensity { a, b, greatest }
    }

    /// `ln(x^a y^b / B(a, b))` for `x + y = 1`.
    pub fn ln(&self, x: f64, y: f64) -> f64 {
        let n = self.a + self.b;
        self.greatest - deviance(self.a, n * x) - deviance(self.b, n * y)
    }
}

/// The first term of the uniform expansion for large `a` and `b` (DLMF 8.18.9): a normal law, and the remainder.
fn beta_uniform(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    let n = a + b;
    let distance = (x * b - y * a) / n;
    let half_square = deviance(a, n * x) + deviance(b, n * y);
    let z = half_square.sqrt().copysign(distance);
    let root = (a / n * (b / n)).sqrt();
    let c = if distance.abs() < 1e-6 * root * root {
        (b - a) / n / (3.0 * root)
    } else {
        1.0 / (z * (2.0 / n).sqrt()) - root / distance
    };
    let rest = c * (-half_square).exp() / (2.0 * std::f64::consts::PI * n).sqrt();
    (0.5 * libm::erfc(-z) + rest, 0.5 * libm::erfc(z) - rest)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let n = a + b;
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - n * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..MAX_TERMS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (n + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < EPSILON {
            break;
        }
    }
    fraction
}

fn away_from_zero(x: f64) -> f64 {
    if x.abs() < TINY { TINY } else { x }
}

/// `ln Gamma(x + 1) - (x + 1/2) ln x + x - ln(2 pi) / 2`: what Stirling's formula leaves.
fn stirling_error(x: f64) -> f64 {
    if x < 15.0 {
        let half_log_of_two_pi = 0.918_938_533_204_672_7;
        return ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x - half_log_of_two_pi;
    }
    let s = 1.0 / (x * x);
    let series = [1.0 / 1_188.0, -1.0 / 1_680.0, 1.0 / 1_260.0, -1.0 / 360.0];
    (series.iter().fold(-691.0 / 360_360.0, |sum, c| sum * s + c) * s + 1.0 / 12.0) / x
}

/// `a ln(a / m) + m - a`, which is 0 at `m = a` and positive elsewhere.
fn deviance(a: f64, m: f64) -> f64 {
    let e = (m - a) / a;
    if e.abs() > 0.3 {
        return a * (a / m).ln() + m - a;
    }
    // e - ln(1 + e), where ln(1 + e) = 2 (r + r^3/3 + r^5/5 + ...) with r = e / (2 + e), and e - 2r = r e.
    let r = e / (2.0 + e);
    let square = r * r;
    let tail = (1..16)
        .rev()
        .fold(0.0, |sum, k| square * (sum + 1.0 / f64::from(2 * k + 1)));
    a * r * (e - 2.0 * tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(error <= tolerance, "{found:e} {expected:e}: {error:e}");
    }

    /// `e^(-x) (1 + x + ... + x^n / n!)`, the complement for the whole `a = n + 1`.
    fn poisson_sum(n: u32, x: f64) -> f64 {
        let (mut term, mut sum) = ((-x).exp(), (-x).exp());
        for k in 1..=n {
            term *= x / f64::from(k);
            sum += term;
        }
        sum
    }

    #[test]
    fn whole_shapes_are_sums_of_poisson_probabilities() {
        for (a, x) in [(1, 0.3), (4, 2.0), (4, 90.0), (30, 31.5), (30, 100.0)] {
            close(
                incomplete_gamma(f64::from(a), x).1,
                poisson_sum(a - 1, x),
                1e-13,
            );
        }
        // P(1, x) = 1 - e^(-x).
        close(incomplete_gamma(1.0, 1e-200).0, 1e-200, 1e-13);
        close(incomplete_gamma(1.0, 600.0).1, (-600.0_f64).exp(), 1e-13);
    }

    #[test]
    fn a_half_is_the_error_function() {
        for x in [1e-6, 0.4, 1.2, 3.0, 200.0_f64] {
            let (below, above) = incomplete_gamma(0.5, x);
            close(below, libm::erf(x.sqrt()), 1e-13);
            close(above, libm::erfc(x.sqrt()), 1e-12);
        }
    }

    #[test]
    fn great_shapes_are_not_lost_in_cancellation() {
        // P(a, a) = 1/2 + 1/(3 sqrt(2 pi a)) + O(a^-1.5) (DLMF 8.11.12).
        for a in [1e4, 1e8, 1e12, 1e30_f64] {
            let expected = 0.5 + 1.0 / (3.0 * (2.0 * std::f64::consts::PI * a).sqrt());
            close(
                incomplete_gamma(a, a).0,
                expected,
                0.1 / a.powf(1.5) + 1e-13,
            );
        }
    }

    #[test]
    fn beta_with_whole_parameters_is_a_binomial_tail() {
        // I_x(a, b) = P(Bin(a + b - 1, x) >= a).
        let x: f64 = 0.2;
        let choose = [1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0];
        let tail: f64 = (3..=7)
            .map(|k| choose[k] * x.powi(k as i32) * (1.0 - x).powi(7 - k as i32))
            .sum();
        let (below, above) = incomplete_beta(3.0, 5.0, x, 1.0 - x);
        close(below, tail, 1e-14);
        close(above, 1.0 - tail, 1e-14);
        // I_x(a, 1) = x^a and I_x(1, b) = 1 - (1 - x)^b.
        close(incomplete_beta(7.0, 1.0, 1e-40, 1.0).0, 1e-280, 1e-12);
        close(incomplete_beta(1.0, 9.0, 1.0, 1e-30).1, 1e-270, 1e-12);
        close(incomplete_beta(1e9, 1e9, 0.5, 0.5).0, 0.5, 1e-9);
    }

    #[test]
    fn the_expansion_for_great_parameters_is_the_fraction() {
        for (a, b) in [(2e6, 3e6), (1.5e6, 4e8), (7e7, 2e6_f64)] {
            let n: f64 = a + b;
            let deviation = (a / n * (b / n) / n).sqrt();
            for z in [-20.0, -3.0, -1e-3, 0.0, 0.4, 5.0, 30.0] {
                let (x, y) = (a / n + z * deviation, b / n - z * deviation);
                let density = log_beta_density(a, b, x, y).exp();
                let (below, above) = beta_uniform(a, b, x, y);
                if z <= 0.0 {
                    close(below, density * beta_fraction(a, b, x) / a, 2e-8);
                } else {
                    close(above, density * beta_fraction(b, a, y) / b, 2e-8);
                }
            }
        }
    }
}
