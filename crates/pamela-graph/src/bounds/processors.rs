//! Bounds for a limited number of processors and known times.

use crate::path::Paths;
use crate::shape::Graph;

/// Maximum number of times at which windows begin.
const BEGINNINGS: usize = 512;

/// Windows times tasks.
const STEPS: usize = 1 << 28;

/// Bounds of the time of a graph on this many processors, for any schedule that leaves no processor idle while a task
/// can begin.
///
/// The lower one is `h + W/P + q` over all windows, where W is the work of the tasks with at least h before and at
/// least q after them. For large graphs, only some windows are tried. The upper one is Graham's.
///
/// # Panics
/// Fails unless there is one time for each task.
pub fn processors(graph: &Graph, weights: &[f64], processors: f64) -> [f64; 2] {
    let paths = Paths::new(graph, weights);
    let share = weights.iter().sum::<f64>() / processors;
    let upper = share + (1.0 - 1.0 / processors) * paths.length();
    let mut lower = paths.length().max(share);
    let mut by_tail: Vec<usize> = (0..weights.len()).collect();
    by_tail.sort_by(|&a, &b| {
        paths.tails()[b]
            .total_cmp(&paths.tails()[a])
            .then(a.cmp(&b))
    });
    for head in beginnings(&paths, weights.len()) {
        let mut work = 0.0;
        for &task in by_tail.iter().filter(|&&task| paths.heads()[task] >= head) {
            work += weights[task];
            lower = f64::max(lower, head + work / processors + paths.tails()[task]);
        }
    }
    [lower.min(upper), upper]
}

fn beginnings(paths: &Paths, tasks: usize) -> Vec<f64> {
    let mut heads = paths.heads().to_vec();
    heads.sort_by(f64::total_cmp);
    heads.dedup();
    let most = BEGINNINGS.min(STEPS / tasks.max(1)).max(1);
    let stride = heads.len().div_ceil(most).max(1);
    heads.into_iter().step_by(stride).collect()
}
