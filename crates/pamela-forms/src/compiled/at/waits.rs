//! Values of parameters that are not given: defaults, and waits that have no formula, by mean value analysis or by runs.

use super::*;
use crate::real::Real;
use crate::simulate::{Basis, End, Options as Runs, Replications, Watch, simulate};
use crate::syntax::tree::Expr;

/// The ends of delays and services of all runs.
const MOST_EVENTS: u64 = 1_000_000;
const MOST_DRAWS: u64 = 1_000;

/// The mean wait of a visit to a resource, at the values of all parameters.
///
/// # Errors
/// Fails if the process does not visit the resource, or if a run is too long.
fn wait(model: &model::Model, process: &str, resource: &Expr) -> Result<Real> {
    let name = model::element(model, resource).map_err(|wrong| error(model, wrong))?;
    let wait = match stationary(model, process, &name) {
        Some(wait) => wait,
        None => of_runs(model, process, &name, resource)?,
    };
    Real::within(wait, wait.abs() * 1e-12).map_err(|reason| Error::new(reason.to_string()))
}

impl PointEvaluation<'_> {
    /// The values of parameters that are not given, which the model says.
    pub(super) fn take_defaults(&mut self) -> Result<()> {
        let model = self.definition()?;
        require_values(model)?;
        let mut bindings = self.point.values.clone();
        let (mut waits, mut without_wait) = (BTreeMap::new(), Vec::new());
        let given = |name: &&str| self.point.values.contains_key(*name);
        for name in self
            .compiled
            .scalar_parameters()
            .filter(|name| !given(name))
        {
            let value = match self.wait(name) {
                Ok(Some(wait)) => {
                    waits.insert(name.to_owned(), model::Number::Real(wait.clone()).into());
                    Value::Scalar(Number::Real(wait))
                }
                Ok(None) => self.define(name)?,
                // What needs it has no value.
                Err(error) => {
                    without_wait.push(error);
                    continue;
                }
            };
            bindings.insert(name.to_owned(), value);
        }
        (self.waits, self.without_wait) = (waits, without_wait);
        self.bindings = Cow::Owned(bindings);
        Ok(())
    }

    /// The wait that a parameter stands for, if it stands for one.
    fn wait(&self, parameter: &str) -> Result<Option<Real>> {
        let model = self.definition()?;
        let own = model.wait_by_runs(parameter);
        own.map(|(process, resource)| wait(model, process, resource))
            .transpose()
    }
}

/// By mean value analysis of many cycles, where all services are exponential.
fn stationary(model: &model::Model, process: &str, resource: &str) -> Option<f64> {
    let section = model::closed_section(model, process).ok()?;
    let exponential = section.stations.iter().all(|station| station.exponential);
    if section.cycles < model::MANY_CYCLES || !exponential || !section.held.is_empty() {
        return None;
    }
    let mut stations = section.stations.iter();
    let place = stations.position(|station| station.name == resource)?;
    let response = model::equilibrium(&section, section.clients)?.response[place];
    let station = &section.stations[place];
    Some((response / station.visits - station.service).max(0.0))
}

fn of_runs(model: &model::Model, process: &str, name: &str, resource: &Expr) -> Result<f64> {
    let run = |draws: u64| {
        let runs = Runs {
            process: Some(process.to_owned()),
            replications: Replications::Exactly(draws as usize),
            max_events: MOST_EVENTS,
            threads: Some(1),
            ..Runs::default()
        };
        simulate(model, &runs, &Watch::default())
    };
    let mut report = run(1)?;
    if report.end != End::Complete {
        let message = format!("a run of `{process}` has more than {MOST_EVENTS} events here");
        let wrong = Diagnostic::error(message, resource.span, "no wait is known");
        return Err(error(model, wrong.hint("use `pamela simulate`")));
    }
    let draws = (MOST_EVENTS / report.events.max(1)).min(MOST_DRAWS);
    let is_random = report
        .processes
        .first()
        .is_some_and(|own| own.basis == Basis::OneDraw);
    if is_random && draws > 1 {
        report = run(draws)?;
    }
    let found = report.resources.iter().find(|own| own.name == name);
    let missing = || {
        let message = format!("`{process}` does not visit this resource");
        let wrong = Diagnostic::error(message, resource.span, "expected a resource that it visits");
        error(model, wrong)
    };
    found.map(|own| own.wait_mean).ok_or_else(missing)
}
