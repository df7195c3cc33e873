//! Named laws, exact up to rounding.

use super::{Cumulants, Distribution, Probability, Support};

mod constructor;
mod cumulants;
mod density;
mod probability;
mod quantile;
mod standard;
#[cfg(test)]
mod tests;

/// A named law with valid parameters; created by [`Named::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named(Kind);

/// Laws of more whole numbers than this do not list them.
const MAX_STEPS: f64 = 10_000.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Deterministic { value: f64 },
    Exponential { mean: f64 },
    Normal { mean: f64, deviation: f64 },
    Uniform { lower: f64, upper: f64 },
    Gamma { shape: f64, scale: f64 },
    Weibull { shape: f64, scale: f64 },
    LogNormal { mu: f64, sigma: f64 },
    Bernoulli { p: f64 },
    Binomial { n: f64, p: f64 },
    Poisson { mean: f64 },
    Geometric { p: f64 },
    Beta { a: f64, b: f64 },
    Pareto { shape: f64, scale: f64 },
}

use Kind::*;

pub(super) use cumulants::log_normal as log_normal_cumulants;
pub(super) use density::log_normal_density;
pub(super) use probability::{ALWAYS, NEVER, normal as normal_cdf};
pub(super) use quantile::normal as normal_quantile;

impl Named {
    /// The first and the last value of a law of whole numbers, unless there are too many: then steps are small
    /// relative to the deviation.
    fn whole_numbers(&self) -> Option<(f64, f64)> {
        match self.0 {
            Deterministic { value } => return Some((value, value)),
            Bernoulli { .. } | Binomial { .. } | Poisson { .. } | Geometric { .. } => {}
            _ => return None,
        }
        let far = Probability::below(1e-60);
        let (first, last) = (self.quantile(far), self.quantile(far.complement()));
        (last - first <= MAX_STEPS).then_some((first, last))
    }

    /// The order from which on moments do not exist; infinite for most laws.
    pub fn tail(&self) -> f64 {
        match self.0 {
            Pareto { shape, .. } => shape,
            _ => f64::INFINITY,
        }
    }

    /// The probability density at `x`, or the probability of `x` for a discrete law.
    pub fn density(&self, x: f64) -> f64 {
        self.log_density(x).exp()
    }

    /// The logarithm of [`Named::density`], even if the density underflows.
    pub fn log_density(&self, x: f64) -> f64 {
        density::log_density(self.0, x)
    }
}

impl Distribution for Named {
    fn cumulants(&self) -> Cumulants {
        cumulants::cumulants(self.0)
    }

    fn support(&self) -> Support {
        match self.0 {
            Deterministic { value } => Support::point(value),
            Normal { .. } => Support::REAL,
            Uniform { lower, upper } => Support::new(lower, upper),
            Bernoulli { p } => whole(1.0, p),
            Binomial { n, p } => whole(n, p),
            Geometric { p: 1.0 } => Support::point(1.0),
            Geometric { .. } => Support::new(1.0, f64::INFINITY),
            Poisson { mean: 0.0 } => Support::point(0.0),
            Beta { .. } => Support::new(0.0, 1.0),
            Pareto { scale, .. } => Support::new(scale, f64::INFINITY),
            Exponential { .. }
            | Gamma { .. }
            | Weibull { .. }
            | LogNormal { .. }
            | Poisson { .. } => Support::NONNEGATIVE,
        }
    }

    fn quantile(&self, p: Probability) -> f64 {
        quantile::quantile(self, p)
    }

    fn cdf(&self, x: f64) -> Probability {
        probability::cdf(self.0, x)
    }

    fn tails<'a>(&'a self) -> Box<dyn Fn(f64) -> f64 + 'a> {
        Box::new(|x| probability::tail(self.0, x))
    }

    fn density(&self, x: f64) -> Option<f64> {
        (!self.is_discrete()).then(|| Named::density(self, x))
    }

    fn log_density(&self, x: f64) -> Option<f64> {
        (!self.is_discrete()).then(|| Named::log_density(self, x))
    }

    fn breaks(&self) -> Vec<f64> {
        let Support { lower, upper } = self.support();
        match self.whole_numbers() {
            Some((first, last)) => (0..=(last - first) as u32)
                .map(|k| first + f64::from(k))
                .collect(),
            None => vec![lower, upper],
        }
    }

    fn is_discrete(&self) -> bool {
        self.whole_numbers().is_some()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        density::characteristic(self.0, t)
    }
}

/// The support of a count among `n` trials.
fn whole(n: f64, p: f64) -> Support {
    match p {
        0.0 => Support::point(0.0),
        1.0 => Support::point(n),
        _ => Support::new(0.0, n),
    }
}
