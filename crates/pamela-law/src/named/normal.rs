//! The normal law.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "normal",
    says: "the normal law, by mean and standard deviation",
    example: "normal(10, 2)",
    arguments: &[
        own("mean", "the mean", Domain::Any),
        own("deviation", "the standard deviation", Domain::NotNegative),
    ],
    least: None,
    density: Density::Positive(1),
    make: |arguments| {
        Ok(match *arguments {
            [value, 0.0] => Named::deterministic(value),
            _ => normal(arguments[0], arguments[1]),
        })
    },
    estimate: Estimate::by_likelihood(|sorted| {
        Some(vec![sorted.mean(), sorted.cumulants.variance.sqrt()])
    }),
};

/// The deviation is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    mean: f64,
    deviation: f64,
}

fn normal(mean: f64, deviation: f64) -> Named {
    Named(Kind::Normal(Normal { mean, deviation }))
}

impl Numbers for Normal {
    fn arguments(&self) -> [f64; 2] {
        [self.mean, self.deviation]
    }

    fn values(&self) -> Values {
        Values::Elementary
    }

    fn cumulants(&self) -> Cumulants {
        cumulants(self.mean, self.deviation * self.deviation, 0.0, 0.0)
    }

    fn support(&self) -> Support {
        Support::REAL
    }

    fn cdf(&self, x: f64) -> Probability {
        normal_cdf((x - self.mean) / self.deviation)
    }

    fn tail(&self, x: f64) -> f64 {
        normal_tail((x - self.mean) / self.deviation)
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.mean + self.deviation * normal_quantile(p)
    }

    fn log_density(&self, x: f64) -> f64 {
        log_normal_density((x - self.mean) / self.deviation) - self.deviation.ln()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        let size = (-0.5 * (t * self.deviation).powi(2)).exp();
        Some(turn(size, t * self.mean))
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: normal(0.0, 1.0),
            factor: self.deviation,
            amount: self.mean,
        })
    }

    fn location(&self) -> f64 {
        self.mean
    }

    fn moved(&self, amount: f64) -> Option<Named> {
        Some(normal(self.mean + amount, self.deviation))
    }
}
