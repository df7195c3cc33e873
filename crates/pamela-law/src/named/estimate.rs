//! Samples whose law is estimated.

use crate::{Cumulants, Support};

/// An estimator of the arguments of a law.
#[cfg_attr(not(feature = "samples"), allow(dead_code))]
pub(crate) struct Estimate {
    /// The name of the method.
    pub by: &'static str,
    /// The arguments; `None` if the law cannot have these samples.
    pub arguments: fn(&Sorted) -> Option<Vec<f64>>,
}

impl Estimate {
    pub const fn by_likelihood(arguments: fn(&Sorted) -> Option<Vec<f64>>) -> Option<Estimate> {
        Some(Estimate {
            by: "maximum likelihood",
            arguments,
        })
    }

    pub const fn by_moments(arguments: fn(&Sorted) -> Option<Vec<f64>>) -> Option<Estimate> {
        Some(Estimate {
            by: "moments",
            arguments,
        })
    }
}

/// Samples in increasing order, not all equal, with data that the estimators share.
#[cfg_attr(not(feature = "samples"), allow(dead_code))]
pub(crate) struct Sorted<'a> {
    pub samples: &'a [f64],
    pub cumulants: Cumulants,
}

impl Sorted<'_> {
    pub fn ends(&self) -> Support {
        Support::new(self.samples[0], self.samples[self.samples.len() - 1])
    }

    pub fn mean(&self) -> f64 {
        self.cumulants.mean
    }

    /// The mean, if the samples are whole numbers from `least` on.
    pub fn mean_of_whole(&self, least: f64) -> Option<f64> {
        let are_whole = self.samples.iter().all(|x| x.fract() == 0.0);
        (are_whole && self.ends().lower >= least).then(|| self.mean())
    }

    pub fn are_positive(&self) -> bool {
        self.ends().lower > 0.0
    }

    pub fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.samples.iter().map(|x| f(*x)).sum::<f64>() / self.samples.len() as f64
    }

    /// Mean and standard deviation of the logarithms of positive samples.
    pub fn logarithms(&self) -> [f64; 2] {
        let mean = self.mean_of(f64::ln);
        let variance = self.mean_of(|x| (x.ln() - mean).powi(2));
        [mean, variance.sqrt()]
    }
}
