//! The uniform law.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "uniform",
    says: "the uniform law between two bounds",
    example: "uniform(0, 1)",
    arguments: &[
        own("lower", "the lower end", Domain::Any),
        own("upper", "the upper end", Domain::Any),
    ],
    least: Some(Least::Argument(0)),
    density: Density::Increasing(0),
    make,
    estimate: Estimate::by_likelihood(|sorted| {
        let Support { lower, upper } = sorted.ends();
        Some(vec![lower, upper])
    }),
};

/// The lower end is below the upper one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    lower: f64,
    upper: f64,
}

fn make(arguments: &[f64]) -> Result<Named, String> {
    let (lower, upper) = (arguments[0], arguments[1]);
    if lower > upper {
        return Err(format!(
            "`upper` of `uniform` is {upper}, but must be at least `lower`, which is {lower}"
        ));
    }
    Ok(if lower == upper {
        Named::deterministic(lower)
    } else {
        uniform(lower, upper)
    })
}

fn uniform(lower: f64, upper: f64) -> Named {
    Named(Kind::Uniform(Uniform { lower, upper }))
}

impl Uniform {
    fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

impl Numbers for Uniform {
    fn arguments(&self) -> [f64; 2] {
        [self.lower, self.upper]
    }

    fn values(&self) -> Values {
        Values::Elementary
    }

    fn cumulants(&self) -> Cumulants {
        let width = self.width();
        let middle = self.lower + width / 2.0;
        cumulants(middle, width.powi(2) / 12.0, 0.0, -width.powi(4) / 120.0)
    }

    fn support(&self) -> Support {
        Support::new(self.lower, self.upper)
    }

    fn cdf(&self, x: f64) -> Probability {
        Probability {
            below: ((x - self.lower) / self.width()).clamp(0.0, 1.0),
            above: ((self.upper - x) / self.width()).clamp(0.0, 1.0),
        }
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below < 0.5 {
            self.lower + self.width() * p.below
        } else {
            self.upper - self.width() * p.above
        }
    }

    fn log_density(&self, x: f64) -> f64 {
        only(x >= self.lower && x <= self.upper) - self.width().ln()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        let half = t * self.width() / 2.0;
        let sinc = if half == 0.0 { 1.0 } else { half.sin() / half };
        Some(turn(sinc, t * (self.lower + self.upper) / 2.0))
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: uniform(0.0, 1.0),
            factor: self.width(),
            amount: self.lower,
        })
    }

    fn location(&self) -> f64 {
        self.lower
    }

    fn moved(&self, amount: f64) -> Option<Named> {
        Some(uniform(self.lower + amount, self.upper + amount))
    }
}
