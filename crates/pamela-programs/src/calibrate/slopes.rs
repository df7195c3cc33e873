//! Slopes of the model in each time.

use super::matrix::Matrix;
use super::search::{Linear, Search};
use crate::problem::Problem;

/// Steps get shorter so often, where regimes change on the way.
const SHORTER: usize = 7;
/// Two slopes are one if their difference makes no more of a change than this, beside the value.
const SAME: f64 = 1e-10;

impl Search<'_, '_> {
    /// The model near some times.
    ///
    /// # Errors
    /// Fails where the model has no value.
    pub fn linear(&mut self, times: &[f64]) -> Result<Linear, Problem> {
        let (values, slopes) = slopes(self, times)?;
        let rows = values.iter().enumerate();
        let constant = rows.map(|(row, value)| {
            let own = self.layout.at.iter().enumerate();
            let parts = own.filter_map(|(name, at)| {
                Some(slopes.get(row, name) * times[at[self.points[row]]?])
            });
            value - parts.sum::<f64>()
        });
        Ok(Linear {
            constant: constant.collect(),
            slopes,
        })
    }
}

/// The values of the model at the points of a search, and its slopes in the times of each name there. The slopes on both sides
/// are equal unless the regime changes nearby; at a change their mean is used.
fn slopes(search: &mut Search, times: &[f64]) -> Result<(Vec<f64>, Matrix), Problem> {
    let points = search.points.clone();
    let layout = search.layout;
    let mut matrix = Matrix::new(points.len(), layout.names.len());
    let edges = search.edges.clone();
    let is_least = |k: usize| times[k] <= edges[k][0];
    let above = (0..times.len()).filter(|k| !is_least(*k));
    let scale = above.fold(0.0_f64, |most, k| most.max(times[k]));
    let scale = if scale > 0.0 { scale } else { search.scale()? };
    let mut steps: Vec<f64> = (0..times.len())
        .map(|k| {
            let size = if is_least(k) { scale } else { times[k] };
            0.25 * size.min(edges[k][1] - edges[k][0])
        })
        .collect();
    let mut open: Vec<usize> = (0..layout.names.len()).collect();
    // A point that has no time of a name has no slope in it.
    let mut done: Vec<Vec<bool>> = layout
        .at
        .iter()
        .map(|at| {
            let has_none = |point: &usize| at[*point].is_none();
            points.iter().map(has_none).collect()
        })
        .collect();
    let mut values = Vec::new();
    for round in 0..=SHORTER {
        let mut candidates = vec![times.to_vec()];
        for name in &open {
            let mut both = [times.to_vec(), times.to_vec()];
            for k in &layout.names[*name] {
                for (there, change) in both
                    .iter_mut()
                    .zip(changes(times[*k], steps[*k], edges[*k]))
                {
                    there[*k] += change;
                }
            }
            candidates.extend(both);
        }
        let mut found = search.at(&candidates)?.into_iter();
        values = found.next().unwrap_or_default();
        for (place, name) in open.iter().enumerate() {
            let (first, second) = (
                found.next().unwrap_or_default(),
                found.next().unwrap_or_default(),
            );
            for (row, point) in points.iter().enumerate() {
                let Some(k) = layout.at[*name][*point].filter(|_| !done[*name][row]) else {
                    continue;
                };
                let here = values[row];
                // The actual difference after rounding.
                let moved = |which: usize| candidates[1 + 2 * place + which][k] - times[k];
                let (near, far) = (moved(0), moved(1));
                let one = (first[row] - here) / near;
                let two = (second[row] - here) / far;
                matrix.set(row, *name, (one + two) / 2.0);
                done[*name][row] =
                    (one - two).abs() * far.abs() <= SAME * here.abs().max(f64::MIN_POSITIVE);
            }
        }
        open.retain(|name| round < SHORTER && done[*name].contains(&false));
        steps.iter_mut().for_each(|step| *step /= 16.0);
        if open.is_empty() {
            break;
        }
    }
    Ok((values, matrix))
}

/// Two steps of a time within its bounds: to both sides, or half a step and a whole one to the side that has room.
fn changes(time: f64, step: f64, [least, most]: [f64; 2]) -> [f64; 2] {
    let [below, above] = [time - least, most - time];
    if below >= step && above >= step {
        [-step, step]
    } else if above >= step {
        [step / 2.0, step]
    } else {
        [-step / 2.0, -step]
    }
}
