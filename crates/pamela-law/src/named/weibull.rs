//! The Weibull law.

use libm::tgamma;

use super::estimate::{Estimate, Sorted};
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::quadrature;
use crate::root::newton;
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "weibull",
    says: "the Weibull law, by shape and scale",
    example: "weibull(2, 3)",
    arguments: &[
        plain("shape", "the shape", Domain::Positive),
        own("scale", "the scale", Domain::Positive),
    ],
    least: Some(Least::Number(0)),
    density: Density::Always,
    make: |arguments| Ok(weibull(arguments[0], arguments[1])),
    estimate: Estimate::by_likelihood(|sorted| sorted.are_positive().then(|| estimated(sorted))),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weibull {
    shape: f64,
    scale: f64,
}

pub(super) fn weibull(shape: f64, scale: f64) -> Named {
    Named(Kind::Weibull(Weibull { shape, scale }))
}

impl Numbers for Weibull {
    fn arguments(&self) -> [f64; 2] {
        [self.shape, self.scale]
    }

    fn values(&self) -> Values {
        Values::Elementary
    }

    fn cumulants(&self) -> Cumulants {
        cumulants_of(self.shape).scaled(self.scale)
    }

    fn support(&self) -> Support {
        Support::NONNEGATIVE
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        survival((x / self.scale).powf(self.shape))
    }

    fn tail(&self, x: f64) -> f64 {
        if x < 0.0 {
            return 1.0;
        }
        survives((x / self.scale).powf(self.shape))
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.scale * hazard(p).powf(1.0 / self.shape)
    }

    fn log_density(&self, x: f64) -> f64 {
        let z = x / self.scale;
        (self.shape / self.scale).ln() + power(self.shape - 1.0, z) - z.powf(self.shape)
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: weibull(self.shape, 1.0),
            factor: self.scale,
            amount: 0.0,
        })
    }
}

/// Cumulants for the scale 1: `W = V^(1/shape)` with an exponential `V`.
///
/// The moments `Gamma(1 + r / shape)` cancel where the law is narrow; there the central ones are integrated.
fn cumulants_of(shape: f64) -> Cumulants {
    let raw = |r: f64| tgamma(1.0 + r / shape);
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
    cumulants(
        1.0 + mean,
        variance,
        third,
        fourth - 3.0 * variance * variance,
    )
}

/// Shape and scale. With weights `x^k`, the mean of the logarithms is larger by `1/k` than without.
fn estimated(sorted: &Sorted) -> Vec<f64> {
    let greatest = sorted.ends().upper.ln();
    let [plain, coefficient] = sorted.logarithms();
    // Powers of x / max stay in the range of doubles.
    let sums = |k: f64| {
        let mut sums = [0.0; 3];
        for x in sorted.samples {
            let log = x.ln() - greatest;
            let power = (k * log).exp();
            for (r, sum) in (0..).zip(&mut sums) {
                *sum += power * log.powi(r);
            }
        }
        sums
    };
    let log_shape = newton((1.28 / coefficient).ln(), |y| {
        let k = y.exp();
        let [s0, s1, s2] = sums(k);
        let value = s1 / s0 + greatest - plain - 1.0 / k;
        let slope = s2 / s0 - (s1 / s0).powi(2) + 1.0 / (k * k);
        (value, slope * k)
    });
    let shape = log_shape.exp();
    let mean_power = sums(shape)[0] / sorted.samples.len() as f64;
    vec![shape, (greatest + mean_power.ln() / shape).exp()]
}
