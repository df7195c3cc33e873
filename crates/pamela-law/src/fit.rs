//! Fits laws to samples: moments with their uncertainty, and laws with their goodness of fit.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::{Cumulants, Empirical};

mod candidates;
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

/// The fit of laws to samples.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    /// Name of the column of the samples.
    pub column: String,
    /// Number of samples.
    pub samples: usize,
    /// The least sample.
    pub least: f64,
    /// The greatest sample.
    pub greatest: f64,
    /// Mean, variance, skewness, kurtosis.
    pub moments: Vec<Moment>,
    /// Number of bootstrap resamples.
    pub resamples: usize,
    /// The seed of the resampling.
    pub seed: u64,
    /// Single values that stand out; the laws describe the other samples.
    pub atoms: Vec<Atom>,
    /// Laws that fit, then laws that do not; each group best first.
    pub laws: Vec<Candidate>,
}

/// A value that many samples share, while the others differ.
#[derive(Clone, Debug, Serialize)]
pub struct Atom {
    /// The value.
    pub value: f64,
    /// Fraction of the samples with the value.
    pub share: f64,
}

/// A moment of the samples (with the divisor n), with a 95 % bootstrap interval.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// `mean`, `variance`, `skewness` or `kurtosis`.
    pub name: &'static str,
    /// The moment of the samples themselves.
    pub value: f64,
    /// The interval that contains 95 % of the resampled moments.
    pub interval: [f64; 2],
}

/// A law with estimated parameters.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// `gld`, `johnson`, or the name of a law.
    pub law: String,
    /// The law in the language of models.
    pub expression: String,
    /// Parameters in the order of `expression`.
    pub parameters: Vec<f64>,
    /// `maximum likelihood` or `moments`.
    pub by: &'static str,
    /// Goodness of fit.
    pub goodness: Goodness,
}

impl Fit {
    /// Fits laws to the samples of a column.
    ///
    /// The bootstrap draws `resamples` times, less often if that would take long.
    ///
    /// # Errors
    ///
    /// Fails if there are too few samples, if one is not finite, or if their powers overflow.
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
                "there {are}, but four moments need at least {MIN_SAMPLES}"
            ));
        }
        let law = Empirical::new(samples)?;
        let sorted = law.samples();
        let cumulants = Empirical::cumulants_of(sorted);
        if shown(&cumulants).iter().any(|moment| !moment.is_finite()) {
            return Err(
                "the moments of the samples are outside the range of doubles; use another unit"
                    .to_string(),
            );
        }
        let resamples = resamples.min((MAX_WORK / n).clamp(20, MAX_RESAMPLES));
        let (atoms, others) = atoms(sorted);
        let mut laws = candidates::of(&others, &Empirical::cumulants_of(&others), &atoms);
        laws.sort_by(|a, b| {
            let by_fit = b.goodness.fits.cmp(&a.goodness.fits);
            by_fit.then(a.goodness.aic().total_cmp(&b.goodness.aic()))
        });
        Ok(Fit {
            column: column.to_string(),
            samples: n,
            least: sorted[0],
            greatest: sorted[n - 1],
            moments: moments(sorted, &cumulants, resamples, seed),
            resamples,
            seed,
            atoms,
            laws,
        })
    }

    /// The best law, if any fits.
    pub fn fitting(&self) -> Option<&Candidate> {
        self.laws.first().filter(|law| law.goodness.fits)
    }

    /// The law given by its four moments, in the language of models.
    pub fn moments_expression(&self) -> String {
        let values: Vec<f64> = self.moments.iter().map(|moment| moment.value).collect();
        candidates::expression("moments", &values)
    }
}

/// A value with a smaller share of the samples does not stand out.
const LEAST_SHARE: f64 = 0.05;

/// A value stands out if it has this many times as many samples as most values.
const OUTSTANDING: usize = 5;

/// Values that stand out of samples that are not whole numbers, and the other samples. No values if few samples
/// remain.
fn atoms(sorted: &[f64]) -> (Vec<Atom>, Vec<f64>) {
    let whole = sorted.iter().all(|x| x.fract() == 0.0);
    let mut counts: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).collect();
    counts.sort_unstable();
    let usual = counts[counts.len() / 2];
    let n = sorted.len() as f64;
    let stands_out =
        |same: &[f64]| same.len() as f64 >= LEAST_SHARE * n && same.len() >= OUTSTANDING * usual;
    let (mut atoms, mut others) = (Vec::new(), Vec::new());
    for same in sorted.chunk_by(|a, b| a == b) {
        if stands_out(same) {
            atoms.push(Atom {
                value: same[0],
                share: same.len() as f64 / n,
            })
        } else {
            others.extend_from_slice(same)
        }
    }
    let differ = others.first() != others.last();
    if !whole && others.len() >= MIN_SAMPLES && differ {
        (atoms, others)
    } else {
        (Vec::new(), sorted.to_vec())
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
