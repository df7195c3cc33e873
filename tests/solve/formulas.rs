//! Answers that are formulas: with numbers for all parameters, the ranges contain a whole number exactly where the
//! definition of the condition is 1. Each bound and both its neighbours are tried.

use std::collections::BTreeMap;

use num_rational::BigRational;
use pamela::Model;
use pamela::eval::{Bindings, Number, Value as Computed};
use pamela::model::{self, Evaluator, Fraction, Limits, Value};
use pamela::ring::Rational;
use pamela::solve::{Case, FormulaBound, Formulas, Problem, Unknown, solve_formulas};

use super::random::Random;
use crate::selection::seeds;

/// Parameters with their facts.
const PARAMETERS: [(&str, &str); 6] = [
    ("a", "> 0"),
    ("b", "> 0"),
    ("c", ">= 0"),
    ("x", ""),
    ("N", "integer >= 1"),
    ("k", "integer"),
];

fn model_text(process: &str) -> String {
    let declared = PARAMETERS.iter().map(|(name, facts)| match *facts {
        "" => format!("numeric parameter {name}\n"),
        facts => format!("numeric parameter {name} : {facts}\n"),
    });
    let declared: String = declared.collect();
    format!("{declared}numeric parameter P : integer >= 1\nresource r\nprocess main = {process}\n")
}

/// A condition that has a formula.
fn condition(random: &mut Random) -> String {
    let relation = random.one(&["<=", "<", ">=", ">", "==", "!="]);
    let small = random.one(&["1", "2", "3", "0.5", "7"]);
    let right = random.one(&["x", "x", "k", "N", "10", "0", "a"]);
    let left = match random.below(20) {
        0..=2 => random
            .one(&["a / P + b * P", "T(main)", "b * P + N / P"])
            .to_owned(),
        3 => "a * P + c".to_owned(),
        4 => "x * P - a".to_owned(),
        5 => format!("ceil(N / P) * {small}"),
        6 => format!("N div P + {small}"),
        7 => format!("P div {}", random.one(&["2", "3", "N"])),
        8 => "max(a / P, b * P)".to_owned(),
        9 => "min(a / P, c, b * P)".to_owned(),
        10 => "abs(P - N)".to_owned(),
        11 => "sqrt(P) * a + c".to_owned(),
        12 => "a * P ^ 2 + x * P".to_owned(),
        13 => "a / (P + b)".to_owned(),
        14 => format!("{small} ^ P"),
        15 => "c * P - b".to_owned(),
        16 => "x * P ^ 2 + k * P + c".to_owned(),
        17 => "P ^ 3 * a".to_owned(),
        18 => "N * P / (P + 1)".to_owned(),
        _ => "x / P - b".to_owned(),
    };
    let first = format!("{left} {relation} {right}");
    match random.below(7) {
        0 => format!("{first}, P <= N"),
        1 => format!("{first} || P > k"),
        2 => format!("!({first})"),
        _ => first,
    }
}

/// A value that meets the facts of a parameter: a third are boundaries, 0, 1 or negative.
fn value(random: &mut Random, name: &str) -> (i64, i64) {
    match name {
        "a" | "b" => [
            (1, 1),
            (1, 3),
            (4, 1),
            (100, 1),
            (5, 2),
            (1 + random.below(60) as i64, 4),
        ][random.below(6) as usize],
        "c" => [(0, 1), (1, 1), (7, 2), (random.below(40) as i64, 3)][random.below(4) as usize],
        "N" => {
            [(1, 1), (2, 1), (12, 1), (1 + random.below(80) as i64, 1)][random.below(4) as usize]
        }
        "k" => [(0, 1), (-3, 1), (1, 1), (random.below(30) as i64, 1)][random.below(4) as usize],
        _ => [
            (0, 1),
            (1, 1),
            (-5, 2),
            (20, 1),
            (random.below(200) as i64 - 40, 6),
            (4, 1),
        ][random.below(6) as usize],
    }
}

fn number(formula: &pamela::Formula, there: &Bindings) -> Option<Rational> {
    match formula.evaluate(there) {
        Ok(Computed::Scalar(Number::Exact(value))) => Some(value),
        _ => None,
    }
}

/// The case that applies; conditions are evaluated in order.
fn case<'a>(answer: &'a Formulas, there: &Bindings) -> Option<&'a Case> {
    let holds = |formula| number(formula, there).is_some_and(|value| value == Rational::from(1));
    answer.cases.iter().find(|case| case.when.iter().all(holds))
}

fn bounds(case: &Case) -> impl Iterator<Item = &FormulaBound> {
    case.ranges
        .iter()
        .flat_map(|range| range.lows.iter().chain(&range.highs))
}

fn contains(case: &Case, there: &Bindings, p: &Rational) -> bool {
    case.ranges.iter().any(|range| {
        let low = |own: &FormulaBound| number(&own.formula, there).is_some_and(|low| low <= *p);
        let high = |own: &FormulaBound| number(&own.formula, there).is_some_and(|high| *p <= high);
        range.lows.iter().all(low) && range.highs.iter().all(high)
    })
}

/// True if the question has a formula.
fn check(seed: u64) -> bool {
    let mut random = Random::new(seed.wrapping_add(7_000_000));
    let text = model_text("par (p = 1, P) { delay(a / P) ; use(r, b) }");
    let condition = condition(&mut random);
    let told = format!("seed {seed}: {condition}");
    let model = Model::parse(&text).expect("a model");
    let problem = Problem::new(&model, std::slice::from_ref(&condition))
        .unwrap_or_else(|error| panic!("{told}\n{error}"));
    let compiled = problem
        .model
        .compile(&problem.options)
        .unwrap_or_else(|error| panic!("{told}\n{error}"));
    let unknown = Unknown {
        name: "P".to_owned(),
        within: None,
    };
    let Ok(answer) = solve_formulas(&compiled, &problem, &unknown, &[]) else {
        return false;
    };
    for _ in 0..12 {
        let values = PARAMETERS.map(|(name, _)| (name, value(&mut random, name)));
        let exact = |(n, d): (i64, i64)| Rational::new(n, d).expect("a fraction");
        let there: Bindings = values
            .iter()
            .map(|&(name, own)| (name.to_owned(), Computed::from(exact(own))))
            .collect();
        let chosen = case(&answer, &there);
        let mut points: Vec<i64> = vec![1, 2, 3, 1 + random.below(50) as i64];
        for bound in chosen.into_iter().flat_map(bounds) {
            let near = number(&bound.formula, &there)
                .unwrap_or_else(|| panic!("{told}: {} at {values:?}", bound.formula));
            let near = near.to_i64().unwrap_or(1).clamp(-5, 1 << 40);
            points.extend([near - 1, near, near + 1]);
        }
        for p in points.into_iter().filter(|&p| p >= 1) {
            let own = chosen.is_some_and(|case| contains(case, &there, &Rational::from(p)));
            let big = |n: i64, d: i64| {
                Value::Scalar(model::Number::Exact(Fraction::from(BigRational::new(
                    n.into(),
                    d.into(),
                ))))
            };
            let mut given: BTreeMap<String, Value> = values
                .iter()
                .map(|&(name, (n, d))| (name.to_owned(), big(n, d)))
                .collect();
            given.insert("P".to_owned(), big(p, 1));
            let mut evaluator =
                Evaluator::new(problem.model.checked(), &given, Limits { steps: 3_000_000 });
            let Ok(truth) = evaluator.equation(&problem.truth) else {
                continue; // powers of large numbers take too many digits
            };
            let truth = matches!(truth.as_scalar(), Some(model::Number::Exact(value)) if !value.to_big().numer().eq(&0.into()));
            assert_eq!(own, truth, "{told} at P = {p}, {values:?}\n{answer:#?}");
        }
    }
    true
}

#[test]
fn formulas_are_right_at_each_bound_and_beside_it() {
    let seeds = seeds("PAMELA_SOLVE_FORMULAS", 150);
    let count = seeds.len();
    let solved = seeds.into_iter().filter(|&seed| check(seed)).count();
    println!("{solved} of {count} have a formula");
    assert!(
        3 * solved >= 2 * count,
        "{solved} of {count} have a formula"
    );
}

/// A double root: `4 / P + P != 4` fails at 2 alone.
#[test]
fn a_double_root_is_left_out() {
    assert!(check(1304));
}
