//! Laws of multiples of a step, such as whole numbers, whose cdf was smoothed.

use std::sync::Arc;

use super::{Cumulants, Distribution, Probability, Support};

/// The law of the multiple of `step` nearest to a value of `law`.
///
/// `law` spreads each value half way to its neighbours.
pub struct Stepwise {
    /// The smooth law.
    pub law: Arc<dyn Distribution>,
    /// The distance between neighbouring values.
    pub step: f64,
}

impl Distribution for Stepwise {
    fn cumulants(&self) -> Cumulants {
        self.law.cumulants()
    }

    fn support(&self) -> Support {
        self.law.support()
    }

    fn quantile(&self, p: Probability) -> f64 {
        let steps = self.law.quantile(p) / self.step;
        if !steps.is_finite() {
            return steps;
        }
        // A value half-way up to rounding belongs to the step below.
        let rounding = 1e-12 * (1.0 + steps.abs());
        let value = self.step * (steps - 0.5 - rounding).ceil();
        self.support().clamp(value)
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < self.support().upper {
            self.law.cdf(self.step * ((x / self.step).floor() + 0.5))
        } else {
            self.law.cdf(x)
        }
    }

    fn cdf_before(&self, x: f64) -> Probability {
        if x > self.support().lower {
            self.law.cdf(self.step * ((x / self.step).ceil() - 0.5))
        } else {
            Probability::below(0.0)
        }
    }

    fn breaks(&self) -> Vec<f64> {
        self.law.breaks()
    }

    fn is_discrete(&self) -> bool {
        self.law.is_discrete()
    }
}

/// Steps that differ by less, relatively, differ by rounding.
const ROUNDING: f64 = 1e-9;

/// Steps that are less than this beside the greatest value are as good as none.
const LEAST: f64 = 1e-6;

/// The greatest step that divides all given numbers.
///
/// 0 if all are 0; `None` if one is `None`, or if they have no meaningful common step.
pub fn common_step(steps: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let mut common: f64 = 0.0;
    let mut greatest: f64 = 0.0;
    for step in steps {
        let step = step.filter(|step| step.is_finite())?;
        greatest = greatest.max(step);
        let (mut a, mut b) = (common.max(step), common.min(step));
        while b > ROUNDING * greatest {
            let rest = a - b * (a / b).round();
            (a, b) = (b, rest.abs());
        }
        common = a;
        if common < LEAST * greatest {
            return None;
        }
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_their_greatest_common_divisor() {
        for (steps, expected) in [
            (vec![6.0, 4.0], Some(2.0)),
            (vec![0.0, 3.0, 9.0], Some(3.0)),
            (vec![0.1, 0.3, 0.25], Some(0.05)),
            (vec![1.0, std::f64::consts::SQRT_2], None),
            (vec![0.0], Some(0.0)),
        ] {
            let found = common_step(steps.into_iter().map(Some));
            match (found, expected) {
                (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12),
                (found, expected) => assert_eq!(found, expected),
            }
        }
        assert_eq!(common_step([Some(1.0), None]), None);
    }
}
