//! The extension module of the Python package.
//!
//! It converts between Python objects and objects of the library. Docstrings, keywords and display
//! are written in Python.

mod arrow;
mod axes;
mod compiled;
mod convert;
mod error;
mod evaluated;
mod formula;
mod law;
mod measured;
mod model;
mod optimum;
mod parts;
mod picture;
mod report;
mod rows;
mod solution;
mod sweep;
mod work;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _pamela(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<formula::Formula>()?;
    module.add_class::<compiled::Compiled>()?;
    module.add_class::<evaluated::Evaluated>()?;
    module.add_class::<law::Law>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_class::<parts::Parts>()?;
    module.add_class::<arrow::Stream>()?;
    module.add_class::<picture::Picture>()?;
    module.add_function(wrap_pyfunction!(optimum::optimum, module)?)?;
    module.add_function(wrap_pyfunction!(solution::solution, module)?)?;
    module.add_function(wrap_pyfunction!(parts::divided, module)?)?;
    module.add_function(wrap_pyfunction!(report::swept, module)?)?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(measured::simulated, module)?)?;
    module.add_function(wrap_pyfunction!(measured::simulated_elsewhere, module)?)?;
    module.add_function(wrap_pyfunction!(measured::replications, module)?)?;
    module.add_function(wrap_pyfunction!(measured::fitted, module)?)?;
    module.add_function(wrap_pyfunction!(measured::of_program, module)?)?;
    module.add_function(wrap_pyfunction!(measured::calibrated, module)?)?;
    module.add_function(wrap_pyfunction!(measured::predicted, module)?)?;
    module.add_function(wrap_pyfunction!(measured::command, module)?)?;
    module.add_function(wrap_pyfunction!(model::names_of, module)?)?;
    module.add_function(wrap_pyfunction!(convert::number, module)?)?;
    module.add_function(wrap_pyfunction!(convert::in_unit, module)?)?;
    module.add_function(wrap_pyfunction!(law::named, module)?)
}
