//! Results of evaluating a model at one point.

use std::collections::{BTreeMap, HashSet};

use super::Verdict;
use crate::compiled::LawValue;
use crate::diagnostic::Error;
use crate::eval::{PathBounds, PathLaw, StandardErrors, Value};
use crate::expr::Sort;
use crate::law::{Carrier, Law};
use crate::timing::{Note, Origin, Proof, Standing};

/// The values of a model's equations at one point.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The equations that have a value, in the order of the model.
    pub equations: Vec<EvaluatedEquation>,
    /// Errors of the equations that have no value at the point.
    pub failures: Vec<Error>,
    /// Number of errors that hold at every point, found by simplification. These failures come first in `failures`.
    pub everywhere: usize,
    /// Parts whose closed forms were refuted by validation. The definition evaluates these equations.
    pub refuted: Vec<Error>,
    /// Names of the equations without a value. An error may point into another equation.
    pub without_value: Vec<String>,
    /// Names of the equations that exceed the limit of loop steps or digits.
    pub unfinished: Vec<String>,
    /// Each condition of the closed forms once, as text, with its verdict at the point.
    pub conditions: Vec<(String, Verdict)>,
    /// Number of steps taken in loops.
    pub steps: u64,
}

/// The value of one equation at a point.
#[derive(Clone, Debug)]
pub struct EvaluatedEquation {
    /// `T_main`, or the name of an equation of the model.
    pub name: String,
    /// The part of the model that the equation comes from.
    pub origin: Origin,
    /// Sort of the value: number, vector or law.
    pub sort: Sort,
    /// The value.
    pub value: Value,
    /// Moments and quantiles, if the value is a law.
    pub law: Option<LawValue>,
    /// Errors of the estimate, if the law contains longest paths of random tasks.
    pub paths: Option<PathValue>,
    /// Method that gave the value.
    pub method: Method,
    /// Relation of the value to the time of a run.
    pub standing: Standing,
    /// True for the papers' estimate of a process whose exact time has a value here.
    pub superseded: bool,
    /// Standard error of a mean of runs.
    pub standard_error: Option<f64>,
    /// Approximations that the value rests on, beside its conditions.
    pub approximations: Vec<Note>,
}

impl EvaluatedEquation {
    /// The standing to print above the value of an exact or simulated time; `None` for other
    /// equations.
    pub fn certificate(&self) -> Option<&Standing> {
        let is_told = match (&self.origin, &self.standing) {
            (Origin::Execution(_), Standing::Exact(_) | Standing::Drawn { .. }) => true,
            (Origin::Moment { .. }, Standing::Exact(proof)) => !proof.applications.is_empty(),
            _ => false,
        };
        is_told.then_some(&self.standing)
    }

    /// The certificate; `None` if nothing waits.
    pub fn told_certificate(&self) -> Option<&Standing> {
        let is_trivial = |proof: &Proof| proof.is_trivial() && self.method != Method::Run;
        self.certificate()
            .filter(|standing| !standing.proof().is_some_and(is_trivial))
    }

    /// True if the value is only one end of a pair of bounds.
    pub fn has_bounds_alone(&self) -> bool {
        let paths = self.paths.as_ref().filter(|paths| paths.bounds.is_some());
        matches!(
            paths.map(|paths| paths.law),
            Some(PathLaw::Lower | PathLaw::Upper)
        )
    }

    /// A note if the number is finite but too large for a double.
    pub fn overflow(&self) -> Option<String> {
        match &self.value {
            Value::Scalar(number) if number.to_f64().is_infinite() => {
                Some(format!("{} is beyond the largest double", self.name))
            }
            _ => None,
        }
    }

    /// Converts one end of a pair of bounds into a law, even if it has a single value.
    pub(super) fn with_bound_as_law(mut self) -> EvaluatedEquation {
        if let (true, Value::Scalar(end)) = (self.has_bounds_alone(), &self.value) {
            self.value = Value::Law(Box::new(Law::constant(end.to_f64())));
        }
        self
    }
}

impl Evaluated {
    /// With the quantiles of these probabilities for each law. Bounds of laws are known at 0.5, 0.9 and 0.99 only.
    #[must_use]
    pub fn with_quantiles(mut self, carrier: Carrier, probabilities: &[f64]) -> Evaluated {
        for own in &mut self.equations {
            if let (Value::Law(law), Some(shown)) = (&own.value, own.law.take()) {
                own.law = Some(shown.with_quantiles(law, carrier, probabilities));
            }
            let bounds = own.paths.as_mut().and_then(|paths| paths.bounds.as_mut());
            if let Some(bounds) = bounds {
                bounds.quantiles.retain(|(p, _)| probabilities.contains(p));
            }
        }
        self
    }
}

/// Errors of a law that contains longest paths of random tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct PathValue {
    /// The law that replaces the laws of the paths.
    pub law: PathLaw,
    /// Standard errors of the samples.
    pub errors: Option<StandardErrors>,
    /// Bounds of the paths, if they were requested.
    pub bounds: Option<PathBounds>,
}

/// Method that gave a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the closed form, exactly.
    Closed,
    /// By the definition, because the closed form does not apply at the point.
    Definition,
    /// By a run of the process.
    Run,
}

/// The papers' estimate of a process is the answer where its exact time has no value.
pub(super) fn show_estimates_alone(equations: &mut BTreeMap<usize, EvaluatedEquation>) {
    let exact = |own: &EvaluatedEquation| match &own.origin {
        Origin::Execution(process) => Some(process.clone()),
        _ => None,
    };
    let known: HashSet<String> = equations.values().filter_map(exact).collect();
    for own in equations.values_mut() {
        if let Origin::Time(process) = &own.origin {
            own.superseded &= known.contains(process);
        }
    }
}
