//! Pages about models.

use pamela::report::{Heading, Texts, page_at};
use pamela_cli::cli::thin_out_sliders;
use pyo3::prelude::*;

use crate::axes::axes_of;
use crate::compiled::Compiled;
use crate::convert::Subject;
use crate::error::raise;
use crate::model::Model;

/// Names of the parameters with several values, if these are not too many.
#[pyfunction]
pub fn swept(
    py: Python<'_>,
    model: &Model,
    given: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<Vec<String>> {
    let (mut axes, _) = axes_of(py, &Subject::Model(&model.model), &given, &[])?;
    thin_out_sliders(&mut axes).map_err(|error| raise(py, &error))?;
    Ok(axes.into_iter().flat_map(|axis| axis.names).collect())
}

/// Makes the page of a compiled model; `model` is its text.
#[pyfunction]
#[pyo3(signature = (compiled, model, name, given, title))]
pub fn report(
    py: Python<'_>,
    compiled: &Compiled,
    model: String,
    name: &str,
    given: Vec<(String, Bound<'_, PyAny>)>,
    title: Option<String>,
) -> PyResult<String> {
    let (mut axes, constants) = axes_of(py, &Subject::Compiled(&compiled.compiled), &given, &[])?;
    thin_out_sliders(&mut axes).map_err(|error| raise(py, &error))?;
    let mut heading = Heading::of(name, &model);
    if let Some(title) = title {
        heading.title = title;
        heading.lead.clear();
    }
    let compiled = &compiled.compiled;
    let work = || {
        let texts = Texts {
            model,
            heading,
            command: String::new(),
            answers: Vec::new(),
        };
        page_at(compiled, (&axes, &constants), texts, &[])
    };
    py.detach(work).map_err(|error| raise(py, &error))
}
