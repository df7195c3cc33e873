//! Estimators of the parameters of named laws.

use statrs::function::gamma::digamma;

use crate::Cumulants;
use crate::root::newton;

/// Samples in increasing order, with data that the estimators share.
pub struct Sorted<'a> {
    pub samples: &'a [f64],
    pub cumulants: Cumulants,
}

impl Sorted<'_> {
    fn n(&self) -> f64 {
        self.samples.len() as f64
    }

    pub fn least(&self) -> f64 {
        self.samples[0]
    }

    pub fn greatest(&self) -> f64 {
        self.samples[self.samples.len() - 1]
    }

    pub fn are_whole(&self) -> bool {
        self.samples.iter().all(|x| x.fract() == 0.0)
    }

    fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.samples.iter().map(|x| f(*x)).sum::<f64>() / self.n()
    }

    /// Mean and standard deviation of the logarithms, for positive samples.
    pub fn log_normal(&self) -> Vec<f64> {
        let mean = self.mean_of(f64::ln);
        let variance = self.mean_of(|x| (x.ln() - mean).powi(2));
        vec![mean, variance.sqrt()]
    }

    /// Shape and scale. `ln a - digamma(a)` equals the logarithm of the mean minus the mean of the
    /// logarithms.
    pub fn gamma(&self) -> Vec<f64> {
        let mean = self.cumulants.mean;
        let gap = mean.ln() - self.mean_of(f64::ln);
        let start = (3.0 - gap + ((gap - 3.0).powi(2) + 24.0 * gap).sqrt()) / (12.0 * gap);
        let log_shape = newton(start.ln(), |y| {
            let (a, h) = (y.exp(), 1e-4);
            let value = |a: f64| gap - a.ln() + digamma(a);
            let slope = (value(a * (1.0 + h)) - value(a * (1.0 - h))) / (2.0 * h);
            (value(a), slope)
        });
        let shape = log_shape.exp();
        vec![shape, mean / shape]
    }

    /// Number of stages and mean of the sum, by the coefficient of variation.
    pub fn erlang(&self) -> Vec<f64> {
        let Cumulants { mean, variance, .. } = self.cumulants;
        vec![(mean * mean / variance).round().max(1.0), mean]
    }

    /// Shape and scale. With weights `x^k`, the mean of the logarithms is larger by `1/k` than
    /// without.
    pub fn weibull(&self) -> Vec<f64> {
        let greatest = self.greatest().ln();
        let plain = self.mean_of(f64::ln);
        // Powers of x / max stay in the range of doubles.
        let sums = |k: f64| {
            let mut sums = [0.0; 3];
            for x in self.samples {
                let log = x.ln() - greatest;
                let power = (k * log).exp();
                for (r, sum) in (0..).zip(&mut sums) {
                    *sum += power * log.powi(r);
                }
            }
            sums
        };
        let coefficient = self.log_normal()[1];
        let log_shape = newton((1.28 / coefficient).ln(), |y| {
            let k = y.exp();
            let [s0, s1, s2] = sums(k);
            let value = s1 / s0 + greatest - plain - 1.0 / k;
            let slope = s2 / s0 - (s1 / s0).powi(2) + 1.0 / (k * k);
            (value, slope * k)
        });
        let shape = log_shape.exp();
        let mean_power = sums(shape)[0] / self.n();
        vec![shape, (greatest + mean_power.ln() / shape).exp()]
    }

    /// Shape and scale, from the least sample and the mean of the logarithms above its logarithm.
    pub fn pareto(&self) -> Vec<f64> {
        let least = self.least();
        vec![1.0 / self.mean_of(|x| (x / least).ln()), least]
    }

    /// The two shapes of a law on (0, 1), from mean and variance.
    pub fn beta(&self) -> Vec<f64> {
        let Cumulants { mean, variance, .. } = self.cumulants;
        let total = mean * (1.0 - mean) / variance - 1.0;
        vec![mean * total, (1.0 - mean) * total]
    }

    /// Number of trials and probability, from mean and variance; `None` unless the variance is
    /// below the mean.
    pub fn binomial(&self) -> Option<Vec<f64>> {
        let Cumulants { mean, variance, .. } = self.cumulants;
        let p = 1.0 - variance / mean;
        let n = (mean / p).round().max(self.greatest());
        (p > 0.0 && n < 1e15).then(|| vec![n, mean / n])
    }
}
