//! Jackknife: predicts each point from the others, and estimates intervals of the times, by leaving points out.

use super::matrix::{Matrix, bounded, norm};
use super::{Linear, Search};
use crate::problem::Problem;

/// Points are left out one by one, or in this many parts.
const MOST_PARTS: usize = 100;

pub struct CrossValidation {
    /// Prediction of each point from the others.
    pub predicted: Vec<Option<f64>>,
    /// 95 % interval of each time.
    pub intervals: Vec<Option<[f64; 2]>>,
}

/// Fits the times again without each part of the points, in the regimes of the full fit. The spread of these times
/// gives the jackknife interval, which assumes nothing about errors: both scattered runs and a model that does not
/// fit widen it.
pub fn left_out(
    search: &mut Search,
    linear: &Linear,
    times: &[f64],
) -> Result<CrossValidation, Problem> {
    let (matrix, wanted) = (linear.weighted(), linear.wanted());
    let (points, count) = (matrix.rows, matrix.columns);
    let parts = points.min(MOST_PARTS);
    let rank = matrix.independent().0.len();
    let mut found = Vec::new();
    // The times as they would be without bounds: at a bound nothing varies, however little is known.
    let mut free = Vec::new();
    let columns: Vec<usize> = (0..count).collect();
    // Times that the other points do not tell.
    let mut untold = vec![false; count];
    for part in 0..parts {
        let kept: Vec<usize> = (0..points).filter(|p| p % parts != part).collect();
        let rest = matrix.rows_of(&kept);
        let (chosen, _) = rest.independent();
        if chosen.len() < rank || kept.is_empty() {
            lost(&matrix, &rest, &mut untold);
            found.push(None);
            continue;
        }
        let wanted: Vec<f64> = kept.iter().map(|p| wanted[*p]).collect();
        found.push(Some(bounded(&rest, &wanted, &search.edges)));
        free.push(rest.least_squares(&columns, &wanted));
    }
    let known: Vec<Vec<f64>> = found.iter().flatten().cloned().collect();
    let values = search.at(&known)?;
    let mut values = values.into_iter();
    let mut predicted = vec![None; points];
    for (part, times) in found.iter().enumerate() {
        if times.is_none() {
            continue;
        }
        let list = values.next().unwrap_or_default();
        for point in (part..points).step_by(parts) {
            predicted[point] = list.get(point).copied();
        }
    }
    let (_, dependent) = matrix.independent();
    for (column, weights) in &dependent {
        untold[*column] = true;
        let others = (0..count).filter(|c| dependent.iter().all(|(other, _)| other != c));
        others
            .zip(weights)
            .for_each(|(c, weight)| untold[c] |= matters(&matrix, *column, c, *weight));
    }
    let freedom = parts.min(points.saturating_sub(rank));
    let intervals = (0..count).map(|k| {
        if untold[k] || freedom == 0 || known.len() < 2 {
            return None;
        }
        let own: Vec<f64> = free.iter().map(|times| times[k]).collect();
        let number = own.len() as f64;
        let mean = own.iter().sum::<f64>() / number;
        let squares: f64 = own.iter().map(|t| (t - mean) * (t - mean)).sum();
        let half = student(freedom) * (squares * (number - 1.0) / number).sqrt();
        let [least, most] = &search.names[k].bounds;
        Some([
            (times[k] - half).max(least.value),
            (times[k] + half).min(most.value),
        ])
    });
    Ok(CrossValidation {
        predicted,
        intervals: intervals.collect(),
    })
}

/// True if a column that is a sum of others has some of this one in it.
pub fn matters(matrix: &Matrix, sum: usize, column: usize, weight: f64) -> bool {
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
