//! The study of sums without peers: what the list claims of our closed forms.

use std::sync::OnceLock;

use pamela::study::{Measured, Study, sums, without_peers};

/// Fewer points would not tell a sum from another one.
const LEAST_POINTS: usize = 6;

fn study() -> &'static Study {
    static STUDY: OnceLock<Study> = OnceLock::new();
    STUDY.get_or_init(|| without_peers(sums::LIST, 1).unwrap_or_else(|error| panic!("{error}")))
}

/// What is to be said of the sums of which something is.
fn faults(fault: impl Fn(&Measured) -> Option<String>) -> String {
    let sums = study().sums.iter();
    let faults: Vec<String> = sums
        .filter_map(|sum| Some(format!("{}: {}", sum.name, fault(sum)?)))
        .collect();
    faults.join("\n")
}

#[test]
fn each_sum_is_closed_or_known_to_be_open() {
    let faults = faults(|sum| match (&sum.known_open, sum.ours.closed) {
        (None, false) => Some(format!("is open: {}", sum.ours.formula)),
        (Some(_), true) => Some(format!(
            "closes; remove its line `% open: ...` from corpus/studies/sums.txt: {}",
            sum.ours.formula
        )),
        _ => None,
    });
    assert_eq!(faults, "");
}

#[test]
fn each_sum_has_the_value_of_its_definition_where_its_conditions_hold() {
    let faults = faults(|sum| {
        let wrong = sum.ours.verdict.wrong.first()?;
        Some(format!(
            "{} instead of {} at {}, by {}",
            wrong.found, wrong.expected, wrong.point, sum.ours.formula
        ))
    });
    assert_eq!(faults, "");
}

#[test]
fn each_closed_sum_is_compared_at_more_than_a_few_points() {
    let faults = faults(|sum| {
        let compared = sum.ours.verdict.compared;
        (compared < LEAST_POINTS).then(|| format!("compared at {compared} points"))
    });
    assert_eq!(faults, "");
}

#[test]
fn a_wrong_claim_of_the_list_is_told() {
    let list = "% name: wrong\n% family: none\n% open: a claim\nnumeric parameter N : integer >= 0\nnumeric f = sum (i = 1, N) { i }";
    let study = without_peers(list, 1).unwrap_or_else(|error| panic!("{error}"));
    let sum = &study.sums[0];
    assert!(sum.ours.closed && sum.known_open.is_some());
    assert!(sum.ours.verdict.compared >= LEAST_POINTS);
}

#[test]
fn a_malformed_list_is_an_error() {
    for (list, expected) in [
        ("% family: none\nnumeric f = 1", "no `% name: ...`"),
        ("% name: a\nnumeric f = 1", "no `% family: ...`"),
        (
            "% name: a\n% family: b\n% c: d\nnumeric f = 1",
            "unknown key `c`",
        ),
        ("% name: a\n% family: b\nnumeric g = 1", "no equation `f`"),
        (
            "% name: a\n% family: b\nnumeric f = 1\n\n% name: a\n% family: b\nnumeric f = 2",
            "two sums",
        ),
    ] {
        let error = without_peers(list, 1).map(|_| ()).expect_err(list);
        assert!(error.to_string().contains(expected), "{error}");
    }
}
