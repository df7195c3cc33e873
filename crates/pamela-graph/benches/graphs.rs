//! Graphs of many tasks.

use pamela_graph::{Graph, Paths};

fn main() {
    divan::main();
}

/// A wavefront of a thousand rows.
fn precedences(rows: u32, columns: u32) -> Vec<(u32, u32)> {
    let tasks = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let pairs = tasks.flat_map(|(i, j)| {
        let above = (i > 0).then(|| ((i - 1) * columns + j, i * columns + j));
        let left = (j > 0).then(|| (i * columns + j - 1, i * columns + j));
        above.into_iter().chain(left)
    });
    pairs.collect()
}

/// From precedences and numbers to the longest path of a million tasks, with heads and tails.
#[divan::bench(sample_count = 5)]
fn million_deterministic(bencher: divan::Bencher) {
    let pairs = precedences(1_000, 1_000);
    let weights: Vec<f64> = (0..1_000_000).map(|task| f64::from(task % 7)).collect();
    bencher.bench(|| {
        let graph = Graph::new(1_000_000, &pairs).expect("there is no cycle");
        Paths::new(&graph, &weights).length()
    });
}
