//! The gamma law.

use statrs::function::gamma::digamma;

use super::estimate::{Estimate, Sorted};
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::root::newton;
use crate::special::{incomplete_gamma, ln_gamma, log_gamma_density};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "gamma",
    says: "the gamma law, by shape and scale",
    example: "gamma(2, 3)",
    arguments: &[
        plain("shape", "the shape", Domain::Positive),
        own("scale", "the scale", Domain::Positive),
    ],
    least: Some(Least::Number(0)),
    density: Density::Always,
    make: |arguments| Ok(gamma(arguments[0], arguments[1])),
    estimate: Estimate::by_likelihood(|sorted| sorted.are_positive().then(|| estimated(sorted))),
};

/// Logarithms of values whose next power is lost beside 1.
pub(super) const NEGLIGIBLE: f64 = -40.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    scale: f64,
}

pub(super) fn gamma(shape: f64, scale: f64) -> Named {
    Named(Kind::Gamma(Gamma { shape, scale }))
}

pub(super) fn cumulants_of(shape: f64, scale: f64) -> Cumulants {
    cumulants(shape, shape, 2.0 * shape, 6.0 * shape).scaled(scale)
}

/// `(1 - it)^(-shape)`.
pub(super) fn characteristic_of(shape: f64, t: f64) -> (f64, f64) {
    let log_size = -0.5 * shape * (t * t).ln_1p();
    turn(log_size.exp(), shape * t.atan())
}

impl Numbers for Gamma {
    fn arguments(&self) -> [f64; 2] {
        [self.shape, self.scale]
    }

    fn values(&self) -> Values {
        Values::Continuous
    }

    fn cumulants(&self) -> Cumulants {
        cumulants_of(self.shape, self.scale)
    }

    fn support(&self) -> Support {
        Support::NONNEGATIVE
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        pair(incomplete_gamma(self.shape, x / self.scale))
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.scale * quantile(self.shape, p)
    }

    fn log_density(&self, x: f64) -> f64 {
        if x == 0.0 {
            return at_end(self.shape, 1.0 / self.scale);
        }
        log_gamma_density(self.shape, x / self.scale) + self.shape.ln() - x.ln()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        Some(characteristic_of(self.shape, t * self.scale))
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: gamma(self.shape, 1.0),
            factor: self.scale,
            amount: 0.0,
        })
    }
}

/// The quantile for the scale 1: in `y = ln x`, the logarithms of both tails are concave.
fn quantile(shape: f64, p: Probability) -> f64 {
    // P(x) = x^a / Gamma(a + 1) is exact for small x.
    let smallest = (p.ln() + ln_gamma(shape + 1.0)) / shape;
    if smallest < NEGLIGIBLE {
        return smallest.exp();
    }
    // Wilson and Hilferty, else.
    let cube = 1.0 - 1.0 / (9.0 * shape) + normal_quantile(p) / (3.0 * shape.sqrt());
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

/// Shape and scale. `ln a - digamma(a)` equals the logarithm of the mean minus the mean of the logarithms.
fn estimated(sorted: &Sorted) -> Vec<f64> {
    let mean = sorted.mean();
    let gap = mean.ln() - sorted.mean_of(f64::ln);
    let start = (3.0 - gap + ((gap - 3.0).powi(2) + 24.0 * gap).sqrt()) / (12.0 * gap);
    let log_shape = newton(start.ln(), |y| {
        let (a, h) = (y.exp(), 1e-4);
        let value = |a: f64| gap - a.ln() + digamma(a);
        let slope = (value(a * (1.0 + h)) - value(a * (1.0 - h))) / (2.0 * h);
        (value(a), slope)
    });
    let shape = log_shape.exp();
    vec![shape, mean / shape]
}
