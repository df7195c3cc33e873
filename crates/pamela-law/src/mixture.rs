//! Mixtures: one of several laws, chosen at random.

use std::sync::Arc;

use super::root::bracketed;
use super::{Cumulants, Distribution, Probability, Support};

/// The law of `X_i` with probability `w_i`.
#[derive(Clone)]
pub struct Mixture {
    parts: Vec<(f64, Arc<dyn Distribution>)>,
}

/// Weights may miss 1 by this much, since they are often rounded.
const SLACK: f64 = 1e-9;

impl Mixture {
    /// Creates a mixture; parts with weight 0 are dropped.
    ///
    /// # Errors
    ///
    /// Fails if a weight is negative or not a number, or if the weights do not add up to 1.
    pub fn new(parts: Vec<(f64, Arc<dyn Distribution>)>) -> Result<Mixture, String> {
        for (index, (weight, _)) in parts.iter().enumerate() {
            let valid = *weight >= 0.0 && weight.is_finite();
            if !valid {
                let place = index + 1;
                return Err(format!(
                    "weight {place} of `mixture` is {weight}, but must be a number from 0"
                ));
            }
        }
        let total: f64 = parts.iter().map(|(weight, _)| weight).sum();
        if (total - 1.0).abs() > SLACK {
            return Err(format!(
                "the weights of `mixture` add up to {total}, but must add up to 1"
            ));
        }
        let parts = parts.into_iter().filter(|(weight, _)| *weight > 0.0);
        let parts = parts.map(|(weight, law)| (weight / total, law)).collect();
        Ok(Mixture { parts })
    }

    /// The laws with their weights.
    pub fn parts(&self) -> &[(f64, Arc<dyn Distribution>)] {
        &self.parts
    }

    /// The least and the greatest `value` over the parts.
    fn range(&self, value: impl Fn(&dyn Distribution) -> (f64, f64)) -> (f64, f64) {
        let ends = self.parts.iter().map(|(_, law)| value(law.as_ref()));
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |range, ends| {
            (range.0.min(ends.0), range.1.max(ends.1))
        })
    }
}

impl Distribution for Mixture {
    fn cumulants(&self) -> Cumulants {
        let parts = self.parts.iter();
        let parts: Vec<_> = parts.map(|(w, law)| (*w, law.cumulants())).collect();
        Cumulants::mixture(&parts)
    }

    fn support(&self) -> Support {
        let (lower, upper) = self.range(|law| (law.support().lower, law.support().upper));
        Support::new(lower, upper)
    }

    fn quantile(&self, p: Probability) -> f64 {
        let (lower, upper) = self.range(|law| {
            let x = law.quantile(p);
            (x, x)
        });
        if p.below <= 0.0 || p.above <= 0.0 {
            return if p.below <= 0.0 { lower } else { upper };
        }
        // In the logarithm of the smaller tail, which is nearly straight.
        bracketed(lower, upper, |x| {
            let found = self.cdf(x);
            if p.below <= 0.5 {
                (found.below / p.below).ln()
            } else {
                (p.above / found.above).ln()
            }
        })
    }

    fn cdf(&self, x: f64) -> Probability {
        let nothing = Probability {
            below: 0.0,
            above: 0.0,
        };
        self.parts.iter().fold(nothing, |sum, (weight, law)| {
            let part = law.cdf(x);
            Probability {
                below: sum.below + weight * part.below,
                above: sum.above + weight * part.above,
            }
        })
    }

    fn breaks(&self) -> Vec<f64> {
        let parts = self.parts.iter();
        parts.flat_map(|(_, law)| law.breaks()).collect()
    }

    fn is_discrete(&self) -> bool {
        self.parts.iter().all(|(_, law)| law.is_discrete())
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        let mut sum = (0.0, 0.0);
        for (weight, law) in &self.parts {
            let (re, im) = law.characteristic(t)?;
            sum = (sum.0 + weight * re, sum.1 + weight * im);
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Named, quadrature};

    fn law(name: &str, arguments: &[f64]) -> Arc<dyn Distribution> {
        Arc::new(Named::new(name, arguments).unwrap())
    }

    #[test]
    fn a_hyperexponential_is_the_sum_of_its_tails() {
        let parts = vec![
            (0.9, law("exponential", &[1.0])),
            (0.1, law("exponential", &[20.0])),
        ];
        let mixture = Mixture::new(parts).unwrap();
        for p in [1e-200, 1e-8, 0.3, 0.5, 0.9] {
            let x = mixture.quantile(Probability::below(p));
            let below = -0.9 * (-x).exp_m1() - 0.1 * (-x / 20.0).exp_m1();
            assert!((below / p - 1.0).abs() < 1e-12);
            let x = mixture.quantile(Probability::above(p));
            let above = 0.9 * (-x).exp() + 0.1 * (-x / 20.0).exp();
            assert!((above / p - 1.0).abs() < 1e-12);
        }
        // E[X^r] = r! (0.9 + 0.1 * 20^r)
        let raw = |r: i32, factorial: f64| factorial * (0.9 + 0.1 * 20.0_f64.powi(r));
        let expected =
            Cumulants::from_raw_moments([raw(1, 1.0), raw(2, 2.0), raw(3, 6.0), raw(4, 24.0)]);
        assert!((mixture.cumulants().fourth / expected.fourth - 1.0).abs() < 1e-12);
        let mean = quadrature::unit(|p| [mixture.quantile(p)]).value[0];
        assert!((mean / 2.9 - 1.0).abs() < 1e-11);
    }

    #[test]
    fn atoms_and_gaps_are_where_they_are() {
        let parts = vec![
            (0.25, law("deterministic", &[1.0])),
            (0.75, law("uniform", &[2.0, 4.0])),
        ];
        let mixture = Mixture::new(parts).unwrap();
        let at = |p: f64| mixture.quantile(Probability::below(p));
        assert_eq!(at(0.1), 1.0);
        assert_eq!(at(0.25), 1.0);
        assert!((at(0.625) - 3.0).abs() < 1e-14);
        assert_eq!(mixture.support(), Support::new(1.0, 4.0));
        assert_eq!(mixture.cdf(1.5).below, 0.25);
    }

    #[test]
    fn weights_are_checked() {
        let error = |weights: &[f64]| {
            let parts = weights.iter().map(|w| (*w, law("poisson", &[1.0])));
            Mixture::new(parts.collect()).err().unwrap_or_default()
        };
        assert!(error(&[0.5, 0.4]).contains("add up to 0.9"));
        assert!(error(&[1.5, -0.5]).starts_with("weight 2 of `mixture` is -0.5"));
        assert!(error(&[f64::NAN]).starts_with("weight 1"));
    }
}
