//! Which laws describe samples: moments with their uncertainty, and laws with their goodness of fit.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::{Cumulants, Empirical};

mod candidates;
mod estimate;
mod goodness;
mod report;
#[cfg(test)]
mod tests;

pub use goodness::Goodness;

/// With fewer, a fourth moment says nothing.
const MIN_SAMPLES: usize = 4;
/// Intervals do not change beyond.
const MAX_RESAMPLES: usize = 100_000;
/// Resampled values in all, at most.
const MAX_WORK: usize = 200_000_000;

/// What samples say about their law.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    /// The column that the samples are from.
    pub column: String,
    /// How many samples there are.
    pub samples: usize,
    /// The least sample.
    pub least: f64,
    /// The greatest sample.
    pub greatest: f64,
    /// Mean, variance, skewness, kurtosis.
    pub moments: Vec<Moment>,
    /// How often the samples were drawn anew.
    pub resamples: usize,
    /// The seed of the resampling.
    pub seed: u64,
    /// The best first.
    pub laws: Vec<Candidate>,
}

/// A moment of the samples (with the divisor n), and between what 95 % of resampled ones lie.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// `mean`, `variance`, `skewness` or `kurtosis`.
    pub name: &'static str,
    /// The moment of the samples themselves.
    pub value: f64,
    /// The interval that holds 95 % of the resampled moments.
    pub interval: [f64; 2],
}

/// A law with its parameters estimated.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// `gld`, `johnson`, or the name of the law.
    pub law: String,
    /// As a model writes it.
    pub expression: String,
    /// In the order of `expression`.
    pub parameters: Vec<f64>,
    /// `maximum likelihood` or `moments`.
    pub by: &'static str,
    /// How well it fits.
    pub goodness: Goodness,
}

impl Fit {
    /// Of samples of the column of this name. The bootstrap draws `resamples` times, less often where that would take
    /// long.
    ///
    /// # Errors
    ///
    /// Says that there are too few samples, which one is no finite number, or that their powers overflow.
    pub fn new(
        column: &str,
        samples: Vec<f64>,
        resamples: usize,
        seed: u64,
    ) -> Result<Fit, String> {
        let n = samples.len();
        if n < MIN_SAMPLES {
            let are = if n == 1 {
                "is 1 sample"
            } else {
                &format!("are {n} samples")
            };
            return Err(format!(
                "there {are}, but four moments take at least {MIN_SAMPLES}"
            ));
        }
        let law = Empirical::new(samples)?;
        let sorted = law.samples();
        let cumulants = Empirical::cumulants_of(sorted);
        if shown(&cumulants).iter().any(|moment| !moment.is_finite()) {
            return Err(
                "the moments of the samples leave the range of doubles; use another unit"
                    .to_string(),
            );
        }
        let resamples = resamples.min((MAX_WORK / n).clamp(20, MAX_RESAMPLES));
        let mut laws = candidates::of(sorted, &cumulants);
        laws.sort_by(|a, b| a.goodness.aic().total_cmp(&b.goodness.aic()));
        Ok(Fit {
            column: column.to_string(),
            samples: n,
            least: sorted[0],
            greatest: sorted[n - 1],
            moments: moments(sorted, &cumulants, resamples, seed),
            resamples,
            seed,
            laws,
        })
    }

    /// The law by its four moments, as a model writes it.
    pub fn moments_expression(&self) -> String {
        let values: Vec<f64> = self.moments.iter().map(|moment| moment.value).collect();
        candidates::expression("moments", &values)
    }
}

const NAMES: [&str; 4] = ["mean", "variance", "skewness", "kurtosis"];

fn shown(c: &Cumulants) -> [f64; 4] {
    [c.mean, c.variance, c.skewness(), c.kurtosis()]
}

/// With percentile intervals of the bootstrap.
fn moments(sorted: &[f64], cumulants: &Cumulants, resamples: usize, seed: u64) -> Vec<Moment> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut drawn = vec![0.0; sorted.len()];
    let mut found = [const { Vec::new() }; 4];
    for _ in 0..resamples {
        for value in &mut drawn {
            *value = sorted[random.random_range(0..sorted.len())];
        }
        let again = shown(&Empirical::cumulants_of(&drawn));
        for (list, value) in found.iter_mut().zip(again) {
            list.push(value);
        }
    }
    let interval = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        let at = |p: f64| {
            let index = (p * list.len() as f64) as usize;
            list.get(index.min(list.len().saturating_sub(1))).copied()
        };
        [0.025, 0.975].map(|p| at(p).unwrap_or(f64::NAN))
    };
    NAMES
        .into_iter()
        .zip(shown(cumulants))
        .zip(found)
        .map(|((name, value), list)| Moment {
            name,
            value,
            interval: interval(list),
        })
        .collect()
}
