//! Finds the values of a parameter for which a condition holds.

use pamela::solve::{
    Problem, Unknown, free_parameters, json, json_of_formulas, solve, solve_formulas,
};
use pyo3::prelude::*;

use crate::axes::axes_of;
use crate::convert::{Subject, rational};
use crate::error::{raise, refuse};
use crate::model::Model;

/// Solves conditions for a parameter, and returns the answer as JSON.
///
/// `within` are the least and the greatest value that are looked at.
#[pyfunction]
pub fn solution(
    py: Python<'_>,
    model: &Model,
    conditions: Vec<String>,
    name: String,
    within: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    given: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<String> {
    let subject = Subject::Model(&model.model);
    let (axes, constants) = axes_of(py, &subject, &given, &[])?;
    if let Some(axis) = axes.first() {
        let message = format!("`{}` has several values; give it one", axis.names[0]);
        return Err(refuse(py, message));
    }
    let within = match &within {
        Some((first, last)) => Some([
            rational(&subject, &name, first)?,
            rational(&subject, &name, last)?,
        ]),
        None => None,
    };
    let mut own = model.model.clone();
    let found = py.detach(|| {
        let conditions: Vec<String> = conditions
            .iter()
            .map(|text| own.own_condition(text))
            .collect();
        let problem = Problem::new(&own, &conditions)?;
        let compiled = problem.model.compile(&problem.options)?;
        let unknown = Unknown { name, within };
        let free = free_parameters(&compiled, &unknown.name, &constants)?;
        Ok(if free.is_empty() {
            json(
                &compiled,
                &solve(&compiled, &problem, &unknown, &constants)?,
            )
        } else {
            json_of_formulas(&solve_formulas(&compiled, &problem, &unknown, &constants)?)
        })
    });
    let found: pamela::Result<_> = found;
    found
        .map(|own| own.to_string())
        .map_err(|error| raise(py, &error))
}
