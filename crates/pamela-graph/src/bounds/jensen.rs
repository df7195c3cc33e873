//! Lower bound of the mean. Let `s(v)` be at most the mean of the time at which v begins. By Jensen's inequality, the
//! mean of `max (s(u) + X(u))` over all u that v waits for is such a bound again. If none of these u comes before
//! another, their `X` are independent of the times at which they begin.

use crate::lattice::{Atoms, Calculus, Means};
use crate::shape::Graph;

/// Below the mean time of a graph without precedences that follow from others.
pub(super) fn lower_mean(graph: &Graph, means: &Means, laws: &[Atoms]) -> f64 {
    let mut begins = vec![0.0; graph.tasks()];
    let latest = |before: &mut dyn Iterator<Item = u32>, begins: &[f64]| {
        let ends = before.map(|task| means.shifted(&laws[task as usize], begins[task as usize]));
        ends.reduce(|a, b| means.larger(&a, &b))
            .map_or(0.0, |law| law.mean())
    };
    for &task in graph.order() {
        begins[task as usize] = latest(&mut graph.before(task).iter().copied(), &begins);
    }
    let tasks = 0..graph.tasks() as u32;
    latest(
        &mut tasks.filter(|&task| graph.after(task).is_empty()),
        &begins,
    )
}
