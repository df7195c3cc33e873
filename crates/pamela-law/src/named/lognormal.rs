//! The law whose logarithm is normal.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "lognormal",
    says: "the lognormal law, by mean and deviation of the logarithm",
    example: "lognormal(0, 1)",
    arguments: &[
        plain("mean", "the mean of the logarithm", Domain::Any),
        plain(
            "deviation",
            "the deviation of the logarithm",
            Domain::NotNegative,
        ),
    ],
    least: Some(Least::Number(0)),
    density: Density::Positive(1),
    make: |arguments| {
        Ok(match *arguments {
            [mu, 0.0] => Named::deterministic(mu.exp()),
            _ => lognormal(arguments[0], arguments[1]),
        })
    },
    estimate: Estimate::by_likelihood(|sorted| {
        sorted.are_positive().then(|| sorted.logarithms().to_vec())
    }),
};

/// The deviation is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lognormal {
    mu: f64,
    sigma: f64,
}

fn lognormal(mu: f64, sigma: f64) -> Named {
    Named(Kind::Lognormal(Lognormal { mu, sigma }))
}

impl Numbers for Lognormal {
    fn arguments(&self) -> [f64; 2] {
        [self.mu, self.sigma]
    }

    fn values(&self) -> Values {
        Values::Elementary
    }

    fn cumulants(&self) -> Cumulants {
        log_normal_cumulants(self.mu, self.sigma)
    }

    fn support(&self) -> Support {
        Support::NONNEGATIVE
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        normal_cdf((x.ln() - self.mu) / self.sigma)
    }

    fn tail(&self, x: f64) -> f64 {
        if x < 0.0 {
            return 1.0;
        }
        normal_tail((x.ln() - self.mu) / self.sigma)
    }

    fn quantile(&self, p: Probability) -> f64 {
        (self.mu + self.sigma * normal_quantile(p)).exp()
    }

    fn log_density(&self, x: f64) -> f64 {
        if x == 0.0 {
            return f64::NEG_INFINITY;
        }
        log_normal_density((x.ln() - self.mu) / self.sigma) - self.sigma.ln() - x.ln()
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: lognormal(0.0, self.sigma),
            factor: self.mu.exp(),
            amount: 0.0,
        })
    }
}

/// Cumulants of `e^(mu + sigma z)` for a standard normal `z`.
pub fn log_normal_cumulants(mu: f64, sigma: f64) -> Cumulants {
    let w = (sigma * sigma).exp();
    let excess = (sigma * sigma).exp_m1();
    let unit = cumulants(
        1.0,
        excess,
        excess.powi(2) * (w + 2.0),
        excess.powi(3) * (((w + 3.0) * w + 6.0) * w + 6.0),
    );
    unit.scaled((mu + sigma * sigma / 2.0).exp())
}
