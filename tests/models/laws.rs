//! Models with laws: what is evaluated against simulation by the definition, and the moments in symbols
//! against what is evaluated.

use pamela::eval::{Number, Value};
use pamela::law::Cumulants;
use pamela::model::{Evaluator, Limits, Model as Checked};
use pamela::{Model, Options};

use crate::selection::selected;

use super::support::corpus::{CorpusModel, stochastic};
use super::support::read;

const REPLICATIONS: usize = 4_000;
const SEED: u64 = 1;

/// The values of a model's equations, named, that are laws, and the scalars among the moments.
fn evaluated(model: &CorpusModel, values: &[(String, String)]) -> Vec<(String, Cumulants)> {
    let options = Options {
        without_moments: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("the rules are rules");
    let model = Model::from_file(model.file()).expect("the model reads");
    let evaluated = model
        .evaluate(values, rules, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", model.name()));
    let laws = evaluated.equations.into_iter();
    laws.filter_map(|e| e.law.map(|law| (e.name, law.cumulants)))
        .collect()
}

/// `% at: N = 3, P = 2` as values.
fn point(model: &CorpusModel) -> Option<Vec<(String, String)>> {
    let line = model.text.lines().find_map(|l| l.strip_prefix("% at:"))?;
    if line.trim().is_empty() {
        return Some(Vec::new());
    }
    let value = |part: &str| {
        let (name, value) = part.split_once('=').expect("`% at: name = value, ...`");
        (name.trim().to_string(), value.trim().to_string())
    };
    Some(line.split(", ").map(value).collect())
}

/// `% law: X = 49/72, 515/5184`: the mean of an equation, and its variance.
fn by_hand(model: &CorpusModel) -> Vec<(String, Vec<f64>)> {
    let lines = model.text.lines().filter_map(|l| l.strip_prefix("% law: "));
    let law = |line: &str| {
        let (name, moments) = line
            .split_once(" = ")
            .expect("`% law: name = mean, variance`");
        let text: Vec<String> = (moments.split(", ").enumerate())
            .map(|(i, moment)| format!("numeric m{i} = {moment}\n"))
            .collect();
        let model = read("by hand", &text.concat());
        let bindings = Default::default();
        let mut evaluator = Evaluator::new(&model, &bindings, Limits::default());
        let mut value = |i| match evaluator.equation(&format!("m{i}")) {
            Ok(pamela::model::Value::Scalar(number)) => number.to_f64(),
            other => panic!("{line}: {other:?}"),
        };
        (name.to_string(), (0..text.len()).map(&mut value).collect())
    };
    lines.map(law).collect()
}

#[test]
fn moments_are_those_derived_by_hand() {
    let mut compared = 0;
    for model in stochastic() {
        let (Some(values), expected) = (point(&model), by_hand(&model)) else {
            continue;
        };
        let found = evaluated(&model, &values);
        for (name, moments) in expected {
            let law = found.iter().find(|(own, _)| *own == name);
            let (_, law) = law.unwrap_or_else(|| panic!("{}: no law {name}", model.name));
            for (found, expected) in [law.mean, law.variance].iter().zip(moments) {
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.abs(),
                    "{} {name}: {found}, by hand {expected}",
                    model.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "only {compared} moments were compared");
}

/// The text of the model with the parameters given.
fn closed_text(model: &CorpusModel, values: &[(String, String)]) -> String {
    let lines = model.text.lines().map(|line| {
        let named = values.iter().find(|(name, _)| {
            let declared = line.strip_prefix("numeric parameter ");
            declared.is_some_and(|rest| {
                let word = rest
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
                word == Some(name.as_str())
            })
        });
        match named {
            Some((name, value)) => format!("numeric {name} = {value}"),
            None => line.to_string(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Mean and variance, to four standard errors.
fn agrees_with_simulation(model: &str, checked: &Checked, name: &str, law: Cumulants) {
    let bindings = Default::default();
    let mut evaluator = Evaluator::new(checked, &bindings, Limits::default());
    let draws = evaluator
        .sample(name, REPLICATIONS, SEED)
        .unwrap_or_else(|fault| panic!("{model} {name}: {}", fault.message));
    let n = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / n;
    let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error_of_mean = (law.variance / n).sqrt();
    // The second part is all that is left where the kurtosis is 1.
    let error_of_variance = law.variance * (((law.kurtosis() - 1.0) / n).sqrt() + 1.0 / n);
    assert!(
        (mean - law.mean).abs() <= 4.0 * error_of_mean,
        "{model} {name}: mean {} but {mean} +- {error_of_mean}",
        law.mean
    );
    assert!(
        (variance - law.variance).abs() <= 4.0 * error_of_variance,
        "{model} {name}: variance {} but {variance} +- {error_of_variance}",
        law.variance
    );
}

/// Operators whose operands are all different.
#[test]
fn small_models_agree_with_simulation_by_the_definition() {
    for text in [
        "numeric T = kth (2 of i = 1, 4) { exponential(i) }",
        "numeric T = kth (3 of i = 1, 4) { uniform(i, 2 * i) + exponential(1) }",
        "process main = any (2 of i = 1, 3) delay(erlang(2, i))",
        "numeric T = switch { bernoulli(1/3): exponential(1), bernoulli(1/2): 5, 1: uniform(6, 8) }",
        "numeric T = switch { bernoulli(1/3): 1, 2 < 1: 9, bernoulli(1/4): poisson(3), 1: 2 }",
        "numeric T = max (i = 1, 3) { empirical(3, 5, 5, 8) } + empirical(1, 4)",
        "numeric T = max (i = 1, 3) { exponential(2) * uniform(1, 3) }",
        "numeric T = normal(1, 2) * uniform(-1, 2) * 3 + poisson(2) * exponential(1)",
        "process main = delay(bernoulli(1/4) * erlang(2, 5)) || delay(uniform(0, 2) * uniform(0, 2))",
        "resource r(i) = fcfs(i, 1)
         process main = switch {
             bernoulli(1/5): use(r(1), exponential(2)),
             bernoulli(1/4): use(r(2), 1),
             1: delay(uniform(0, 1))
         }",
    ] {
        let checked = read("text", text);
        let model = Model::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let rules = pamela::rules::standard().expect("the rules are rules");
        let evaluated = model
            .evaluate(&[], rules, &Options::default())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let times = evaluated.equations.iter();
        let mut times = times.filter(|e| e.name == "T" || e.name.starts_with("T_"));
        let time = times.next().unwrap_or_else(|| panic!("{text}: no time"));
        let law = time
            .law
            .as_ref()
            .unwrap_or_else(|| panic!("{text}: no law"));
        agrees_with_simulation(text, &checked, &time.name, law.cumulants);
    }
}

#[test]
fn moments_agree_with_simulation_by_the_definition() {
    let mut compared = 0;
    for model in selected(stochastic()) {
        // Of a law known by its moments there are no draws.
        let values = point(&model).filter(|_| !model.text.contains("moments("));
        let Some(values) = values else {
            continue;
        };
        let checked = read(model.file(), &closed_text(&model, &values));
        for (name, law) in evaluated(&model, &values) {
            agrees_with_simulation(&model.name, &checked, &name, law);
            compared += 1;
        }
    }
    assert!(compared >= 2, "only {compared} laws were compared");
}

#[test]
fn moments_in_symbols_agree_with_those_of_the_evaluated_law() {
    let mut compared = 0;
    for model in stochastic() {
        let Some(values) = point(&model) else {
            continue;
        };
        let simplified = Model::from_file(model.file())
            .and_then(|model| model.simplify(&Options::default()))
            .unwrap_or_else(|error| panic!("{}: {error}", model.name));
        let bindings = values
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(fraction(value))))
            .collect();
        for (name, law) in evaluated(&model, &values) {
            let moments = [
                ("E", law.mean),
                ("Var", law.variance),
                ("Skw", law.skewness()),
                ("Kur", law.kurtosis()),
            ];
            for (prefix, expected) in moments {
                let Some(equation) = simplified.equation(&format!("{prefix}_{name}")) else {
                    continue;
                };
                let found = match equation.formula.evaluate(&bindings) {
                    Ok(Value::Scalar(number)) => Number::to_f64(&number),
                    other => panic!("{} {prefix}_{name} is {other:?}", model.name),
                };
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{}: {prefix}_{name} is {found}, but the law has {expected}",
                    model.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 8, "only {compared} moments were compared");
}

fn fraction(text: &str) -> pamela::ring::Rational {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let whole = |part: &str| part.trim().parse::<i64>().expect("a fraction");
    pamela::ring::Rational::new(whole(numerator), whole(denominator)).expect("a divisor but 0")
}
