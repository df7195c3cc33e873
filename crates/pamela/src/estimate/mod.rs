//! Estimates of times with contention, which are not bounds, and comparisons with simulation.

mod compare;
mod held;
mod section;

use serde::Serialize;

use crate::compiled::{Compiled, Evaluated};
use crate::diagnostic::{Diagnostic, Error, Result, listed};
use crate::eval::Value;
use crate::law::Carrier;
use crate::model::{ClosedSection, balanced_job_bounds, closed_section, equilibrium};
use crate::pipeline::{Model, Options, unknown_name};
use crate::syntax::tree::{Equation, Type};
use crate::timing::{self, ESTIMATE_PART, Method, Note, Origin};
pub use compare::{Comparison, Point, Settings, compare};

/// Mean value analysis of a process that is a closed section.
#[derive(Clone, Debug, Serialize)]
pub struct MeanValue {
    /// Name of the process.
    pub process: String,
    /// Mean time until the last client has finished its last cycle.
    pub time: f64,
    /// Mean time of a cycle in equilibrium.
    pub cycle: f64,
    /// Lower and upper bounds of the cycle time, for exponential services at single servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced_job_bounds: Option<[f64; 2]>,
    /// Number of clients (branches).
    pub clients: u64,
    /// Number of cycles of each client.
    pub cycles: u64,
    /// The resources that the process uses.
    pub stations: Vec<StationEstimate>,
    /// Assumptions of the estimate.
    #[serde(serialize_with = "timing::as_texts")]
    pub notes: Vec<Note>,
}

/// A resource of a closed section, in equilibrium.
#[derive(Clone, Debug, Serialize)]
pub struct StationEstimate {
    /// Name of the resource.
    pub name: String,
    /// Fraction of time that a server is busy.
    pub utilisation: f64,
    /// Mean time that a cycle spends at the station, including waiting.
    pub response: f64,
}

/// An estimate of the mean time of a process, not below its lower bound and not above its upper one.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// Name of the process.
    pub process: String,
    /// The mean time.
    pub time: f64,
    /// Guaranteed bounds of the mean.
    pub interval: [f64; 2],
    /// How it was found: a point between the bounds, or of a closed section.
    pub method: Method,
}

impl Estimate {
    /// What the estimate is.
    pub fn note(&self) -> Note {
        match self.method {
            Method::ClosedSection => Note::ClosedSection,
            _ => Note::PointBetweenBounds,
        }
    }
}

/// Chooses the process: `name` if given, else `main`, else the last process without arguments.
///
/// # Errors
/// Fails if there is no such process.
pub fn process_of(model: &Model, name: Option<&str>) -> Result<String> {
    let plain = |e: &&Equation| e.kind == Type::Process && e.formals.is_empty();
    let checked = model.checked();
    let found = match name {
        Some(name) => checked.lookup(name).filter(plain),
        None => checked.main_process().map(|at| &checked.equations()[at]),
    };
    let none = || {
        let own = checked.equations().iter().filter(plain);
        let names: Vec<&str> = own.map(|e| e.name.text.as_str()).collect();
        match name {
            Some(name) => {
                let listed = listed(&names);
                let message = format!(
                    "`{name}` is not a process without arguments; expected one of {listed}"
                );
                unknown_name(message, name, &names)
            }
            None => Error::new("the model has no process without arguments".to_string()),
        }
    };
    Ok(found.ok_or_else(none)?.name.text.clone())
}

/// Estimates the time of `process` by mean value analysis.
///
/// `model` is the model at `values`; `compiled` holds the critical path of the process. The last
/// client ends the run, and the others speed up once some have finished. The estimate is
/// `N C_P + (E[phi] - N C_1) C_1/C_P`, where `C_n` is the cycle time with n clients.
///
/// # Errors
/// Fails if the process is not a closed section (the error says why), if nothing in it is random,
/// or if the analysis takes too many steps.
pub fn mean_value(
    model: &Model,
    compiled: &Compiled,
    values: &[(String, String)],
    process: &str,
) -> Result<MeanValue> {
    let section = section_of(model, process)?;
    let too_many = || {
        let clients = section.clients;
        Error::new(format!(
            "mean value analysis of {clients} clients takes too many steps"
        ))
    };
    let all = equilibrium(&section, section.clients).ok_or_else(too_many)?;
    let alone = equilibrium(&section, 1).ok_or_else(too_many)?;
    if alone.cycle <= 0.0 {
        return Err(Error::new(format!(
            "a cycle of `{process}` takes no time on average"
        )));
    }
    let phi = mean_path(compiled, values, process)?;
    let cycles = section.cycles as f64;
    let time = cycles * all.cycle + (phi - cycles * alone.cycle) * alone.cycle / all.cycle;
    let sections = sections(&section);
    let all_stations = || sections.iter().flat_map(|one| &one.stations);
    let several = all_stations().any(|s| s.servers > 1) || !section.held.is_empty();
    let exponential = all_stations().all(|s| (s.variability() - 1.0).abs() < 1e-9);
    let mut notes = vec![Note::Equilibrium];
    notes.extend((!section.held.is_empty()).then_some(Note::FlowEquivalent));
    notes.extend((several && !exponential).then_some(Note::TakenAsExponential));
    notes.extend((!several && !exponential).then_some(Note::ResidualService));
    let held = section.held.iter().zip(&all.held);
    let held = held.map(|(held, holders)| StationEstimate {
        name: held.name.clone(),
        utilisation: holders.number / held.servers as f64,
        response: holders.response,
    });
    let stations = section
        .stations
        .iter()
        .zip(&all.response)
        .map(|(station, &response)| {
            let throughput = section.clients as f64 / all.cycle;
            StationEstimate {
                name: station.name.clone(),
                utilisation: throughput * station.demand() / station.servers as f64,
                response,
            }
        });
    Ok(MeanValue {
        process: process.to_string(),
        time,
        cycle: all.cycle,
        balanced_job_bounds: balanced_job_bounds(&section, section.clients),
        clients: section.clients,
        cycles: section.cycles,
        stations: stations.chain(held).collect(),
        notes,
    })
}

/// A section and the nested sections of held resources.
fn sections(section: &ClosedSection) -> Vec<&ClosedSection> {
    let inside = section.held.iter().flat_map(|held| sections(&held.inside));
    std::iter::once(section).chain(inside).collect()
}

fn section_of(model: &Model, process: &str) -> Result<ClosedSection> {
    let error = |diagnostic: Diagnostic| Error {
        diagnostics: vec![diagnostic],
        sources: model.checked().sources().clone(),
    };
    let section = closed_section(model.checked(), process).map_err(error)?;
    if !section.random {
        return Err(Error::new(format!(
            "mean value analysis needs random times, but `{process}` has none; use `--bounds` for L and \
             U"
        )));
    }
    Ok(section)
}

/// The mean of the critical path.
fn mean_path(compiled: &Compiled, values: &[(String, String)], process: &str) -> Result<f64> {
    let options = Options {
        only: vec![format!("phi_{process}")],
        laws: Carrier::Grid,
        ..Options::default()
    };
    let evaluated = compiled.evaluate(values, &options)?;
    let found = evaluated.equations.first().and_then(|e| mean_of(&e.value));
    found.ok_or_else(|| Error::new(format!("the critical path of `{process}` has no mean here")))
}

/// The mean of a scalar or a law.
fn mean_of(value: &Value) -> Option<f64> {
    match value {
        Value::Scalar(number) => Some(number.to_f64()),
        Value::Law(law) => Some(law.cumulants().mean),
        Value::Vector(_) => None,
    }
}

/// Estimates the time of each process whose two bounds have values.
///
/// `model` has values for all parameters. A closed section with random times has an estimate of its own, others lie between
/// their bounds.
pub fn estimates(model: &Model, evaluated: &Evaluated) -> Vec<Estimate> {
    let value = |origin: Origin| {
        let mut equations = evaluated.equations.iter();
        let found = equations.find(|e| e.origin == origin)?;
        mean_of(&found.value)
    };
    let one = |e: &crate::compiled::EvaluatedEquation| {
        let Origin::Lower(process) = &e.origin else {
            return None;
        };
        let (least, most) = (mean_of(&e.value)?, value(Origin::Upper(process.clone()))?);
        let section = closed_section(model.checked(), process).ok();
        let section = section.filter(|section| section.random && least < most);
        let own = section.and_then(|section| {
            if section.held.is_empty() {
                section::section_time(&section, least)
            } else {
                held::held_time(&section, least)
            }
        });
        let (time, method) = match own {
            Some(time) => (time.clamp(least, most), Method::ClosedSection),
            None => (
                least + (most - least) / ESTIMATE_PART as f64,
                Method::PointBetweenBounds,
            ),
        };
        Some(Estimate {
            process: process.clone(),
            time,
            interval: [least, most],
            method,
        })
    };
    evaluated.equations.iter().filter_map(one).collect()
}
