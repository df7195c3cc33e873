use super::*;
use crate::bounds::tests::{law, times};
use crate::families;

#[test]
fn estimates_of_exponential_graphs_are_within_their_errors() {
    let one = [1.0; 4];
    let four = [1.0 / 3.0, 1.0, 1.0, 2.0];
    // Means and deviations by recursion over sets of finished tasks.
    let cases = [
        (families::wavefront(2, 2), one, 3.5, 1.802_775_6),
        (families::wavefront(3, 3), one, 313.0 / 48.0, 2.348_074_7),
        (families::wavefront(4, 4), one, 9.772_283_7, 2.763_913_9),
        (families::wavefront(5, 5), one, 13.155_549_1, 3.104_249),
        (families::wavefront(20, 20), one, 68.361_409, 5.681_295),
        (families::cholesky(3), one, 2189.0 / 288.0, 2.600_578_5),
        (families::cholesky(4), one, 11.367_149, 3.036_749_9),
        (
            families::cholesky(3),
            four,
            88_931.0 / 13_440.0,
            2.614_189_3,
        ),
        (families::cholesky(4), four, 11.393_882_5, 3.466_876_7),
    ];
    for (family, means, mean, deviation) in cases {
        let family = family.unwrap();
        let times = times(&family, &means, law("exponential", &[1.0]));
        let found = sample(&family.graph, &times, 1, Samples::Auto).unwrap();
        assert!(
            (found.mean - mean).abs() < 4.0 * found.mean_error,
            "{} +- {} for {mean}",
            found.mean,
            found.mean_error
        );
        let n = found.law.samples().len() as f64;
        let spread = pamela_law::Distribution::cumulants(&found.law)
            .variance
            .sqrt();
        // The deviation of a deviation, of a law like this, is some 1 / sqrt(n).
        assert!(
            (spread / deviation - 1.0).abs() < 5.0 / n.sqrt(),
            "{spread} for {deviation}"
        );
    }
}

#[test]
fn quantiles_are_within_their_errors() {
    let family = families::wavefront(20, 20).unwrap();
    let times = times(&family, &[1.0], law("exponential", &[1.0]));
    let found = sample(&family.graph, &times, 2, Samples::Exactly(16_384)).unwrap();
    for (p, exact) in [(0.5, 68.0372), (0.99, 83.0340)] {
        let [quantile, error] = found.quantile(p);
        assert!(
            (quantile - exact).abs() < 4.0 * error && error < 0.005 * exact,
            "{quantile} +- {error} for {exact}"
        );
    }
}

#[test]
fn no_number_of_threads_changes_a_byte() {
    let family = families::cholesky(6).unwrap();
    let times = times(&family, &[1.0, 2.0, 1.0, 3.0], law("gamma", &[4.0, 0.25]));
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| sample(&family.graph, &times, 7, Samples::Exactly(1_000)).unwrap())
    };
    let one = of(1);
    assert_eq!(one.law.samples().len(), 1_024);
    for threads in [2, 3, 8] {
        let other = of(threads);
        assert_eq!(one.law, other.law);
        assert_eq!(
            (one.mean.to_bits(), &one.criticality),
            (other.mean.to_bits(), &other.criticality)
        );
    }
    // More samples begin with the same.
    let first = sample(&family.graph, &times, 7, Samples::Exactly(64)).unwrap();
    assert!(
        first
            .law
            .samples()
            .iter()
            .all(|x| one.law.samples().contains(x))
    );
}

#[test]
fn criticality_is_a_share_of_paths() {
    let family = families::wavefront(2, 2).unwrap();
    let times = times(&family, &[1.0], law("exponential", &[1.0]));
    let found = sample(&family.graph, &times, 3, Samples::Exactly(65_536)).unwrap();
    let [first, a, b, last] = found.criticality[..] else {
        panic!()
    };
    assert_eq!((first, last, a + b), (1.0, 1.0, 1.0));
    assert!((a - 0.5).abs() < 0.01, "{a}");
    let numbers = Times::numbers(&[1.0, 2.0, 1.0, 1.0]).unwrap();
    let found = sample(&family.graph, &numbers, 3, Samples::Auto).unwrap();
    assert_eq!(
        (found.mean, found.criticality),
        (4.0, vec![1.0, 1.0, 0.0, 1.0])
    );
}
