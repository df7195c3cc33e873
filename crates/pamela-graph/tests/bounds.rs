//! Bounds beside samples, on random graphs and on those that everybody knows.
//!
//! `PAMELA_GRAPHS=1000 cargo test --release -p pamela-graph bounds` tries so many random graphs, and all of the 84 cases of
//! regular and layered graphs, whose errors it prints with `--nocapture`.

use std::sync::Arc;

use pamela_graph::families::{self, Family};
use pamela_graph::{Bounds, Estimate, Graph, Paths, Samples, Time, Times, bounds, normal, sample};
use pamela_law::{Distribution, Named};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// How many random graphs are asked for.
fn asked() -> Option<u64> {
    std::env::var("PAMELA_GRAPHS").ok()?.parse().ok()
}

fn law(name: &str, arguments: &[f64]) -> Arc<dyn Distribution> {
    Arc::new(Named::new(name, arguments).unwrap())
}

/// Tasks in layers: each after some of the layers before it.
fn layered(rng: &mut Pcg64, layers: u32, width: u32) -> Graph {
    let mut pairs = Vec::new();
    for layer in 1..layers {
        for place in 0..width {
            let task = layer * width + place;
            for _ in 0..rng.random_range(1..=4) {
                let back = if rng.random_bool(0.8) {
                    1
                } else {
                    rng.random_range(1..=layer)
                };
                pairs.push(((layer - back) * width + rng.random_range(0..width), task));
            }
        }
    }
    Graph::new((layers * width) as usize, &pairs).unwrap()
}

fn random(rng: &mut Pcg64) -> Graph {
    if rng.random_bool(0.3) {
        let (layers, width) = (rng.random_range(2..12), rng.random_range(1..12));
        return layered(rng, layers, width);
    }
    let tasks = rng.random_range(1..40_u32);
    let density = rng.random_range(0.02..0.5);
    let pairs = (0..tasks).flat_map(|v| (0..v).map(move |u| (u, v)));
    let pairs: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(density)).collect();
    Graph::new(tasks as usize, &pairs).unwrap()
}

fn random_times(rng: &mut Pcg64, tasks: usize) -> Times {
    let laws = vec![
        law("exponential", &[1.0]),
        law("uniform", &[0.5, 1.5]),
        law("gamma", &[4.0, 0.25]),
        law("gamma", &[0.5, 2.0]),
        law("lognormal", &[0.0, 0.5]),
        law("weibull", &[0.8, 1.0]),
        law("bernoulli", &[0.4]),
        law("geometric", &[0.6]),
    ];
    let only = rng
        .random_bool(0.5)
        .then(|| rng.random_range(0..laws.len() as u32));
    let time = |_| {
        let law = only.unwrap_or(rng.random_range(0..laws.len() as u32));
        match rng.random_range(0..10) {
            0 => Time::constant(rng.random_range(0.0..2.0)),
            1 => Time {
                law: Some(law),
                factor: rng.random_range(0.0..2.0),
                shift: rng.random_range(0.0..2.0),
            },
            2..6 => Time::scaled(law, rng.random_range(0.01..3.0)),
            _ => Time::scaled(law, 1.0),
        }
    };
    let times = (0..tasks).map(time).collect();
    Times::new(laws, times).unwrap()
}

/// Says what is wrong with bounds, beside samples whose errors are allowed for.
fn violation(bounds: &Bounds, estimate: &Estimate) -> Option<String> {
    let [lower, upper] = bounds.mean;
    let (mean, error) = (
        estimate.mean,
        4.5 * estimate.mean_error + 1e-6 * estimate.mean,
    );
    if !(lower <= mean + error && mean - error <= upper && lower <= upper) {
        return Some(format!("mean {lower} <= {mean} +- {error} <= {upper}"));
    }
    let n = estimate.law.samples().len() as f64;
    for p in [0.01, 0.1, 0.5, 0.9, 0.99] {
        let [lower, upper] = bounds.quantile(p);
        // At these values the cdf of the samples is known to within this.
        let error = 4.5 * (p * (1.0 - p) / n).sqrt() + 1.0 / n;
        let rounding = 1e-6 * mean;
        let below = |x: f64| estimate.law.cdf(x).below;
        if below(lower - rounding - 1e-9) > p + error
            || (upper.is_finite() && below(upper + rounding) < p - error)
        {
            return Some(format!(
                "quantile {p}: {lower} to {upper}, but {} and {}",
                below(lower),
                below(upper)
            ));
        }
    }
    None
}

#[test]
fn bounds_hold_on_random_graphs() {
    let count = asked().unwrap_or(30);
    for seed in 0..count {
        let mut rng = Pcg64::seed_from_u64(seed);
        let graph = random(&mut rng);
        let times = random_times(&mut rng, graph.tasks());
        let bounds = bounds(&graph, &times, &Default::default()).unwrap();
        let estimate = sample(&graph, &times, seed, Samples::Exactly(8_192)).unwrap();
        if let Some(violation) = violation(&bounds, &estimate) {
            panic!("seed {seed}, {} tasks: {violation}", graph.tasks());
        }
    }
}

/// The graphs of the 84 cases, with the mean of each task.
fn graphs() -> Vec<(String, Graph, Vec<f64>)> {
    let mut rng = Pcg64::seed_from_u64(1);
    let of = |name: &str, family: Family, means: &[f64]| {
        let means = family.of_kinds(means);
        (name.to_string(), family.graph, means)
    };
    let mut graphs: Vec<_> = [6, 8, 10, 12]
        .map(|k| {
            of(
                &format!("cholesky {k}"),
                families::cholesky(k).unwrap(),
                &[1.0 / 3.0, 1.0, 1.0, 2.0],
            )
        })
        .into();
    graphs.extend([6, 10].map(|k| {
        of(
            &format!("lu {k}"),
            families::lu(k).unwrap(),
            &[2.0 / 3.0, 1.0, 2.0],
        )
    }));
    graphs.push(of("qr 8", families::qr(8).unwrap(), &[4.0, 6.0, 6.0, 12.0]));
    graphs.push(of(
        "wavefront 20",
        families::wavefront(20, 20).unwrap(),
        &[1.0],
    ));
    graphs.push(of(
        "stencil 50 x 20",
        families::stencil(50, 20).unwrap(),
        &[1.0],
    ));
    for (layers, width) in [(10, 100), (32, 31), (100, 10)] {
        let graph = layered(&mut rng, layers, width);
        let means = (0..graph.tasks())
            .map(|_| rng.random_range(0.5..1.5))
            .collect();
        graphs.push((format!("layers {layers} x {width}"), graph, means));
    }
    graphs
}

/// Laws of mean 1.
fn laws() -> Vec<(&'static str, Arc<dyn Distribution>)> {
    let lognormal = |cv: f64| {
        let square = (1.0 + cv * cv).ln();
        law("lognormal", &[-0.5 * square, square.sqrt()])
    };
    vec![
        ("uniform .17", law("uniform", &[0.7, 1.3])),
        ("gamma .2", law("gamma", &[25.0, 0.04])),
        ("gamma .5", law("gamma", &[4.0, 0.25])),
        ("lognormal .5", lognormal(0.5)),
        ("uniform .58", law("uniform", &[0.0, 2.0])),
        ("exponential", law("exponential", &[1.0])),
        ("lognormal 1", lognormal(1.0)),
    ]
}

#[test]
fn bounds_hold_in_84_cases() {
    let all = asked().is_some();
    let samples = if all { 65_536 } else { 4_096 };
    let graphs = graphs();
    let few = |number: usize| all || number.is_multiple_of(4);
    for (name, law) in laws()
        .into_iter()
        .enumerate()
        .filter(|(k, _)| all || k % 4 == 1)
        .map(|(_, law)| law)
    {
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; 4];
        let mut clark = [0.0; 2];
        for (number, (graph_name, graph, means)) in
            graphs.iter().enumerate().filter(|(k, _)| few(*k))
        {
            let tasks = means.iter().map(|&mean| Time::scaled(0, mean)).collect();
            let times = Times::new(vec![law.clone()], tasks).unwrap();
            let bounds = bounds(graph, &times, &Default::default()).unwrap();
            let estimate = sample(graph, &times, number as u64, Samples::Exactly(samples)).unwrap();
            if let Some(violation) = violation(&bounds, &estimate) {
                panic!("{graph_name}, {name}: {violation}");
            }
            let off = |value: f64, exact: f64| 100.0 * (value / exact - 1.0);
            let [quantile, _] = estimate.quantile(0.99);
            let [lower, upper] = bounds.quantile(0.99);
            let [low, high] = bounds.mean;
            let errors = [
                off(low, estimate.mean),
                off(lower, quantile),
                off(high, estimate.mean),
                off(upper, quantile),
            ];
            for (range, error) in ranges.iter_mut().zip(errors) {
                *range = [range[0].min(error), range[1].max(error)];
            }
            let moments = normal(graph, &times).unwrap();
            let count = graphs.iter().enumerate().filter(|(k, _)| few(*k)).count() as f64;
            clark[0] += off(moments.mean, estimate.mean).abs() / count;
            clark[1] += off(moments.quantile(0.99), quantile).abs() / count;
        }
        let [a, b, c, d] = ranges.map(|[from, to]| format!("{from:.1}..{to:.1}"));
        println!(
            "{name:14} lower {a}, {b}; upper {c}, {d}; Clark {:.1}, {:.1}",
            clark[0], clark[1]
        );
    }
}

/// Above the mean of the largest of all paths, however they depend on each other: `ln(sum over paths of E[e^(t T)]) / t` for
/// any t, of tasks that take a gamma law of this shape with these means.
fn mean_of_all_paths(graph: &Graph, means: &[f64], shape: f64) -> f64 {
    let largest = means.iter().copied().fold(0.0, f64::max);
    let mean = |t: f64| {
        let mut sums = vec![f64::NEG_INFINITY; graph.tasks()];
        let added = |a: f64, b: f64| a.max(b) + (-(a - b).abs()).exp().ln_1p();
        let mut all = f64::NEG_INFINITY;
        for &task in graph.order() {
            let before = graph.before(task).iter().map(|&u| sums[u as usize]);
            let own = -shape * (-t * means[task as usize] / shape).ln_1p();
            sums[task as usize] = own + before.reduce(added).unwrap_or(0.0);
            if graph.after(task).is_empty() {
                all = if all.is_finite() {
                    added(all, sums[task as usize])
                } else {
                    sums[task as usize]
                };
            }
        }
        all / t
    };
    let slopes = (1..200).map(|k| f64::from(k) / 200.0 * shape / largest);
    slopes.map(mean).fold(f64::INFINITY, f64::min)
}

/// In deep graphs, of which the upper law counts as many copies as there are paths, rare times decide.
#[test]
fn upper_means_of_deep_graphs_are_no_larger_than_those_of_all_paths() {
    let mut rng = Pcg64::seed_from_u64(7);
    let wavefront = families::wavefront(50, 50).unwrap().of_kinds(&[1.0]);
    let deep = layered(&mut rng, 100, 10);
    let means = (0..deep.tasks()).map(|_| rng.random_range(0.5..1.5));
    let graphs = [
        (families::wavefront(50, 50).unwrap().graph, wavefront),
        (deep.clone(), means.collect()),
    ];
    for (graph, means) in graphs {
        for (shape, name) in [(1.0, "exponential"), (25.0, "gamma")] {
            let arguments = [25.0, 0.04];
            let law = law(name, if shape == 1.0 { &[1.0] } else { &arguments });
            let tasks = means.iter().map(|&mean| Time::scaled(0, mean)).collect();
            let times = Times::new(vec![law], tasks).unwrap();
            let [_, upper] = bounds(&graph, &times, &Default::default()).unwrap().mean;
            let paths = mean_of_all_paths(&graph, &means, shape);
            let longest = Paths::new(&graph, &means).length();
            println!("{name}: {longest} < {upper} < {paths}");
            assert!(longest < upper && upper < 1.01 * paths, "{upper}, {paths}");
        }
    }
}
