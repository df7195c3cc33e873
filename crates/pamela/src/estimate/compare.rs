//! What is known of a time without simulation, beside simulation, over a grid of points.

use serde::Serialize;

use super::{mean_of, mean_value};
use crate::compiled::Compiled;
use crate::diagnostic::Result;
use crate::pipeline::{Model, Options};
use crate::simulate::{self, Basis, End, Watch, simulate};
use crate::timing::Origin;

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The process whose time it is.
    pub process: String,
    /// How it is simulated.
    pub simulation: simulate::Options,
}

/// The time of a process at a point.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Each parameter with its value, as it is written.
    pub parameters: Vec<(String, String)>,
    /// What every run takes, where a formula gives it.
    pub time: Option<f64>,
    /// `T`, `L`, `U` and the estimate by mean value analysis; those of laws by their means.
    pub formula: Option<f64>,
    /// `L`; none where the model gives none.
    pub lower: Option<f64>,
    /// `U`; none where the model gives none.
    pub upper: Option<f64>,
    /// None where the process is no closed section.
    pub mean_value: Option<f64>,
    /// The mean of the replications.
    pub simulated: f64,
    /// Of the simulated mean, or from the least time to the greatest in several orders of simultaneous requests; none where
    /// replications do not differ, unless the time is exact.
    pub interval: Option<[f64; 2]>,
    /// What the simulated mean rests on.
    pub basis: Basis,
    /// How many there were.
    pub replications: usize,
    /// Whether the simulation came to its end.
    pub complete: bool,
}

/// The values of parameters.
pub type Point = Vec<(String, String)>;

impl Comparison {
    /// All times of it.
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

    /// By how much a prediction misses the simulation, in per cent.
    pub fn error(&self, predicted: Option<f64>) -> Option<f64> {
        let apart = |value: f64| 100.0 * (value / self.simulated - 1.0);
        predicted.filter(|_| self.simulated != 0.0).map(apart)
    }
}

/// Compares at one point. `compiled` has all equations and bounds of `model`.
///
/// # Errors
/// A parameter without a value, what goes wrong in a simulation; not a process that mean value analysis does not fit.
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
