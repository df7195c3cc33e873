//! Quantile functions, accurate in both tails.

use super::density::log_normal_density;
use super::probability::normal as normal_cdf;
use super::{Distribution, Kind, Kind::*, Named, Probability};
use crate::root::{least_whole, newton};
use crate::special::{BetaDensity, incomplete_beta, incomplete_gamma, ln_gamma, log_gamma_density};
use statrs::function::erf::erfc_inv;

/// Logarithms of values whose next power is lost beside 1.
const NEGLIGIBLE: f64 = -40.0;

/// The least `x` with `P(X <= x) >= p`.
pub fn quantile(law: &Named, p: Probability) -> f64 {
    if p.below.is_nan() || p.above.is_nan() {
        return f64::NAN;
    }
    let support = law.support();
    if p.below <= 0.0 {
        return support.lower;
    }
    if p.above <= 0.0 {
        return support.upper;
    }
    let hazard = -p.complement().ln();
    match law.0 {
        Deterministic { value } => value,
        Exponential { mean } => mean * hazard,
        Normal { mean, deviation } => mean + deviation * normal(p),
        Uniform { lower, upper } => {
            if p.below < 0.5 {
                lower + (upper - lower) * p.below
            } else {
                upper - (upper - lower) * p.above
            }
        }
        Weibull { shape, scale } => scale * hazard.powf(1.0 / shape),
        Pareto { shape, scale } => scale * (hazard / shape).exp(),
        LogNormal { mu, sigma } => (mu + sigma * normal(p)).exp(),
        Gamma { shape, scale } => scale * gamma(shape, p),
        Beta { a, b } if p.below <= 0.5 => lower_beta(a, b, p.below),
        Beta { a, b } => 1.0 - lower_beta(b, a, p.above),
        Bernoulli { .. } | Binomial { .. } | Poisson { .. } | Geometric { .. } => {
            let guess = guess(law.0, p, hazard);
            least_whole(support.lower, guess.min(support.upper), |k| {
                reaches(law.cdf(k), p)
            })
        }
    }
}

/// True if a cdf is at least `p`, up to its rounding: `1 - (3/4)^1` reaches 1/4.
fn reaches(cdf: Probability, p: Probability) -> bool {
    let slack = 4.0 * f64::EPSILON;
    if p.below <= 0.5 {
        cdf.below >= p.below * (1.0 - slack)
    } else {
        cdf.above <= p.above * (1.0 + slack)
    }
}

/// A whole number near the quantile.
fn guess(law: Kind, p: Probability, hazard: f64) -> f64 {
    let (mean, variance) = match law {
        Geometric { p } => return hazard / -(-p).ln_1p(),
        Binomial { n, p } => (n * p, n * p * (1.0 - p)),
        Poisson { mean } => (mean, mean),
        _ => (0.0, 0.0),
    };
    let z = normal(p);
    // Cornish and Fisher, where the skewness is 1 over the deviation.
    (mean + z * variance.sqrt() + (z * z - 1.0) / 6.0).max(0.0)
}

/// The standard normal law.
pub fn normal(p: Probability) -> f64 {
    if p.below > 0.5 {
        return -normal(p.complement());
    }
    let z = -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p.below);
    // One Newton step on the logarithm takes off what the rational approximation leaves.
    let found = normal_cdf(z).below;
    let slope = (log_normal_density(z) - found.ln()).exp();
    z - (found / p.below).ln() / slope
}

/// Quantile of the gamma law of scale 1: in `y = ln x`, the logarithms of both tails are concave.
fn gamma(shape: f64, p: Probability) -> f64 {
    // P(x) = x^a / Gamma(a + 1) is exact for small x.
    let smallest = (p.ln() + ln_gamma(shape + 1.0)) / shape;
    if smallest < NEGLIGIBLE {
        return smallest.exp();
    }
    // Wilson and Hilferty, else.
    let cube = 1.0 - 1.0 / (9.0 * shape) + normal(p) / (3.0 * shape.sqrt());
    let start = if cube > 0.3 {
        (shape * cube.powi(3)).ln()
    } else {
        smallest
    };
    let lower = p.below <= 0.5;
    let target = if lower { p.ln() } else { p.complement().ln() };
    let root = newton(start, |y| {
        let x = y.exp();
        let (below, above) = incomplete_gamma(shape, x);
        let density = shape * log_gamma_density(shape, x).exp();
        if lower {
            (below.ln() - target, density / below)
        } else {
            (target - above.ln(), density / above)
        }
    });
    root.exp()
}

/// Quantile of the beta law for `p <= 1/2`: in `y = logit x`, the logarithm of the cdf is concave.
fn lower_beta(a: f64, b: f64, p: f64) -> f64 {
    // I_x = x^a / (a B(a, b)) is exact for small x; where a and b are great, there is no such x.
    let smallest = (p.ln() + a.ln() + ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)) / a;
    if a < 1.0 && smallest < NEGLIGIBLE - b.max(1.0).ln() {
        return smallest.exp();
    }
    let density = BetaDensity::new(a, b);
    let root = newton((a / b).ln(), |y| {
        let x = Probability::from_logit(y);
        let (below, _) = incomplete_beta(a, b, x.below, x.above);
        let density = density.ln(x.below, x.above).exp();
        (below.ln() - p.ln(), density / below)
    });
    Probability::from_logit(root).below
}
