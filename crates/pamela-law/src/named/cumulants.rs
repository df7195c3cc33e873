//! Cumulants in closed form.

use super::{Cumulants, Kind, Kind::*};
use crate::quadrature;
use libm::tgamma as gamma;

pub fn cumulants(law: Kind) -> Cumulants {
    match law {
        Deterministic { value } => Cumulants::constant(value),
        Exponential { mean } => gamma_law(1.0, mean),
        Normal { mean, deviation } => of(mean, deviation * deviation, 0.0, 0.0),
        Uniform { lower, upper } => {
            let width = upper - lower;
            let middle = lower + width / 2.0;
            of(middle, width.powi(2) / 12.0, 0.0, -width.powi(4) / 120.0)
        }
        Gamma { shape, scale } => gamma_law(shape, scale),
        Weibull { shape, scale } => weibull(shape).scaled(scale),
        LogNormal { mu, sigma } => log_normal(mu, sigma),
        Bernoulli { p } => bernoulli(p),
        Binomial { n, p } => bernoulli(p).repeated(n),
        Poisson { mean } => of(mean, mean, mean, mean),
        Geometric { p } => {
            let q = 1.0 - p;
            of(1.0, q, q * (2.0 - p), q * (6.0 * q + p * p)).scaled(1.0 / p)
        }
        Beta { a, b } => beta(a, b),
        Pareto { shape, scale } => pareto(shape).scaled(scale),
    }
}

fn of(mean: f64, variance: f64, third: f64, fourth: f64) -> Cumulants {
    Cumulants {
        mean,
        variance,
        third,
        fourth,
    }
}

fn gamma_law(shape: f64, scale: f64) -> Cumulants {
    of(shape, shape, 2.0 * shape, 6.0 * shape).scaled(scale)
}

/// Cumulants of `e^(mu + sigma z)` for a standard normal `z`.
pub fn log_normal(mu: f64, sigma: f64) -> Cumulants {
    let w = (sigma * sigma).exp();
    let excess = (sigma * sigma).exp_m1();
    let unit = of(
        1.0,
        excess,
        excess.powi(2) * (w + 2.0),
        excess.powi(3) * (((w + 3.0) * w + 6.0) * w + 6.0),
    );
    unit.scaled((mu + sigma * sigma / 2.0).exp())
}

fn bernoulli(p: f64) -> Cumulants {
    let variance = p * (1.0 - p);
    of(
        p,
        variance,
        variance * (1.0 - 2.0 * p),
        variance * (1.0 - 6.0 * variance),
    )
}

fn beta(a: f64, b: f64) -> Cumulants {
    let s = a + b;
    let variance = a / s * (b / s) / (s + 1.0);
    let skewness = 2.0 * (b - a) * (s + 1.0).sqrt() / ((s + 2.0) * (a * b).sqrt());
    let excess =
        6.0 * ((a - b).powi(2) * (s + 1.0) - a * b * (s + 2.0)) / (a * b * (s + 2.0) * (s + 3.0));
    Cumulants::from_moments(a / s, variance, skewness, 3.0 + excess)
}

/// Cumulants for the scale 1; infinite from the order `shape` on.
fn pareto(shape: f64) -> Cumulants {
    let s = shape;
    let exists = |order: f64, value: f64| if s > order { value } else { f64::INFINITY };
    let variance = s / ((s - 1.0).powi(2) * (s - 2.0));
    let lean = s * (s + 1.0) / ((s - 1.0).powi(3) * (s - 2.0) * (s - 3.0));
    let excess = s * (((s + 1.0) * s - 6.0) * s - 2.0)
        / ((s - 1.0).powi(4) * (s - 2.0).powi(2) * (s - 3.0) * (s - 4.0));
    of(
        exists(1.0, s / (s - 1.0)),
        exists(2.0, variance),
        exists(3.0, 2.0 * lean),
        exists(4.0, 6.0 * excess),
    )
}

/// Cumulants for the scale 1: `W = V^(1/shape)` with an exponential `V`.
///
/// The moments `Gamma(1 + r / shape)` cancel where the law is narrow; there the central ones are integrated.
fn weibull(shape: f64) -> Cumulants {
    let raw = |r: f64| gamma(1.0 + r / shape);
    if shape < 2.0 {
        return Cumulants::from_raw_moments([raw(1.0), raw(2.0), raw(3.0), raw(4.0)]);
    }
    // expm1(ln V / shape) is W - 1 without cancellation.
    let mean = quadrature::exponential(|v| [(v.ln() / shape).exp_m1()]).value[0];
    let central = quadrature::exponential(|v| {
        let d = (v.ln() / shape).exp_m1() - mean;
        [d * d, d.powi(3), d.powi(4)]
    });
    let [variance, third, fourth] = central.value;
    of(
        1.0 + mean,
        variance,
        third,
        fourth - 3.0 * variance * variance,
    )
}
