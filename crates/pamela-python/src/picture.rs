//! Pictures of compiled models.

use pamela::plot::{Drawn, Relative, Request, Shape, curves, heat_map, law};
use pamela::sweep::Grid;
use pamela_plot::{Ink, Scale};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::axes::axes_of;
use crate::compiled::Compiled;
use crate::convert::{Subject, given, point};
use crate::error::{raise, refuse};

/// A picture.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Picture {
    picture: pamela_plot::Picture,
}

/// Settings of curves.
#[derive(FromPyObject)]
struct Wish {
    title: String,
    relative: Option<(f64, bool)>,
    band: (f64, f64),
    scales: (Option<String>, Option<String>),
    unit: Option<String>,
    heat: bool,
}

#[pymethods]
impl Picture {
    /// Draws curves over one or two parameters; values are as in a sweep.
    #[staticmethod]
    fn curves(
        py: Python<'_>,
        compiled: &Compiled,
        given: Vec<(String, Bound<'_, PyAny>)>,
        wish: &Bound<'_, PyAny>,
    ) -> PyResult<Picture> {
        let (axes, constants) = axes_of(py, &Subject::Compiled(&compiled.compiled), &given, &[])?;
        let wish: Wish = wish.extract()?;
        let scale = |name: Option<String>| match name.as_deref() {
            None => Ok(None),
            Some("linear") => Ok(Some(Scale::Linear)),
            Some("log") => Ok(Some(Scale::Log)),
            Some(other) => {
                let message = format!("unknown scale {other:?}; expected \"linear\" or \"log\"");
                Err(refuse(py, message))
            }
        };
        let scales = [scale(wish.scales.0)?, scale(wish.scales.1)?];
        let picture = py.detach(|| {
            let request = Request {
                grid: Grid::new(axes, constants)?,
                title: wish.title,
                relative: wish
                    .relative
                    .map(|(base, efficiency)| Relative { base, efficiency }),
                band: wish.band,
                scales,
                unit: wish.unit,
                measured: Vec::new(),
                unknown: Vec::new(),
                interval: 0.9,
                runs: false,
            };
            if wish.heat {
                heat_map(&compiled.compiled, &request)
            } else {
                curves(&compiled.compiled, &request)
            }
        });
        let Drawn { picture, gaps } = picture.map_err(|error| raise(py, &error))?;
        let category = py.get_type::<PyUserWarning>();
        for gap in gaps {
            let told = std::ffi::CString::new(gap.to_string()).unwrap_or_default();
            PyErr::warn(py, &category, &told, 3)?;
        }
        Ok(Picture { picture })
    }

    /// Draws the laws among the equations at one point.
    #[staticmethod]
    fn laws(
        py: Python<'_>,
        compiled: &Compiled,
        values: &Bound<'_, PyDict>,
        cdf: bool,
        tail: bool,
        title: &str,
    ) -> PyResult<Picture> {
        let point = point(&given(&compiled.compiled, values)?);
        let shape = match (tail, cdf) {
            (true, _) => Shape::Tail,
            (false, true) => Shape::Cdf,
            (false, false) => Shape::Density,
        };
        let carrier = compiled.carrier;
        let picture = py.detach(|| law(&compiled.compiled, &point, carrier, shape, &[], title));
        let picture = picture.map_err(|error| raise(py, &error))?;
        Ok(Picture { picture })
    }

    #[getter]
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| self.picture.svg())
    }

    #[getter]
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.picture.png());
        let bytes = bytes.map_err(|reason| refuse(py, reason))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn pdf<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.picture.pdf()))
    }

    /// The picture as Vega-Lite JSON.
    #[getter]
    fn vega_lite(&self, py: Python<'_>) -> PyResult<String> {
        let text = serde_json::to_string(&self.picture.vega_lite());
        text.map_err(|error| refuse(py, error.to_string()))
    }

    fn text(&self, columns: usize, rows: usize) -> String {
        self.picture.terminal(columns, rows, Ink::Plain)
    }
}
