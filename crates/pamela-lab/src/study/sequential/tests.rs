use std::sync::OnceLock;

use super::*;
use crate::study::quicksort::{Watch, sort};
use crate::study::random::Random;
use crate::study::report::Table;

#[derive(Default)]
struct Counts {
    touched: usize,
    branches: [[usize; 2]; 8],
    rounds: usize,
}

impl Watch for Counts {
    fn touch(&mut self, _: usize) {
        self.touched += 1;
    }

    fn branch(&mut self, number: usize, holds: bool) {
        self.branches[number][usize::from(holds)] += 1;
    }

    fn round(&mut self) {
        self.rounds += 1;
    }
}

#[test]
fn quicksort_sorts_and_its_branches_agree() {
    let mut random = Random::new(1);
    for length in (0..60).chain([1000]) {
        // Few values, so that many are equal.
        for values in [1000, 3] {
            let mut x: Vec<f64> = (0..length).map(|_| random.below(values) as f64).collect();
            let mut expected = x.clone();
            expected.sort_by(f64::total_cmp);
            let mut counts = Counts::default();
            sort(&mut x, &mut counts);
            assert_eq!(x, expected);
            // A round splits a part or sorts it; of n splits come n + 1 parts.
            let [splits, short] = counts.branches[1];
            assert_eq!(counts.rounds, splits + short);
            assert_eq!(short, if length == 0 { 0 } else { splits + 1 });
            // Scans meet once in each split.
            assert_eq!(counts.branches[6][1], splits);
            for branch in [3, 4, 5, 7] {
                assert_eq!(counts.branches[branch].iter().sum::<usize>(), splits);
            }
        }
    }
}

fn value(report: &Report, title: &str, point: &str, method: &str, column: usize) -> f64 {
    let find = |table: &&Table| table.title.starts_with(title);
    let table = report
        .tables
        .iter()
        .find(find)
        .unwrap_or_else(|| panic!("no table {title}"));
    let values = table.values(point, method);
    let value = values.and_then(|values| values[column]);
    value.unwrap_or_else(|| panic!("no {method} at {point}:\n{table}"))
}

const RUNS: usize = 300;

fn small() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| sequential(RUNS).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn counts_are_those_of_known_laws() {
    let report = small();
    let near = |found: f64, expected: f64, tolerance: f64| {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found}, expected {expected}"
        );
    };
    let root = (RUNS as f64).sqrt();
    near(
        value(report, "Table 3.1", "T", "counted", 0),
        100.0,
        5.0 * 90.0_f64.sqrt() / root,
    );
    // H(i) - 1 and H(i) - H2(i) of i = 1000, from the sums themselves.
    let harmonic = |r: i32| (1..=1000).map(|k| f64::from(k).powi(-r)).sum::<f64>();
    near(
        value(report, "Figure 3.7", "1000", "exact", 0),
        harmonic(1) - 1.0,
        1e-12,
    );
    near(
        value(report, "Figure 3.7", "1000", "exact", 1),
        harmonic(1) - harmonic(2),
        1e-12,
    );
    near(
        value(report, "Figure 3.7", "1000", "counted", 0),
        harmonic(1) - 1.0,
        5.0 * 2.42 / root,
    );
    // The variance of the sort is 2.2e4 (Table 4.4).
    let mean = value(report, "Figure 3.8: moments", "T", "counted", 0);
    near(
        mean,
        value(report, "Figure 3.8: moments", "T", "exact", 0),
        5.0 * 150.0 / root,
    );
    // What covariances add is most of the variance, of which the nearest scans have a part.
    let variance = |method: &str| value(report, "Figure 3.8: moments", "T", method, 1);
    assert!(variance("scans alone") < variance("nearer than 10"));
    assert!(variance("scans alone") < 0.4 * variance("counted"));
    assert_eq!(report.drawings.len(), 8);
}

/// Of three elements, the largest changes 0, 1 or 2 times in 2, 3 and 1 of 6 orders.
#[test]
fn records_are_those_of_all_orders() {
    for (found, expected) in maximum::records(3, 3).into_iter().zip([2.0, 3.0, 1.0, 0.0]) {
        assert!((found - expected / 6.0).abs() < 1e-15);
    }
}

/// Table 3.2: with its share, a Bernoulli process of 999 trials has the expected counts that it prints to two decimals,
/// and its sums are right with two observed counts one greater.
#[test]
fn the_expected_counts_of_table_3_2_are_those_of_a_bernoulli_process() {
    let report = small();
    let binomial = |k: i32| {
        let chosen = (0..k)
            .map(|i| f64::from(999 - i) / f64::from(i + 1))
            .product::<f64>();
        5000.0 * chosen * 6.44e-3_f64.powi(k) * (1.0 - 6.44e-3_f64).powi(999 - k)
    };
    let mut observed = value(report, "Figure 3.6", "17", "", 3);
    for k in 0..17 {
        let printed = value(report, "Figure 3.6", &k.to_string(), "", 4);
        assert!(
            (printed - binomial(k)).abs() <= 0.0051,
            "{k}: {printed} {}",
            binomial(k)
        );
        observed += value(report, "Figure 3.6", &k.to_string(), "", 3);
    }
    assert_eq!(observed, 5000.0);
    let found = value(report, "Table 3.2: chi-square", "observed", "", 0);
    assert!((found - 31.69).abs() < 0.05, "{found}");
    // 0.95 quantile of 17 degrees of freedom, by tables.
    let threshold = value(report, "Table 3.2: chi-square", "observed", "", 2);
    assert!((threshold - 27.587).abs() < 1e-3, "{threshold}");
}

/// The thesis has a mean of 3.09e-5 s and a variance of 6.55e-13 s^2; of 300 runs a variance has a standard error of 8 %.
#[test]
fn quicksort_with_a_cache_takes_as_long_as_in_the_thesis() {
    let report = small();
    let counted = |column| value(report, "Figures 3.10 and 3.11", "T", "counted", column);
    assert!((counted(2) / 3.09e4 - 1.0).abs() < 0.01);
    assert!((counted(3) / 6.55e5 - 1.0).abs() < 0.35);
    // What replacement adds is a small part of it.
    let replacement = value(report, "Figures 3.10 and 3.11", "T", "replacement", 3);
    assert!(
        replacement > 0.0 && replacement < 0.15 * counted(3),
        "{replacement}"
    );
}
