//! The heavy-tailed Pareto law.

use super::estimate::Estimate;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named, Standardised};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "pareto",
    says: "the Pareto law, by shape and least value",
    example: "pareto(3, 1)",
    arguments: &[
        plain("shape", "the shape", Domain::Positive),
        own("least", "the scale", Domain::Positive),
    ],
    least: Some(Least::Argument(1)),
    density: Density::Always,
    make: |arguments| Ok(pareto(arguments[0], arguments[1])),
    // The mean of the logarithms above that of the least sample.
    estimate: Estimate::by_likelihood(|sorted| {
        let least = sorted.ends().lower;
        let shape = || 1.0 / sorted.mean_of(|x| (x / least).ln());
        sorted.are_positive().then(|| vec![shape(), least])
    }),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pareto {
    shape: f64,
    scale: f64,
}

fn pareto(shape: f64, scale: f64) -> Named {
    Named(Kind::Pareto(Pareto { shape, scale }))
}

impl Numbers for Pareto {
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
        Support::new(self.scale, f64::INFINITY)
    }

    fn cdf(&self, x: f64) -> Probability {
        survival(self.shape * (x / self.scale).ln())
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.scale * (hazard(p) / self.shape).exp()
    }

    fn log_density(&self, x: f64) -> f64 {
        if x < self.scale {
            return f64::NEG_INFINITY;
        }
        self.shape.ln() - self.scale.ln() - (self.shape + 1.0) * (x / self.scale).ln()
    }

    fn standardised(&self) -> Option<Standardised> {
        Some(Standardised {
            law: pareto(self.shape, 1.0),
            factor: self.scale,
            amount: 0.0,
        })
    }

    fn moments_below(&self) -> f64 {
        self.shape
    }
}

/// Cumulants for the scale 1; infinite from the order `shape` on.
fn cumulants_of(s: f64) -> Cumulants {
    let exists = |order: f64, value: f64| if s > order { value } else { f64::INFINITY };
    let variance = s / ((s - 1.0).powi(2) * (s - 2.0));
    let lean = s * (s + 1.0) / ((s - 1.0).powi(3) * (s - 2.0) * (s - 3.0));
    let excess = s * (((s + 1.0) * s - 6.0) * s - 2.0)
        / ((s - 1.0).powi(4) * (s - 2.0).powi(2) * (s - 3.0) * (s - 4.0));
    cumulants(
        exists(1.0, s / (s - 1.0)),
        exists(2.0, variance),
        exists(3.0, 2.0 * lean),
        exists(4.0, 6.0 * excess),
    )
}
