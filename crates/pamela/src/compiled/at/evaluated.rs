//! What is known of a model's equations at one point.

use std::collections::{BTreeMap, HashSet};

use super::Verdict;
use crate::compiled::LawValue;
use crate::diagnostic::Error;
use crate::eval::{PathBounds, PathLaw, StandardErrors, Value};
use crate::expr::Sort;
use crate::law::Law;
use crate::timing::{Note, Origin, Proof, Standing};

/// The values of a model's equations at one point.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The equations that have a value, in the order of the model.
    pub equations: Vec<EvaluatedEquation>,
    /// What is wrong with the equations that have no value at the point.
    pub failures: Vec<Error>,
    /// Number of failures, at the front of `failures`, that were found in simplification and hold at every point.
    pub everywhere: usize,
    /// Parts whose closed forms were wrong; they are evaluated as they stand in the model.
    pub refuted: Vec<Error>,
    /// Names of the equations that have no value for one of these reasons; the place of an error may be in another one.
    pub without_value: Vec<String>,
    /// Names of the equations that take more steps of looping, or more digits, than the limit.
    pub unfinished: Vec<String>,
    /// Each condition of the closed forms once, as text, and whether it holds at the point.
    pub conditions: Vec<(String, Verdict)>,
    /// The steps of what was looped over.
    pub steps: u64,
}

/// The value of one equation at a point.
#[derive(Clone, Debug)]
pub struct EvaluatedEquation {
    /// `T_main`, or the name of an equation of the model.
    pub name: String,
    /// What it is of the model.
    pub origin: Origin,
    /// Whether the value is a number, a vector or a law.
    pub sort: Sort,
    /// The value.
    pub value: Value,
    /// Of a law, what is shown of it.
    pub law: Option<LawValue>,
    /// Of a law with longest paths of random tasks, what is known of its errors.
    pub paths: Option<PathValue>,
    /// Where the value comes from.
    pub method: Method,
    /// How the value relates to what a run takes.
    pub standing: Standing,
    /// True for the papers' estimate of a process whose exact time has a value here.
    pub superseded: bool,
    /// Standard error of a mean of runs.
    pub standard_error: Option<f64>,
    /// What the value rests on beside the conditions.
    pub approximations: Vec<Note>,
}

impl EvaluatedEquation {
    /// How a time of runs beside `T` relates to what they take: it is told above its value.
    pub fn certificate(&self) -> Option<&Standing> {
        let is_told = match (&self.origin, &self.standing) {
            (Origin::Execution(_), Standing::Exact(_) | Standing::Drawn { .. }) => true,
            (Origin::Moment { .. }, Standing::Exact(proof)) => !proof.applications.is_empty(),
            _ => false,
        };
        is_told.then_some(&self.standing)
    }

    /// The certificate, where there is more to say than that nothing waits.
    pub fn told_certificate(&self) -> Option<&Standing> {
        let is_trivial = |proof: &Proof| proof.is_trivial() && self.method != Method::Run;
        self.certificate()
            .filter(|standing| !standing.proof().is_some_and(is_trivial))
    }

    /// Whether its value is one end of bounds, and no law that is meant.
    pub fn has_bounds_alone(&self) -> bool {
        let paths = self.paths.as_ref().filter(|paths| paths.bounds.is_some());
        matches!(
            paths.map(|paths| paths.law),
            Some(PathLaw::Lower | PathLaw::Upper)
        )
    }

    /// That its number is finite, and infinite as a double.
    pub fn overflow(&self) -> Option<String> {
        match &self.value {
            Value::Scalar(number) if number.to_f64().is_infinite() => {
                Some(format!("{} is beyond the largest double", self.name))
            }
            _ => None,
        }
    }

    /// With one end of bounds as a law, also where that is of one value.
    pub(super) fn with_bound_as_law(mut self) -> EvaluatedEquation {
        if let (true, Value::Scalar(end)) = (self.has_bounds_alone(), &self.value) {
            self.value = Value::Law(Box::new(Law::constant(end.to_f64())));
        }
        self
    }
}

/// What is known of the errors of a law in which there are longest paths of random tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct PathValue {
    /// Which law stands for those of the paths.
    pub law: PathLaw,
    /// Of samples.
    pub errors: Option<StandardErrors>,
    /// Where they are asked for.
    pub bounds: Option<PathBounds>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The closed form, exactly.
    Closed,
    /// The model as it stands, since the closed form does not apply at the point.
    Definition,
    /// A run of the process.
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
