//! The Poisson law.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::special::{incomplete_gamma, log_gamma_density};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "poisson",
    says: "the Poisson law, by its mean",
    example: "poisson(3)",
    arguments: &[plain("mean", "the mean", Domain::NotNegative)],
    least: Some(Least::Number(0)),
    density: Density::Unknown,
    make: |arguments| Ok(Named(Kind::Poisson(Poisson { mean: arguments[0] }))),
    estimate: Estimate::by_likelihood(|sorted| Some(vec![sorted.mean_of_whole(0.0)?])),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson {
    mean: f64,
}

impl Numbers for Poisson {
    fn arguments(&self) -> [f64; 2] {
        [self.mean, 0.0]
    }

    fn values(&self) -> Values {
        Values::Whole
    }

    fn cumulants(&self) -> Cumulants {
        cumulants(self.mean, self.mean, self.mean, self.mean)
    }

    fn support(&self) -> Support {
        if self.mean == 0.0 {
            Support::point(0.0)
        } else {
            Support::NONNEGATIVE
        }
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        if self.mean == 0.0 || x == f64::INFINITY {
            return ALWAYS;
        }
        pair(incomplete_gamma(x.floor() + 1.0, self.mean)).complement()
    }

    fn quantile(&self, p: Probability) -> f64 {
        whole_quantile(self, p, near_normal(self.mean, self.mean, p))
    }

    fn log_density(&self, x: f64) -> f64 {
        if x.fract() != 0.0 {
            return f64::NEG_INFINITY;
        }
        if self.mean == 0.0 {
            return only(x == 0.0);
        }
        log_gamma_density(x, self.mean)
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        let size = (-2.0 * self.mean * (t / 2.0).sin().powi(2)).exp();
        Some(turn(size, self.mean * t.sin()))
    }
}
