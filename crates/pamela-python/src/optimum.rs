//! The parameters at which a value is best.

use pamela::optimise::{Argument, Certainty, Question, optimise};
use pamela::sweep::Grid;
use pyo3::prelude::*;

use crate::compiled::Compiled;
use crate::convert::Subject;
use crate::sweep::{axes_of, watched};

/// Where, the value, why there is no better one, how many points were looked at, values beside it, what the place is, and what no
/// value is better than.
type Parts = (
    Vec<(String, f64)>,
    f64,
    &'static str,
    u64,
    Vec<(f64, f64)>,
    Option<(&'static str, Option<String>)>,
    Option<f64>,
);

/// The least value of an equation over a grid, or the greatest.
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
    let (axes, constants) = axes_of(py, &Subject::Compiled(&compiled.compiled), &given, &[])?;
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
        .map(|(place, value)| (shown(name, *place), shown(&own, *value)))
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
