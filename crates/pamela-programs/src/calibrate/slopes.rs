//! Slopes of the model in each time.

use super::Search;
use super::matrix::Matrix;
use crate::problem::Problem;

/// Steps get shorter so often, where regimes change on the way.
const SHORTER: usize = 7;
/// Two slopes are one if their difference makes no more of a change than this, beside the value.
const SAME: f64 = 1e-10;

/// The values of the model, and its slopes, at all points. The slopes on both sides are equal unless the regime
/// changes nearby; at a change their mean is used.
pub fn slopes(search: &mut Search, times: &[f64]) -> Result<(Vec<f64>, Matrix), Problem> {
    let points = search.measured.len();
    let mut matrix = Matrix::new(points, times.len());
    let edges = search.edges.clone();
    let is_least = |k: usize| times[k] <= edges[k][0];
    let above = (0..times.len()).filter(|k| !is_least(*k));
    let scale = above.fold(0.0_f64, |most, k| most.max(times[k]));
    let scale = if scale > 0.0 { scale } else { search.scale()? };
    let mut open: Vec<(usize, f64)> = (0..times.len())
        .map(|k| {
            let size = if is_least(k) { scale } else { times[k] };
            (k, 0.25 * size.min(edges[k][1] - edges[k][0]))
        })
        .collect();
    let mut done = vec![vec![false; points]; times.len()];
    let mut values = Vec::new();
    for round in 0..=SHORTER {
        let mut candidates = vec![times.to_vec()];
        let mut steps = Vec::new();
        for (k, step) in &open {
            // No time is beyond its bounds: there the middle is half a step away.
            let [below, above] = [times[*k] - edges[*k][0], edges[*k][1] - times[*k]];
            let at = if below >= *step && above >= *step {
                [-step, *step]
            } else if above >= *step {
                [step / 2.0, *step]
            } else {
                [-step / 2.0, -step]
            };
            for change in at {
                let mut there = times.to_vec();
                there[*k] += change;
                candidates.push(there);
            }
            // The actual difference after rounding.
            let last = candidates.len();
            let moved = [last - 2, last - 1].map(|c| candidates[c][*k] - times[*k]);
            steps.push((*k, moved));
        }
        let mut found = search.at(&candidates)?.into_iter();
        values = found.next().unwrap_or_default();
        for ((k, [near, far]), (first, second)) in steps.iter().zip(pairs(&mut found)) {
            for point in 0..points {
                if done[*k][point] {
                    continue;
                }
                let here = values[point];
                let slope = |value: f64, step: f64| (value - here) / step;
                let (one, two) = (slope(first[point], *near), slope(second[point], *far));
                matrix.set(point, *k, (one + two) / 2.0);
                done[*k][point] =
                    (one - two).abs() * far.abs() <= SAME * here.abs().max(f64::MIN_POSITIVE);
            }
        }
        open.retain(|(k, _)| round < SHORTER && done[*k].contains(&false));
        open.iter_mut().for_each(|(_, step)| *step /= 16.0);
        if open.is_empty() {
            break;
        }
    }
    Ok((values, matrix))
}

fn pairs<'a>(
    lists: &'a mut impl Iterator<Item = Vec<f64>>,
) -> impl Iterator<Item = (Vec<f64>, Vec<f64>)> + 'a {
    std::iter::from_fn(move || Some((lists.next()?, lists.next()?)))
}
