//! Constants of least mean relative error.
//!
//! A sum of squares follows the few rows that no constants explain. The mean of relative errors does not, and is what people
//! report. It is found by least squares with weights that are made again from the errors.

use super::matrix::{Matrix, bounded};

/// Errors below this weigh alike: they are those of repeated measurements.
pub(super) const SMALL: f64 = 0.02;
/// Weights change little after some rounds.
const ROUNDS: usize = 20;
/// How many rows the constants of related measurements count for, if rows scatter by a tenth or more; the less they scatter, the
/// less they need others.
const PRIOR_ROWS: f64 = 1.0;
const SCATTER: f64 = 0.1;
/// They always count for something, so that what no row tells is theirs.
const LEAST_SHARE: f64 = 1e-3;

/// Constants between `bounds` for which `terms c` is nearest to `wanted`, by the mean of `|terms c - wanted|`.
///
/// Each row of `terms` holds the parts of one measured value as shares of it, one for each constant; `wanted` holds what
/// they should add up to, which is 1 if nothing else adds to the value. `prior` holds the constants of related measurements:
/// where the rows do not determine a constant, it keeps its value.
///
/// `prior` and `bounds` have an entry for each column.
pub fn least_deviations(
    terms: &Matrix,
    wanted: &[f64],
    bounds: &[[f64; 2]],
    prior: Option<&[f64]>,
) -> Vec<f64> {
    let (rows, columns) = (terms.rows, terms.columns);
    let size = |column: usize| {
        let squares = terms.column(column).into_iter().map(|part| part * part);
        (squares.sum::<f64>() / rows as f64).sqrt()
    };
    let sizes: Vec<f64> = (0..columns)
        .map(size)
        .map(|size| if size > 0.0 { size } else { 1.0 })
        .collect();
    let scaled = bounds.iter().zip(&sizes);
    let scaled: Vec<[f64; 2]> = scaled.map(|(b, size)| b.map(|end| end * size)).collect();
    let mut weights = vec![1.0; rows];
    let mut constants = vec![0.0; columns];
    let mut scatter = SCATTER;
    for _ in 0..=ROUNDS {
        let more = if prior.is_some() { columns } else { 0 };
        let mut matrix = Matrix::new(rows + more, columns);
        let mut right: Vec<f64> = wanted.iter().zip(&weights).map(|(b, w)| b * w).collect();
        for (row, weight) in weights.iter().enumerate() {
            for (column, size) in sizes.iter().enumerate() {
                matrix.set(row, column, weight * terms.get(row, column) / size);
            }
        }
        if let Some(prior) = prior {
            let mean = weights.iter().sum::<f64>() / rows as f64;
            let weight = PRIOR_ROWS.sqrt() * mean * (scatter / SCATTER).clamp(LEAST_SHARE, 1.0);
            for (column, (constant, size)) in prior.iter().zip(&sizes).enumerate() {
                matrix.set(rows + column, column, weight);
                right.push(weight * constant * size);
            }
        }
        let found = bounded(&matrix, &right, &scaled);
        let within = found.iter().zip(&sizes).zip(bounds);
        constants = within
            .map(|((c, size), [least, most])| (c / size).clamp(*least, *most))
            .collect();
        let errors = errors(terms, wanted, &constants);
        scatter = errors.iter().sum::<f64>() / rows as f64;
        weights = errors.into_iter().map(weight).collect();
    }
    constants
}

/// The weight of a row with this error.
pub(super) fn weight(error: f64) -> f64 {
    error.max(SMALL).sqrt().recip()
}

/// How far each row is from what is wanted.
pub(super) fn errors(terms: &Matrix, wanted: &[f64], constants: &[f64]) -> Vec<f64> {
    let sums = terms.times(constants).into_iter();
    sums.zip(wanted)
        .map(|(sum, wanted)| (sum - wanted).abs())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: [f64; 2] = [0.0, f64::INFINITY];

    #[test]
    fn one_wrong_row_does_not_move_the_constants() {
        let mut terms: Vec<Vec<f64>> = (1..=20)
            .map(|k| {
                let x = f64::from(k);
                vec![3.0 / (3.0 + 2.0 * x), x / (3.0 + 2.0 * x)]
            })
            .collect();
        let mut wanted = vec![1.0; 20];
        terms.push(vec![1.0, 1.0]);
        wanted.push(50.0);
        let found = least_deviations(&Matrix::of_rows(&terms), &wanted, &[FREE; 2], None);
        // By scipy's nnls with the same weights: 1.02413 and 1.99678. Plain least squares give 26.8 and 0.
        assert!((found[0] - 1.024_13).abs() < 1e-4, "{found:?}");
        assert!((found[1] - 1.996_78).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn what_no_row_tells_is_that_of_related_measurements() {
        let terms = Matrix::of_rows(&vec![vec![0.5, 0.0]; 4]);
        let found = least_deviations(&terms, &[1.0; 4], &[FREE; 2], Some(&[2.0, 7.0]));
        assert!((found[0] - 2.0).abs() < 1e-9 && (found[1] - 7.0).abs() < 1e-9);
    }

    #[test]
    fn no_constant_is_beyond_its_bounds() {
        let terms = Matrix::of_rows(&[vec![1.0, 1.0], vec![1.0, 2.0], vec![1.0, 0.0]]);
        let found = least_deviations(&terms, &[1.0, 0.5, 1.5], &[FREE; 2], None);
        assert!(found.iter().all(|c| *c >= 0.0) && found[1] == 0.0);
        let bounds = [[0.0, 0.75], [-2.0, f64::INFINITY]];
        let found = least_deviations(&terms, &[1.0, 0.5, 1.5], &bounds, None);
        assert!(found[0] == 0.75, "{found:?}");
    }
}
