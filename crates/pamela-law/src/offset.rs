//! The location of a law, kept separately, so that a spread of 1 keeps its digits beside 1e12.

use super::{Cumulants, Distribution, Probability, Support};
use std::sync::Arc;

/// A number with twice the usual digits: the unevaluated sum of a double and its remainder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Offset {
    high: f64,
    low: f64,
}

impl Offset {
    /// Zero.
    pub const ZERO: Offset = Offset {
        high: 0.0,
        low: 0.0,
    };

    /// `high + low`.
    pub fn new(high: f64, low: f64) -> Offset {
        let sum = high + low;
        let of_low = sum - high;
        let lost = (high - (sum - of_low)) + (low - of_low);
        if sum.is_finite() {
            Offset {
                high: sum,
                low: lost,
            }
        } else {
            Offset {
                high: sum,
                low: 0.0,
            }
        }
    }

    /// The nearest double.
    pub fn value(self) -> f64 {
        self.high
    }

    /// The number, if a double holds it exactly.
    pub fn exact(self) -> Option<f64> {
        (self.low == 0.0).then_some(self.high)
    }

    /// The sum.
    pub fn plus(self, other: Offset) -> Offset {
        let sum = Offset::new(self.high, other.high);
        Offset::new(sum.high, sum.low + self.low + other.low)
    }

    /// The product with a double.
    pub fn times(self, factor: f64) -> Offset {
        let product = self.high * factor;
        if !product.is_finite() {
            return Offset::from(product);
        }
        let lost = self.high.mul_add(factor, -product);
        Offset::new(product, lost + self.low * factor)
    }

    /// The product.
    pub fn multiply(self, other: Offset) -> Offset {
        let main = self.times(other.high);
        main.plus(Offset::from(self.high * other.low))
    }

    /// The difference.
    pub fn minus(self, other: Offset) -> Offset {
        self.plus(other.times(-1.0))
    }
}

impl From<f64> for Offset {
    fn from(value: f64) -> Offset {
        Offset::new(value, 0.0)
    }
}

/// The law of `X + amount`.
pub struct Shifted {
    /// The law of `X`.
    pub law: Arc<dyn Distribution>,
    /// The amount that is added.
    pub amount: f64,
}

impl Distribution for Shifted {
    fn cumulants(&self) -> Cumulants {
        self.law.cumulants().shifted(self.amount)
    }

    fn support(&self) -> Support {
        self.law.support().shifted(self.amount)
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.law.quantile(p) + self.amount
    }

    fn at_logit(&self, t: f64) -> Option<(f64, f64)> {
        let (x, slope) = self.law.at_logit(t)?;
        Some((x + self.amount, slope))
    }

    fn cdf(&self, x: f64) -> Probability {
        self.law.cdf(x - self.amount)
    }

    fn cdf_before(&self, x: f64) -> Probability {
        self.law.cdf_before(x - self.amount)
    }

    fn density(&self, x: f64) -> Option<f64> {
        self.law.density(x - self.amount)
    }

    fn log_density(&self, x: f64) -> Option<f64> {
        self.law.log_density(x - self.amount)
    }

    fn breaks(&self) -> Vec<f64> {
        let breaks = self.law.breaks().into_iter();
        breaks.map(|x| x + self.amount).collect()
    }

    fn is_discrete(&self) -> bool {
        self.law.is_discrete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_survives_beside_what_is_great() {
        let far = Offset::from(1e12).plus(Offset::from(0.1));
        assert_eq!(far.value(), 1e12 + 0.1);
        assert_eq!(far.minus(Offset::from(1e12)).value(), 0.1);
        let third = Offset::from(1.0 / 3.0).times(3e12);
        // The double nearest to 1/3 is 2^-54 / 3 less than that.
        let missing = third.minus(Offset::from(1e12)).value();
        assert!((missing / (-3e12 / 3.0 * 0.5_f64.powi(54)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_are_too_great_are_infinite() {
        let great = Offset::from(1e308).times(1e10);
        assert_eq!(great.value(), f64::INFINITY);
    }
}
