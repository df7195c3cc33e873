//! Functions in other languages, compiled and run beside the closed forms, where their compilers are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pamela::eval::{Bindings, Value};
use pamela::ring::Rational;
use pamela::{Model, Options};

const POINTS: usize = 1000;

/// Every operator that the languages have a form for.
const MODEL: &str = "
numeric parameter P : integer >= 1
numeric parameter N : integer >= 0
numeric parameter x
numeric plain = max(N * (10 + x), P * N * 0.1, x^2 - 2 * x) + N / P + min(x, 3)
numeric steps = floor(N / 3) + ceil(N / P) + N mod P + (N div P) * 7
numeric powers = x^7 + 2^P + abs(x)^(5 / 2) + sqrt(abs(x) + 1) + exp(x / 9)
numeric brackets = (x > 1) * N + (N == P) * 3 + (x <= 0) * P + if (N > P) x else P
numeric shared = (x + N / 7)^2 * (x + N / 7 + 1) + max(x + N / 7, 2) / (1 + abs(x + N / 7))
numeric partial = 1 / x + log(x)
";
const NAMES: [&str; 6] = ["plain", "steps", "powers", "brackets", "shared", "partial"];

fn points() -> Vec<[i64; 3]> {
    let mut state = 11u64;
    let mut next = |range: i64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as i64 % range
    };
    // Thirds of `x` from -5 to 5, 0 among them.
    (0..POINTS)
        .map(|_| [1 + next(12), next(30), next(31) - 15])
        .collect()
}

fn file(name: &str, text: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emit");
    fs::create_dir_all(&directory).expect("a directory for the test");
    let path = directory.join(name);
    fs::write(&path, text).expect("a file for the test");
    path
}

fn emitted(language: &str) -> String {
    let model = file("model.pam", MODEL);
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["simplify", "--emit", language])
        .arg(&model)
        .output()
        .expect("pamela runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn installed(command: &str, version: &str) -> bool {
    let mut run = Command::new(command);
    run.arg(version).stdout(Stdio::null()).stderr(Stdio::null());
    run.status().is_ok_and(|status| status.success())
}

/// The closed forms at every point: the value, if all conditions hold and there is one.
fn expected() -> Vec<Vec<Option<f64>>> {
    let simplified = Model::parse(MODEL).and_then(|m| m.simplify(&Options::default()));
    let simplified = simplified.expect("the model is right");
    let value = |[p, n, x]: &[i64; 3], name: &str| {
        let x = Rational::new(*x, 3).expect("no division by zero");
        let given: [(&str, Value); 3] = [("P", (*p).into()), ("N", (*n).into()), ("x", x.into())];
        let bindings: Bindings = given.map(|(name, value)| (name.to_string(), value)).into();
        let formula = &simplified.equation(name).expect("it is asked for").formula;
        let holds = formula.conditions().iter().all(|&condition| {
            let limits = pamela::eval::Limits::default();
            let value = pamela::eval::evaluate(formula.arena(), condition, &bindings, limits);
            matches!(value, Ok(Value::Scalar(number)) if !number.is_zero())
        });
        match formula.evaluate(&bindings) {
            Ok(Value::Scalar(number)) if holds => Some(number.to_f64()),
            _ => None,
        }
    };
    let at = |point: &[i64; 3]| NAMES.iter().map(|name| value(point, name)).collect();
    points().iter().map(at).collect()
}

/// Compares lines of values, each followed by 1 where its conditions hold.
fn compare(printed: &str) {
    let (mut compared, mut refused) = (0, 0);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), POINTS);
    for ((line, own), point) in lines.iter().zip(expected()).zip(points()) {
        let cells: Vec<f64> = line
            .split_whitespace()
            .map(|c| c.parse().expect("a number"))
            .collect();
        for ((pair, own), name) in cells.chunks(2).zip(own).zip(NAMES) {
            let place = format!("{name} at {point:?}: {pair:?}, {own:?}");
            match own {
                Some(own) => {
                    assert_eq!(pair[1], 1.0, "{place}");
                    assert!(
                        (pair[0] - own).abs() <= 1e-12 * own.abs().max(1.0),
                        "{place}"
                    );
                    compared += 1;
                }
                None => {
                    assert!(pair[1] == 0.0 || !pair[0].is_finite(), "{place}");
                    refused += 1;
                }
            }
        }
    }
    assert!(
        compared > 5 * POINTS && refused > POINTS / 4,
        "{compared} compared, {refused} refused"
    );
}

/// The arguments that an emitted function takes, by its text.
fn arguments(text: &str, name: &str) -> Vec<String> {
    let start = text
        .find(&format!(" {name}("))
        .expect("the function is there")
        + name.len()
        + 2;
    let inside = text[start..].split(')').next().expect("an end");
    let words = inside.split(',').map(|word| {
        let word = word.trim().trim_start_matches("double ");
        word.split(':').next().unwrap_or_default().to_string()
    });
    words.filter(|word| !word.is_empty()).collect()
}

fn run(program: &mut Command, name: &str) -> String {
    let output = program.output().expect(name);
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn c_computes_the_same() {
    if !installed("cc", "--version") {
        return;
    }
    let text = emitted("c");
    let calls = NAMES.map(|name| {
        let own = arguments(&text, name).join(", ");
        format!("printf(\"%.17g %d \", {name}({own}), {name}_valid({own}));")
    });
    let rows = points().map_rows(|[p, n, x]| format!("{{{p}, {n}, {x}}}"));
    let main = format!(
        "#include <stdio.h>\nstatic const double rows[][3] = {{{rows}}};\nint main(void) {{\n  for (int k = 0; k < \
         {POINTS}; k++) {{\n    double P = rows[k][0], N = rows[k][1], x = rows[k][2] / 3.0;\n    {}\n    \
         printf(\"\\n\");\n  }}\n}}\n",
        calls.concat()
    );
    let source = file("all.c", &format!("{text}\n{main}"));
    let program = source.with_extension("c.out");
    run(
        Command::new("cc")
            .args([
                "-O1",
                "-std=c99",
                "-Wall",
                "-Werror",
                "-ffp-contract=off",
                "-o",
            ])
            .arg(&program)
            .arg(&source)
            .arg("-lm"),
        "cc",
    );
    compare(&run(&mut Command::new(&program), "the C program"));
}

#[test]
fn rust_computes_the_same() {
    let text = emitted("rust");
    let calls = NAMES.map(|name| {
        let own = arguments(&text, name).join(", ");
        format!("print!(\"{{:?}} {{}} \", {name}({own}), u8::from({name}_valid({own})));")
    });
    let rows = points().map_rows(|[p, n, x]| format!("[{p}.0, {n}.0, {x}.0]"));
    let main = format!(
        "fn main() {{\n    let rows: [[f64; 3]; {POINTS}] = [{rows}];\n    for [P, N, x] in rows {{\n        let x = x / \
         3.0;\n        {}\n        println!();\n    }}\n}}\n",
        calls.concat()
    );
    let source = file("all.rs", &format!("{text}\n{main}"));
    let program = source.with_extension("rs.out");
    run(
        Command::new("rustc")
            .args(["--edition", "2021", "-o"])
            .arg(&program)
            .arg(&source),
        "rustc",
    );
    compare(&run(&mut Command::new(&program), "the Rust program"));
}

#[test]
fn python_computes_the_same() {
    let numpy = Command::new("python3")
        .args(["-c", "import numpy"])
        .stderr(Stdio::null())
        .status();
    if !numpy.is_ok_and(|status| status.success()) {
        return;
    }
    let text = emitted("python");
    let calls = NAMES.map(|name| {
        let own = arguments(&text, name).join(", ");
        format!("    np.broadcast_to({name}({own}), P.shape), np.broadcast_to({name}_valid({own}), P.shape),\n")
    });
    let rows = points().map_rows(|[p, n, x]| format!("[{p}, {n}, {x}]"));
    let main = format!(
        "rows = np.array([{rows}], dtype=float)\nP, N, x = rows[:, 0], rows[:, 1], rows[:, 2] / 3.0\nnp.seterr(all=\
         \"ignore\")\ncolumns = [\n{}]\nfor row in zip(*columns):\n    print(*(repr(float(cell)) for cell in row))\n",
        calls.concat()
    );
    let source = file("all.py", &format!("{text}\n{main}"));
    compare(&run(Command::new("python3").arg(&source), "python3"));
}

trait Rows {
    fn map_rows(&self, row: impl Fn([i64; 3]) -> String) -> String;
}

impl Rows for Vec<[i64; 3]> {
    fn map_rows(&self, row: impl Fn([i64; 3]) -> String) -> String {
        self.iter()
            .map(|&point| row(point))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

#[test]
fn what_has_no_form_is_refused() {
    let model = file(
        "harmonic.pam",
        "numeric parameter N : integer >= 1\nnumeric f = H(N)\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["simplify", "--emit", "c"])
        .arg(&model)
        .output()
        .expect("pamela runs");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("`f` cannot be written in C: that has no function `H`"),
        "{told}"
    );
}
