//! `pamela optimise`: against all points, and what it says of how certain it is.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const MODEL: &str = "
numeric parameter P : integer >= 1
numeric parameter N : integer >= 1
numeric parameter c : > 0
numeric f = N / P + c * P
numeric g = max(N / P, 3 * P) + c * P^2
numeric h = 2 * f + ceil(N / P)
numeric rate = 100 * P - P^2
";

fn file(name: &str, text: &str) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("optimise");
    fs::create_dir_all(&directory).expect("a directory for the test");
    let path = directory.join(name);
    fs::write(&path, text).expect("a file for the test");
    path.to_string_lossy().into_owned()
}

fn optimise(model: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["optimise", model])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs")
}

fn found(name: &str, more: &[&str]) -> serde_json::Value {
    let model = file(name, MODEL);
    let output = optimise(&model, &[more, &["--json"]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn least(places: impl Iterator<Item = u32>, f: impl Fn(f64) -> f64) -> (f64, f64) {
    let all = places.map(|p| (f(f64::from(p)), f64::from(p)));
    let (value, place) = all
        .reduce(|a, b| if b.0 < a.0 { b } else { a })
        .expect("a place");
    (place, value)
}

#[test]
fn every_point_is_looked_at() {
    let more = ["--over", "P=1:4096", "-D", "N=1e6", "-D", "c=2.5"];
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 3] = [
        ("f", |p| 1e6 / p + 2.5 * p),
        ("g", |p| (1e6 / p).max(3.0 * p) + 2.5 * p * p),
        ("h", |p| 2.0 * (1e6 / p + 2.5 * p) + (1e6 / p).ceil()),
    ];
    for (name, function) in functions {
        let (place, value) = least(1..=4096, function);
        let json = found("every.pam", &[&more[..], &["--minimise", name]].concat());
        assert_eq!(json["at"]["P"], place, "{name}");
        let own = json["value"].as_f64().expect("a number");
        assert!(
            (own - value).abs() <= 1e-12 * value,
            "{name}: {own} {value}"
        );
        assert_eq!(json["certainty"], "every point");
        assert_eq!(json["points"], 4096);
    }
}

#[test]
fn the_place_is_a_formula_where_there_is_one() {
    let more = [
        "--over",
        "P=1:4096",
        "-D",
        "N=1e6",
        "-D",
        "c=2.5",
        "--minimise",
    ];
    let json = found("formula.pam", &[&more[..], &["f"]].concat());
    assert_eq!(json["argument"]["kind"], "stationary");
    assert_eq!(json["argument"]["formula"], "sqrt(N / c)");
    let json = found("formula.pam", &[&more[..], &["g"]].concat());
    assert_eq!(json["argument"]["formula"], "(N / (2 * c))^(1/3)");
    // Where the client and the server meet, it stops to grow.
    let mrm = |tl: &str| {
        let given = ["-D", "P=31", "-D", "N=10", "-D", "ts=1", "--over", tl];
        let more = [&given[..], &["--minimise", "T_main"]].concat();
        let found = optimise("corpus/papers/mrm.pam", &more);
        String::from_utf8_lossy(&found.stdout).into_owned()
    };
    let points = mrm("tl=0:1:100");
    assert!(
        points.contains("numeric tl = 0\n") && points.contains("31 points have this value"),
        "{points}"
    );
    // A time is not a whole number: without a step it goes through all numbers between the ends, which nobody can count.
    let interval = mrm("tl=0:100");
    assert!(
        interval.contains("numeric tl = 0\nnumeric T_main = 310\n"),
        "{interval}"
    );
    assert!(
        interval.contains("% certain optimum") && interval.contains("by bounds over"),
        "{interval}"
    );
}

#[test]
fn ranges_beyond_counting_take_a_convex_form() {
    let more = ["--over", "P=1:1e12", "-D", "N=1e12", "-D", "c=2.5"];
    let json = found("shape.pam", &[&more[..], &["--minimise", "f"]].concat());
    assert_eq!(json["certainty"], "shape");
    let f = |p: f64| 1e12 / p + 2.5 * p;
    assert_eq!(json["at"]["P"], least(632_000..633_000, f).0);
    let json = found("shape.pam", &[&more[..], &["--maximise", "rate"]].concat());
    assert_eq!(json["at"]["P"], 50.0);
    assert_eq!(json["value"], 2500.0);
    // A step at each divisor: nothing is known of its shape, and nothing is guessed.
    let model = file("shape.pam", MODEL);
    let output = optimise(&model, &[&more[..], &["--minimise", "h"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("not known to be unimodal"), "{told}");
}

#[test]
fn conditions_bind() {
    let more = [
        "--over",
        "P=1:4096",
        "-D",
        "N=1e6",
        "-D",
        "c=2.5",
        "--minimise",
        "f",
        "--subject-to",
    ];
    let json = found("bound.pam", &[&more[..], &["P * f <= 1.5e6"]].concat());
    // P f = N + c P^2 <= 1.5e6 up to P = 447.
    assert_eq!(json["at"]["P"], 447.0);
    let json = found("bound.pam", &[&more[..], &["P mod 7 == 0"]].concat());
    let seventh = least((7..4096).step_by(7), |p| 1e6 / p + 2.5 * p);
    assert_eq!(json["at"]["P"], seventh.0);
    let model = file("bound.pam", MODEL);
    let output = optimise(&model, &[&more[..], &["P < 0"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("at none of the 4096 points P < 0 holds and f has a value"),
        "{told}"
    );
}

#[test]
fn expressions_and_parameters_are_objectives() {
    let given = ["--over", "P=1:500", "-D", "N=1000", "-D", "c=0.1"];
    let f = |p: f64| 1000.0 / p + 0.1 * p;
    type Function = fn(f64, f64) -> f64;
    let expressions: [(&str, Function); 2] = [
        ("f^2 + 3 * P", |f, p| f * f + 3.0 * p),
        ("3 * f - P", |f, p| 3.0 * f - p),
    ];
    for (text, function) in expressions {
        let value = |p: f64| function(f(p), p);
        let (place, least) = least(1..=500, value);
        let found = found(
            "expression.pam",
            &[&given[..], &["--minimise", text]].concat(),
        );
        let best = found["value"].as_f64().expect("a value");
        assert!((best - least).abs() < 1e-9 * least.abs(), "{text}: {found}");
        assert_eq!(found["at"]["P"].as_f64(), Some(place), "{text}: {found}");
    }
    // The fewest processes with which a condition holds.
    let fewest = [&given[..], &["--minimise", "P", "--subject-to", "f <= 25"]].concat();
    let (place, _) = least(1..=500, |p| if f(p) <= 25.0 { p } else { f64::INFINITY });
    let found = found("fewest.pam", &fewest);
    assert_eq!(found["value"].as_f64(), Some(place), "{found}");
}

#[test]
fn several_parameters_are_crossed() {
    let json = found(
        "two.pam",
        &[
            "--over",
            "P=1:2000",
            "--over",
            "c=1,2,3",
            "-D",
            "N=1e6",
            "--minimise",
            "f",
        ],
    );
    assert_eq!(json["at"]["P"], 1000.0);
    assert_eq!(json["at"]["c"], 1.0);
    assert_eq!(json["value"], 2000.0);
}

/// `(P - 4)^2` is 0 at 4, where the condition fails, 1 at 5 and 4 at 6.
#[test]
fn neighbours_say_where_conditions_fail() {
    let model = file(
        "beside.pam",
        "numeric parameter P : integer >= 1\nnumeric f = (P - 4)^2\n",
    );
    let more = [
        "--over",
        "P=1:9",
        "--minimise",
        "f",
        "--subject-to",
        "P >= 5",
    ];
    let output = optimise(&model, &more);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("numeric P = 5\nnumeric f = 1\n"), "{text}");
    assert!(
        text.contains("% f at P = 4: 0 (infeasible)\n% f at P = 6: 4\n"),
        "{text}"
    );
    let output = optimise(&model, &[&more[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let feasible = [
        &json["neighbours"][0]["feasible"],
        &json["neighbours"][1]["feasible"],
    ];
    assert_eq!(feasible, [false, true]);
}

/// A third of 1e-12 has 16 decimals after its zeros, and a third of 1e19 is near 3333333333333333000.
#[test]
fn tiny_and_huge_values_are_decimals() {
    for (factor, wanted) in [
        ("1e-12", "3.333333333333333"),
        ("1e19", "3.333333333333333"),
    ] {
        let text = format!("numeric parameter x : > 0\nnumeric y = x / 3 * {factor}\n");
        let model = file("tiny.pam", &text);
        for over in ["x=1,2", "x=1:2"] {
            let output = optimise(&model, &["--over", over, "--minimise", "y"]);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let line = text.lines().find(|line| line.starts_with("numeric y = "));
            let line = line.expect("it has a value");
            assert!(
                line.starts_with(&format!("numeric y = {wanted}")) && line.contains('e'),
                "{text}"
            );
            assert!(!text.contains('/'), "{text}");
        }
    }
}

#[test]
fn what_is_wrong_is_told() {
    let model = file("wrong.pam", MODEL);
    let told = |more: &[&str]| {
        let output = optimise(&model, more);
        assert_eq!(output.status.code(), Some(1), "{more:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let fixed = ["-D", "N=10", "-D", "c=1"];
    assert!(
        told(&[&fixed[..], &["--over", "P=1:9", "--minimise", "u"]].concat())
            .contains("no value `u`")
    );
    assert!(
        told(&[
            "--over",
            "P=1:9",
            "-D",
            "N=1:3",
            "-D",
            "c=1",
            "--minimise",
            "f"
        ])
        .contains("`--over`")
    );
    assert!(
        told(&["--over", "P=1:9", "-D", "N=3", "--minimise", "f"]).contains("`c` has no value")
    );
    assert!(
        told(&[&fixed[..], &["--over", "P=3", "--minimise", "f"]].concat())
            .contains("nothing to optimise")
    );
}

/// Tasks of a file, each in k parts that wait for a message of 1 between them: the longest path has 25 and three tasks.
#[test]
fn the_parts_of_recorded_tasks_have_a_best_number() {
    let csv = "corpus/graphs/files/pipeline.csv";
    let csv = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(csv);
    let text = format!(
        "numeric parameter k : integer >= 1\nprocess main = graph (w in {:?}) delay(w / k + k)\n",
        csv.to_string_lossy()
    );
    let output = optimise(
        &file("recorded.pam", &text),
        &["--over", "k=1:20", "--minimise", "T_main", "--json"],
    );
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let (place, value) = least(1..=20, |k| 25.0 / k + 3.0 * k);
    assert_eq!(found["at"]["k"], place);
    let own = found["value"].as_f64().expect("a number");
    assert!((own - value).abs() <= 1e-12 * value, "{own} {value}");
    assert_eq!(found["certainty"], "every point");
}
