//! `pamela eval --contention`

use clap::ValueEnum;
use serde::Serialize;

use super::output::number;
use super::rows::{DIGITS, Row};
use super::shared::RuleOptions;
use super::{Subject, output, rule_base};
use crate::compiled::{Evaluated, EvaluatedEquation};
use crate::diagnostic::Error;
use crate::estimate::{Estimate, MeanValue, estimates, mean_value, process_of};
use crate::formula::json::EvaluatedModel;
use crate::law::shortest::rounded;
use crate::pipeline::{Model, Options, Shown};
use crate::timing::{self, Method, Origin};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Contention {
    /// Mean value analysis of `main`, which is `par (p = 1, P) seq (i = 1, N) { .. }` of `delay` and `use`.
    Mva,
    /// The mean of a closed section with random times by the largest of several approximations; of any other process
    /// `L + 0.2 (U - L)`.
    Estimate,
}

impl From<Contention> for timing::Contention {
    fn from(contention: Contention) -> timing::Contention {
        match contention {
            Contention::Mva => timing::Contention::MeanValue,
            Contention::Estimate => timing::Contention::Between,
        }
    }
}

/// Estimates printed beside the equations.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Estimates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_value: Option<MeanValue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Estimate>,
}

/// `eval --json` with estimates.
#[derive(Serialize)]
pub struct WithEstimates {
    #[serde(flatten)]
    pub model: EvaluatedModel,
    pub estimates: Estimates,
}

/// An estimate where parameters have the `values`, at which `evaluated` was with the same `options`.
pub fn of(
    contention: Contention,
    subject: &Subject,
    values: &[(String, String)],
    evaluated: &Evaluated,
    options: &Options,
    rules: &RuleOptions,
) -> Result<Estimates, Error> {
    let mut found = Estimates::default();
    let model = defined(subject, values)?;
    match contention {
        Contention::Estimate => found.times = estimates(&model, evaluated),
        Contention::Mva => {
            let process = process_of(&model, None)?;
            let options = Options {
                only: vec![format!("phi_{process}")],
                without_moments: true,
                effort: options.effort,
                laws: options.laws,
                ..Options::default()
            };
            let compiled = model.compile_with(rule_base(rules)?, &options)?;
            output::caveats(compiled.simplified());
            found.mean_value = Some(mean_value(&model, &compiled, &[], &process)?);
        }
    }
    Ok(found)
}

/// Estimates of closed sections with random times, where their mean is that of runs; `None` if there are none.
pub fn beside_runs(
    subject: &Subject,
    values: &[(String, String)],
    evaluated: &Evaluated,
) -> Result<Option<Estimates>, Error> {
    let is_mean = |own: &EvaluatedEquation| {
        matches!(own.origin, Origin::Execution(_)) && own.standard_error.is_some()
    };
    if !evaluated.equations.iter().any(is_mean) {
        return Ok(None);
    }
    let mut times = estimates(&defined(subject, values)?, evaluated);
    times.retain(|found| found.method == Method::ClosedSection);
    let found = Estimates {
        times,
        ..Estimates::default()
    };
    Ok((!found.times.is_empty()).then_some(found))
}

/// The model with values of parameters.
fn defined(subject: &Subject, values: &[(String, String)]) -> Result<Model, Error> {
    let mut model = match subject {
        Subject::Model(model) => (**model).clone(),
        Subject::Compiled(compiled) => compiled.model()?.clone(),
    };
    for (name, value) in values {
        model.define(name, value)?;
    }
    Ok(model)
}

impl Estimates {
    /// Rows that follow those of the equations; `unit` is that of the times of a process.
    pub fn rows(&self, unit: &dyn Fn(&str) -> Option<Shown>) -> Vec<Row> {
        let row = |name: &str, process: &str, time: f64, notes| {
            let unit = unit(process).map(|unit| unit.for_value(time));
            let value = match unit {
                Some(unit) => format!("{} {}", rounded(unit.double(time), DIGITS), unit.unit),
                None => rounded(time, DIGITS),
            };
            Row {
                name: format!("{name}_{process}"),
                value,
                notes,
                ..Row::default()
            }
        };
        let between = self.times.iter().map(|found| {
            let notes = vec![found.note().to_string()];
            row("estimate", &found.process, found.time, notes)
        });
        let mean_value = self.mean_value.iter().map(|found| {
            let notes = found.notes.iter().map(ToString::to_string);
            let notes = notes.chain(found_by_stations(found)).collect();
            row("mva", &found.process, found.time, notes)
        });
        between.chain(mean_value).collect()
    }

    /// Lines that follow the values of the equations.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for found in &self.times {
            lines.push(format!("% note: {}", found.note()));
            lines.push(format!(
                "numeric estimate_{} = {}",
                found.process, found.time
            ));
        }
        if let Some(found) = &self.mean_value {
            lines.extend(found.notes.iter().map(|note| format!("% note: {note}")));
            let told = found_by_stations(found);
            lines.extend(told.into_iter().map(|text| format!("% {text}")));
            lines.push(format!("numeric mva_{} = {}", found.process, found.time));
        }
        lines
    }
}

/// Number of cycles, and the time of a cycle by station.
fn found_by_stations(found: &MeanValue) -> Vec<String> {
    let bounds = found.balanced_job_bounds;
    let bounds = bounds.map_or(String::new(), |[least, most]| {
        format!(
            ", balanced job bounds {} to {}",
            number(least),
            number(most)
        )
    });
    let (clients, cycles, cycle) = (found.clients, found.cycles, number(found.cycle));
    let first = format!("{clients} clients, {cycles} cycles each; a cycle takes {cycle}{bounds}");
    let stations = found.stations.iter().map(|station| {
        let (share, response) = (number(station.utilisation), number(station.response));
        format!(
            "{}: utilisation {share}; response time per cycle {response}",
            station.name
        )
    });
    std::iter::once(first).chain(stations).collect()
}
