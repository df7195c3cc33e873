//! Times of runs: formulas of families beside runs, what is called exact beside other orders, optima beside all points.

mod census;
mod laws;

use std::collections::BTreeMap;

use num_rational::BigRational;
use pamela::eval::Value;
use pamela::optimise::{Question, best_run};
use pamela::simulate::execution_time;
use pamela::sweep::{Axis, Grid, Values};
use pamela::timing::{Order, Origin};
use pamela::{Model, Options};
use pamela_lab::study::contention::{Generated, generated, generated_with_holding};
use pamela_lab::study::times::{FAMILIES, compared};

use super::selection::{number_from, seeds, selected};

/// `PAMELA_MODELS=1000` tries more of each family.
#[test]
fn times_of_families_are_what_runs_take() {
    let models = number_from("PAMELA_MODELS", 3);
    for family in selected(&FAMILIES) {
        let found = compared(family, models).expect("models");
        assert!(
            found.wrong.is_empty(),
            "{}: {}",
            family.name,
            found.wrong[0]
        );
        if !family.complete {
            continue;
        }
        assert!(
            found.without.is_empty(),
            "{}: no time of\n{}",
            family.name,
            found.without[0]
        );
        if family.closes {
            assert_eq!(found.closed, models, "{}", family.name);
        }
    }
}

/// A random model in which parameters have their values.
fn defined(generated: &Generated) -> Model {
    let mut model = Model::parse(&generated.text).expect("a model");
    for (name, value) in &generated.values {
        model.define(name, value).expect("a value");
    }
    model
}

/// `PAMELA_MODELS=5000` tries more.
#[test]
fn no_order_contradicts_what_is_exact() {
    let options = Options {
        times: true,
        ..Options::default()
    };
    let mut exact = 0;
    let seeds = seeds("PAMELA_MODELS", 90);
    let models = seeds.len();
    for seed in seeds {
        let generated = match seed % 2 {
            0 => generated(seed),
            _ => generated_with_holding(seed),
        };
        let model = defined(&generated);
        let Ok(evaluated) =
            model.evaluate(&[], pamela::rules::standard().expect("rules"), &options)
        else {
            continue;
        };
        let own = Origin::Execution("main".to_string());
        let Some(time) = evaluated.equations.iter().find(|e| e.origin == own) else {
            continue;
        };
        let order = time.standing.proof().map(|proof| proof.order);
        let Value::Scalar(number) = &time.value else {
            continue;
        };
        let Some(number) = number.as_exact() else {
            continue;
        };
        let formula: BigRational = number.to_string().parse().expect("a fraction");
        let none = BTreeMap::new();
        let Ok(run) = execution_time(model.checked(), "main", &none, 1_000_000) else {
            continue;
        };
        let text = &generated.text;
        let of = |time: &pamela::simulate::Time| time.exact.clone().expect("a fraction");
        assert_eq!(of(&run.in_text_order), formula, "{order:?}\n{text}");
        if order == Some(Order::Any) {
            exact += 1;
            assert_eq!(of(&run.least), formula, "{text}");
            assert_eq!(of(&run.greatest), formula, "{text}");
        }
    }
    // Of the few of one day there may be one.
    let least = if models < 90 { 0 } else { models / 10 };
    assert!(exact > least, "only {exact} of {models} are exact");
}

const CHUNKS: &str = "
    numeric parameter V : integer >= 1
    numeric parameter c : integer >= 1
    numeric parameter o : >= 0
    resource workers = servers(3)
    process main = par (k = 0, ceil(V / c) - 1)
        use(workers, o + sum (i = k * c + 1, min(V, (k + 1) * c)) { i / 2 })";

/// By bounds and few runs, the point is found that all runs together find.
#[test]
fn the_best_run_is_that_of_all_points() {
    for (volume, overhead) in [(20, 1), (33, 3), (40, 0)] {
        let mut model = Model::parse(CHUNKS).expect("a model");
        model.define("V", &volume.to_string()).expect("a value");
        model.define("o", &overhead.to_string()).expect("a value");
        let compiled = model.compile(&Options::default()).expect("compiles");
        let chunks: Vec<f64> = (1..=volume).map(f64::from).collect();
        for greatest in [false, true] {
            let axis = Axis {
                names: vec!["c".to_string()],
                values: vec![Values::list(chunks.clone())],
                ..Axis::default()
            };
            let question = Question {
                grid: Grid::new(vec![axis], Vec::new()).expect("a grid"),
                objective: "time_main".to_string(),
                greatest,
                subject_to: Vec::new(),
                threads: 1,
            };
            let best = best_run(&compiled, &question, "main")
                .expect("runs")
                .expect("a run");
            let all = chunks.iter().map(|chunk| {
                let mut model = model.clone();
                model.define("c", &chunk.to_string()).expect("a value");
                let run = execution_time(model.checked(), "main", &BTreeMap::new(), 100_000);
                run.expect("runs").in_text_order.value
            });
            let all: Vec<f64> = all.collect();
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let most = all.iter().copied().fold(0.0, f64::max);
            assert_eq!(
                best.value,
                if greatest { most } else { least },
                "V = {volume}"
            );
            assert_eq!(best.rest, None);
            assert!(best.runs <= chunks.len());
        }
    }
}
