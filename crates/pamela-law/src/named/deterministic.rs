//! A single value.

use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "deterministic",
    says: "a single value",
    example: "deterministic(3)",
    arguments: &[own("value", "the value", Domain::Any)],
    least: None,
    density: Density::Unknown,
    make: |arguments| Ok(Named::deterministic(arguments[0])),
    estimate: None,
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deterministic {
    pub value: f64,
}

impl Named {
    /// The law of a single value.
    pub fn deterministic(value: f64) -> Named {
        Named(Kind::Deterministic(Deterministic { value }))
    }
}

impl Numbers for Deterministic {
    fn arguments(&self) -> [f64; 2] {
        [self.value, 0.0]
    }

    fn values(&self) -> Values {
        Values::Single(self.value)
    }

    fn cumulants(&self) -> Cumulants {
        Cumulants::constant(self.value)
    }

    fn support(&self) -> Support {
        Support::point(self.value)
    }

    fn cdf(&self, x: f64) -> Probability {
        if x >= self.value { ALWAYS } else { NEVER }
    }

    fn quantile(&self, _: Probability) -> f64 {
        self.value
    }

    fn log_density(&self, x: f64) -> f64 {
        only(x == self.value)
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        Some(turn(1.0, t * self.value))
    }
}
