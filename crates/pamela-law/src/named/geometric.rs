//! The geometric law: trials up to the first success, at least 1 (thesis section 4.4).

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "geometric",
    says: "the geometric law: trials up to the first success",
    example: "geometric(0.2)",
    arguments: &[plain("p", "the probability", Domain::Chance)],
    least: Some(Least::Number(1)),
    density: Density::Unknown,
    make: |arguments| Ok(geometric(arguments[0])),
    estimate: Estimate::by_likelihood(|sorted| Some(vec![1.0 / sorted.mean_of_whole(1.0)?])),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    p: f64,
}

fn geometric(p: f64) -> Named {
    Named(Kind::Geometric(Geometric { p }))
}

impl Numbers for Geometric {
    fn arguments(&self) -> [f64; 2] {
        [self.p, 0.0]
    }

    fn values(&self) -> Values {
        Values::Whole
    }

    fn cumulants(&self) -> Cumulants {
        let (p, q) = (self.p, 1.0 - self.p);
        cumulants(1.0, q, q * (2.0 - p), q * (6.0 * q + p * p)).scaled(1.0 / p)
    }

    fn support(&self) -> Support {
        if self.p == 1.0 {
            Support::point(1.0)
        } else {
            Support::new(1.0, f64::INFINITY)
        }
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        survival(-x.floor() * (-self.p).ln_1p())
    }

    fn quantile(&self, p: Probability) -> f64 {
        whole_quantile(self, p, hazard(p) / -(-self.p).ln_1p())
    }

    fn log_density(&self, x: f64) -> f64 {
        if x.fract() != 0.0 || x < 1.0 {
            return f64::NEG_INFINITY;
        }
        self.p.ln() + power(x - 1.0, 1.0 - self.p)
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        // p e^(it) / (1 - q e^(it)) = p / (e^(-it) - q)
        let (re, im) = (self.p - 2.0 * (t / 2.0).sin().powi(2), -t.sin());
        let square = re * re + im * im;
        Some((self.p * re / square, -self.p * im / square))
    }

    fn smallest(&self, n: f64) -> Option<Named> {
        Some(geometric(-(n * (-self.p).ln_1p()).exp_m1()))
    }
}
