//! `pamela diff`: pairs of models with a planted change, and pairs that are the same written differently. What changed is
//! known from how the pairs are made.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use pamela::Model;
use pamela::diff::{Change, Compared, RatioKind, Request, difference};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::is_full;

/// Pairs in the whole battery, and in each run.
const ALL: usize = 432;
const FEW: usize = 36;

const HEAD: &str = "numeric parameter N : integer >= 1\nnumeric parameter P : integer >= 1\n\
                    numeric parameter t : > 0\nresource s\nresource pool = servers(3)\n";

/// Draws a number; the ends come as often as all others.
fn draw(random: &mut Pcg64, low: i64, high: i64) -> i64 {
    match random.random_range(0..4) {
        0 => low,
        1 => high,
        _ => random.random_range(low..=high),
    }
}

/// A pair of texts, and how the second differs: slower, or equal. The opposite pair is faster, or equal.
///
/// One table, because each arm is a kind of pair.
fn pair(kind: usize, random: &mut Pcg64) -> ([String; 2], Change) {
    let (a, b, c) = (draw(random, 1, 9), draw(random, 2, 9), draw(random, 1, 60));
    let far = draw(random, 50, 3000);
    let factor = |form: &dyn Fn(i64) -> String| ([form(a), form(a + 1)], Change::Slower);
    let both = |old: String, new: String, change| ([old, new], change);
    match kind {
        0 => factor(&|a| format!("numeric v = {a} * N^2 + {b} * P * t")),
        1 => factor(&|a| format!("process main = par (p = 1, P) {{ delay(N * t) ; use(s, {a}) }}")),
        2 => factor(&|a| format!("process main = seq (i = 1, N) {{ delay({a} * t) ; delay(i) }}")),
        3 => factor(&|a| format!("numeric v = ceil(N / P) * {a} * t + {b}")),
        4 => factor(&|a| format!("process main = par (p = 1, P) use(pool, {a} * t)")),
        // Exponents.
        5 => factor(&|e| format!("numeric v = {b} * N^{} + P", e.min(3))),
        6 => {
            let loops = |count: usize| {
                let all: String = (0..count)
                    .map(|own| format!("seq (i{own} = 1, N) "))
                    .collect();
                format!("process main = {all}delay({a} * t)")
            };
            both(loops(1), loops(2), Change::Slower)
        }
        // A term more.
        7 => both(
            format!("numeric v = {a} * N^2"),
            format!("numeric v = {a} * N^2 + {c}"),
            Change::Slower,
        ),
        8 => both(
            format!("numeric v = max({a} * N, {b} * P)"),
            format!("numeric v = max({a} * N, {b} * P) + t / 1000"),
            Change::Slower,
        ),
        9 => both(
            format!("numeric v = sum (i = 1, N) {{ {a} * i }}"),
            format!("numeric v = sum (i = 1, N) {{ {a} * i + log2(P + 1) }}"),
            Change::Slower,
        ),
        10 => both(
            format!("process main = seq (i = 1, N) {{ delay({a} * t) }}"),
            format!("process main = seq (i = 1, N) {{ delay({a} * t) }} ; delay({b} * P)"),
            Change::Slower,
        ),
        // Branches that changed places.
        11 => both(
            format!(
                "numeric v = if (N > {c}) {b} * P + 1 else {} * P + 1",
                b + 1
            ),
            format!(
                "numeric v = if (N > {c}) {} * P + 1 else {b} * P + 1",
                b + 1
            ),
            Change::Mixed,
        ),
        12 => both(
            format!("numeric v = max({a} * N, {} * P)", a + b),
            format!("numeric v = max({} * N, {a} * P)", a + b),
            Change::Mixed,
        ),
        // Only beyond a boundary.
        13 => both(
            format!("numeric v = {a} * N + t"),
            format!("numeric v = {a} * N + t + (if (N > {far}) {b} else 0)"),
            Change::Slower,
        ),
        14 => both(
            format!("numeric v = {a} * N + t"),
            format!("numeric v = max({a} * N, {} * N - {far}) + t", a + 1),
            Change::Slower,
        ),
        15 => both(
            format!("process main = par (p = 1, P) delay({a} * t)"),
            format!(
                "process main = par (p = 1, P) {{ delay({a} * t) ; delay(max(0, P - {far})) }}"
            ),
            Change::Slower,
        ),
        16 => both(
            format!("numeric v = if (N > {far}) {b} * N else N"),
            format!("numeric v = if (N >= {far}) {b} * N else N"),
            Change::Slower,
        ),
        // The same, written differently.
        17 => both(
            format!("numeric v = {a} * N * (N + 1) / 2"),
            format!("numeric v = sum (i = 1, N) {{ {a} * i }}"),
            Change::Equal,
        ),
        18 => both(
            format!("numeric v = ({a} * N + P)^2"),
            format!("numeric v = {} * N^2 + {} * N * P + P^2", a * a, 2 * a),
            Change::Equal,
        ),
        19 => both(
            format!("numeric v = max({a} * N, {b} * P)"),
            format!("numeric v = {a} * N + max(0, {b} * P - {a} * N)"),
            Change::Equal,
        ),
        20 => both(
            format!("numeric v = if (N > {c}) N else P"),
            format!("numeric v = if (N <= {c}) P else N"),
            Change::Equal,
        ),
        21 => both(
            "process main = seq (i = 1, N) seq (j = 1, i) delay(t)".to_owned(),
            "process main = delay(t * N * (N + 1) / 2)".to_owned(),
            Change::Equal,
        ),
        22 => both(
            format!("process main = par (p = 1, P) {{ delay(N * t) ; use(s, {a}) }}"),
            format!(
                "process work = {{ delay(N * t) ; use(s, {a}) }}\nprocess main = par (q = 0, P - 1) work"
            ),
            Change::Equal,
        ),
        23 => both(
            "numeric v = ceil(N / P)".to_owned(),
            "numeric v = floor((N + P - 1) / P)".to_owned(),
            Change::Equal,
        ),
        24 => both(
            format!("numeric v = N mod {b}"),
            format!("numeric v = N - {b} * (N div {b})"),
            Change::Equal,
        ),
        25 => both(
            format!("numeric v = abs(N - {c})"),
            format!("numeric v = max(N - {c}, {c} - N)"),
            Change::Equal,
        ),
        26 => both(
            format!("numeric v = sum (i = 0, N) {{ {b}^i }}"),
            format!("numeric v = ({b}^(N + 1) - 1) / {}", b - 1),
            Change::Equal,
        ),
        27 => both(
            "numeric v = log2(N) + log2(P)".to_owned(),
            "numeric v = log2(N * P)".to_owned(),
            Change::Equal,
        ),
        28 => both(
            "numeric v = min(N, P) + max(N, P)".to_owned(),
            "numeric v = N + P".to_owned(),
            Change::Equal,
        ),
        29 => both(
            format!("numeric v = steps(N, 1: {a}, {}: {b})", c + 1),
            format!("numeric v = if (N > {c}) {b} else {a}"),
            Change::Equal,
        ),
        30 => both(
            format!("numeric half = N * t / {b}\nnumeric v = {b} * half + P"),
            "numeric v = P + t * N".to_owned(),
            Change::Equal,
        ),
        // Bounds of times that no theorem gives.
        31 => {
            let model = |a: i64| {
                format!(
                    "resource r\nprocess main = par (p = 1, P) {{ use(s, {a}) ; delay(p * t) ; use(r, 2) ; delay(1) ; use(s, 1) }}"
                )
            };
            both(model(a), model(a + 1), Change::Slower)
        }
        32 => {
            let model = |first: &str| {
                format!(
                    "resource r\nprocess main = par ({first}) {{ use(s, {a}) ; delay(p * t) ; use(r, 2) ; delay(1) ; use(s, 1) }}"
                )
            };
            both(model("p = 1, P"), model("p = 1, P + 0"), Change::Equal)
        }
        // Random times, by their means.
        33 => factor(&|a| format!("process main = seq (i = 1, N) delay(exponential({a} * t))")),
        34 => both(
            format!("process main = seq (i = 1, N) delay(erlang({b}, t))"),
            format!("process main = seq (i = 1, N) delay(t * erlang({b}, 1))"),
            Change::Equal,
        ),
        _ => factor(&|a| format!("numeric v = N * log2(N + 1)^{} + P", a.min(2))),
    }
}

/// Kinds of pairs in [`pair`].
const KINDS: usize = 36;

fn compared(texts: &[String; 2]) -> Vec<Compared> {
    let models = texts.each_ref().map(|text| {
        Model::parse(&format!("{HEAD}{text}\n")).unwrap_or_else(|error| panic!("{text}: {error}"))
    });
    let rules = pamela::rules::standard().expect("the rules");
    let request = Request::default();
    difference(&models[0], &models[1], &rules, &request)
        .expect("a difference")
        .values
}

#[test]
fn planted_changes_are_found_and_nothing_else() {
    let mut random = Pcg64::seed_from_u64(20_261);
    let count = if is_full() { ALL } else { FEW };
    for number in 0..count {
        let (mut texts, mut expected) = pair(number % KINDS, &mut random);
        if texts[0] == texts[1] {
            expected = Change::Equal;
        }
        if (number + number / KINDS) % 2 == 1 {
            texts.reverse();
            expected = match expected {
                Change::Slower => Change::Faster,
                same => same,
            };
        }
        let values = compared(&texts);
        assert!(!values.is_empty(), "{texts:?}");
        let changes: Vec<Change> = values.iter().map(|own| own.change).collect();
        let others = changes
            .iter()
            .filter(|own| ![expected, Change::Equal].contains(own));
        let told = format!("{texts:#?}\n{changes:?}, expected {expected:?}");
        assert_eq!(others.count(), 0, "{told}");
        assert!(changes.contains(&expected), "{told}");
    }
}

/// Orders and suprema that calculus gives.
#[test]
fn growth_and_ratios_are_those_of_calculus() {
    let cases = [
        (
            "N^2",
            "N^2 * log2(N + 1)",
            Some(["O(N^2)", "O(N^2 * log(N))"]),
            RatioKind::Unbounded,
            f64::INFINITY,
        ),
        ("N * (N + 1) / 2", "N^2", None, RatioKind::Limit, 2.0),
        ("N", "3 * N", None, RatioKind::Constant, 3.0),
        ("N + 1", "N + 4", None, RatioKind::Greatest, 2.5),
        ("max(N, P)", "max(N, 2 * P)", None, RatioKind::Greatest, 2.0),
        (
            "N^3",
            "2^N + N^3",
            Some(["O(N^3)", "O(2^N)"]),
            RatioKind::Unbounded,
            f64::INFINITY,
        ),
        (
            "sqrt(N)",
            "N",
            Some(["O(N^(1/2))", "O(N)"]),
            RatioKind::Unbounded,
            f64::INFINITY,
        ),
        (
            "N / P + 1",
            "N / P + P",
            Some(["O(1)", "O(P)"]),
            RatioKind::Unbounded,
            f64::INFINITY,
        ),
        (
            "sum (i = 1, N) { sum (j = 1, i) { j } }",
            "sum (i = 1, N) { sum (j = 1, N) { N } }",
            None,
            RatioKind::Limit,
            6.0,
        ),
        (
            "log2(N + 1)",
            "N",
            Some(["O(log(N))", "O(N)"]),
            RatioKind::Unbounded,
            f64::INFINITY,
        ),
    ];
    for (old, new, growth, kind, value) in cases {
        let texts = [old, new].map(|own| format!("numeric v = {own}"));
        let own = compared(&texts).remove(0);
        let told = format!("{old} -> {new}: {own:#?}");
        let found = own
            .growth
            .first()
            .map(|own| [own.old.as_str(), own.new.as_str()]);
        assert_eq!(found, growth, "{told}");
        let ratio = own.ratio.unwrap_or_else(|| panic!("{told}"));
        assert_eq!((ratio.kind, ratio.value), (kind, value), "{told}");
    }
}

fn file(name: &str, text: &str) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differences");
    fs::create_dir_all(&directory).expect("a directory for the test");
    let path = directory.join(name);
    fs::write(&path, text).expect("a file for the test");
    path.to_string_lossy().into_owned()
}

fn diff(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg("diff")
        .args(arguments)
        .output()
        .expect("pamela runs")
}

/// Exit codes and JSON are those that the help describes, also of values of which more is better.
#[test]
fn exit_codes_say_what_got_slower() {
    let old = file(
        "old.pam",
        &format!("{HEAD}numeric v = N\nnumeric gone = 1\n"),
    );
    let new = file(
        "new.pam",
        &format!("{HEAD}numeric v = 2 * N\nnumeric came = 1\n"),
    );
    let code = |arguments: &[&str]| diff(arguments).status.code();
    assert_eq!(code(&[&old, &new]), Some(1));
    assert_eq!(code(&[&new, &old]), Some(0));
    assert_eq!(code(&[&old, &old]), Some(0));
    assert_eq!(code(&[&old, &new, "--more-is-better", "v"]), Some(0));
    assert_eq!(code(&[&new, &old, "--more-is-better", "v"]), Some(1));
    assert_eq!(code(&[&old, &new, "--only", "gone"]), Some(1));
    assert_eq!(code(&[&old, &new, "-D", "Q=1"]), Some(1));
    let json: serde_json::Value =
        serde_json::from_slice(&diff(&[&old, &new, "--json"]).stdout).expect("JSON");
    assert_eq!(json["slower"], true);
    assert_eq!(json["decided"], true);
    assert_eq!(json["only_old"], serde_json::json!(["gone"]));
    assert_eq!(json["only_new"], serde_json::json!(["came"]));
    assert_eq!(json["values"][0]["change"], "slower");
    assert_eq!(json["values"][0]["ratio"]["exact"], "2");
}

/// A loop more makes a C program quadratic.
#[cfg(feature = "programs")]
#[test]
fn programs_are_modelled_first() {
    let old =
        "int work(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";
    let new = "int work(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i] * a[j]; return s; }\n";
    let (old, new) = (file("old.c", old), file("new.c", new));
    let output = diff(&[&old, &new, "--entry", "work"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("in n: O(n) became O(n^2)"), "{text}{told}");
    assert_eq!(output.status.code(), Some(1), "{text}{told}");
    let same = diff(&[&old, &old, "--entry", "work"]);
    assert_eq!(
        same.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&same.stdout)
    );
}
