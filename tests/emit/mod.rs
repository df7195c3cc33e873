//! Functions in other languages, compiled and run beside `eval`, where their compilers are installed.

mod cells;
mod comments;
mod corpus;
mod driver;
mod names;
mod programs;
mod words;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::selection::{is_full, is_selected, selected};
use corpus::MODELS;
use driver::Model;
use programs::called;

pub fn file(name: &str, text: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("emit");
    fs::create_dir_all(&directory).expect("a directory for the test");
    let path = directory.join(name);
    fs::write(&path, text).expect("a file for the test");
    path
}

pub fn pamela(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs")
}

/// True if a program runs; says so where it does not.
pub fn installed(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let runs = command.status().is_ok_and(|status| status.success());
    if !runs {
        eprintln!(
            "SKIPPED: `{program} {}` does not run here",
            arguments.join(" ")
        );
    }
    runs
}

pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("a program that is installed");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

pub fn emitted(language: &str, model: &Model) -> String {
    let output = pamela(&["simplify", &model.path(), "--emit", language]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    // Laws are left out.
    let done = output.status.success() || told.contains("it is a law");
    assert!(done, "{}: {told}", model.name);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The selected models by one language: what `program` makes of the emitted text and the points is compared.
fn compare_all(language: &str, program: impl Fn(&str, &Model) -> String) {
    for model in selected(&MODELS) {
        model.compare(language, &program(&emitted(language, model), model));
    }
}

#[test]
fn c_computes_the_same() {
    if installed("cc", &["--version"]) {
        compare_all("c", programs::c);
    }
}

#[test]
fn rust_computes_the_same() {
    if installed("rustc", &["--version"]) {
        compare_all("rust", programs::rust);
    }
}

#[test]
fn python_computes_the_same() {
    if installed("python3", &["--version"]) {
        compare_all("python", programs::python);
    }
}

#[test]
fn numpy_computes_the_same() {
    if installed("python3", &["-c", "import numpy"]) {
        compare_all("numpy", programs::numpy);
    }
}

#[test]
fn javascript_computes_the_same() {
    if installed("node", &["--version"]) {
        compare_all("javascript", programs::javascript);
    }
}

#[test]
fn julia_computes_the_same() {
    if installed("julia", &["--version"]) {
        compare_all("julia", programs::julia);
    }
}

#[test]
fn fortran_computes_the_same() {
    if installed("gfortran", &["--version"]) {
        compare_all("fortran", programs::fortran);
    }
}

/// By SQLite, which is part of Python, and by DuckDB where that is installed.
#[test]
fn sql_computes_the_same() {
    let sqlite = "import sqlite3; sqlite3.connect(':memory:').execute('select floor(ln(2.0))')";
    let without_functions = |model: &&Model| !model.special;
    for (engine, check) in [("sqlite3", sqlite), ("duckdb", "import duckdb")] {
        if !installed("python3", &["-c", check]) {
            continue;
        }
        for model in selected(MODELS.iter().filter(without_functions)) {
            let text = emitted("sql", model);
            model.compare(engine, &programs::sql(&text, model, engine));
        }
    }
}

/// SymPy's numbers are exact: at some points its values are ours, and so are the formulas in symbols.
#[test]
fn sympy_reads_the_same_formulas() {
    if !installed("python3", &["-c", "import sympy"]) {
        return;
    }
    for (_, model) in (0..)
        .zip(&MODELS)
        .filter(|(number, _)| is_selected(*number))
    {
        let output = pamela(&["simplify", &model.path(), "--emit", "sympy"]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        // Great factorials as exact numbers take minutes there.
        let points = if model.name == "special" { 4 } else { 24 };
        model.compare_some("sympy", &programs::sympy(&text, model, points), points);
    }
    let output = pamela(&["simplify", "corpus/papers/mrm.pam", "--emit", "sympy"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let check = "theirs = N * sympy.Max(tl + ts, P * ts)\nassert sympy.simplify(T_main - theirs) == 0\nprint('same')\n";
    let path = file("same.py", &format!("{text}\n{check}"));
    assert_eq!(run(Command::new("python3").arg(path)), "same\n");
}

#[test]
fn mathml_is_well_formed() {
    let parse = "import sys, xml.dom.minidom\nfor line in sys.stdin:\n    xml.dom.minidom.parseString(line)\n    \
                 print('read')\n";
    if !installed("python3", &["--version"]) {
        return;
    }
    let mut count = 0;
    for model in selected(&MODELS) {
        let output = pamela(&[
            "simplify",
            &model.path(),
            "--emit",
            "mathml",
            "--all",
            "--regimes",
        ]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let page = file("page.mml", &String::from_utf8_lossy(&output.stdout));
        let script = file("parse.py", parse);
        let page = fs::File::open(page).expect("the page is there");
        let read = run(Command::new("python3").arg(script).stdin(page));
        assert!(read.starts_with("read\n"), "{} has no formula", model.name);
        count += read.lines().count();
    }
    assert!(!is_full() || count > 30, "{count} formulas");
}

/// The exit code, and what is told.
fn refusal(name: &str, model: &str, language: &str) -> (Option<i32>, String) {
    let path = file(name, model);
    let output = pamela(&["simplify", "--emit", language, &path.to_string_lossy()]);
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn what_has_no_form_is_refused_with_the_reason() {
    let harmonic = "numeric parameter N : integer >= 1\nnumeric f = H(N)\n";
    let (code, told) = refusal("harmonic.pam", harmonic, "sql");
    assert_eq!(code, Some(1));
    assert!(
        told.contains("cannot write SQL: `f` uses `H`, which SQL does not have"),
        "{told}"
    );
    let law = "numeric parameter N : integer >= 1\nnumeric f = max (i = 1, N) { uniform(0, 1) }\nnumeric g = N\n";
    let (code, told) = refusal("law.pam", law, "c");
    assert_eq!(code, Some(3));
    assert!(told.contains("`f` is left out: it is a law"), "{told}");
    let case = "numeric parameter n\nnumeric parameter N\nnumeric f = n + N\n";
    let (code, told) = refusal("case.pam", case, "sql");
    assert_eq!(code, Some(1));
    assert!(told.contains("differ only in case"), "{told}");
}

#[test]
fn moments_of_laws_are_functions() {
    let output = pamela(&[
        "simplify",
        "corpus/papers/vector_scaling_stochastic.pam",
        "--emit",
        "python",
    ]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for moment in ["E_T_main", "Var_T_main", "Skw_T_main", "Kur_T_main"] {
        assert!(text.contains(&format!("def {moment}(")), "{moment}: {text}");
        assert!(
            text.contains(&format!("def {moment}_holds(")),
            "{moment}: {text}"
        );
    }
}

/// The closed form of `levels` is the value only where `l / p` is whole, which follows from what is assumed of `v` too.
#[test]
fn conditions_know_what_other_parameters_are_tied_by() {
    let model = "numeric parameter l : integer >= 1\nnumeric parameter p : integer >= 1\n\
                 numeric parameter v : integer >= 1\nnumeric parameter w : integer >= 1\n\
                 assume l mod (p * v) == 0\nassume v <= w\n\
                 numeric levels = sum (k = 1, l / p) { k }\nnumeric alone = 2 * (w - w / 2) * v\n\
                 process main = seq (k = 1, l / p) delay(1)\n";
    let path = file("tied.pam", model).to_string_lossy().into_owned();
    let output = pamela(&["simplify", &path, "--emit", "python"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        text.contains("def levels_holds(l, p, v, w):"),
        "what ties parameters to each other is taken along: {text}"
    );
    if !installed("python3", &["--version"]) {
        return;
    }
    let check = "print(levels_holds(4.0, 2.0, 2.0, 2.0), levels_holds(3.0, 2.0, 1.0, 2.0), levels(4.0, 2.0, 2.0, 2.0))\n\
                 print(T_main_holds(4.0, 2.0, 1.0, 1.0), T_main_holds(4.0, 2.0, 4.0, 4.0))\n";
    let script = file("tied.py", &format!("{text}\n{check}"));
    assert_eq!(
        run(Command::new("python3").arg(script)),
        "True False 3.0\nTrue False\n"
    );
}
