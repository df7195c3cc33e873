//! `pamela eval --contention`

use clap::ValueEnum;
use serde::Serialize;

use super::output::number;
use super::shared::RuleOptions;
use super::{Subject, output, rule_base};
use crate::compiled::Evaluated;
use crate::diagnostic::Error;
use crate::estimate::{Interpolation, MeanValue, between, mean_value, process_of};
use crate::formula::json::EvaluatedModel;
use crate::pipeline::Options;
use crate::timing;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Contention {
    /// Mean value analysis of `main`, which is `par (p = 1, P) seq (i = 1, N) { .. }` of `delay` and `use`.
    Mva,
    /// `L + 0.2 (U - L)` of each process.
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

/// What is estimated beside the equations.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Estimates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_value: Option<MeanValue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Interpolation>,
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
    let mut estimates = Estimates::default();
    match contention {
        Contention::Estimate => estimates.between = between(evaluated),
        Contention::Mva => {
            let mut model = match subject {
                Subject::Model(model) => (**model).clone(),
                Subject::Compiled(compiled) => compiled.model()?.clone(),
            };
            for (name, value) in values {
                model.define(name, value)?;
            }
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
            estimates.mean_value = Some(mean_value(&model, &compiled, &[], &process)?);
        }
    }
    Ok(estimates)
}

impl Estimates {
    /// Lines that follow the values of the equations.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for found in &self.between {
            lines.push("% note: estimate, not a bound: L + 0.2 (U - L)".to_string());
            lines.push(format!(
                "numeric estimate_{} = {}",
                found.process, found.time
            ));
        }
        if let Some(found) = &self.mean_value {
            lines.extend(found.notes.iter().map(|note| format!("% note: {note}")));
            let bounds = found.balanced_job_bounds;
            let bounds = bounds.map_or(String::new(), |[least, most]| {
                format!(
                    ", balanced job bounds {} to {}",
                    number(least),
                    number(most)
                )
            });
            let (clients, cycles, cycle) = (found.clients, found.cycles, number(found.cycle));
            lines.push(format!(
                "% {clients} clients, {cycles} cycles each; a cycle takes {cycle}{bounds}"
            ));
            for station in &found.stations {
                let (share, response) = (number(station.utilisation), number(station.response));
                lines.push(format!(
                    "% {}: utilisation {share}; response time per cycle {response}",
                    station.name
                ));
            }
            lines.push(format!("numeric mva_{} = {}", found.process, found.time));
        }
        lines
    }
}
