//! The Python package: a thin reader of the library.
use pyo3::prelude::*;

#[pymodule]
fn _pamela(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
