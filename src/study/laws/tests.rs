use super::*;
use crate::study::report::{Report, Unit};

/// What a method says at a point of the table whose title contains `title`.
fn values<'a>(report: &'a Report, title: &str, point: &str, method: &str) -> &'a [Option<f64>] {
    let table = report
        .tables
        .iter()
        .find(|table| table.title.contains(title));
    let table = table.unwrap_or_else(|| panic!("no table of {title}"));
    let values = table.values(point, method);
    values.unwrap_or_else(|| panic!("{title}: no row of {method} at {point}\n{table}"))
}

fn near(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.unwrap();
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

/// All measured values are there, and all predictions are numbers.
fn complete(report: &Report) {
    for row in report.tables.iter().flat_map(|table| &table.rows) {
        let numbers = row.values.iter().flatten().all(|value| value.is_finite());
        assert!(numbers, "{row:?}");
        let measured = row.unit == Unit::Value;
        assert!(
            !measured || row.values.iter().all(Option::is_some),
            "{row:?}"
        );
    }
}

#[test]
fn copies_have_the_known_order_statistics() {
    let report = nary().unwrap();
    complete(&report);
    let harmonic = |r: i32| (1..=64).map(|k| f64::from(k).powi(-r)).sum::<f64>();
    let found = values(
        &report,
        "largest (and-parallel) of N exponential",
        "64",
        "measured",
    );
    near(found[0], harmonic(1), 1e-12);
    near(found[1], harmonic(2), 1e-12);
    let found = values(
        &report,
        "smallest (or-parallel) of N exponential",
        "1024",
        "measured",
    );
    near(found[0], 1.0 / 1024.0, 1e-15);
    near(found[2], 2.0, 1e-10);
    let found = values(
        &report,
        "largest (and-parallel) of N uniform",
        "8",
        "measured",
    );
    near(found[0], 8.0 / 9.0, 1e-13);
    // The larger of two standard normal variables has mean 1/sqrt(pi) and variance 1 - 1/pi.
    let found = values(
        &report,
        "largest (and-parallel) of N normal",
        "2",
        "measured",
    );
    let square = std::f64::consts::FRAC_1_PI;
    near(found[0], square.sqrt(), 1e-12);
    near(found[1], 1.0 - square, 1e-12);
    // The errors of Gumbel's formula that the errata state.
    let found = values(
        &report,
        "largest (and-parallel) of N normal",
        "1000000",
        "Gumbel",
    );
    near(found[0], 4.4, 0.05);
    let found = values(
        &report,
        "smallest (or-parallel) of N exponential",
        "64",
        "gld",
    );
    near(found[0].map(f64::abs), 69.0, 1.0);
}
