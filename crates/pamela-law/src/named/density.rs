//! Densities, probabilities of single values, characteristic functions.

use super::{Kind, Kind::*};
use crate::special::{log_beta_density, log_gamma_density};
use std::f64::consts::PI;

/// The logarithm of the density, or of the probability of `x` for a discrete law.
pub fn log_density(law: Kind, x: f64) -> f64 {
    let outside = f64::NEG_INFINITY;
    match law {
        Deterministic { value } => only(x == value),
        Normal { mean, deviation } => log_normal_density((x - mean) / deviation) - deviation.ln(),
        Uniform { lower, upper } => only(x >= lower && x <= upper) - (upper - lower).ln(),
        _ if x.is_nan() || x < 0.0 => outside,
        Exponential { mean } => -x / mean - mean.ln(),
        Gamma { shape, scale } if x == 0.0 => at_end(shape, 1.0 / scale),
        Gamma { shape, scale } => log_gamma_density(shape, x / scale) + shape.ln() - x.ln(),
        Weibull { shape, scale } => {
            let z = x / scale;
            (shape / scale).ln() + power(shape - 1.0, z) - z.powf(shape)
        }
        LogNormal { .. } if x == 0.0 => outside,
        LogNormal { mu, sigma } => log_normal_density((x.ln() - mu) / sigma) - sigma.ln() - x.ln(),
        Pareto { scale, .. } if x < scale => outside,
        Pareto { shape, scale } => shape.ln() - scale.ln() - (shape + 1.0) * (x / scale).ln(),
        Beta { .. } if x > 1.0 => outside,
        Beta { a, b } if x == 0.0 => at_end(a, b),
        Beta { a, b } if x == 1.0 => at_end(b, a),
        Beta { a, b } => log_beta_density(a, b, x, 1.0 - x) - x.ln() - (-x).ln_1p(),
        _ if x.fract() != 0.0 => outside,
        Bernoulli { p } => binomial(1.0, p, x),
        Binomial { n, p } => binomial(n, p, x),
        Poisson { mean } => {
            if mean == 0.0 {
                only(x == 0.0)
            } else {
                log_gamma_density(x, mean)
            }
        }
        Geometric { .. } if x < 1.0 => outside,
        Geometric { p } => p.ln() + power(x - 1.0, 1.0 - p),
    }
}

/// Probability 1 or 0.
fn only(certain: bool) -> f64 {
    if certain { 0.0 } else { f64::NEG_INFINITY }
}

/// At an end from which the density grows like a power with this shape; 1 makes it finite there.
fn at_end(shape: f64, density: f64) -> f64 {
    match shape.total_cmp(&1.0) {
        std::cmp::Ordering::Less => f64::INFINITY,
        std::cmp::Ordering::Equal => density.ln(),
        std::cmp::Ordering::Greater => f64::NEG_INFINITY,
    }
}

/// `ln(x^exponent)`, where `0^0` is 1.
fn power(exponent: f64, x: f64) -> f64 {
    if exponent == 0.0 {
        0.0
    } else {
        exponent * x.ln()
    }
}

/// Log-density of the standard normal law.
pub fn log_normal_density(z: f64) -> f64 {
    -0.5 * (z * z + (2.0 * PI).ln())
}

fn binomial(n: f64, p: f64, k: f64) -> f64 {
    let q = 1.0 - p;
    if k > n {
        return f64::NEG_INFINITY;
    }
    if k == 0.0 {
        return if n == 0.0 { 0.0 } else { n * (-p).ln_1p() };
    }
    if k == n {
        return n * p.ln();
    }
    if p == 0.0 || p == 1.0 {
        return f64::NEG_INFINITY;
    }
    // C(n, k) = n / (k (n - k)) / B(k, n - k)
    log_beta_density(k, n - k, p, q) + (n / (k * (n - k))).ln()
}

/// `E[e^(itX)]` as real and imaginary part, if it has a closed form.
pub fn characteristic(law: Kind, t: f64) -> Option<(f64, f64)> {
    Some(match law {
        Deterministic { value } => turn(1.0, t * value),
        Exponential { mean } => gamma(1.0, t * mean),
        Gamma { shape, scale } => gamma(shape, t * scale),
        Normal { mean, deviation } => turn((-0.5 * (t * deviation).powi(2)).exp(), t * mean),
        Uniform { lower, upper } => {
            let half = t * (upper - lower) / 2.0;
            let sinc = if half == 0.0 { 1.0 } else { half.sin() / half };
            turn(sinc, t * (lower + upper) / 2.0)
        }
        Bernoulli { p } => trials(1.0, p, t),
        Binomial { n, p } => trials(n, p, t),
        Poisson { mean } => turn(
            (-2.0 * mean * (t / 2.0).sin().powi(2)).exp(),
            mean * t.sin(),
        ),
        Geometric { p } => {
            // p e^(it) / (1 - q e^(it)) = p / (e^(-it) - q)
            let (re, im) = (p - 2.0 * (t / 2.0).sin().powi(2), -t.sin());
            let square = re * re + im * im;
            (p * re / square, -p * im / square)
        }
        Weibull { .. } | LogNormal { .. } | Beta { .. } | Pareto { .. } => return None,
    })
}

fn turn(size: f64, angle: f64) -> (f64, f64) {
    (size * angle.cos(), size * angle.sin())
}

/// `(1 - it)^(-shape)`.
fn gamma(shape: f64, t: f64) -> (f64, f64) {
    let log_size = -0.5 * shape * (t * t).ln_1p();
    turn(log_size.exp(), shape * t.atan())
}

/// `(q + p e^(it))^n`.
fn trials(n: f64, p: f64, t: f64) -> (f64, f64) {
    let q = 1.0 - p;
    // |q + p e^(it)|^2 = 1 - 4 p q sin^2(t/2)
    let log_size = 0.5 * (-4.0 * p * q * (t / 2.0).sin().powi(2)).ln_1p();
    let angle = (p * t.sin()).atan2(q + p * t.cos());
    turn((n * log_size).exp(), n * angle)
}
