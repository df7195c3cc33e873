//! Nanoseconds a point of `pamela sweep` on one thread, by what is asked of it, without its start: the shortest of several runs.

use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 5;

/// A formula with a division and cancelling differences, beside one that is a maximum of two products.
const FORMULA: &str = "numeric parameter N : integer >= 1
    numeric parameter P : integer >= 1
    numeric parameter a : > 0
    numeric parameter b : > 0
    numeric f = max(N*(a+b), P*N*b) + a*P*P/(1+N*b) + (N-P)*(a-b)*0.5";
const REPAIR: &str = include_str!("../corpus/papers/mrm.pam");

struct Case {
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    /// The values of `P` and of `N`.
    sizes: [u64; 2],
}

const WHOLE: [&str; 6] = ["-D", "ts=10", "-D", "tl=100", "--only", "T_main"];
const DECIMAL: [&str; 6] = ["-D", "ts=0.1", "-D", "tl=10", "--only", "T_main"];
const GIVEN: [&str; 4] = ["-D", "a=10", "-D", "b=0.1"];

fn cases() -> Vec<Case> {
    let case = |name, options| Case {
        name,
        model: REPAIR,
        options,
        sizes: [1_000, 2_000],
    };
    let formula = |name, options| Case {
        name,
        model: FORMULA,
        options,
        sizes: [5_000, 10_000],
    };
    vec![
        case("rows as CSV", &[]),
        case("rows as lines of JSON", &["--format", "jsonl"]),
        case(
            "a condition on a value, none holds",
            &["--where", "T_main < 0"],
        ),
        case(
            "a condition on a parameter, none holds",
            &["--where", "P < 0"],
        ),
        case(
            "the greatest of each group",
            &["--aggregate", "max", "--group-by", "P"],
        ),
        case("the best row", &["--top", "1", "--by", "T_main"]),
        formula("formula with a division, greatest", &["--aggregate", "max"]),
        formula(
            "formula with a division, best row",
            &["--top", "1", "--by", "f"],
        ),
    ]
}

/// Seconds of a run over so many values of `P` and `N`.
fn seconds(case: &Case, given: &[&str], [p, n]: [u64; 2]) -> f64 {
    let path = std::env::temp_dir().join(format!("pamela-sweeps-{}.pam", std::process::id()));
    std::fs::write(&path, case.model).expect("it can be written");
    let run = || {
        let start = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_pamela"))
            .arg("sweep")
            .arg(&path)
            .args([
                "-D",
                &format!("P=1:{p}"),
                "-D",
                &format!("N=1:{n}"),
                "--threads",
                "1",
            ])
            .args(given)
            .args(case.options)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.expect("it runs").success(), "{}", case.name);
        start.elapsed().as_secs_f64()
    };
    let least = (0..RUNS).map(|_| run()).fold(f64::INFINITY, f64::min);
    std::fs::remove_file(&path).expect("it is there");
    least
}

/// Seconds of a sweep that aggregates an equation of a study.
fn seconds_of(study: &str, equation: &str, values: &[&str]) -> f64 {
    let run = || {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pamela"));
        command.args(["sweep", study, "--only", equation]);
        command.args(["--aggregate", "count,min", "--threads", "1"]);
        for value in values {
            command.args(["-D", value]);
        }
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("it runs").success());
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Plans of the training model by number of microbatches; its assumption excludes some.
fn seconds_of_plans(microbatches: u64) -> f64 {
    let count = format!("m=1:{microbatches}");
    let axes = ["b=1:4", "p=1:64", "v=1:40", "full=0,1", &count];
    let fixed = ["l=96", "h=12288", "a=96", "measured=18"];
    let values = [&axes[..], &fixed[..]].concat();
    seconds_of("studies/training.pam", "time", &values)
}

/// Of a million configurations of a server, or of one.
fn seconds_of_servers(equation: &str, all: bool) -> f64 {
    let million = [
        "tp=1,2,4,8",
        "b=1:250",
        "prompt=100:100:4000",
        "answer=50:50:1250",
    ];
    let one = ["tp=1", "b=1", "prompt=100", "answer=50"];
    let values = if all { million } else { one };
    seconds_of("studies/planner.pam", equation, &values)
}

fn main() {
    let plans = 4 * 64 * 40 * 2;
    let spent = seconds_of_plans(1_000) - seconds_of_plans(1);
    let rate = (999 * plans) as f64 / spent / 1e6;
    println!("plans of a training model: {rate:.1} million a second");
    for equation in ["tpot", "ttft", "cost"] {
        let [all, one] = [true, false].map(|all| seconds_of_servers(equation, all));
        println!(
            "a million servers, {equation}: {all:.2} s, of which {one:.2} s for the first one"
        );
    }
    println!("{:<40} {:>10} {:>10}", "ns a point", "whole", "decimal");
    for case in cases() {
        let points = (case.sizes[0] * case.sizes[1]) as f64;
        let of = |given: &[&str]| {
            let spent = seconds(&case, given, case.sizes) - seconds(&case, given, [1, 1]);
            spent / points * 1e9
        };
        let values = if case.model == FORMULA {
            [f64::NAN, of(&GIVEN)]
        } else {
            [of(&WHOLE), of(&DECIMAL)]
        };
        println!("{:<40} {:>10.1} {:>10.1}", case.name, values[0], values[1]);
    }
}
