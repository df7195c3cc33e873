//! Counts of many runs: their moments, the largest of several counts, and the fit of a law.

use crate::law::{Cumulants, Distribution, Empirical, Family, Fitted, Named, Probability, Support};

/// Counts in increasing order.
pub struct Sample(Vec<f64>);

/// Pearson's test.
#[derive(Clone, Copy, Debug)]
pub struct ChiSquare {
    pub value: f64,
    /// Threshold that 95 of 100 samples of the law stay below.
    pub threshold: f64,
}

/// Expected counts of an interval below which Pearson's statistic has no law of its own.
const LEAST_EXPECTED: f64 = 5.0;

impl Sample {
    pub fn new(mut counts: Vec<f64>) -> Sample {
        counts.sort_by(f64::total_cmp);
        Sample(counts)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A law in which all counts are equally likely.
    ///
    /// # Errors
    /// Fails if there are no counts.
    pub fn law(&self) -> Result<Empirical, String> {
        Empirical::new(self.0.clone())
    }

    pub fn cumulants(&self) -> Cumulants {
        Empirical::cumulants_of(&self.0)
    }

    /// The generalized lambda distribution with these moments, or its substitute if none exists.
    ///
    /// # Errors
    /// Fails if no law has these moments, which does not happen for counts.
    pub fn fitted(&self) -> Result<Fitted, String> {
        Fitted::new(self.cumulants(), Support::NONNEGATIVE, Family::Gld)
    }

    /// The normal law with this mean and variance.
    ///
    /// # Errors
    /// Does not fail for counts.
    pub fn normal(&self) -> Result<Named, String> {
        let cumulants = self.cumulants();
        Named::new("normal", &[cumulants.mean, cumulants.deviation()])
    }

    /// Cumulants of the largest of `copies` counts, over all ways to choose them.
    pub fn largest(&self, copies: usize) -> Cumulants {
        let (count, copies) = (self.0.len() as f64, copies as f64);
        // The k-th count is the largest of C(k - 1, copies - 1) choices.
        let mut weight = copies / count;
        let mut weighted = Vec::new();
        for (below, x) in self.0.iter().enumerate().rev() {
            weighted.push((weight, *x));
            let below = below as f64;
            weight *= (below + 1.0 - copies).max(0.0) / below.max(1.0);
        }
        let mean: f64 = weighted.iter().map(|(weight, x)| weight * x).sum();
        let central = [2, 3, 4].map(|r| {
            let terms = weighted
                .iter()
                .map(|(weight, x)| weight * (x - mean).powi(r));
            terms.sum::<f64>()
        });
        Cumulants::from_central_moments(mean, central)
    }

    /// Chi-square of the counts against the largest of `copies` variables of a law with `parameters` estimated
    /// parameters. The intervals are equally likely and end between whole numbers.
    ///
    /// # Errors
    /// Fails for too few counts, which leave no degrees of freedom.
    pub fn chi_square(
        &self,
        law: &dyn Distribution,
        copies: usize,
        parameters: usize,
    ) -> Result<ChiSquare, String> {
        let n = self.0.len() as f64;
        let intervals = (self.0.len() / 40).clamp(5, 51);
        let ends = (1..intervals).map(|k| {
            let share = Probability::below(k as f64 / intervals as f64);
            law.quantile(share.root(copies as f64)).floor() + 0.5
        });
        let mut ends: Vec<f64> = ends.chain([f64::INFINITY]).collect();
        ends.dedup();
        let (mut value, mut used) = (0.0, 0);
        let (mut below, mut passed) = (0.0, 0);
        for (position, end) in ends.iter().enumerate() {
            let cdf = if end.is_finite() {
                law.cdf(*end).power(copies as f64).below
            } else {
                1.0
            };
            let expected = n * (cdf - below);
            let is_last = position + 1 == ends.len();
            if expected < LEAST_EXPECTED && !is_last {
                continue;
            }
            let until = self.0.partition_point(|x| x <= end);
            value += ((until - passed) as f64 - expected).powi(2) / expected.max(f64::MIN_POSITIVE);
            (below, passed, used) = (cdf, until, used + 1);
        }
        if used < parameters + 2 {
            return Err(format!("{} counts are too few for a test", self.0.len()));
        }
        let freedom = (used - 1 - parameters) as f64;
        let threshold =
            Named::new("gamma", &[freedom / 2.0, 2.0])?.quantile(Probability::below(0.95));
        Ok(ChiSquare { value, threshold })
    }
}

/// The correlation coefficient of pairs.
pub fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let n = pairs.clone().count() as f64;
    let (x, y) = pairs
        .clone()
        .fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let sums = pairs.fold([0.0; 3], |[xx, xy, yy], (a, b)| {
        let (a, b) = (a - x, b - y);
        [xx + a * a, xy + a * b, yy + b * b]
    });
    sums[1] / (sums[0] * sums[2]).sqrt()
}
