//! Compares formulas, bounds and estimates of a time with simulation, over a grid of points.

use serde::Serialize;

use super::{mean_of, mean_value};
use crate::compiled::Compiled;
use crate::diagnostic::Result;
use crate::pipeline::{Model, Options};
use crate::simulate::{self, Basis, End, Watch, simulate};
use crate::timing::Origin;

/// Settings of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The process whose time is compared.
    pub process: String,
    /// Options of the simulation.
    pub simulation: simulate::Options,
}

/// The time of a process at a point.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Each parameter with its value as text.
    pub parameters: Vec<(String, String)>,
    /// `time_L`: the exact time, if a formula gives it.
    pub time: Option<f64>,
    /// `T_L`; the mean if it is a law.
    pub formula: Option<f64>,
    /// `L_L`; `None` if the model gives no lower bound.
    pub lower: Option<f64>,
    /// `U_L`; `None` if the model gives no upper bound.
    pub upper: Option<f64>,
    /// The estimate by mean value analysis; `None` if the process is not a closed section.
    pub mean_value: Option<f64>,
    /// The mean of the replications.
    pub simulated: f64,
    /// Interval of the simulated mean.
    ///
    /// Without random draws it spans the times found under several orders of simultaneous requests.
    /// `None` if replications do not differ, unless the time is exact.
    pub interval: Option<[f64; 2]>,
    /// The kind of evidence for the simulated mean.
    pub basis: Basis,
    /// Number of replications.
    pub replications: usize,
    /// True if the simulation ran to its end.
    pub complete: bool,
}

/// Parameters with their values, as text.
pub type Point = Vec<(String, String)>;

impl Comparison {
    /// All times in this comparison.
    pub fn times(&mut self) -> impl Iterator<Item = &mut f64> {
        let known = [
            &mut self.time,
            &mut self.formula,
            &mut self.lower,
            &mut self.upper,
            &mut self.mean_value,
        ];
        let known = known.into_iter().flatten();
        let interval = self.interval.iter_mut().flatten();
        known.chain([&mut self.simulated]).chain(interval)
    }

    /// Relative error of a prediction against the simulation, in per cent.
    pub fn error(&self, predicted: Option<f64>) -> Option<f64> {
        let apart = |value: f64| 100.0 * (value / self.simulated - 1.0);
        predicted.filter(|_| self.simulated != 0.0).map(apart)
    }
}

/// Compares at one point; `compiled` holds all equations and bounds of `model`.
///
/// A process that mean value analysis does not fit is not an error.
///
/// # Errors
/// Fails if a parameter has no value or the simulation fails.
pub fn compare(
    model: &Model,
    compiled: &Compiled,
    point: &Point,
    settings: &Settings,
    watch: &Watch,
) -> Result<Comparison> {
    let mut there = model.clone();
    for (name, value) in point {
        there.define(name, value)?;
    }
    let process = &settings.process;
    let simulation = simulate::Options {
        process: Some(process.clone()),
        ..settings.simulation.clone()
    };
    let report = simulate(there.checked(), &simulation, watch)?;
    let options = Options {
        bounds: true,
        without_moments: true,
        ..Options::default()
    };
    let evaluated = compiled.evaluate(point, &options)?;
    let value = |origin: Origin| {
        let mut equations = evaluated.equations.iter();
        mean_of(&equations.find(|e| e.origin == origin)?.value)
    };
    let main = report.processes.first();
    Ok(Comparison {
        parameters: point.clone(),
        time: value(Origin::Execution(process.clone())),
        formula: value(Origin::Time(process.clone())),
        lower: value(Origin::Lower(process.clone())),
        upper: value(Origin::Upper(process.clone())),
        mean_value: mean_value(&there, compiled, point, process)
            .ok()
            .map(|found| found.time),
        simulated: main.map_or(f64::NAN, |main| main.mean),
        interval: main.and_then(|main| main.interval),
        basis: main.map_or(Basis::OneDraw, |main| main.basis),
        replications: main.map_or(0, |main| main.replications),
        complete: report.end == End::Complete,
    })
}
