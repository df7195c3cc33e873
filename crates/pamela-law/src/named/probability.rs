//! Cumulative distribution functions, accurate in both tails.

use super::{Kind, Kind::*};
use crate::Probability;
use crate::special::{incomplete_beta, incomplete_gamma};
use libm::erfc;

pub const NEVER: Probability = Probability {
    below: 0.0,
    above: 1.0,
};
pub const ALWAYS: Probability = Probability {
    below: 1.0,
    above: 0.0,
};

/// `P(X <= x)`.
pub fn cdf(law: Kind, x: f64) -> Probability {
    if x.is_nan() {
        return pair((x, x));
    }
    match law {
        Deterministic { value } => step(x >= value),
        Exponential { mean } => survival(x / mean),
        Normal { mean, deviation } => normal((x - mean) / deviation),
        Uniform { lower, upper } => Probability {
            below: ((x - lower) / (upper - lower)).clamp(0.0, 1.0),
            above: ((upper - x) / (upper - lower)).clamp(0.0, 1.0),
        },
        _ if x < 0.0 => NEVER,
        Gamma { shape, scale } => pair(incomplete_gamma(shape, x / scale)),
        Weibull { shape, scale } => survival((x / scale).powf(shape)),
        LogNormal { mu, sigma } => normal((x.ln() - mu) / sigma),
        Pareto { shape, scale } => survival(shape * (x / scale).ln()),
        Beta { .. } if x >= 1.0 => ALWAYS,
        Beta { a, b } => pair(incomplete_beta(a, b, x, 1.0 - x)),
        Bernoulli { p } => binomial(1.0, p, x.floor()),
        Binomial { n, p } => binomial(n, p, x.floor()),
        Poisson { mean } if mean == 0.0 || x == f64::INFINITY => ALWAYS,
        Poisson { mean } => pair(incomplete_gamma(x.floor() + 1.0, mean)).complement(),
        Geometric { p } => survival(-x.floor() * (-p).ln_1p()),
    }
}

/// `P(X > x)`; takes half the time if both tails are computed separately.
pub fn tail(law: Kind, x: f64) -> f64 {
    match law {
        _ if x.is_nan() => x,
        Exponential { mean } => survives(x / mean),
        Normal { mean, deviation } => normal_tail((x - mean) / deviation),
        Weibull { shape, scale } if x >= 0.0 => survives((x / scale).powf(shape)),
        LogNormal { mu, sigma } if x >= 0.0 => normal_tail((x.ln() - mu) / sigma),
        _ => cdf(law, x).above,
    }
}

fn pair((below, above): (f64, f64)) -> Probability {
    Probability { below, above }
}

fn step(reached: bool) -> Probability {
    if reached { ALWAYS } else { NEVER }
}

/// The probability with `e^(-hazard)` above.
fn survival(hazard: f64) -> Probability {
    if hazard.is_nan() || hazard <= 0.0 {
        return NEVER;
    }
    Probability {
        below: -(-hazard).exp_m1(),
        above: survives(hazard),
    }
}

fn survives(hazard: f64) -> f64 {
    if hazard.is_nan() || hazard <= 0.0 {
        1.0
    } else {
        (-hazard).exp()
    }
}

/// The standard normal law.
pub fn normal(z: f64) -> Probability {
    Probability {
        below: normal_tail(-z),
        above: normal_tail(z),
    }
}

fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

fn binomial(n: f64, p: f64, k: f64) -> Probability {
    if k >= n || p == 0.0 {
        return ALWAYS;
    }
    if p == 1.0 {
        return NEVER;
    }
    pair(incomplete_beta(k + 1.0, n - k, p, 1.0 - p)).complement()
}
