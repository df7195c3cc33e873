//! Jackknife: predicts each point from the others, and estimates intervals of the times, by leaving points out.

use super::Unknown;
use super::layout::Block;
use super::matrix::{Matrix, bounded, norm};
use super::search::{Linear, Search};
use crate::problem::Problem;

/// Points are left out one by one, or in this many parts.
const MOST_PARTS: usize = 100;

pub struct CrossValidation {
    /// Prediction of each point from the others.
    pub predicted: Vec<Option<f64>>,
    pub spread: Spread,
}

/// How far times would be from what they are if other points had been measured.
#[derive(Clone, Debug)]
pub struct Spread {
    /// 95 % interval of each time.
    pub intervals: Vec<Option<[f64; 2]>>,
    /// Covariances of the times of each block, in the order of its values; without an entry if the points do not determine them.
    pub covariances: Vec<Option<Vec<Vec<f64>>>>,
}

/// The times of a block without each part of its points.
struct Replicates {
    /// Within the bounds; none where the other points do not tell the times.
    found: Vec<Option<Vec<f64>>>,
    /// As they would be without bounds: at a bound nothing varies, however little is known.
    free: Vec<Vec<f64>>,
    /// Times that the other points do not tell.
    untold: Vec<bool>,
    freedom: usize,
}

impl Replicates {
    fn of(search: &Search, linear: &Linear, block: &Block, times: &[f64]) -> Replicates {
        let own: Vec<f64> = block.values.iter().map(|value| times[*value]).collect();
        let part = search.part(linear, block).weighted(search.loss, &own);
        let edges: Vec<[f64; 2]> = block.values.iter().map(|v| search.edges[*v]).collect();
        let (points, count) = (part.matrix.rows, part.matrix.columns);
        let parts = points.min(MOST_PARTS);
        let (chosen, dependent) = part.matrix.independent();
        let rank = chosen.len();
        let columns: Vec<usize> = (0..count).collect();
        let (mut found, mut free, mut untold) = (Vec::new(), Vec::new(), vec![false; count]);
        for number in 0..parts {
            let kept: Vec<usize> = (0..points).filter(|p| p % parts != number).collect();
            let rest = part.rows(&kept);
            let (chosen, _) = rest.matrix.independent();
            if chosen.len() < rank || kept.is_empty() {
                lost(&part.matrix, &rest.matrix, &mut untold);
                found.push(None);
                continue;
            }
            found.push(Some(bounded(&rest.matrix, &rest.wanted, &edges)));
            free.push(rest.matrix.least_squares(&columns, &rest.wanted));
        }
        for (column, weights) in &dependent {
            untold[*column] = true;
            let others = (0..count).filter(|c| dependent.iter().all(|(other, _)| other != c));
            others
                .zip(weights)
                .for_each(|(c, weight)| untold[c] |= matters(&part.matrix, *column, c, *weight));
        }
        Replicates {
            found,
            free,
            untold,
            freedom: parts.min(points.saturating_sub(rank)),
        }
    }

    fn covariances(&self) -> Option<Vec<Vec<f64>>> {
        if self.freedom == 0 || self.free.len() < 2 {
            return None;
        }
        let number = self.free.len() as f64;
        let count = self.untold.len();
        let mean = |k: usize| self.free.iter().map(|times| times[k]).sum::<f64>() / number;
        let means: Vec<f64> = (0..count).map(mean).collect();
        let entry = |a: usize, b: usize| {
            let products = self.free.iter();
            let products = products.map(|times| (times[a] - means[a]) * (times[b] - means[b]));
            products.sum::<f64>() * (number - 1.0) / number
        };
        let row = |a: usize| (0..count).map(|b| entry(a, b)).collect();
        Some((0..count).map(row).collect())
    }
}

/// The spread of times that are found again without each part of the points, in the regimes and with the weights of the full
/// fit. The jackknife assumes nothing about errors: both scattered runs and a model that does not fit widen it.
pub fn spread(search: &Search, linear: &Linear, times: &[f64]) -> Spread {
    let blocks = search.layout.blocks.iter();
    let blocks = blocks.map(|block| (Replicates::of(search, linear, block, times), block));
    let blocks: Vec<(Replicates, &Block)> = blocks.collect();
    collected(search, times, &blocks)
}

fn collected(search: &Search, times: &[f64], blocks: &[(Replicates, &Block)]) -> Spread {
    let mut intervals = vec![None; times.len()];
    let mut covariances = Vec::new();
    for (replicates, block) in blocks {
        let covariance = replicates.covariances();
        for (k, value) in block.values.iter().enumerate() {
            let Some(covariance) = covariance.as_ref().filter(|_| !replicates.untold[k]) else {
                continue;
            };
            let half = student(replicates.freedom) * covariance[k][k].sqrt();
            let [least, most] = &search.names[*value].bounds;
            intervals[*value] = Some([
                (times[*value] - half).max(least.value),
                (times[*value] + half).min(most.value),
            ]);
        }
        covariances.push(covariance);
    }
    Spread {
        intervals,
        covariances,
    }
}

/// Like [`spread`], with a prediction of each point from the others.
///
/// # Errors
/// Fails where the model has no value.
pub fn left_out(
    search: &mut Search,
    linear: &Linear,
    times: &[f64],
) -> Result<CrossValidation, Problem> {
    let layout = search.layout;
    let of = |block: &Block| Replicates::of(search, linear, block, times);
    let blocks: Vec<Replicates> = layout.blocks.iter().map(of).collect();
    // The blocks have no point in common, so that a part of each is left out at once.
    let parts = blocks.iter().map(|own| own.found.len()).max().unwrap_or(0);
    let without = |number: usize| {
        let mut all = times.to_vec();
        for (own, block) in blocks.iter().zip(&layout.blocks) {
            let found = own.found.get(number).and_then(Option::as_ref);
            for (value, found) in block.values.iter().zip(found.into_iter().flatten()) {
                all[*value] = *found;
            }
        }
        all
    };
    let candidates: Vec<Vec<f64>> = (0..parts).map(without).collect();
    let values = search.at(&candidates)?;
    let mut predicted = vec![None; search.points.len()];
    for (own, block) in blocks.iter().zip(&layout.blocks) {
        let rows = search.points.iter().enumerate();
        let rows = rows.filter(|(_, point)| block.points.binary_search(point).is_ok());
        for (place, (row, _)) in rows.enumerate() {
            let number = place % own.found.len().max(1);
            let is_told = own.found.get(number).is_some_and(Option::is_some);
            predicted[row] = is_told.then(|| values[number][row]);
        }
    }
    let blocks: Vec<(Replicates, &Block)> = blocks.into_iter().zip(&layout.blocks).collect();
    Ok(CrossValidation {
        predicted,
        spread: collected(search, times, &blocks),
    })
}

/// Notes on times that the measured points cannot distinguish.
pub fn told_apart(names: &[&Unknown], matrix: &Matrix) -> Vec<String> {
    let (chosen, rest) = matrix.independent();
    let mut notes = Vec::new();
    for (column, weights) in rest {
        let parts: Vec<String> = chosen
            .iter()
            .zip(&weights)
            .filter(|(c, weight)| matters(matrix, column, **c, **weight))
            .map(|(c, weight)| {
                if (weight - 1.0).abs() < 1e-6 {
                    names[*c].to_string()
                } else {
                    format!("{} * {}", crate::problem::short(*weight), names[*c])
                }
            })
            .collect();
        notes.push(if parts.is_empty() {
            format!("{} has no effect at any measured point", names[column])
        } else {
            format!(
                "{} has the same effect as {} at all measured points: only their sum is known",
                names[column],
                parts.join(" + ")
            )
        });
    }
    notes
}

/// True if a column that is a sum of others has some of this one in it.
fn matters(matrix: &Matrix, sum: usize, column: usize, weight: f64) -> bool {
    norm(&matrix.column(column)) * weight.abs() > 1e-6 * norm(&matrix.column(sum))
}

/// Marks the columns that depend on others in `rest`, but not in `matrix`.
fn lost(matrix: &Matrix, rest: &Matrix, untold: &mut [bool]) {
    let (before, _) = matrix.independent();
    let (chosen, dependent) = rest.independent();
    for (column, weights) in dependent {
        if !before.contains(&column) {
            continue;
        }
        untold[column] = true;
        for (c, weight) in chosen.iter().zip(weights) {
            untold[*c] |= matters(rest, column, *c, weight);
        }
    }
}

/// Quantile of Student's law at 97.5 %, by degrees of freedom, to 0.3 %.
fn student(freedom: usize) -> f64 {
    const FIRST: [f64; 10] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    ];
    match FIRST.get(freedom.saturating_sub(1)) {
        Some(quantile) => *quantile,
        None => 1.96 + 2.37 / freedom as f64 + 3.0 / (freedom * freedom) as f64,
    }
}
