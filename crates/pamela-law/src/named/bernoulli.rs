//! 1 with a probability, else 0.

use super::binomial;
use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "bernoulli",
    says: "1 with a probability, else 0",
    example: "bernoulli(0.2)",
    arguments: &[plain("p", "the probability", Domain::Probability)],
    least: Some(Least::Number(0)),
    density: Density::Unknown,
    make: |arguments| Ok(Named(Kind::Bernoulli(Bernoulli { p: arguments[0] }))),
    estimate: Estimate::by_likelihood(|sorted| {
        let mean = sorted.mean_of_whole(0.0)?;
        (sorted.ends().upper == 1.0).then(|| vec![mean])
    }),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bernoulli {
    p: f64,
}

impl Numbers for Bernoulli {
    fn arguments(&self) -> [f64; 2] {
        [self.p, 0.0]
    }

    fn values(&self) -> Values {
        Values::Whole
    }

    fn cumulants(&self) -> Cumulants {
        binomial::cumulants_of_trial(self.p)
    }

    fn support(&self) -> Support {
        binomial::support_of(1.0, self.p)
    }

    fn cdf(&self, x: f64) -> Probability {
        binomial::cdf(1.0, self.p, x)
    }

    fn quantile(&self, p: Probability) -> f64 {
        whole_quantile(self, p, near_normal(0.0, 0.0, p))
    }

    fn log_density(&self, x: f64) -> f64 {
        binomial::log_probability(1.0, self.p, x)
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        Some(binomial::characteristic_of(1.0, self.p, t))
    }
}
