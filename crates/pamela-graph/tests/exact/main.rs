//! Bounds, estimates and normal laws beside what is exact.

mod polynomials;
mod recursion;

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use pamela_graph::families::{self, Family};
use pamela_graph::{Graph, Samples, Time, Times, bounds, normal, sample};
use pamela_law::{Distribution, Named};

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn double(x: &BigRational) -> f64 {
    x.to_f64().unwrap()
}

fn exponential(graph: &Graph, means: &[BigRational]) -> Times {
    let law: Arc<dyn Distribution> = Arc::new(Named::new("exponential", &[1.0]).unwrap());
    assert_eq!(graph.tasks(), means.len());
    Times::new(
        vec![law],
        means
            .iter()
            .map(|mean| Time::scaled(0, double(mean)))
            .collect(),
    )
    .unwrap()
}

/// Bounds enclose a mean, an estimate is within its errors, Clark's mean within a tenth.
fn assert_agree(graph: &Graph, times: &Times, mean: f64) {
    let bounds = bounds(graph, times, &Default::default()).unwrap();
    let [lower, upper] = bounds.mean;
    assert!(
        lower <= mean * (1.0 + 1e-9) && mean <= upper * (1.0 + 1e-9),
        "{lower} <= {mean} <= {upper}"
    );
    let estimate = sample(graph, times, 1, Samples::Exactly(16_384)).unwrap();
    let error = 4.5 * estimate.mean_error + 1e-5 * mean;
    assert!(
        (estimate.mean - mean).abs() <= error,
        "{} for {mean} +- {error}",
        estimate.mean
    );
    let clark = normal(graph, times).unwrap();
    assert!(
        (clark.mean / mean - 1.0).abs() < 0.1,
        "{} for {mean}",
        clark.mean
    );
}

#[test]
fn the_graph_n_is_known_exactly() {
    let graph = Graph::new(4, &[(0, 2), (0, 3), (1, 3)]).unwrap();
    let means = vec![ratio(1, 1); 4];
    let [mean, variance] = recursion::moments(&graph, &means);
    assert_eq!((&mean, &variance), (&ratio(23, 8), &ratio(151, 64)));
    assert_agree(&graph, &exponential(&graph, &means), double(&mean));
}

#[test]
fn small_factorisations_are_known_exactly() {
    let exact = |family: &Family, means: &[BigRational]| {
        recursion::moments(&family.graph, &family.of_kinds(means))
    };
    let one = vec![ratio(1, 1); 4];
    let four = [ratio(1, 3), ratio(1, 1), ratio(1, 1), ratio(2, 1)];
    let cases = [
        (3, &one[..], ratio(2189, 288), 2.600_578_5),
        (3, &four, ratio(88_931, 13_440), 2.614_189_3),
    ];
    for (k, means, expected, deviation) in cases {
        let family = families::cholesky(k).unwrap();
        let [mean, variance] = exact(&family, means);
        assert_eq!(mean, expected);
        assert!((double(&variance).sqrt() - deviation).abs() < 1e-7);
        let times = exponential(&family.graph, &family.of_kinds(means));
        assert_agree(&family.graph, &times, double(&mean));
    }
    let family = families::cholesky(4).unwrap();
    for (means, expected, deviation) in [
        (&one[..], 11.367_149_0, 3.036_749_9),
        (&four, 11.393_882_5, 3.466_876_7),
    ] {
        let [mean, variance] = exact(&family, means).map(|x| double(&x));
        assert!(
            (mean - expected).abs() < 1e-7 && (variance.sqrt() - deviation).abs() < 1e-7,
            "{mean} {variance}"
        );
    }
}

/// `P(T <= t) = det[int_0^t x^(i+j) e^-x dx] / prod j!^2`, i, j < n.
fn wavefront_cdf(n: usize, t: f64) -> f64 {
    // int_0^t x^k e^-x dx by its recursion.
    let mut moments = vec![-f64::exp_m1(-t)];
    for k in 1..2 * n {
        moments.push(k as f64 * moments[k - 1] - t.powi(k as i32) * (-t).exp());
    }
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| moments[i + j]).collect())
        .collect();
    let mut determinant = 1.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs()))
            .unwrap();
        if pivot != k {
            matrix.swap(pivot, k);
            determinant = -determinant;
        }
        determinant *= matrix[k][k];
        for row in k + 1..n {
            let factor = matrix[row][k] / matrix[k][k];
            (k..n).for_each(|column| matrix[row][column] -= factor * matrix[k][column]);
        }
    }
    let factorials: f64 = (0..n).map(|j| (1..=j).product::<usize>() as f64).product();
    determinant / factorials.powi(2)
}

#[test]
fn wavefronts_are_known_exactly_in_two_ways() {
    let expected = [
        (2, 3.5, 1.802_775_6),
        (3, 313.0 / 48.0, 2.348_074_7),
        (4, 9.772_283_7, 2.763_913_9),
    ];
    for (n, expected, deviation) in expected {
        let family = families::wavefront(n, n).unwrap();
        let means = vec![ratio(1, 1); (n * n) as usize];
        let [mean, variance] = recursion::moments(&family.graph, &means).map(|x| double(&x));
        assert!(
            (mean - expected).abs() < 1e-7 && (variance.sqrt() - deviation).abs() < 1e-7,
            "{mean} {variance}"
        );
        // The integral of what lies above, by the trapezoidal rule.
        let step = 1e-3;
        let above = (1..80_000)
            .map(|k| 1.0 - wavefront_cdf(n as usize, f64::from(k) * step).clamp(0.0, 1.0));
        let integral = step * (0.5 + above.sum::<f64>());
        assert!((integral - mean).abs() < 1e-5, "{n}: {integral} {mean}");
        assert_agree(&family.graph, &exponential(&family.graph, &means), mean);
    }
}

#[test]
fn quantiles_of_a_wavefront_lie_between_the_bounds() {
    let family = families::wavefront(4, 4).unwrap();
    let times = exponential(&family.graph, &vec![ratio(1, 1); 16]);
    let bounds = bounds(&family.graph, &times, &Default::default()).unwrap();
    for k in 1..200 {
        let t = 0.15 * f64::from(k);
        let exact = wavefront_cdf(4, t);
        assert!(
            bounds.upper.cdf(t) <= exact + 1e-9 && exact <= bounds.lower.cdf(t) + 1e-9,
            "{t}"
        );
    }
}
