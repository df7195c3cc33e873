//! What must come out of simulations: by hand, by formulas, by the definitional evaluator.

mod any;
mod elsewhere;
mod errors;
mod exact;
mod graphs;
mod machine_repair;
mod random;

use super::{Options, Replications, Report, Watch, simulate};
use crate::diagnostic::Error;
use crate::model::Model;
use crate::syntax::{NoFiles, parse_model};

fn model(text: &str) -> Model {
    let parsed = parse_model("model.pam", text, &NoFiles);
    let checked = parsed.and_then(|(tree, sources)| Model::check(tree, sources, &NoFiles));
    checked.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn try_run(text: &str, options: &Options) -> Result<Report, Error> {
    simulate(&model(text), options, &Watch::default())
}

fn run(text: &str, options: &Options) -> Report {
    try_run(text, options).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn replicated(replications: usize) -> Options {
    Options {
        replications: Replications::Exactly(replications),
        ..Options::default()
    }
}

/// The exact time of a run of a model in which no time is random.
fn exact(text: &str) -> String {
    let report = run(text, &replicated(1));
    let time = &report.processes[0].fraction;
    time.clone()
        .unwrap_or_else(|| panic!("not exact: {text}\n{report:?}"))
}

/// True if the mean time is within this many standard errors of the expected one.
fn is_within(errors: f64, expected: f64, report: &Report) -> bool {
    let main = &report.processes[0];
    let deviation = main.deviation.unwrap_or(f64::INFINITY);
    (main.mean - expected).abs() <= errors * deviation / (main.replications as f64).sqrt()
}
