//! The exponential law.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised, gamma};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "exponential",
    says: "the exponential law, by its mean",
    example: "exponential(2)",
    arguments: &[own("mean", "the mean", Domain::Positive)],
    least: Some(Least::Number(0)),
    density: Density::Always,
    make: |arguments| Ok(Exponential { mean: arguments[0] }.named()),
    estimate: Estimate::by_likelihood(|sorted| {
        (sorted.ends().lower >= 0.0).then(|| vec![sorted.mean()])
    }),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    fn named(self) -> Named {
        Named(Kind::Exponential(self))
    }
}

impl Numbers for Exponential {
    fn arguments(&self) -> [f64; 2] {
        [self.mean, 0.0]
    }

    fn values(&self) -> Values {
        Values::Elementary
    }

    fn cumulants(&self) -> Cumulants {
        gamma::cumulants_of(1.0, self.mean)
    }

    fn support(&self) -> Support {
        Support::NONNEGATIVE
    }

    fn cdf(&self, x: f64) -> Probability {
        survival(x / self.mean)
    }

    fn tail(&self, x: f64) -> f64 {
        survives(x / self.mean)
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.mean * hazard(p)
    }

    fn log_density(&self, x: f64) -> f64 {
        -x / self.mean - self.mean.ln()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        Some(gamma::characteristic_of(1.0, t * self.mean))
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: Exponential { mean: 1.0 }.named(),
            factor: self.mean,
            amount: 0.0,
        })
    }
}
