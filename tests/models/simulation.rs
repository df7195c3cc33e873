//! Models with laws, simulated: without contention, the mean is that of the critical path as it is evaluated.

use std::collections::BTreeSet;

use pamela::algebra::RuleBase;
use pamela::eval::Value;
use pamela::simulate::{Options as Simulation, Replications, Watch, simulate};
use pamela::{Model, Options};

use crate::support::corpus::{CorpusModel, corpus};

const REPLICATIONS: usize = 4_000;

/// `% at: N = 3, P = 2` as values.
fn point(model: &CorpusModel) -> Vec<(String, String)> {
    let line = model.text.lines().find_map(|l| l.strip_prefix("% at: "));
    let value = |part: &str| {
        let (name, value) = part.split_once('=').expect("`% at: name = value, ...`");
        (name.trim().to_string(), value.trim().to_string())
    };
    line.map(|line| line.split(", ").map(value).collect())
        .unwrap_or_default()
}

/// The processes without arguments.
fn processes(model: &Model) -> Vec<String> {
    use pamela::syntax::tree::Type;
    let equations = model.checked().equations().iter();
    let found = equations.filter(|e| e.kind == Type::Process && e.formals.is_empty());
    found.map(|e| e.name.text.clone()).collect()
}

/// Mean and variance of the critical path of each process, as they are evaluated.
fn paths(model: &Model, values: &[(String, String)]) -> Option<Vec<(String, f64, f64)>> {
    let options = Options {
        all: true,
        without_moments: true,
        ..Options::default()
    };
    let rules = RuleBase::standard().expect("the rules are rules");
    let evaluated = model.evaluate(values, rules, &options).ok()?;
    let equations = evaluated.equations.into_iter();
    let path = |e: pamela::pipeline::EvaluatedEquation| {
        let name = e.name.strip_prefix("phi_")?.to_string();
        let moments = match (&e.value, &e.law) {
            (_, Some(law)) => (law.cumulants.mean, law.cumulants.variance),
            (Value::Scalar(number), None) => (number.to_f64(), 0.0),
            _ => return None,
        };
        Some((name, moments.0, moments.1))
    };
    Some(equations.filter_map(path).collect())
}

/// A third oracle for the calculus of laws, beside integration and the definition.
#[test]
fn simulated_means_are_those_that_are_evaluated() {
    let mut compared = BTreeSet::new();
    let mut wrong = Vec::new();
    for in_corpus in corpus() {
        let model = Model::from_file(in_corpus.file())
            .unwrap_or_else(|error| panic!("{}: {error}", in_corpus.name));
        let values = point(&in_corpus);
        if processes(&model).is_empty() {
            continue;
        }
        let mut at_point = model.clone();
        let given = values.iter().all(|(n, v)| at_point.define(n, v).is_ok());
        let open = at_point.checked().parameters().any(|p| p.value.is_none());
        if !given || open {
            continue;
        }
        let Some(paths) = paths(&model, &values) else {
            continue;
        };
        for (process, mean, variance) in paths {
            let options = Simulation {
                process: Some(process.clone()),
                replications: Replications::Exactly(REPLICATIONS),
                clip: true,
                ..Simulation::default()
            };
            let name = format!("{} {process}", in_corpus.name);
            let report = match simulate(at_point.checked(), &options, &Watch::default()) {
                Ok(report) => report,
                Err(error) => {
                    wrong.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let main = &report.processes[0];
            let waits = report.resources.iter().any(|r| r.queue_max > 0);
            if main.exact.is_some() || waits {
                continue;
            }
            let measured = main.deviation.unwrap_or(0.0).max(variance.sqrt());
            let error = measured / (REPLICATIONS as f64).sqrt();
            if (main.mean - mean).abs() > 4.0 * error + 1e-9 * mean.abs() {
                wrong.push(format!(
                    "{name}: simulated {} +- {error}, evaluated {mean}; {:?}",
                    main.mean, report.approximations
                ));
            }
            compared.insert(name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared.len() >= 6, "only {compared:?} were compared");
}
