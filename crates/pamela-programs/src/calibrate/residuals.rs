//! The law of measured values beside predicted ones.

use std::collections::BTreeMap;

use serde::Serialize;

pub type Interval = [f64; 2];

/// Fewer residuals than this tell no law of their own.
const FEW: usize = 30;
/// The share of measurements below an interval, and above.
const OUTSIDE: f64 = 0.05;
/// Quantiles of a law in a file.
const MOST_QUANTILES: usize = 199;
/// Logarithms of quotients beyond these are cut: a prediction may be 0.
const MOST: f64 = 20.0;

/// The value that a fit predicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    pub value: f64,
    /// Of its logarithm, by what is not known of the fitted constants.
    pub variance: f64,
}

/// Logarithms of measured values over predicted ones, of rows that were left out.
#[derive(Clone, Debug, Default)]
pub struct Residuals {
    rows: Vec<(f64, f64, [Vec<String>; 2])>,
}

/// The law of measured values: the logarithm of the quotient with the prediction is `z sqrt(scale^2 + v)`, for a prediction
/// whose logarithm has the variance `v`.
#[derive(Clone, Debug)]
pub struct Law {
    scale: f64,
    groups: BTreeMap<Vec<String>, Vec<f64>>,
    relatives: BTreeMap<Vec<String>, Vec<f64>>,
    all: Vec<f64>,
}

/// The law of a group, as a file has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LawOfGroup {
    pub scale: f64,
    /// Values of `z` at `k / (n + 1)` for `k` from 1 to their number `n`.
    pub quantiles: Vec<f64>,
}

impl Residuals {
    pub fn add(&mut self, measured: f64, predicted: Predicted, group: [Vec<String>; 2]) {
        let ratio = (measured / predicted.value).ln();
        let ratio = if ratio.is_nan() {
            MOST
        } else {
            ratio.clamp(-MOST, MOST)
        };
        self.rows.push((ratio, predicted.variance, group));
    }

    pub fn law(self) -> Law {
        let mut sizes: Vec<f64> = self.rows.iter().map(|(ratio, ..)| ratio.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        // Two of three are nearer, if residuals are normal.
        let near = at(&sizes, 0.683);
        let mean = sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
        let scale = if near > 0.0 { near } else { mean };
        let mut law = Law {
            scale,
            groups: BTreeMap::new(),
            relatives: BTreeMap::new(),
            all: Vec::new(),
        };
        for (ratio, variance, [group, relatives]) in self.rows {
            let width = (scale * scale + variance).sqrt();
            let z = if width > 0.0 { ratio / width } else { 0.0 };
            law.groups.entry(group).or_default().push(z);
            law.relatives.entry(relatives).or_default().push(z);
            law.all.push(z);
        }
        let lists = law.groups.values_mut().chain(law.relatives.values_mut());
        for list in lists.chain([&mut law.all]) {
            list.sort_by(f64::total_cmp);
        }
        law
    }
}

impl Law {
    /// The interval about a prediction.
    pub fn interval(&self, predicted: Predicted, group: &[Vec<String>; 2]) -> Interval {
        let width = (self.scale * self.scale + predicted.variance).sqrt();
        [OUTSIDE, 1.0 - OUTSIDE].map(|p| predicted.value * (at(self.of(group), p) * width).exp())
    }

    /// By residuals of the group, if there are enough, or of its relatives, or of all.
    fn of(&self, [group, relatives]: &[Vec<String>; 2]) -> &[f64] {
        let lists = [self.groups.get(group), self.relatives.get(relatives)];
        let enough = lists.into_iter().flatten().find(|list| list.len() >= FEW);
        enough.unwrap_or(&self.all)
    }

    pub fn of_group(&self, group: &[Vec<String>; 2]) -> LawOfGroup {
        let list = self.of(group);
        let count = list.len().min(MOST_QUANTILES);
        let place = |k: usize| k as f64 / (count + 1) as f64;
        LawOfGroup {
            scale: self.scale,
            quantiles: (1..=count).map(|k| at(list, place(k))).collect(),
        }
    }
}

/// The quantile of a new value beside `n` sorted ones, at the place `p (n + 1)` of them.
pub fn at(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    let place = (p * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last);
    let (low, share) = (place.floor() as usize, place.fract());
    let at = |place: usize| sorted.get(place).copied().unwrap_or(f64::NAN);
    if share == 0.0 {
        return at(low);
    }
    at(low) + share * (at(low + 1) - at(low))
}
