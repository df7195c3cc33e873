//! The binomial law: successes in a number of trials.

use super::estimate::{Estimate, Sorted};
use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::special::{incomplete_beta, log_beta_density};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "binomial",
    says: "the binomial law: successes in a number of trials",
    example: "binomial(10, 0.2)",
    arguments: &[
        plain("n", "the number of trials", Domain::Count),
        plain("p", "the probability", Domain::Probability),
    ],
    least: Some(Least::Number(0)),
    density: Density::Unknown,
    make: |arguments| {
        let (n, p) = (arguments[0], arguments[1]);
        Ok(Named(Kind::Binomial(Binomial { n, p })))
    },
    estimate: Estimate::by_moments(estimated),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial {
    n: f64,
    p: f64,
}

impl Numbers for Binomial {
    fn arguments(&self) -> [f64; 2] {
        [self.n, self.p]
    }

    fn values(&self) -> Values {
        Values::Whole
    }

    fn cumulants(&self) -> Cumulants {
        cumulants_of_trial(self.p).repeated(self.n)
    }

    fn support(&self) -> Support {
        support_of(self.n, self.p)
    }

    fn cdf(&self, x: f64) -> Probability {
        cdf(self.n, self.p, x)
    }

    fn quantile(&self, p: Probability) -> f64 {
        let mean = self.n * self.p;
        let variance = self.n * self.p * (1.0 - self.p);
        whole_quantile(self, p, near_normal(mean, variance, p))
    }

    fn log_density(&self, x: f64) -> f64 {
        log_probability(self.n, self.p, x)
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        Some(characteristic_of(self.n, self.p, t))
    }
}

/// Cumulants for one trial.
pub(super) fn cumulants_of_trial(p: f64) -> Cumulants {
    let variance = p * (1.0 - p);
    cumulants(
        p,
        variance,
        variance * (1.0 - 2.0 * p),
        variance * (1.0 - 6.0 * variance),
    )
}

pub(super) fn support_of(n: f64, p: f64) -> Support {
    match p {
        0.0 => Support::point(0.0),
        1.0 => Support::point(n),
        _ => Support::new(0.0, n),
    }
}

pub(super) fn cdf(n: f64, p: f64, x: f64) -> Probability {
    let k = x.floor();
    if x < 0.0 {
        return NEVER;
    }
    if k >= n || p == 0.0 {
        return ALWAYS;
    }
    if p == 1.0 {
        return NEVER;
    }
    pair(incomplete_beta(k + 1.0, n - k, p, 1.0 - p)).complement()
}

pub(super) fn log_probability(n: f64, p: f64, k: f64) -> f64 {
    let q = 1.0 - p;
    if k > n || k.fract() != 0.0 {
        return f64::NEG_INFINITY;
    }
    if k == 0.0 {
        return if n == 0.0 { 0.0 } else { n * (-p).ln_1p() };
    }
    if k == n {
        return n * p.ln();
    }
    if p == 0.0 || p == 1.0 {
        return f64::NEG_INFINITY;
    }
    // C(n, k) = n / (k (n - k)) / B(k, n - k)
    log_beta_density(k, n - k, p, q) + (n / (k * (n - k))).ln()
}

/// `(q + p e^(it))^n`.
pub(super) fn characteristic_of(n: f64, p: f64, t: f64) -> (f64, f64) {
    let q = 1.0 - p;
    // |q + p e^(it)|^2 = 1 - 4 p q sin^2(t/2)
    let log_size = 0.5 * (-4.0 * p * q * (t / 2.0).sin().powi(2)).ln_1p();
    let angle = (p * t.sin()).atan2(q + p * t.cos());
    turn((n * log_size).exp(), n * angle)
}

/// Number of trials and probability, from mean and variance; `None` unless the variance is below the mean.
fn estimated(sorted: &Sorted) -> Option<Vec<f64>> {
    let mean = sorted.mean_of_whole(0.0)?;
    let p = 1.0 - sorted.cumulants.variance / mean;
    let n = (mean / p).round().max(sorted.ends().upper);
    (p > 0.0 && n < 1e15).then(|| vec![n, mean / n])
}
