//! What other programs build on: only the public interface.

use std::thread;

use pamela::compiled::{Compiled, EvaluatedEquation, Method, Point, Verdict};
use pamela::eval::Value;
use pamela::timing::Origin;
use pamela::{Model, Options};

fn corpus(name: &str) -> Model {
    let path = format!("{}/corpus/papers/{name}.pam", env!("CARGO_MANIFEST_DIR"));
    Model::from_file(&path).expect("a model of the corpus is right")
}

fn compiled(name: &str) -> Compiled {
    let options = Options {
        all: true,
        ..Options::default()
    };
    corpus(name).compile(&options).expect("it has closed forms")
}

/// Every number in a value, bit for bit.
fn bits(equation: &EvaluatedEquation) -> Vec<u64> {
    match &equation.value {
        Value::Scalar(number) => vec![number.to_f64().to_bits()],
        Value::Vector(vector) => vector
            .components()
            .map(|(_, _, number)| number.to_f64().to_bits())
            .collect(),
        Value::Law(law) => {
            let cumulants = law.cumulants();
            let shown = equation.law.iter().flat_map(|law| &law.quantiles);
            [
                cumulants.mean,
                cumulants.variance,
                cumulants.third,
                cumulants.fourth,
            ]
            .into_iter()
            .chain(shown.map(|(_, quantile)| *quantile))
            .map(f64::to_bits)
            .collect()
        }
    }
}

/// What `eval` gives, which knows nothing of the compiled model.
fn by_eval(name: &str, values: &[(&str, i64)]) -> Vec<(String, Vec<u64>)> {
    let texts: Vec<(String, String)> = values
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let options = Options {
        all: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("the standard rules are right");
    let evaluated = corpus(name).evaluate(&texts, rules, &options);
    told(&evaluated.expect("a value").equations)
}

fn told(equations: &[EvaluatedEquation]) -> Vec<(String, Vec<u64>)> {
    equations
        .iter()
        .map(|e| (e.name.clone(), bits(e)))
        .collect()
}

fn point(values: &[(&str, i64)]) -> Point {
    let start = Point::default();
    values
        .iter()
        .fold(start, |point, (name, value)| point.with(name, *value))
}

const MRM: [&[(&str, i64)]; 3] = [
    &[("P", 100), ("N", 1000), ("tl", 10), ("ts", 3)],
    &[("P", 1), ("N", 0), ("tl", 7), ("ts", 0)],
    // A negative service, where no closed form applies.
    &[("P", 5), ("N", 4), ("tl", 10), ("ts", -1)],
];

#[test]
fn compiled_models_are_shared_by_threads() {
    fn shared<T: Clone + Send + Sync + 'static>() {}
    shared::<Compiled>();
    shared::<Point>();
    let mrm = compiled("mrm");
    let expected = MRM.map(|values| by_eval("mrm", values));
    let workers = (0..4).map(|_| {
        let mrm = mrm.clone();
        thread::spawn(move || {
            MRM.map(|values| told(&mrm.at(point(values)).expect("a value").equations))
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        assert_eq!(worker.join().expect("no panic"), expected);
    }
}

#[test]
fn a_saved_model_gives_the_same_bits() {
    let others = [("tf", 3), ("tm", 5), ("c1", 1), ("c2", 1), ("c3", 0)];
    let psrs = [(8, 4096), (3, 999)].map(|(p, n)| [&[("P", p), ("N", n)], &others[..]].concat());
    let psrs = psrs.each_ref().map(Vec::as_slice);
    for (name, points) in [("mrm", &MRM[..]), ("psrs", &psrs[..])] {
        let compiled = compiled(name);
        let text = compiled.save().expect("a text");
        let loaded = Compiled::load("test.pamc", &text).expect("the same model");
        assert_eq!(loaded.save().expect("a text"), text);
        for values in points {
            let at =
                |compiled: &Compiled| told(&compiled.at(point(values)).expect("a value").equations);
            let expected = by_eval(name, values);
            assert_eq!(at(&compiled), expected, "{name} at {values:?}");
            assert_eq!(at(&loaded), expected, "{name} at {values:?}, loaded");
        }
    }
}

#[test]
fn the_definition_stands_in() {
    let evaluated = compiled("mrm").at(point(MRM[2])).expect("a value");
    let time = &evaluated.equations[0];
    assert_eq!(time.origin, Origin::Time("main".to_string()));
    assert_eq!(time.method, Method::Definition);
    assert!(
        evaluated
            .conditions
            .iter()
            .any(|(text, holds)| text == "ts >= 0" && *holds == Verdict::Fails)
    );
}

#[test]
fn wrong_files_are_told() {
    let text = compiled("mrm").save().expect("a text");
    let told = |text: &str| {
        Compiled::load("m.pamc", text)
            .expect_err("wrong")
            .to_string()
    };
    assert!(told(&text.replacen("compiled 4 ", "compiled 3 ", 1)).contains("version 3"));
    assert!(told(&text[..text.len() / 2]).contains("checksum"));
    assert!(told("numeric T = 1").contains("not a compiled model"));
}

#[test]
fn wrong_points_are_told() {
    let mrm = compiled("mrm");
    let told = |values: &[(&str, i64)]| mrm.at(point(values)).expect_err("wrong").to_string();
    assert!(told(&[("P", 100)]).contains("has no value"));
    assert!(told(&[("Q", 100)]).contains("no scalar parameter `Q`"));
}

/// Equations by name, with their notes.
type Notes = Vec<(String, Vec<String>)>;

/// The notes of each equation of a model at its `% at:` line, by the model and by what is compiled of it.
fn notes_of_both(path: &std::path::Path) -> Option<[Notes; 2]> {
    let text = std::fs::read_to_string(path).expect("a model of the corpus is a text");
    let at = text.lines().find_map(|line| line.strip_prefix("% at:"))?;
    let values = at.split(',').filter_map(|part| part.split_once('='));
    let values: Vec<(String, String)> = values
        .map(|(name, value)| (name.trim().to_string(), value.trim().to_string()))
        .collect();
    let options = Options {
        without_moments: true,
        ..Options::default()
    };
    let model = Model::from_file(path.to_str()?).ok()?;
    let rules = pamela::rules::standard().expect("the standard rules are right");
    let evaluated = model.evaluate(&values, rules, &options).ok()?;
    // As `simplify --emit compiled` saves it, with the moments of laws.
    let compiled = model.compile(&Options::default()).expect("it compiles");
    let again = compiled.evaluate(&values, &options).expect("it has values");
    let notes = |equations: &[EvaluatedEquation]| {
        let of = |e: &EvaluatedEquation| {
            (
                e.name.clone(),
                e.approximations.iter().map(ToString::to_string).collect(),
            )
        };
        equations.iter().map(of).collect()
    };
    Some([notes(&evaluated.equations), notes(&again.equations)])
}

#[test]
fn a_compiled_model_says_of_laws_what_the_model_says() {
    let mut compared = 0;
    for directory in ["papers", "issues", "algebra"] {
        let directory = format!("{}/corpus/{directory}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(directory).expect("the corpus").flatten() {
            let path = entry.path();
            let is_model = path.extension().is_some_and(|extension| extension == "pam");
            if let Some([model, compiled]) = is_model.then(|| notes_of_both(&path)).flatten() {
                assert_eq!(model, compiled, "{}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "only {compared} models were compared");
}

#[test]
fn powers_of_a_million_digits_are_those_of_logarithms() {
    let text = "numeric A = max (j = 1, 1000000) { bernoulli(0.000001) }
        numeric G = min (j = 1, 1000000) { geometric(0.000001) }";
    let model = Model::parse(text).expect("a model");
    let rules = pamela::rules::standard().expect("the standard rules are right");
    let evaluated = model.evaluate(&[], rules, &Options::default());
    let evaluated = evaluated.expect("values").equations;
    // p = 1 - (1 - 10^-6)^1000000 in 50 decimals; the first success is that of a trial of p.
    let p = 0.632_120_742_768_355;
    for (name, expected) in [("A", p), ("G", 1.0 / p)] {
        let equation = evaluated.iter().find(|e| e.name == name);
        let found = match &equation.expect(name).value {
            Value::Law(law) => law.cumulants().mean,
            Value::Scalar(number) => number.to_f64(),
            Value::Vector(_) => f64::NAN,
        };
        assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found}");
    }
}

/// The moments of extremes of a million laws are those of their closed forms, in bounded work: neither is each sequence of
/// outcomes followed, nor a power of a million digits written out.
#[test]
fn moments_of_extremes_of_a_million_laws_have_values() {
    if !crate::selection::is_due() {
        return;
    }
    let text = "numeric parameter p = 0.000001
        numeric A = E(max (j = 1, 1000000) { bernoulli(p) })
        numeric V = Var(max (j = 1, 1000000) { bernoulli(p) })
        numeric K = E(kth (999999 of j = 1, 1000000) { bernoulli(p) })
        numeric G = E(min (j = 1, 1000000) { geometric(p) })";
    let model = Model::parse(text).expect("a model");
    let rules = pamela::rules::standard().expect("the standard rules are right");
    let evaluated = model.evaluate(&[], rules, &Options::default());
    let evaluated = evaluated.expect("values").equations;
    let compiled = model.compile(&Options::default()).expect("it compiles");
    let again = compiled.evaluate(&[], &Options::default()).expect("values");
    // With q = (1 - 10^-6)^1000000 in 50 decimals; the second largest is 1 where two are, at least.
    let q: f64 = 0.367_879_257_231_645_1;
    let none_or_one = q * (1.0 + 1.0 / (1.0 - 1e-6));
    let expected = [
        ("A", 1.0 - q),
        ("V", q * (1.0 - q)),
        ("K", 1.0 - none_or_one),
        ("G", 1.0 / (1.0 - q)),
    ];
    for (name, expected) in expected {
        for equations in [&evaluated, &again.equations] {
            let equation = equations.iter().find(|e| e.name == name);
            let found = match &equation.expect(name).value {
                Value::Scalar(number) => number.to_f64(),
                _ => f64::NAN,
            };
            assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found}");
        }
    }
}
