use super::*;
use std::sync::Arc;

use crate::families::{self, Family};
use crate::times::Time;
use pamela_law::{Distribution, Named};

pub fn law(name: &str, arguments: &[f64]) -> Arc<dyn Distribution> {
    Arc::new(Named::new(name, arguments).unwrap())
}

/// The same law for all tasks, times the mean of their kind.
pub fn times(family: &Family, means: &[f64], law: Arc<dyn Distribution>) -> Times {
    let tasks = family
        .of_kinds(means)
        .into_iter()
        .map(|mean| Time::scaled(0, mean));
    Times::new(vec![law], tasks.collect()).unwrap()
}

fn exponential(graph: &Graph) -> Bounds {
    let times = vec![Time::scaled(0, 1.0); graph.tasks()];
    let times = Times::new(vec![law("exponential", &[1.0])], times).unwrap();
    bounds(graph, &times, &Options::default()).unwrap()
}

fn assert_encloses(bounds: &Bounds, exact: f64) {
    let [lower, upper] = bounds.mean;
    assert!(
        lower <= exact && exact <= upper,
        "{lower} <= {exact} <= {upper}"
    );
}

/// 23/8 by the recursion over sets of finished tasks; 55/18 of the upper law, as if c were independent of d.
#[test]
fn the_graph_n_is_enclosed() {
    let graph = Graph::new(4, &[(0, 2), (0, 3), (1, 3)]).unwrap();
    let bounds = exponential(&graph);
    assert_encloses(&bounds, 23.0 / 8.0);
    assert!(
        (bounds.mean[1] - 55.0 / 18.0).abs() < 3e-3,
        "{:?}",
        bounds.mean
    );
}

#[test]
fn wavefronts_and_factorisations_are_enclosed() {
    // Exact, by recursion over sets of finished tasks.
    for (n, exact) in [
        (2, 3.5),
        (3, 313.0 / 48.0),
        (4, 9.772_283_7),
        (5, 13.155_549_1),
        (20, 68.361_409),
    ] {
        let bounds = exponential(&families::wavefront(n, n).unwrap().graph);
        assert_encloses(&bounds, exact);
    }
    let one = [1.0; 4];
    let four = [1.0 / 3.0, 1.0, 1.0, 2.0];
    let cases = [
        (3, one, 2189.0 / 288.0),
        (4, one, 11.367_149),
        (3, four, 88_931.0 / 13_440.0),
        (4, four, 11.393_882_5),
    ];
    for (k, means, exact) in cases {
        let family = families::cholesky(k).unwrap();
        let times = times(&family, &means, law("exponential", &[1.0]));
        assert_encloses(
            &bounds(&family.graph, &times, &Options::default()).unwrap(),
            exact,
        );
    }
}

/// The upper bound is 33.5 % above the mean, as another program has found it.
#[test]
fn the_upper_mean_of_a_wavefront_is_that_of_independent_maxima() {
    let bounds = exponential(&families::wavefront(20, 20).unwrap().graph);
    assert!(
        (bounds.mean[1] / 68.361_409 - 1.335).abs() < 1e-3,
        "{:?}",
        bounds.mean
    );
    for (p, exact) in [(0.5, 68.0372), (0.99, 83.0340)] {
        let [lower, upper] = bounds.quantile(p);
        assert!(
            lower <= exact && exact <= upper,
            "{lower} <= {exact} <= {upper}"
        );
    }
}

/// Ten times the largest of 64 exponentials: 10 times the 64th harmonic number.
#[test]
fn forks_and_joins_are_exact() {
    let (n, w) = (10, 64);
    let pairs =
        (0..n - 1).flat_map(|i| (0..w * w).map(move |k| (i * w + k / w, (i + 1) * w + k % w)));
    let graph = Graph::new((n * w) as usize, &pairs.collect::<Vec<_>>()).unwrap();
    let bounds = exponential(&graph);
    let exact = 10.0 * (1..=64).map(|k| 1.0 / f64::from(k)).sum::<f64>();
    assert!((exact - 47.4389).abs() < 1e-4);
    assert_encloses(&bounds, exact);
    assert!(
        bounds.mean[1] - bounds.mean[0] < 0.004 * exact,
        "{:?}",
        bounds.mean
    );
}

#[test]
fn numbers_have_their_longest_path() {
    let family = families::cholesky(6).unwrap();
    let times = Times::numbers(&family.of_kinds(&[1.0, 2.0, 3.0, 4.0])).unwrap();
    let bounds = bounds(&family.graph, &times, &Options::default()).unwrap();
    assert_eq!(bounds.mean, [31.0; 2]);
    assert_eq!(
        (bounds.quantile(0.5), bounds.quantile(0.999)),
        ([31.0; 2], [31.0; 2])
    );
    assert_eq!(exponential(&Graph::new(0, &[]).unwrap()).mean, [0.0; 2]);
    let few = Times::numbers(&[1.0]).unwrap();
    assert!(super::bounds(&family.graph, &few, &Options::default()).is_err());
}
