use super::*;
use crate::study::report::Report;

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
        let measured = row.method == "measured";
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
        "Table 5.1",
    );
    near(found[0].map(f64::abs), 69.0, 1.0);
    let grids = report.tables.iter().flat_map(|table| &table.rows);
    for row in grids.filter(|row| row.method == "grid") {
        assert!(row.values[0].unwrap().abs() < 1e-3, "{row:?}");
    }
}

#[test]
fn parameters_are_those_of_table_5_1() {
    let report = parameters().unwrap();
    complete(&report);
    let printed = [
        ("uniform(0, 1)", [0.5, 2.0, 1.0, 1.0]),
        ("normal(0, 1)", [0.0, 0.1975, 0.1349, 0.1349]),
    ];
    for (law, lambdas) in printed {
        let found = values(&report, "parameters", law, "gld");
        for (found, printed) in found.iter().zip(lambdas) {
            near(*found, printed, 5e-5);
        }
    }
    // The exponential law is the limit itself.
    let found = values(&report, "parameters", "exponential(1)", "gld");
    near(found[8], 0.0, 1e-12);
    // The k-th of N uniform variables has mean k/(N + 1), of exponential ones 1/N + ... + 1/(N - k + 1).
    let found = values(&report, "uniform", "50 of 100", "measured");
    near(found[0], 50.0 / 101.0, 1e-12);
    let found = values(&report, "exponential", "5 of 10", "measured");
    near(found[0], (6..=10).map(|i| 1.0 / f64::from(i)).sum(), 1e-12);
}

#[test]
fn the_larger_and_the_smaller_of_two_are_the_known_ones() {
    let report = binary().unwrap();
    complete(&report);
    for theta in [0.1, 1.0, 10.0] {
        let point = f64::to_string(&theta);
        let smaller = 1.0 / (1.0 + theta);
        let found = values(
            &report,
            "smallest (or-parallel) of exponential",
            &point,
            "measured",
        );
        near(found[0], smaller, 1e-10);
        let found = values(
            &report,
            "largest (and-parallel) of exponential",
            &point,
            "measured",
        );
        near(found[0], 1.0 + 1.0 / theta - smaller, 1e-9);
    }
    // Of two alike, the heuristic and the graphical method take one: 1 for 3/2.
    for (method, tolerance) in [("heuristic", 1e-9), ("graphical", 0.01)] {
        let found = values(
            &report,
            "largest (and-parallel) of exponential",
            "1",
            method,
        );
        near(found[0], -100.0 / 3.0, tolerance);
    }
    // Clark: with equal means, sqrt(sum of variances / (2 pi)) above them.
    for sigma in [1.0, 2.0, 10.0] {
        let above = f64::sqrt((1.0 + sigma * sigma) / std::f64::consts::TAU);
        let point = f64::to_string(&sigma);
        let title = "of normal(1, 1) and normal(1, sigma)";
        let found = values(
            &report,
            &format!("largest (and-parallel) {title}"),
            &point,
            "measured",
        );
        near(found[0], 1.0 + above, 1e-9);
        let found = values(
            &report,
            &format!("smallest (or-parallel) {title}"),
            &point,
            "measured",
        );
        near(found[0], 1.0 - above, 1e-9);
    }
    // Newton's method is within the papers' per cent.
    for table in &report.tables {
        for row in table
            .rows
            .iter()
            .filter(|row| row.method == "Newton" && table.title.contains("expo"))
        {
            assert!(row.values[0].unwrap().abs() < 1.0, "{row:?}");
        }
    }
}

#[test]
fn formulas_of_phases_are_exact_and_table_d_1_is_that_of_the_normal_law() {
    let report = series().unwrap();
    complete(&report);
    for row in report.tables[0]
        .rows
        .iter()
        .filter(|row| row.method == "formula")
    {
        for error in &row.values {
            near(*error, 0.0, 1e-6);
        }
    }
    let found = values(&report, "same law", "normal(0, 1)", "Gram-Charlier");
    near(found[0], std::f64::consts::FRAC_1_PI.sqrt(), 1e-10);
    let found = values(&report, "same law", "exponential(1)", "measured");
    // E[Y^r] = r! (2 - 2^-r)
    for (found, expected) in found.iter().zip([1.5, 3.5, 11.25, 46.5]) {
        near(*found, expected, 1e-9);
    }
}

/// Four tasks that vary as much as they last take twice as long as one (thesis 1.1): 1 + 1.0294.
#[test]
fn figures_of_the_first_chapters_have_known_values() {
    let report = nary().unwrap();
    let found = values(&report, "Figure 1.2", "4", "");
    near(found[0], 1.0, 1e-12);
    near(found[3], 2.0294, 5e-5);
    let report = binary().unwrap();
    let found = values(&report, "Figure 5.2", "1.2", "");
    for (found, expected) in found.iter().zip([0.6, 0.4, 0.24, 0.4]) {
        near(*found, expected, 1e-12);
    }
    let names: Vec<&str> = report
        .drawings
        .iter()
        .map(|drawing| drawing.name.as_str())
        .collect();
    for figure in [2, 3, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16, 17, 18] {
        assert!(
            names.contains(&format!("figure-5.{figure}").as_str()),
            "{figure}: {names:?}"
        );
    }
    // The variance of a beta law of shapes L on an interval of sqrt(8 L) is 2 L / (2 L + 1), and its mean is in the middle.
    let report = parameters().unwrap();
    let found = values(&report, "Table 5.2", "normal", "L = 100");
    near(found[4], 0.0, 1e-12);
    near(found[5], 200.0 / 201.0, 1e-12);
    let found = values(&report, "Table 5.2", "exponential", "L = 1000");
    near(found[4], 1000.0 / 1001.0, 1e-12);
}
