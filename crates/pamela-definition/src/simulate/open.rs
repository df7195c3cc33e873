//! Requests of an open process, by a number of them in each replication.

use super::replications::{error_of, process, run_here};
use super::{Options, Replications, Report, Watch};
use crate::diagnostic::{Diagnostic, Result};
use crate::model::{Evaluator, Limits, Model, Open, Value};
use std::collections::BTreeMap;

/// Replications, unless another number is wanted.
const REPLICATIONS: usize = 30;
/// The share of the requests that are not measured.
const SKIPPED: u64 = 5;

/// Simulates a model whose parameters have values.
///
/// # Errors
/// Fails if a parameter has no value, if a fact does not hold, or if there is no process to run.
/// Errors of a run are a negative time, a loop bound that is not whole, or a resource without
/// servers.
pub fn simulate(model: &Model, options: &Options, watch: &Watch) -> Result<Report> {
    match of_options(model, options) {
        Some(open) => of_requests(model, open, options, watch),
        None => run_here(model, options, watch, None),
    }
}

/// The open process that is simulated, if it is one.
fn of_options<'m>(model: &'m Model, options: &Options) -> Option<&'m Open> {
    let equation = process(model, options.process.as_deref()).ok()?;
    model.open(&equation.name.text)
}

/// Simulates an open process: the time of a request, without the first fifth of them in each replication.
fn of_requests(model: &Model, open: &Open, options: &Options, watch: &Watch) -> Result<Report> {
    let wrong = |diagnostic: Diagnostic| error_of(model, vec![diagnostic]);
    let missing = super::replications::wrong_values(model, &BTreeMap::new()).map_err(wrong)?;
    if !missing.is_empty() {
        return Err(error_of(model, missing));
    }
    let span = model.lookup(&open.name).map(|equation| equation.name.span);
    let span = span.unwrap_or_default();
    let bindings = BTreeMap::new();
    let mut evaluator = Evaluator::new(model, &bindings, Limits::default());
    if let Value::Vector(demand) = evaluator.equation(&open.demand).map_err(wrong)? {
        let full = demand.components().into_iter();
        let mut full = full.filter(|(_, busy)| busy.to_f64() >= 1.0);
        if let Some(((array, index), busy)) = full.next() {
            let message = format!("the utilisation of `{array}({index})` is {busy}");
            let label = "its queue grows for ever";
            return Err(wrong(Diagnostic::error(message, span, label).hint(
                "a stationary time needs utilisations below 1: lower the rate, or add servers",
            )));
        }
    }
    let replications = match options.replications {
        Replications::Exactly(count) => count,
        _ => REPLICATIONS,
    };
    let each = (options.requests / replications.max(1) as u64).max(1);
    let arriving = model.arriving(open, each)?;
    let own = Options {
        process: Some(arriving.process),
        replications: match options.replications {
            Replications::Default => Replications::Exactly(replications),
            other => other,
        },
        ..options.clone()
    };
    let measured = Some((open.request.as_str(), each / SKIPPED));
    let mut report = run_here(&arriving.model, &own, watch, measured)?;
    // The run as a whole, and the place where requests begin, are not of the model.
    report
        .processes
        .retain(|process| Some(&process.name) != own.process.as_ref());
    if let Some(place) = report
        .processes
        .iter()
        .position(|own| own.name == open.request)
    {
        let mut request = report.processes.remove(place);
        request.name.clone_from(&open.name);
        report.processes.insert(0, request);
    }
    let door = format!("{}(", arriving.door);
    report
        .resources
        .retain(|resource| !resource.name.starts_with(&door));
    Ok(report)
}
