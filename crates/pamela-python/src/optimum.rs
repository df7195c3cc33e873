//! The parameters at which a value is best.

use pamela::optimise::{Argument, Certainty, Question, optimise};
use pamela::sweep::Grid;
use pyo3::prelude::*;

use crate::compiled::Compiled;
use crate::sweep::{axes_of, watched};

/// Where, the value, why there is no better one, how many points were looked at, values beside it, what the place is.
type Parts = (
    Vec<(String, f64)>,
    f64,
    &'static str,
    u64,
    Vec<(f64, f64)>,
    Option<(&'static str, Option<String>)>,
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
    let (axes, constants) = axes_of(py, Some(&compiled.compiled), &given, &[])?;
    let compiled = compiled.compiled.clone();
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
    let (certainty, points) = match found.certainty {
        Certainty::Every { points, .. } => ("every point", points),
        Certainty::Shape { points } => ("shape", points),
    };
    let argument = found.argument.map(|argument| match argument {
        Argument::Stationary { formula, .. } => ("stationary", Some(formula)),
        Argument::Crossing { formula, .. } => ("crossing", Some(formula)),
        Argument::End => ("end", None),
    });
    let neighbours = found.neighbours;
    Ok((
        found.at,
        found.value,
        certainty,
        points,
        neighbours,
        argument,
    ))
}
