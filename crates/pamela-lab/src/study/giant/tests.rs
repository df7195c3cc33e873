use super::*;

/// What a method says at a point of the table whose title contains `title`, in the first column.
fn value(report: &Report, title: &str, point: &str, method: &str, column: usize) -> f64 {
    let mut tables = report.tables.iter();
    let table = tables.find(|table| table.title.contains(title)).unwrap();
    let values = table.values(point, method);
    let values =
        values.unwrap_or_else(|| panic!("{title}: no row of {method} at {point}\n{table}"));
    values[column].unwrap()
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

/// By an independent program: 71.07 and 559.9 for 15.05.
#[test]
fn theorem_2_is_right_with_its_errata_alone() {
    let term = terms::EXAMPLE;
    near(term.measured(7.0).unwrap(), 15.05, 5e-3);
    near(term.printed(7.0), 71.07, 5e-3);
    near(term.by_its_proof(7.0), 559.9, 5e-2);
    for t in [2.5, 3.0, 7.0, 30.0] {
        let measured = term.measured(t).unwrap();
        near(term.corrected(t), measured, 1e-12 * 40.0);
    }
}

/// (1 - A)(1 - B) = 1 - A - B + AB, where A and B have k terms and AB has 2 k - 1.
#[test]
fn terms_are_counted() {
    let [a, b] = [0, 1].map(|rate| terms::erlang(100, rate));
    assert_eq!(terms::larger(&a, &b).len(), 400);
    // Of n laws of 2 stages: for each set of j of them the powers to j.
    let report = giant().unwrap();
    for n in [2_u32, 8, 12] {
        let expected = f64::from((1 << n) + n * (1 << (n - 1)));
        let found = value(&report, "largest of n Erlang", &n.to_string(), "triples", 0);
        near(found, expected, 0.0);
    }
}

/// Largest of erlang(4, 4) and of erlang(2, 2), by integration in another program.
#[test]
fn extremes_have_their_exact_means() {
    let report = giant().unwrap();
    let of = |n: &str, method: &str| value(&report, "n erlang(4, 4)", n, method, 0);
    for (n, exact, root, eight, ten) in [
        ("64", 10.191, 0.42, -29.0, -12.0),
        ("1024", 13.799, 0.17, -16.0, -3.5),
        ("1e6", 22.009, 0.04, -7.0, 1.2),
    ] {
        near(of(n, "measured"), exact, 5e-4);
        near(of(n, "(6), (7), (12)"), root, 5e-3);
        near(of(n, "(8)"), eight, 0.5);
        near(of(n, "(10)"), ten, 0.5);
    }
    // Simpson's rule of 400,000 panels to 90.
    near(of("1e12", "measured"), 37.357_487, 1e-6);
    let of = |n: &str, column: usize| value(&report, "Figure 4", n, "measured", column);
    for (n, open, below) in [("64", 6.779, 5.896), ("1024", 9.889, 6.864)] {
        near(of(n, 0), open, 5e-4);
        near(of(n, 1), below, 5e-4);
    }
    // (19) has 5.680.
    let error = value(&report, "Figure 4", "64", "(12), (19)", 1);
    near(5.896 * (1.0 + error / 100.0), 5.680, 1e-3);
}

/// One processor does all one after the other; with as many as there are tasks, (a) and (b) are one.
#[test]
fn structures_have_their_means() {
    let report = giant().unwrap();
    let of = |p: &str, column: usize| value(&report, "Figure 1", p, "measured", column);
    near(of("1", 1), 64.0 * 2.0 + 4.0, 1e-9);
    near(of("64", 1), of("64", 0), 1e-9);
    for p in ["1", "8", "64"] {
        for column in 0..3 {
            near(value(&report, "Figure 1", p, "pamela", column), 0.0, 1e-3);
        }
    }
}
