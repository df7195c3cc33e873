//! Laws of two values, which have the least kurtosis: `skewness^2 + 1`.

use super::named::{ALWAYS, NEVER};
use super::{Cumulants, Distribution, Probability, Support};

/// A law of two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoPoint {
    lower: f64,
    upper: f64,
    /// Probability of the lower value, with its complement.
    chance: Probability,
}

impl TwoPoint {
    /// The law with this mean, variance and skewness; no other law has its kurtosis.
    ///
    /// Returns `None` if the variance is not positive.
    pub fn fit(target: &Cumulants) -> Option<TwoPoint> {
        let (skewness, deviation) = (target.skewness(), target.deviation());
        if !(deviation > 0.0 && skewness.is_finite() && target.mean.is_finite()) {
            return None;
        }
        // The value on the side of the longer tail has the smaller probability p: with q = 1 - p, the
        // skewness is (q - p) / sqrt(p q).
        let root = skewness.hypot(2.0);
        let p = 2.0 / (root * (root + skewness.abs()));
        let ratio = (p / (1.0 - p)).sqrt();
        let (near, far) = (deviation * ratio, deviation / ratio);
        Some(if skewness >= 0.0 {
            TwoPoint {
                lower: target.mean - near,
                upper: target.mean + far,
                chance: Probability::above(p),
            }
        } else {
            TwoPoint {
                lower: target.mean - far,
                upper: target.mean + near,
                chance: Probability::below(p),
            }
        })
    }
}

impl Distribution for TwoPoint {
    fn cumulants(&self) -> Cumulants {
        let (p, q) = (self.chance.above, self.chance.below);
        let variance = p * q;
        let standard = Cumulants {
            mean: p,
            variance,
            third: variance * (q - p),
            fourth: variance * (1.0 - 6.0 * variance),
        };
        standard.scaled(self.upper - self.lower).shifted(self.lower)
    }

    fn support(&self) -> Support {
        Support::new(self.lower, self.upper)
    }

    fn quantile(&self, p: Probability) -> f64 {
        let reached = if p.below <= 0.5 {
            self.chance.below >= p.below
        } else {
            self.chance.above <= p.above
        };
        if reached { self.lower } else { self.upper }
    }

    fn cdf(&self, x: f64) -> Probability {
        match x {
            x if x >= self.upper => ALWAYS,
            x if x >= self.lower => self.chance,
            _ => NEVER,
        }
    }

    fn breaks(&self) -> Vec<f64> {
        vec![self.lower, self.upper]
    }

    fn is_discrete(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_asked_for() {
        for skewness in [0.0, 0.3, -2.0, 50.0_f64] {
            let bound = skewness * skewness + 1.0;
            let target = Cumulants::from_moments(3.0, 0.25, skewness, bound);
            let law = TwoPoint::fit(&target).unwrap();
            // The cumulants of the two values.
            let weights = [(law.lower, law.chance.below), (law.upper, law.chance.above)];
            let central = |r: i32| -> f64 {
                let terms = weights.iter().map(|(x, p)| p * (x - 3.0).powi(r));
                terms.sum::<f64>() / 0.5_f64.powi(r)
            };
            assert!(central(1).abs() < 1e-13);
            assert!((central(2) - 1.0).abs() < 1e-12);
            assert!((central(3) - skewness).abs() < 1e-12 * bound);
            assert!((central(4) - bound).abs() < 1e-12 * bound);
            let found = law.cumulants();
            assert!((found.mean - 3.0).abs() < 1e-12);
            assert!((found.kurtosis() / bound - 1.0).abs() < 1e-10);
            assert_eq!(law.quantile(law.cdf(law.lower)), law.lower);
            assert_eq!(law.quantile(Probability::above(1e-9)), law.upper);
        }
    }
}
