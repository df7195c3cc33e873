//! How many processes of the corpus have the time that a run takes, or bounds that are close to it.

use std::fs;
use std::path::Path;

use pamela::compiled::{Compiled, Point};
use pamela::eval::Value;
use pamela::ring::Rational;
use pamela::syntax::tree::{ExprKind, ParameterFact, Relation};
use pamela::timing::{Note, Origin, Standing};
use pamela::{Model, Options};

use crate::selection::is_due;

/// Bounds are close if the upper one is at most this part larger than the lower one, at all points.
const CLOSE: f64 = 0.05;

/// What was found of processes in which branches share resources, without anything random.
#[derive(Default)]
struct Census {
    exact: usize,
    enclosed: usize,
    others: Vec<String>,
}

/// Three in four have their time, nine in ten their time or bounds that are within 5 %.
#[test]
fn processes_of_the_corpus_have_their_time() {
    if !is_due() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut census = Census::default();
    for room in fs::read_dir(root).expect("the corpus") {
        let Ok(models) = fs::read_dir(room.expect("a room").path()) else {
            continue;
        };
        for model in models {
            let path = model.expect("a file of the corpus").path();
            if path.extension().is_some_and(|extension| extension == "pam") {
                census.add(&path);
            }
        }
    }
    let Census {
        exact,
        enclosed,
        others,
    } = census;
    let all = exact + enclosed + others.len();
    println!("{exact} exact, {enclosed} enclosed of {all}; others: {others:#?}");
    assert!(all >= 80, "only {all} processes");
    assert!(4 * exact >= 3 * all, "{exact} of {all} are exact");
    assert!(
        10 * (exact + enclosed) >= 9 * all,
        "{exact} exact and {enclosed} enclosed of {all}: {others:#?}"
    );
}

impl Census {
    fn add(&mut self, path: &Path) {
        let model = Model::from_file(&path.to_string_lossy()).expect("a model");
        let options = Options {
            times: true,
            ..Options::default()
        };
        let Ok(compiled) = model.compile(&options) else {
            return;
        };
        let find = |origin: Origin| compiled.equations().iter().find(|e| e.origin == origin);
        for equation in compiled.equations() {
            let Origin::Time(process) = &equation.origin else {
                continue;
            };
            // A `T` that has the form of the exact time is no bound.
            let exact = find(Origin::Execution(process.clone())).is_some();
            if !exact && equation.standing != Standing::Lower {
                continue;
            }
            let lower = find(Origin::Lower(process.clone()));
            let random = lower.is_some_and(|lower| {
                let notes = lower.formula.approximations();
                notes
                    .iter()
                    .any(|note| matches!(note, Note::WeighedMean | Note::BoundOfMean))
            });
            if exact {
                self.exact += 1;
            } else if random {
                continue;
            } else if is_enclosed(&model, &compiled, process) {
                self.enclosed += 1;
            } else {
                self.others.push(format!("{} {process}", path.display()));
            }
        }
    }
}

/// True if the bounds are close at all points that the model allows.
fn is_enclosed(model: &Model, compiled: &Compiled, process: &str) -> bool {
    let mut points = 0;
    for seed in 0..8 {
        let Ok(evaluated) = compiled.at(point(model, seed)) else {
            continue;
        };
        let value = |origin: Origin| {
            let equation = evaluated.equations.iter().find(|e| e.origin == origin)?;
            match &equation.value {
                Value::Scalar(value) => Some(value.to_f64()),
                _ => None,
            }
        };
        let lower = value(Origin::Lower(process.to_string()));
        let upper = value(Origin::Upper(process.to_string()));
        let (Some(lower), Some(upper)) = (lower, upper) else {
            continue;
        };
        if upper > lower * (1.0 + CLOSE) {
            return false;
        }
        points += 1;
    }
    points > 0
}

/// Counts are powers of 2 up to 128, shares a half, times up to 13.
fn point(model: &Model, seed: u64) -> Point {
    let mut point = Point::default();
    for (number, equation) in model.checked().equations().iter().enumerate() {
        if !equation.parameter {
            continue;
        }
        let number = seed * 5 + number as u64 * 3;
        let whole = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
        let share = |fact: &ParameterFact| match fact {
            ParameterFact::Bound(Relation::LessEqual | Relation::Less, bound) => {
                matches!(bound.kind, ExprKind::Number(_))
            }
            _ => false,
        };
        let value = if equation.facts.iter().any(share) {
            Rational::from(1) / Rational::from(2)
        } else if equation.facts.iter().any(whole) {
            Rational::from(1 << (number % 8))
        } else {
            Rational::from((number * 7 % 13 + 1) as i64)
        };
        point = point.with(&equation.name.text, value);
    }
    point
}
