//! Finds the parameters at which a value is best.

use pamela::optimise::{Argument, Certainty, Question, optimise};
use pamela::sweep::{Axis, Grid, Values, of_value};
use pyo3::prelude::*;

use crate::axes::axes_of;
use crate::compiled::Compiled;
use crate::convert::Subject;
use crate::error::raise;
use crate::sweep::watched;

/// Location, value, certainty, number of points, neighbours, argument, and bound.
type Parts = (
    Vec<(String, f64)>,
    f64,
    &'static str,
    u64,
    Vec<(f64, f64)>,
    Option<(&'static str, Option<String>)>,
    Option<f64>,
);

/// Reads an interval for a parameter that need not be whole.
fn interval(
    subject: &Subject<'_>,
    compiled: &pamela::Compiled,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<Axis>> {
    let mut parameters = compiled.parameters().iter();
    let is_real = parameters.any(|own| own.name == name && !own.whole && !own.law);
    let Some(text) = value.extract::<String>().ok().filter(|_| is_real) else {
        return Ok(None);
    };
    let ends = Values::interval_in(&text, &subject.unit_of(name));
    let ends = ends.map_err(|error| raise(value.py(), &of_value(name, error)))?;
    Ok(ends.map(|ends| Axis::between(name, ends)))
}

/// Finds the least or greatest value of an equation over a grid.
#[pyfunction]
pub fn optimum(
    py: Python<'_>,
    compiled: &Compiled,
    given: Vec<(String, Bound<'_, PyAny>)>,
    objective: String,
    greatest: bool,
    subject_to: Vec<String>,
    threads: usize,
) -> PyResult<Parts> {
    let subject = Subject::Compiled(&compiled.compiled);
    let mut lists = Vec::new();
    let mut intervals = Vec::new();
    for (name, value) in given {
        match interval(&subject, &compiled.compiled, &name, &value)? {
            Some(axis) => intervals.push(axis),
            None => lists.push((name, value)),
        }
    }
    let (mut axes, constants) = axes_of(py, &subject, &lists, &[])?;
    axes.extend(intervals);
    let units = &compiled.compiled;
    let compiled = compiled.compiled.clone();
    let own = objective.clone();
    let found = watched(py, move |watch| {
        let question = Question {
            grid: Grid::new(axes, constants)?,
            objective,
            greatest,
            subject_to,
            threads,
        };
        optimise(&compiled, &question, watch)
    })?;
    let shown =
        |name: &str, value: f64| units.shown(name).map_or(value, |shown| shown.double(value));
    let (certainty, points) = match found.certainty {
        Certainty::Every { points, .. } => ("every point", points),
        Certainty::Shape { points } => ("shape", points),
        Certainty::Bounds {
            boxes, is_tight, ..
        } => (if is_tight { "enclosure" } else { "bounds" }, boxes),
    };
    let bound = match found.certainty {
        Certainty::Bounds { bound, .. } => Some(shown(&own, bound)),
        Certainty::Every { .. } | Certainty::Shape { .. } => None,
    };
    let argument = found.argument.map(|argument| match argument {
        Argument::Stationary { formula, .. } => ("stationary", Some(formula)),
        Argument::Crossing { formula, .. } => ("crossing", Some(formula)),
        Argument::End => ("end", None),
    });
    let at = found
        .at
        .iter()
        .map(|(name, place)| (name.clone(), shown(name, *place)));
    let name = found.at.first().map_or("", |(name, _)| name);
    let neighbours = found.neighbours.iter();
    let neighbours = neighbours
        .map(|beside| (shown(name, beside.place), shown(&own, beside.value)))
        .collect();
    Ok((
        at.collect(),
        shown(&own, found.value),
        certainty,
        points,
        neighbours,
        argument,
        bound,
    ))
}
