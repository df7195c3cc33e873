//! Goodness of fit.

use serde::Serialize;

use crate::Distribution;

/// Measures of fit; infinite for a law that excludes a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Goodness {
    /// Greatest distance between the cdf and that of the samples (Kolmogorov and Smirnov).
    pub kolmogorov_smirnov: f64,
    /// Squared distance weighted for the tails (Anderson and Darling); `None` for discrete laws.
    pub anderson_darling: Option<f64>,
    /// Log-likelihood; for whole-numbered samples, of being rounded to them.
    pub log_likelihood: f64,
    /// Number of estimated parameters.
    pub parameters: usize,
    /// True if samples of the law are likely to be this far from its cdf, or if these are close to
    /// it.
    pub fits: bool,
}

/// The distance that one in a hundred sets of `n` samples exceeds, times the root of `n`; where parameters are estimated,
/// fewer do.
const RARE: f64 = 1.63;

/// A law that differs by less than this is near, however many samples tell that it is another one.
const NEAR: f64 = 0.03;

impl Goodness {
    /// Akaike's information criterion; smaller is better.
    pub fn aic(&self) -> f64 {
        2.0 * self.parameters as f64 - 2.0 * self.log_likelihood
    }

    /// Measures the fit of samples in increasing order.
    pub fn of(
        law: &dyn Distribution,
        log_likelihood: f64,
        sorted: &[f64],
        parameters: usize,
        discrete: bool,
    ) -> Goodness {
        // Where samples vary by less than a unit, nearly every law is near them within half a unit.
        let varies = law.cumulants().variance >= 1.0;
        let whole = !discrete && varies && sorted.iter().all(|x| x.fract() == 0.0);
        let near = NEAR.max(RARE / (sorted.len() as f64).sqrt());
        let distance = kolmogorov_smirnov(law, sorted, 0.0);
        // Whole numbers may be rounded ones.
        let rounded = if whole {
            kolmogorov_smirnov(law, sorted, 0.5)
        } else {
            distance
        };
        Goodness {
            kolmogorov_smirnov: distance,
            fits: rounded.min(distance) <= near && log_likelihood.is_finite(),
            anderson_darling: (!discrete).then(|| anderson_darling(law, sorted)),
            log_likelihood,
            parameters,
        }
    }
}

/// Kolmogorov-Smirnov distance for samples rounded by at most `rounding`.
fn kolmogorov_smirnov(law: &dyn Distribution, sorted: &[f64], rounding: f64) -> f64 {
    let n = sorted.len() as f64;
    let mut greatest: f64 = 0.0;
    let mut passed = 0;
    for same in sorted.chunk_by(|a, b| a == b) {
        let x = same[0];
        let before = law.cdf((x - rounding).next_down()).below - passed as f64 / n;
        passed += same.len();
        let after = law.cdf(x + rounding).below - passed as f64 / n;
        greatest = greatest.max(before.abs()).max(after.abs());
    }
    greatest
}

fn anderson_darling(law: &dyn Distribution, sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let terms = sorted.iter().enumerate().map(|(i, x)| {
        let p = law.cdf(*x);
        let i = i as f64;
        (2.0 * i + 1.0) * p.ln() + (2.0 * (n - i) - 1.0) * p.complement().ln()
    });
    -n - terms.sum::<f64>() / n
}
