//! The law of samples, all equally likely.

use super::{Cumulants, Distribution, Probability, Support};

/// The distribution with equal probability on each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    /// The samples in increasing order.
    samples: Vec<f64>,
    cumulants: Cumulants,
}

impl Empirical {
    /// Creates the law of samples.
    ///
    /// # Errors
    ///
    /// Fails if there are no samples, or if one is not finite.
    pub fn new(mut samples: Vec<f64>) -> Result<Empirical, String> {
        if samples.is_empty() {
            return Err("there are no samples".to_string());
        }
        if let Some(index) = samples.iter().position(|x| !x.is_finite()) {
            let (place, x) = (index + 1, samples[index]);
            return Err(format!(
                "sample {place} is {x}, but must be a finite number"
            ));
        }
        samples.sort_by(f64::total_cmp);
        let cumulants = Empirical::cumulants_of(&samples);
        Ok(Empirical { samples, cumulants })
    }

    /// The samples in increasing order.
    pub fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// The law of `factor * X + amount`, for a nonzero factor.
    pub fn moved(&self, factor: f64, amount: f64) -> Empirical {
        let mut samples: Vec<f64> = self.samples.iter().map(|x| factor * x + amount).collect();
        if factor < 0.0 {
            samples.reverse();
        }
        Empirical {
            samples,
            cumulants: self.cumulants.scaled(factor).shifted(amount),
        }
    }

    /// Cumulants of the law with equal probability on each sample: moments with the divisor `n`.
    pub fn cumulants_of(samples: &[f64]) -> Cumulants {
        let n = samples.len() as f64;
        let first: f64 = samples.iter().sum::<f64>() / n;
        // The sum above is rounded; a second pass takes that off.
        let mean = first + samples.iter().map(|x| x - first).sum::<f64>() / n;
        let mut central = [0.0; 3];
        for x in samples {
            let d = x - mean;
            for (r, sum) in (2..).zip(&mut central) {
                *sum += d.powi(r) / n;
            }
        }
        Cumulants::from_central_moments(mean, central)
    }
}

impl Distribution for Empirical {
    fn cumulants(&self) -> Cumulants {
        self.cumulants
    }

    fn support(&self) -> Support {
        Support::new(self.samples[0], self.samples[self.samples.len() - 1])
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below.is_nan() {
            return f64::NAN;
        }
        let n = self.samples.len();
        // Samples below the quantile, counted from the nearer end; k/n itself is rounded.
        let slack = 4.0 * f64::EPSILON * n as f64;
        let index = if p.below <= 0.5 {
            (p.below * n as f64 - slack).ceil().max(1.0) as usize - 1
        } else {
            n - 1 - ((p.above * n as f64 + slack).floor() as usize).min(n - 1)
        };
        self.samples[index.min(n - 1)]
    }

    fn cdf(&self, x: f64) -> Probability {
        let n = self.samples.len();
        let reached = self.samples.partition_point(|sample| *sample <= x);
        Probability {
            below: reached as f64 / n as f64,
            above: (n - reached) as f64 / n as f64,
        }
    }

    fn breaks(&self) -> Vec<f64> {
        self.samples.clone()
    }

    fn is_discrete(&self) -> bool {
        true
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        let n = self.samples.len() as f64;
        let turns = self.samples.iter().map(|x| (t * x).sin_cos());
        let (im, re) = turns.fold((0.0, 0.0), |sum, turn| (sum.0 + turn.0, sum.1 + turn.1));
        Some((re / n, im / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_their_own_quantiles() {
        let law = Empirical::new(vec![3.0, 1.0, 2.0, 10.0, 2.0]).unwrap();
        assert_eq!(law.samples(), [1.0, 2.0, 2.0, 3.0, 10.0]);
        for (index, &x) in law.samples().iter().enumerate() {
            let p = (index as f64 + 0.5) / 5.0;
            assert_eq!(law.quantile(Probability::below(p)), x);
            // At k/n the least value that reaches it, just above it the next.
            let (below, above) = ((index as f64 + 1.0) / 5.0, (4.0 - index as f64) / 5.0);
            assert_eq!(law.quantile(Probability { below, above }), x);
        }
        assert_eq!(law.quantile(Probability::above(1e-300)), 10.0);
        assert_eq!(law.quantile(Probability::below(1e-300)), 1.0);
        assert_eq!(
            law.cdf(2.0),
            Probability {
                below: 0.6,
                above: 0.4
            }
        );
        assert_eq!(
            law.cdf(0.5),
            Probability {
                below: 0.0,
                above: 1.0
            }
        );
    }

    #[test]
    fn moments_survive_a_great_mean() {
        // 1, 2, 3 and 6 have mean 3, and central moments 14/4, 18/4, 98/4.
        let law = Empirical::new(vec![1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0, 1e9 + 6.0]).unwrap();
        let c = law.cumulants();
        assert_eq!((c.mean, c.variance, c.third), (1e9 + 3.0, 3.5, 4.5));
        assert_eq!(c.fourth, 24.5 - 3.0 * 3.5 * 3.5);
    }

    #[test]
    fn bad_samples_are_named() {
        assert!(Empirical::new(Vec::new()).is_err());
        let error = Empirical::new(vec![1.0, f64::NAN]).unwrap_err();
        assert_eq!(error, "sample 2 is NaN, but must be a finite number");
    }
}
