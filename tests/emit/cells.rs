//! Random steps of large whole numbers: `PAMELA_CELLS=20000 cargo test --test all emit::cells` compares so many numbers in each
//! language with those of `eval`.

use std::sync::OnceLock;

use pamela::Options;
use pamela::emit::{Language, emit};

use super::driver::{Cache, Model, Tally};
use super::{emitted, file, installed, programs};

/// A model has as many equations, each at so many points.
const EQUATIONS: usize = 20;
const POINTS: usize = 25;

struct Chance(u64);

impl Chance {
    fn below(&mut self, range: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % range
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].to_string()
    }

    /// A whole number, mostly positive.
    fn count(&mut self, depth: usize, special: bool) -> String {
        if depth > 0 && self.below(3) == 0 {
            return self.step(depth - 1, special);
        }
        let number = 2 + self.below(11);
        match self.below(9) {
            0..=2 => "N".into(),
            3 | 4 => "P".into(),
            5 => format!("({} + {number})", self.one(&["N", "P"])),
            6 => format!("({number} * {})", self.one(&["N", "P"])),
            7 => format!("({} - 1)", self.one(&["N", "P"])),
            _ => self.one(&["k", "m", "(N + P)"]),
        }
    }

    fn real(&mut self, depth: usize, special: bool) -> String {
        let a = self.count(depth, special);
        let number = 2 + self.below(11);
        match self.below(13) {
            0 => format!("sqrt({a})"),
            1 => format!("cbrt({a})"),
            2 => format!("{a}^(1/{})", 2 + self.below(5)),
            3 => format!("{a}^({}/{})", 2 + self.below(2), [3, 5][self.below(2)]),
            4 => format!("log2({a})"),
            5 => format!("log({a}, {number})"),
            6 => format!("log({a}, P + 1)"),
            7 | 8 => format!("{a} / {}", self.count(depth, special)),
            9 => format!("{a} / {number}"),
            10 => format!("x * {a}"),
            11 if depth > 0 => {
                let (left, right) = (self.real(depth - 1, special), self.real(depth - 1, special));
                format!("({left} {} {right})", self.one(&["+", "-", "*"]))
            }
            _ => format!("0.{number} * {a}"),
        }
    }

    /// A whole number that rounding may change.
    fn step(&mut self, depth: usize, special: bool) -> String {
        let a = self.real(depth, special);
        match self.below(if special { 15 } else { 10 }) {
            0..=2 => format!("floor({a})"),
            3 | 4 => format!("ceil({a})"),
            5 => format!("integer({a})"),
            6 => format!(
                "({a} {} {})",
                self.one(&["<=", "<", "==", "!=", ">="]),
                self.real(depth, special)
            ),
            7 => format!(
                "({a} {} {})",
                self.one(&["<=", "==", ">"]),
                self.count(depth, special)
            ),
            8 => format!(
                "({} div {})",
                self.count(depth, special),
                self.count(depth, special)
            ),
            9 => format!(
                "({} mod {})",
                self.count(depth, special),
                self.count(depth, special)
            ),
            10 | 11 => format!(
                "gcd({}, {})",
                self.count(depth, special),
                self.count(depth, special)
            ),
            12 => format!("floor(binom(m, k) / {})", 1 + self.below(4)),
            13 => format!(
                "floor(fact(m + {}) / fact(m) / {})",
                1 + self.below(3),
                1 + self.below(4)
            ),
            _ => format!(
                "integer(binom(m + {}, k) / {})",
                self.below(3),
                2 + self.below(6)
            ),
        }
    }

    fn model(&mut self, number: usize, special: bool) -> Model {
        let mut text = String::from(
            "numeric parameter N : integer >= 1\nnumeric parameter P : integer >= 1\nnumeric parameter m : integer >= 0\n\
             numeric parameter k : integer >= 0\nnumeric parameter x : >= 0\n",
        );
        let head = text.clone();
        for equation in 0..EQUATIONS {
            let own = loop {
                let own = match self.below(8) {
                    0 => format!("numeric smooth_{equation} = {}\n", self.real(1, special)),
                    _ => format!(
                        "numeric exact_{equation} = {} + 2 * {}\n",
                        self.step(1, special),
                        self.step(0, special)
                    ),
                };
                if has_functions(&format!("{head}{own}"), special) {
                    break own;
                }
            };
            text.push_str(&own);
        }
        let name: &'static str = Box::leak(format!("cells_{number}").into_boxed_str());
        let text: &'static str = Box::leak(text.into_boxed_str());
        file(&format!("{name}.pam"), text);
        Model {
            name,
            text,
            parameters: &[
                (
                    "m",
                    &[0.0, 1.0, 2.0, 5.0, 12.0, 30.0, 57.0, 64.0, 100.0, 170.0],
                ),
                ("k", &[0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 20.0, 33.0]),
                ("x", &[0.0, 0.5, 0.125, 1.0, 1.75, 3.0, 0.1, 0.7, 2.3]),
            ],
            special,
            large: true,
            points: POINTS,
            known: Cache::new(),
        }
    }
}

/// True if it has a value anywhere, and a form in all languages.
fn has_functions(text: &str, special: bool) -> bool {
    let path = file("cells_one.pam", text);
    let model = pamela::Model::from_file(&path.to_string_lossy());
    let Ok(compiled) = model.and_then(|m| m.compile(&Options::default())) else {
        return false;
    };
    let complete = |language| emit(language, &compiled).is_ok_and(|all| all.refused.is_empty());
    complete(Language::C) && (special || complete(Language::Sql))
}

/// The same models for all languages.
fn models() -> &'static [Model] {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let cells = std::env::var("PAMELA_CELLS").ok();
        let cells: usize = cells.map_or(1000, |cells| cells.parse().expect("a number"));
        let seed = std::env::var("PAMELA_SEED").ok();
        let mut chance = Chance(seed.map_or(5, |seed| seed.parse().expect("a number")));
        let count = cells.div_ceil(EQUATIONS * POINTS).max(2);
        (0..count)
            .map(|number| chance.model(number, number % 2 == 1))
            .collect()
    })
}

fn compare(language: &str, emit: &str, points: usize, program: impl Fn(&str, &Model) -> String) {
    let (mut all, mut wrong) = (Tally::default(), Vec::new());
    for model in models() {
        if emit == "sql" && model.special {
            continue;
        }
        let printed = program(&emitted(emit, model), model);
        let own = model.tally(language, &printed, points.min(model.points));
        match own {
            Ok(own) => {
                all.compared += own.compared;
                all.undecided += own.undecided;
                all.without += own.without;
            }
            Err(own) => wrong.push(own),
        }
    }
    let share = 100.0 * all.undecided as f64 / (all.compared + all.undecided) as f64;
    println!("{language}: {all:?}, {share:.1} % undecided");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(share < MOST_UNDECIDED, "{language}: {share} % undecided");
}

/// In percent.
const MOST_UNDECIDED: f64 = 15.0;

#[test]
fn cells_in_c() {
    if installed("cc", &["--version"]) {
        compare("c", "c", POINTS, programs::c);
    }
}

#[test]
fn cells_in_rust() {
    if installed("rustc", &["--version"]) {
        compare("rust", "rust", POINTS, programs::rust);
    }
}

#[test]
fn cells_in_python() {
    if installed("python3", &["--version"]) {
        compare("python", "python", POINTS, programs::python);
    }
}

#[test]
fn cells_in_numpy() {
    if installed("python3", &["-c", "import numpy"]) {
        compare("numpy", "numpy", POINTS, programs::numpy);
    }
}

#[test]
fn cells_in_javascript() {
    if installed("node", &["--version"]) {
        compare("javascript", "javascript", POINTS, programs::javascript);
    }
}

#[test]
fn cells_in_julia() {
    if installed("julia", &["--version"]) {
        compare("julia", "julia", POINTS, programs::julia);
    }
}

#[test]
fn cells_in_fortran() {
    if installed("gfortran", &["--version"]) {
        compare("fortran", "fortran", POINTS, programs::fortran);
    }
}

#[test]
fn cells_in_sql() {
    for engine in ["sqlite3", "duckdb"] {
        let check = format!(
            "import {engine}; {engine}.connect(':memory:').execute('select floor(ln(2.0))')"
        );
        if installed("python3", &["-c", &check]) {
            compare(engine, "sql", POINTS, |text, model| {
                programs::sql(text, model, engine)
            });
        }
    }
}
