use super::*;
use crate::law::{Cumulants, Empirical};
use crate::study::random::Random;
use crate::study::sample::Sample;
use crate::study::sorting;

fn near(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * expected.abs(),
        "{found}, expected {expected}"
    );
}

fn table<'a>(report: &'a Report, title: &str) -> &'a Table {
    let found = report
        .tables
        .iter()
        .find(|table| table.title.starts_with(title));
    found.unwrap_or_else(|| panic!("no table {title}"))
}

/// Five standard errors of the mean, and of the variance of what is nearly normal.
fn is_sample_of(counts: &[f64], law: &Cumulants) {
    let n = counts.len() as f64;
    let found = Empirical::cumulants_of(counts);
    near(
        found.mean,
        law.mean,
        5.0 * law.deviation() / n.sqrt() / law.mean,
    );
    near(found.variance, law.variance, 5.0 * (2.0 / n).sqrt());
}

#[test]
fn the_kernel_counts_binomial_numbers() {
    let mut random = Random::new(1);
    let counts: Vec<f64> = (0..2000)
        .map(|_| embarrassing::inside(&mut random, 1000) as f64)
        .collect();
    let p = std::f64::consts::FRAC_PI_4;
    let law = Cumulants::from_central_moments(1000.0 * p, [1000.0 * p * (1.0 - p), 0.0, 0.0]);
    is_sample_of(&counts, &law);
}

#[test]
fn what_makes_deviates_is_a_sum_of_geometric_numbers() {
    let mut random = Random::new(2);
    let counts: Vec<f64> = (0..2000)
        .map(|_| embarrassing::operations(&mut random, 1000) as f64)
        .collect();
    let p = std::f64::consts::FRAC_PI_4;
    let law =
        Cumulants::from_central_moments(500.0 / p + 500.0, [500.0 * (1.0 - p) / (p * p), 0.0, 0.0]);
    is_sample_of(&counts, &law);
}

/// The distances satisfy Bellman's equations, and one worker does what two do.
#[test]
fn distances_are_the_shortest() {
    let mut random = Random::new(3);
    for vertices in [2, 5, 40] {
        let graph = paths::Graph::random(&mut random, vertices);
        let (distance, operations) = graph.distances(0, 1);
        assert_eq!(distance[0], 0.0);
        for to in 1..vertices {
            let least = (0..vertices).map(|from| distance[from] + graph.edge(from, to));
            assert_eq!(distance[to], least.fold(f64::INFINITY, f64::min));
        }
        let (same, shared) = graph.distances(0, 2);
        assert_eq!(same, distance);
        assert_eq!(shared.iter().sum::<u64>(), operations[0]);
    }
}

#[test]
fn sorting_sorts_whatever_the_number_of_processors() {
    let mut random = Random::new(4);
    for (processors, size) in [(1, 50), (2, 9), (3, 100), (16, 40), (8, 1)] {
        let sorted = sorting::sorted(&mut random, processors, size);
        assert_eq!(sorted.values.len(), processors * size);
        assert!(sorted.values.is_sorted());
    }
}

/// Quicksort leaves its parts in a random order, so that its mean follows a recurrence over the rank of the pivot: one of
/// n (n - 1) (n - 2) / 6 triples has rank k in (k - 1) (n - k) ways.
#[test]
fn quicksort_compares_as_often_as_its_recurrence_says() {
    let size = 60;
    let mut mean = vec![0.0; size + 1];
    for n in 0..=size {
        let length = n as f64;
        if n <= 8 {
            // Insertion: all inversions, and one more for each element that does not become the least.
            let harmonic: f64 = (1..=n).map(|i| 1.0 / i as f64).sum();
            mean[n] = length * (length - 1.0) / 4.0 + length - harmonic;
            continue;
        }
        let triples = length * (length - 1.0) * (length - 2.0) / 6.0;
        let parts = (2..n).map(|k| ((k - 1) * (n - k)) as f64 * (mean[k - 1] + mean[n - k]));
        mean[n] = 8.0 / 3.0 + length - 3.0 + parts.sum::<f64>() / triples;
    }
    let mut random = Random::new(5);
    let counts: Vec<f64> = (0..20_000)
        .map(|_| {
            let mut comparisons = 0;
            sorting::stable_quicksort(
                (0..size).map(|_| random.share()).collect(),
                &mut comparisons,
            );
            comparisons as f64
        })
        .collect();
    let found = Empirical::cumulants_of(&counts);
    near(
        found.mean,
        mean[size],
        5.0 * found.deviation() / (20_000_f64).sqrt() / found.mean,
    );
}

#[test]
fn fish_and_sharks_are_as_many_as_places_have_them() {
    let mut random = Random::new(6);
    let mut ocean = ocean::Ocean::random(&mut random, 2);
    let fish: f64 = ocean.fish().iter().sum();
    // 5,000 places, each with a fish in 2 of 5.
    near(fish, 2000.0, 5.0 * (5000.0_f64 * 0.24).sqrt() / 2000.0);
    let [places, sharks] = ocean.positions();
    assert_eq!(places.len() as f64, fish);
    near(
        sharks.len() as f64,
        1000.0,
        5.0 * (5000.0_f64 * 0.16).sqrt() / 1000.0,
    );
    for _ in 0..20 {
        ocean.step(&mut random);
        let [fish, sharks] = ocean.positions();
        assert!(fish.len() + sharks.len() <= 5000);
        assert_eq!(fish.len() as f64, ocean.fish().iter().sum::<f64>());
    }
}

/// The largest of all pairs of 1, 2, 3, 4: 2, 3, 3, 4, 4, 4.
#[test]
fn the_largest_of_all_choices_is_that_of_each() {
    let largest = Sample::new(vec![4.0, 2.0, 1.0, 3.0]).largest(2);
    near(largest.mean, 20.0 / 6.0, 1e-12);
    near(
        largest.variance,
        70.0 / 6.0 - (20.0_f64 / 6.0).powi(2),
        1e-12,
    );
}

#[test]
fn a_test_refuses_one_law_in_twenty_and_a_wrong_one_always() {
    let mut random = Random::new(7);
    let law = crate::law::Named::new("binomial", &[1000.0, 0.3]).expect("a law");
    let wrong = crate::law::Named::new("binomial", &[1000.0, 0.31]).expect("a law");
    let mut refused = [0, 0];
    for _ in 0..200 {
        let draw = |random: &mut Random| (0..1000).filter(|_| random.share() < 0.3).count() as f64;
        let counts = (0..400)
            .map(|_| draw(&mut random).max(draw(&mut random)))
            .collect();
        let sample = Sample::new(counts);
        for (refused, law) in refused.iter_mut().zip([&law, &wrong]) {
            let test = sample.chi_square(law, 2, 0).expect("enough counts");
            *refused += usize::from(test.value > test.threshold);
        }
    }
    assert!((2..=20).contains(&refused[0]), "{refused:?}");
    assert!(refused[1] > 190, "{refused:?}");
}

fn all_are_finite(report: &Report) {
    for row in report.tables.iter().flat_map(|table| &table.rows) {
        let mut values = row.values.iter().flatten();
        assert!(values.all(|value| value.is_finite()), "{row:?}");
    }
}

/// Predictions of independent counts are within the noise and a few per cent of the spread.
fn independent_counts_are_predicted(report: &Report) {
    let errors = table(report, "Figure 5.20");
    let found = errors.values("16", "gld").and_then(|values| values[0]);
    assert!(found.expect("an error").abs() < 0.01, "{errors}");
}

#[test]
fn counts_of_one_program_are_predicted() {
    let report = workloads(128, &["ep".to_string()]).unwrap_or_else(|error| panic!("{error}"));
    all_are_finite(&report);
    independent_counts_are_predicted(&report);
}

#[test]
#[ignore = "oceans take minutes: `.ci/nightly` runs it"]
fn small_studies_have_all_tables_and_figures() {
    let report = workloads(128, &[]).unwrap_or_else(|error| panic!("{error}"));
    for number in 3..=7 {
        table(&report, &format!("Table 5.{number}"));
    }
    let names = report.drawings.iter().map(|drawing| drawing.name.as_str());
    let names: Vec<&str> = names.collect();
    for figure in 19..=42 {
        let name = format!("figure-5.{figure}");
        assert!(names.contains(&name.as_str()), "{name}: {names:?}");
    }
    all_are_finite(&report);
    independent_counts_are_predicted(&report);
    // A table of all rows that are printed but those of the largest oceans.
    let fits = table(&report, "Table 5.9").rows.iter();
    let printed = fits.filter(|row| row.method == "Table 5.9");
    assert_eq!(printed.count(), PRINTED.len());
}
