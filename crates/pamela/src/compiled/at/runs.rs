//! Times of processes at a point by running them, where no formula gives what a run takes.

use super::*;
use crate::eval::Number;
use crate::real::Real;
use crate::ring::Rational;
use crate::simulate::{ExecutionTime, Time, execution_time};
use crate::timing::{Certificate, Evidence};

/// The ends of delays and services that the runs of all processes may have together.
const MOST_EVENTS: u64 = 1_000_000;

impl PointEvaluation<'_> {
    /// Adds the time of a run of each process of which only bounds are known.
    pub(in crate::compiled) fn add_runs(&self, evaluated: &mut Evaluated) -> Result<()> {
        let equations = &self.compiled.simplified.equations;
        let known = |origin: &Origin| equations.iter().any(|e| e.origin == *origin);
        let mut left = MOST_EVENTS;
        for equation in equations.iter().filter(|equation| !equation.auxiliary) {
            let Origin::Lower(process) = &equation.origin else {
                continue;
            };
            let origin = Origin::Execution(process.clone());
            let Some(name) = origin.process_equation().filter(|_| !known(&origin)) else {
                continue;
            };
            let model = self.definition()?;
            // What cannot be run has its bounds.
            let Ok(run) = execution_time(model, process, &BTreeMap::new(), left) else {
                continue;
            };
            let number = number(&run.in_text_order).filter(|_| !run.is_random);
            let Some(number) = number else { continue };
            left = left.saturating_sub(run.events * run.orders as u64);
            let own = EvaluatedEquation {
                name: crate::pipeline::unused_name(model, name),
                origin,
                sort: Sort::Scalar,
                value: Value::Scalar(number),
                law: None,
                paths: None,
                method: Method::Run,
                evidence: Some(Evidence {
                    certificate: certificate(&run),
                    theorems: Vec::new(),
                }),
                approximations: orders(&run).into_iter().collect(),
            };
            let results = &evaluated.equations;
            let place = results
                .iter()
                .position(|e| e.origin.process() == Some(process));
            evaluated
                .equations
                .insert(place.unwrap_or(results.len()), own);
        }
        Ok(())
    }
}

fn number(time: &Time) -> Option<Number> {
    match &time.exact {
        Some(exact) => Some(Number::Exact(Rational::from(exact.clone()))),
        None => Real::within(time.value, time.value.abs() * 1e-12)
            .ok()
            .map(Number::Real),
    }
}

fn certificate(run: &ExecutionTime) -> Certificate {
    match (run.is_contended, run.orders) {
        (false, _) => Certificate::Exact,
        (true, 1) => Certificate::ExactInTextOrder,
        _ => Certificate::Run,
    }
}

/// What other orders of the requests of one time make of it.
fn orders(run: &ExecutionTime) -> Option<String> {
    let text = |time: &Time| number(time).map(|number| number.decimal_text());
    match run.orders {
        1 => None,
        count if run.least == run.greatest => Some(format!(
            "the same in {count} orders of requests that come at one time"
        )),
        count => Some(format!(
            "{} .. {} in {count} orders of requests that come at one time (that of the text: {})",
            text(&run.least)?,
            text(&run.greatest)?,
            text(&run.in_text_order)?,
        )),
    }
}
