//! Regimes against the formula that they take apart, derivatives against differences.

use pamela::eval::{self, Number};
use pamela::formula::Formula;
use pamela::model::Value;
use pamela::ring::Rational;
use pamela::{Model, Options, SimplifiedEquation};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::selected;

use super::support::Bindings;
use super::support::corpus::corpus;
use super::support::points::points;

const POINTS: usize = 24;

fn bindings(point: &Bindings) -> eval::Bindings {
    let value = |value: &Value| match value.as_scalar() {
        Some(pamela::model::Number::Exact(exact)) => {
            eval::Value::Scalar(Number::Exact(Rational::from(exact.to_big())))
        }
        _ => panic!("points are exact scalars"),
    };
    point
        .iter()
        .map(|(name, given)| (name.clone(), value(given)))
        .collect()
}

fn scalar(formula: &Formula, point: &eval::Bindings) -> Option<Rational> {
    match formula.evaluate(point) {
        Ok(eval::Value::Scalar(number)) => number.as_exact().cloned(),
        _ => None,
    }
}

/// True if all conditions of a formula hold.
fn applies(formula: &Formula, point: &eval::Bindings) -> bool {
    formula.conditions().iter().all(|&condition| {
        let limits = eval::Limits::default();
        match eval::evaluate(formula.arena(), condition, point, limits) {
            Ok(eval::Value::Scalar(number)) => !number.is_zero(),
            _ => false,
        }
    })
}

fn simplified(path: &str, options: &Options) -> (Model, Vec<SimplifiedEquation>) {
    let model = Model::from_file(path).expect("a model of the corpus reads");
    let equations = model.simplify(options).expect("it simplifies").equations;
    (model, equations)
}

/// Regimes of the equations of a model against its formulas: how many points were compared, and what is wrong.
fn compare(name: &str, model: &Model, wrong: &mut Vec<String>) -> [usize; 2] {
    let options = Options {
        regimes: true,
        ..Options::default()
    };
    let simplified = model.simplify(&options).expect("it simplifies");
    let points = points(model.checked(), POINTS);
    let (mut told, mut compared) = (0, 0);
    for equation in &simplified.equations {
        let Some(found) = &equation.regimes else {
            continue;
        };
        told += 1;
        for point in points.iter().map(bindings) {
            let value = scalar(&equation.formula, &point);
            let Some(value) = value.filter(|_| applies(&equation.formula, &point)) else {
                continue;
            };
            let here = found.regimes.iter().filter(|r| applies(&r.formula, &point));
            let values: Vec<_> = here.map(|r| scalar(&r.formula, &point)).collect();
            compared += 1;
            if values.is_empty() || values.iter().any(|own| own.as_ref() != Some(&value)) {
                let equation = &equation.name;
                wrong.push(format!(
                    "{name}: {equation} is {value}, not {values:?} at {point:?}"
                ));
            }
        }
    }
    [told, compared]
}

#[test]
fn regimes_cover_the_domain_and_are_the_formula_there() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for entry in selected(corpus()) {
        let model = Model::from_file(entry.file()).expect("a model of the corpus reads");
        compared += compare(&entry.name, &model, &mut wrong)[1];
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 30, "only {compared} points were compared");
}

/// Each step begins when the one before it is done and its input is there: most steps decide nothing.
#[test]
fn regimes_of_long_chains_are_told() {
    let mut random = Pcg64::seed_from_u64(1);
    let mut wrong = Vec::new();
    for seed in 0..24 {
        let steps = random.random_range(2..30);
        // Inputs come evenly, or in an order of their own where there are few.
        let is_even = seed % 3 > 0;
        let steps = if is_even { steps } else { steps.min(8) };
        let [first, of_step] = [["c", "2 * b"], ["", " + c"]].map(|either| either[seed % 2]);
        let mut chain = first.to_string();
        for step in 1..=steps {
            let place = if is_even {
                step
            } else {
                random.random_range(1..9)
            };
            chain = match seed % 4 {
                0 => format!("max({chain} + b, {place} * a{of_step})"),
                1 => format!("max({chain}, {place} * a{of_step}) + b"),
                2 => format!("min({chain} + b, {place} * a{of_step})"),
                _ => format!("max({chain} + b / 2, {place} * a - b{of_step})"),
            };
        }
        let text = format!(
            "numeric parameter a : >= 0\nnumeric parameter b : > 0\nnumeric parameter c\nnumeric T = {chain}"
        );
        let model = Model::parse(&text).expect("it reads");
        let [told, compared] = compare(&text, &model, &mut wrong);
        assert!(!is_even || told == 1, "no regimes of {text}");
        assert!(
            told == 0 || compared > 10,
            "only {compared} points of {text}"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn regimes_meet_at_their_crossings() {
    let options = Options {
        regimes: true,
        ..Options::default()
    };
    let mut compared = 0;
    for name in [
        "papers/mrm.pam",
        "papers/mrm_symbolic.pam",
        "papers/psrs.pam",
    ] {
        let path = format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
        let (model, equations) = simplified(&path, &options);
        let points = points(model.checked(), POINTS);
        for found in equations.iter().filter_map(|e| e.regimes.as_ref()) {
            for crossing in &found.crossings {
                for mut point in points.iter().map(bindings) {
                    if !applies(&crossing.formula, &point) {
                        continue;
                    }
                    let at = scalar(&crossing.formula, &point).expect("a crossing has a value");
                    point.insert(
                        crossing.parameter.clone(),
                        eval::Value::Scalar(Number::Exact(at)),
                    );
                    let values = found.regimes.iter().map(|r| scalar(&r.formula, &point));
                    let mut values: Vec<_> = values.flatten().collect();
                    let count = values.len();
                    values.sort();
                    values.dedup();
                    assert!(values.len() < count, "{name}: {values:?} at {point:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10, "only {compared} crossings were met");
}

#[test]
fn the_regimes_of_the_machine_repair_model_as_latex() {
    let options = Options {
        regimes: true,
        ..Options::default()
    };
    let path = format!("{}/corpus/papers/mrm.pam", env!("CARGO_MANIFEST_DIR"));
    let (_, equations) = simplified(&path, &options);
    let found = equations[0].regimes.as_ref().expect("it has regimes");
    let expected = [
        r"\[ T_{\mathit{main}} = \begin{cases} N\,\left(\mathit{tl} + \mathit{ts}\right) & P\,\mathit{ts} \le \mathit{tl} + \mathit{ts} \quad\text{(critical path)} \\ N\,P\,\mathit{ts} & \mathit{tl} + \mathit{ts} \le P\,\mathit{ts} \quad\text{(resource s, fcfs(0))} \end{cases} \]",
        r"\[ P = \frac{\mathit{tl} + \mathit{ts}}{\mathit{ts}} \qquad \text{for } \mathit{ts} \ne 0 \]",
    ];
    assert_eq!(found.latex("T_main"), expected);
}

/// The slope on one side of a point.
fn slope(
    formula: &Formula,
    point: &eval::Bindings,
    parameter: &str,
    step: &Rational,
) -> Option<f64> {
    let Some(eval::Value::Scalar(Number::Exact(place))) = point.get(parameter) else {
        return None;
    };
    let mut beside = point.clone();
    let moved = eval::Value::Scalar(Number::Exact(place + step));
    beside.insert(parameter.to_string(), moved);
    let rise = &scalar(formula, &beside)? - &scalar(formula, point)?;
    Some(rise.checked_div(step)?.to_f64())
}

#[test]
fn derivatives_are_the_limits_of_differences() {
    let step = Rational::new(1, 100_000_000).expect("not divided by 0");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for entry in selected(corpus()) {
        let model = Model::from_file(entry.file()).expect("a model of the corpus reads");
        let parameters: Vec<String> = model
            .checked()
            .parameters()
            .map(|p| p.name.text.clone())
            .collect();
        let points = points(model.checked(), POINTS);
        for parameter in &parameters {
            let options = Options {
                sensitivity: vec![parameter.clone()],
                ..Options::default()
            };
            let Ok(simplified) = model.simplify(&options) else {
                continue;
            };
            for equation in &simplified.equations {
                let name = format!("d{}_d{parameter}", equation.name);
                let Some(derivative) = simplified.equation(&name) else {
                    continue;
                };
                for point in points.iter().map(bindings) {
                    if !applies(&derivative.formula, &point) {
                        continue;
                    }
                    let slopes = (
                        slope(&equation.formula, &point, parameter, &step),
                        slope(&equation.formula, &point, parameter, &-&step),
                    );
                    let (Some(right), Some(left)) = slopes else {
                        continue;
                    };
                    let scale = 1.0 + right.abs().max(left.abs());
                    // A kink or a jump.
                    if (right - left).abs() > 1e-4 * scale {
                        continue;
                    }
                    compared += 1;
                    let value = scalar(&derivative.formula, &point).map(|v| v.to_f64());
                    if !value.is_some_and(|v| (v - (right + left) / 2.0).abs() <= 1e-5 * scale) {
                        wrong.push(format!(
                            "{}: {name} is {value:?}, not {right} at {point:?}",
                            entry.name
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 300, "only {compared} slopes were compared");
}
