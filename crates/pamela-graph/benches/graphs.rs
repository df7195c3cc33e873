//! Graphs of many tasks.

use std::sync::Arc;

use pamela_graph::{Graph, Paths, Samples, Time, Times, bounds, families, sample};
use pamela_law::Named;

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

/// Graphs of about ten thousand tasks.
fn ten_thousand(name: &str) -> Graph {
    let family = match name {
        "wavefront" => families::wavefront(100, 100),
        "stencil" => families::stencil(100, 100),
        _ => families::cholesky(38),
    };
    family.expect("it is a graph").graph
}

/// Times of a factor of their own each, or of one of four.
fn times(tasks: usize, factors: u32) -> Times {
    let law = Named::new("exponential", &[1.0]).expect("the mean is above 0");
    let factor = |task: u32| {
        0.5 + f64::from(task.wrapping_mul(2_654_435_761) % factors) / f64::from(factors)
    };
    let times = (0..tasks as u32).map(|task| Time::scaled(0, factor(task)));
    Times::new(vec![Arc::new(law)], times.collect()).expect("times are at least 0")
}

#[divan::bench(args = ["wavefront", "stencil", "cholesky"], sample_count = 10)]
fn estimate(bencher: divan::Bencher, name: &str) {
    let graph = ten_thousand(name);
    let times = times(graph.tasks(), 1_000_000);
    bencher.bench(|| {
        sample(&graph, &times, 1, Samples::Exactly(1_024))
            .expect("there is a time for each task")
            .mean
    });
}

#[divan::bench(args = ["wavefront", "stencil", "cholesky"], sample_count = 3)]
fn bounds_of_laws(bencher: divan::Bencher, name: &str) {
    let graph = ten_thousand(name);
    let times = times(graph.tasks(), 1_000_000);
    bencher.bench(|| {
        bounds(&graph, &times, &pamela_graph::bounds::Options::default())
            .expect("there is a time for each task")
            .mean
    });
}
