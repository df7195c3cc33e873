//! Slices within slices, spans that outlive their parents, and references that mean nothing here.

use super::*;

fn in_turn(text: &str) -> Recording {
    let order = Options {
        tracks: Some(Tracks::Order),
        ..Options::default()
    };
    parsed_with(&[text], &order).unwrap()
}

/// A track is busy for as long as the union of its slices, which is told here by adding up what is covered.
#[test]
fn a_track_takes_what_its_slices_cover() {
    let slice = |name: &str, ts: f64, dur: f64| {
        format!(r#"{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur}}}"#)
    };
    for (slices, covered) in [
        (vec![("step", 0.0, 100.0), ("gemm", 10.0, 20.0)], 100.0),
        // Three deep, one that begins with the slice around it, one that ends with it, one of no time.
        (
            vec![
                ("a", 0.0, 10.0),
                ("b", 0.0, 4.0),
                ("c", 1.0, 2.0),
                ("d", 7.0, 3.0),
                ("e", 5.0, 0.0),
            ],
            10.0,
        ),
        // Two outer ones with a gap, in which nothing is done.
        (
            vec![
                ("a", 0.0, 5.0),
                ("b", 1.0, 1.0),
                ("c", 8.0, 4.0),
                ("c", 9.0, 3.0),
            ],
            9.0,
        ),
        // In microseconds since 1970, of which a double has steps of a quarter.
        (
            vec![
                ("a", 1_700_000_000_000_000.0, 3.0),
                ("b", 1_700_000_000_000_001.0, 1.0),
            ],
            3.0,
        ),
    ] {
        let slices: Vec<String> = (slices.iter())
            .map(|(name, ts, dur)| slice(name, *ts, *dur))
            .collect();
        let found = length(&in_turn(&format!("[{}]", slices.join(","))));
        assert!((found - covered).abs() < 1e-9, "{found} {covered}");
    }
    let text = format!(
        "[{}, {}, {}]",
        slice("step", 0.0, 100.0),
        slice("gemm", 10.0, 20.0),
        r#"{"ph":"s","id":1,"pid":1,"tid":1,"ts":15}"#
    );
    let note = &parsed(&[&text]).unwrap().notes[0];
    assert!(
        note.contains("1 slices contain others and are left out"),
        "{note}"
    );
}

#[test]
fn nanoseconds_since_1970_keep_their_digits() {
    let text = r#"[{"ph":"X","name":"a","ts":1700000000000000001,"dur":1},
        {"ph":"X","name":"b","ts":1700000000000000002,"dur":2}, {"ph":"X","name":"c","ts":1700000000000000004.5,"dur":1}]"#;
    let recording = in_turn(text);
    assert!(recording.notes.is_empty(), "{:?}", recording.notes);
    assert!((length(&recording) - 4.0).abs() < 1e-9);
}

/// Spans of Jaeger: name, parent, whether it follows from that, begin and duration in microseconds.
fn jaeger(spans: &[(&str, &str, bool, u32, u32)]) -> String {
    let spans = spans.iter().map(|(name, parent, follows, begin, duration)| {
        let kind = if *follows { "FOLLOWS_FROM" } else { "CHILD_OF" };
        let references = if parent.is_empty() {
String::new()
} else {
format!(r#"{{"refType": "{kind}", "spanID": "{parent}"}}"#)
};
        format!(
            r#"{{"spanID": "{name}", "operationName": "{name}", "references": [{references}], "startTime": {begin}, "duration": {duration}}}"#
        )
    });
    let spans: Vec<String> = spans.collect();
    format!(r#"{{"data": [{{"spans": [{}]}}]}}"#, spans.join(","))
}

/// The longest path by hand: from the first beginning to the last end, as the trace has it, since no span begins without
/// one that it waits for.
#[test]
fn spans_that_outlive_their_parents_go_on_beside_them() {
    for (spans, whole) in [
        // The job runs from 2 to 9 beside the request, which takes 10.
        (
            vec![
                ("r", "", false, 0, 10),
                ("a", "r", false, 1, 2),
                ("x", "a", false, 2, 7),
                ("b", "r", false, 4, 1),
            ],
            10,
        ),
        // The job ends last.
        (vec![("r", "", false, 0, 10), ("x", "r", false, 8, 7)], 15),
        // It begins when its parent has ended.
        (vec![("r", "", false, 0, 10), ("x", "r", false, 12, 7)], 19),
        (
            vec![("a", "", false, 0, 100), ("b", "a", true, 50, 100)],
            150,
        ),
        // What only follows is not waited for, though it ends within.
        (
            vec![("a", "", false, 0, 100), ("b", "a", true, 50, 20)],
            100,
        ),
        (
            vec![("a", "", false, 0, 100), ("b", "a", true, 100, 20)],
            120,
        ),
    ] {
        let recording = parsed(&[&jaeger(&spans)]).unwrap();
        let found = 1e6 * length(&recording);
        assert!(
            (found - f64::from(whole)).abs() < 1e-6,
            "{spans:?}: {found}"
        );
        assert!((1e6 * recording.makespans[0] - found).abs() < 1e-6);
    }
}

#[test]
fn references_that_mean_nothing_are_told() {
    let circle = error(&jaeger(&[("a", "b", false, 0, 1), ("b", "a", false, 0, 2)]));
    assert!(circle.contains("is among its own parents"), "{circle}");
    let own = error(&jaeger(&[("a", "a", false, 0, 1)]));
    assert!(own.contains("is among its own parents"), "{own}");
    let early = error(&jaeger(&[("a", "", false, 5, 9), ("b", "a", true, 3, 2)]));
    assert!(early.contains("begins before its parent"), "{early}");
    let several = jaeger(&[("a", "", false, 0, 9), ("b", "a", false, 1, 2)]).replace(
        r#"[{"refType": "CHILD_OF""#,
        r#"[{"refType": "FOLLOWS_FROM", "spanID": "c"}, {"refType": "CHILD_OF""#,
    );
    let several = parsed(&[&several]).unwrap();
    assert!(several.notes[0].starts_with("1 references to spans other than parents"));
    assert!((1e6 * length(&several) - 9.0).abs() < 1e-6);
    let edges =
        parsed(&["digraph { a [weight=1] b [weight=2] a -> b [weight=5] b -> c [label=x] }"]);
    let edges = edges.unwrap();
    assert!(edges.notes[0].starts_with("1 edges have a weight"));
    assert!(
        parsed(&["digraph { a -> b [label=x] }"])
            .unwrap()
            .notes
            .is_empty()
    );
}
