//! Parts of sweeps in a directory.

use std::path::PathBuf;
use std::sync::Arc;

use pamela::sweep::{Division, Form, Parts as Inner, SweepRequest};
use pyo3::prelude::*;

use crate::compiled::Compiled;
use crate::error::raise;
use crate::sweep::{Sweep, watched};

/// The parts of a sweep's table.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Parts {
    parts: Inner,
    sweep: Arc<pamela::sweep::Sweep>,
}

#[pymethods]
impl Parts {
    /// Opens a directory that is empty or has parts of the same sweep.
    #[new]
    #[pyo3(signature = (compiled, sweep, directory, count))]
    fn new(
        py: Python<'_>,
        compiled: &Compiled,
        sweep: &Sweep,
        directory: PathBuf,
        count: Option<u64>,
    ) -> PyResult<Parts> {
        let wanted = SweepRequest::Rows {
            form: Form::Parquet,
        };
        let (inner, range) = (sweep.sweep.clone(), sweep.range);
        let begin = || Inner::begin(&directory, &compiled.compiled, &inner, range, wanted, count);
        let parts = py.detach(begin).map_err(|error| raise(py, &error))?;
        Ok(Parts {
            parts,
            sweep: inner,
        })
    }

    #[getter]
    fn count(&self) -> u64 {
        self.parts.division().count()
    }

    /// Numbers of the parts that are missing or damaged.
    fn missing(&self, py: Python<'_>) -> Vec<u64> {
        py.detach(|| self.parts.missing())
    }

    /// Computes a part and writes it atomically.
    fn write(&self, py: Python<'_>, part: u64) -> PyResult<()> {
        let (parts, sweep) = (self.parts.clone(), self.sweep.clone());
        watched(py, move |watch| parts.write(&sweep, part, watch)).map(|_| ())
    }

    /// Marks the directory as complete, if it is.
    fn finish(&self, py: Python<'_>) -> PyResult<bool> {
        self.parts.finish().map_err(|error| raise(py, &error))
    }
}

/// Divides points into at most `count` parts, or parts of about `size` points.
#[pyfunction]
#[pyo3(signature = (points, count, size))]
pub fn divided(
    py: Python<'_>,
    points: u64,
    count: Option<u64>,
    size: u64,
) -> PyResult<Vec<(u64, u64)>> {
    let division = Division::new((0, points), count, size);
    Ok(ranges(&division.map_err(|error| raise(py, &error))?))
}

/// The ranges of points of all parts.
pub fn ranges(division: &Division) -> Vec<(u64, u64)> {
    (0..division.count())
        .map(|part| division.range(part))
        .collect()
}
