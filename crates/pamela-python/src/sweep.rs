//! Sweeps: lazy tables over grids of points.

use std::io::Write;
use std::sync::Arc;

use numpy::PyArray1;
use pamela::pipeline::Shown;
use pamela::sweep::{Aggregate, Best, Division, Form, Format, Grid, Summary, SweepRequest, Watch};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::arrow::export;
use crate::axes::axes_of;
use crate::compiled::Compiled;
use crate::convert::Subject;
use crate::error::{raise, refuse};
use crate::parts::ranges;
use crate::rows::{Reader, Texts, in_unit, schema, shown, texts};
use crate::work::interruptible;

/// Rows of an Arrow batch, if all values are computed in batches; the next constant applies
/// otherwise.
const ROWS: u64 = 1 << 17;
const SLOW_ROWS: u64 = 1 << 10;

/// A compiled model over a grid.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Sweep {
    pub sweep: Arc<pamela::sweep::Sweep>,
    pub range: (u64, u64),
}

#[pymethods]
impl Sweep {
    /// Creates a sweep.
    ///
    /// Values are texts of the language, numbers, or lists of these. Each group in `zipped` varies
    /// together.
    #[new]
    #[pyo3(signature = (compiled, given, zipped, conditions, quantiles, regimes, threads))]
    #[expect(clippy::too_many_arguments, reason = "all that a sweep is")]
    fn new(
        py: Python<'_>,
        compiled: &Compiled,
        given: Vec<(String, Bound<'_, PyAny>)>,
        zipped: Vec<Vec<String>>,
        conditions: Vec<String>,
        quantiles: Vec<f64>,
        regimes: bool,
        threads: usize,
    ) -> PyResult<Sweep> {
        let subject = Subject::Compiled(&compiled.compiled);
        let (axes, constants) = axes_of(py, &subject, &given, &zipped)?;
        let compiled = &compiled.compiled;
        let sweep = py.detach(|| {
            let plan = if regimes {
                compiled.plan(&quantiles)?
            } else {
                compiled.plan_of_values(&quantiles)?
            };
            let grid = Grid::new(axes, constants)?;
            pamela::sweep::Sweep::new(plan, grid, &conditions, threads)
        });
        let sweep = sweep.map_err(|error| raise(py, &error))?;
        let range = (0, sweep.grid.len());
        Ok(Sweep {
            sweep: Arc::new(sweep),
            range,
        })
    }

    /// The points of a half-open range.
    fn part(&self, py: Python<'_>, start: u64, end: u64) -> PyResult<Sweep> {
        if start > end || end > self.sweep.grid.len() {
            let last = self.sweep.grid.len();
            let message = format!("no points {start} to {end}: the grid has {last}");
            return Err(refuse(py, message));
        }
        Ok(Sweep {
            sweep: self.sweep.clone(),
            range: (start, end),
        })
    }

    #[getter]
    fn range(&self) -> (u64, u64) {
        self.range
    }

    #[getter]
    fn is_unfiltered(&self) -> bool {
        self.sweep.is_unfiltered()
    }

    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.sweep.parameters().to_vec()
    }

    #[getter]
    fn values(&self) -> Vec<String> {
        self.sweep.values()
    }

    /// Names of all columns of the table.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = schema(&self.sweep);
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// Names and values of each axis.
    #[getter]
    fn axes(&self) -> PyResult<Vec<NamedColumns>> {
        let axes = &self.sweep.grid.axes;
        room(
            axes.iter().map(|axis| axis.len()).max().unwrap_or(0),
            axes.len(),
        )?;
        let axes = axes.iter().map(|axis| {
            let length = axis.len() as usize;
            let all = axis.names.iter().zip(&axis.values);
            all.map(|(name, values)| {
                let mut own = values.doubles(0, length);
                in_unit(&mut own, self.sweep.plan.unit(name).as_ref());
                (name.clone(), own)
            })
            .collect()
        });
        Ok(axes.collect())
    }

    #[getter]
    fn constants(&self) -> Vec<(String, f64)> {
        let constants = self.sweep.grid.constants.iter();
        constants
            .map(|(name, value)| {
                let unit = self.sweep.plan.unit(name);
                let shown = unit.map_or_else(|| value.clone(), |unit| unit.exact(value));
                (name.clone(), shown.to_f64())
            })
            .collect()
    }

    /// The number columns of all points, by name; notes about points; and text columns if wanted.
    #[pyo3(signature = (with_texts=false))]
    fn arrays<'py>(&self, py: Python<'py>, with_texts: bool) -> PyResult<Arrays<'py>> {
        let (sweep, range) = (self.sweep.clone(), self.range);
        if sweep.is_unfiltered() {
            let columns = sweep.parameters().len() + sweep.values().len();
            room(range.1 - range.0, columns)?;
        }
        let chunk = watched(py, move |watch| sweep.chunk(range, watch))?;
        let mut chunk = shown(&self.sweep, chunk);
        let texts = if with_texts {
            texts(py, &self.sweep, &mut chunk)
        } else {
            Vec::new()
        };
        let found = PyDict::new(py);
        let names = self
            .sweep
            .parameters()
            .iter()
            .cloned()
            .chain(self.sweep.values());
        let columns = chunk.parameters.into_iter().chain(chunk.values);
        for (name, column) in names.zip(columns) {
            found.set_item(name, PyArray1::from_vec(py, column))?;
        }
        Ok((found, chunk.notes, texts))
    }

    /// Writes the table to a file in the format csv, jsonl, parquet or arrow.
    ///
    /// `resume` continues a text file that already has rows.
    fn write(
        &self,
        py: Python<'_>,
        path: std::path::PathBuf,
        format: &str,
        resume: bool,
    ) -> PyResult<()> {
        let text = match format {
            "csv" => Some(Format::Csv),
            "jsonl" => Some(Format::JsonLines),
            _ => None,
        };
        let columns = match format {
            "parquet" => pamela_columns::Format::Parquet,
            _ => pamela_columns::Format::Arrow,
        };
        let (sweep, range) = (self.sweep.clone(), self.range);
        watched(py, move |watch| {
            let cannot = |error: std::io::Error| {
                pamela::Error::new(format!("cannot write `{}`: {error}", path.display()))
            };
            let Some(format) = text else {
                if resume {
                    let message =
                        "a columnar file cannot be continued, since its footer is written last";
                    let hint = "write CSV or JSON lines, or parts: run_on(.., to=..)";
                    return Err(pamela::Error::new(message).hint(hint));
                }
                let file = std::fs::File::create(&path).map_err(cannot)?;
                let file = std::io::BufWriter::with_capacity(1 << 20, file);
                return sweep.columns(range, None, columns, watch, file);
            };
            let head = sweep.rows(format).head();
            let (file, start) = if resume {
                sweep.resume(&path, range, format, &head)?
            } else {
                let mut file = std::fs::File::create(&path).map_err(cannot)?;
                file.write_all(&head).map_err(cannot)?;
                (file, range.0)
            };
            let mut file = std::io::BufWriter::with_capacity(1 << 20, file);
            sweep.table((start, range.1), format, watch, &mut file)
        })
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = Reader {
            schema: schema(&self.sweep),
            next: self.range.0,
            end: self.range.1,
            rows: if self.sweep.plan.is_fast() {
                ROWS
            } else {
                SLOW_ROWS
            },
            sweep: self.sweep.clone(),
        };
        export(py, Box::new(reader))
    }

    /// Ranges of points over which aggregates are computed.
    #[pyo3(signature = (count))]
    fn parts(&self, py: Python<'_>, count: Option<u64>) -> PyResult<Vec<(u64, u64)>> {
        let wanted = SweepRequest::Figures {
            figures: Vec::new(),
            by: Vec::new(),
            form: Form::Csv,
        };
        let division = Division::of(&self.sweep, self.range, &wanted, count);
        Ok(ranges(&division.map_err(|error| raise(py, &error))?))
    }

    /// Aggregates each value column in each group; returns bytes that can be merged.
    fn summarised<'py>(&self, py: Python<'py>, by: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
        let (sweep, range) = (self.sweep.clone(), self.range);
        let found = watched(py, move |watch| sweep.summarised(range, &by, watch))?;
        let bytes = postcard::to_allocvec(&found).map_err(|e| refuse(py, e.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Merges parts in the order of their points; returns names and a row of aggregates for each
    /// group.
    fn figures(
        &self,
        py: Python<'_>,
        parts: Vec<Vec<u8>>,
        figures: Vec<String>,
    ) -> PyResult<(Vec<String>, Vec<Vec<f64>>)> {
        let known = Aggregate::NAMES;
        let figure = |name: &String| {
            let found = known.iter().find(|(own, _)| own == name);
            found.map(|(_, figure)| *figure).ok_or_else(|| {
                let all: Vec<&str> = known.iter().map(|(own, _)| *own).collect();
                refuse(
                    py,
                    format!(
                        "unknown figure `{name}`; expected one of {}",
                        all.join(", ")
                    ),
                )
            })
        };
        let figures = figures.iter().map(figure).collect::<PyResult<Vec<_>>>()?;
        let mut all: Option<Summary> = None;
        for part in parts {
            let part: Summary = postcard::from_bytes(&part)
                .map_err(|_| refuse(py, "these bytes are not figures of a sweep"))?;
            all = Some(match all {
                None => part,
                Some(mut before) => {
                    before.merge(&part).map_err(|error| raise(py, &error))?;
                    before
                }
            });
        }
        let (names, mut rows) = self.sweep.figures(&all.unwrap_or_default(), &figures);
        for (place, name) in names.iter().enumerate() {
            let unit = unit_of_figure(&self.sweep, name);
            rows.iter_mut()
                .for_each(|row| in_unit(&mut row[place..=place], unit.as_ref()));
        }
        Ok((names, rows))
    }

    /// The best points by a column, best first: values and point numbers.
    fn best(
        &self,
        py: Python<'_>,
        count: usize,
        by: String,
        smallest: bool,
    ) -> PyResult<Vec<(f64, u64)>> {
        let (sweep, range) = (self.sweep.clone(), self.range);
        let best = Best::new(count, smallest);
        watched(py, move |watch| sweep.best_points(range, &by, best, watch))
    }
}

/// The unit of an aggregate column such as `T_max` or `T_argmax_n`, if it has one.
fn unit_of_figure(sweep: &pamela::sweep::Sweep, name: &str) -> Option<Shown> {
    let columns = sweep.values().into_iter().zip(sweep.plan.value_units());
    for (column, unit) in columns {
        let Some(figure) = name.strip_prefix(&format!("{column}_")) else {
            continue;
        };
        for (known, aggregate) in Aggregate::NAMES {
            match figure.strip_prefix(known) {
                Some("") if aggregate == Aggregate::Count => return None,
                Some("") => return unit,
                Some(of) if of.starts_with('_') => return sweep.plan.unit(&of[1..]),
                _ => {}
            }
        }
    }
    sweep.plan.unit(name)
}

/// Raises an exception if there is not enough memory for the rows.
fn room(rows: u64, columns: usize) -> PyResult<()> {
    let numbers = usize::try_from(rows).map_or(usize::MAX, |rows| rows.saturating_mul(columns));
    let tried = Vec::<f64>::new().try_reserve_exact(numbers);
    tried.map_err(|_| {
        PyMemoryError::new_err(format!(
            "{rows} rows of {columns} columns do not fit in memory: read them in batches, write them to a file, \
             or ask for a summary"
        ))
    })
}

/// Runs work over a sweep until it ends or is interrupted.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Watch) -> pamela::Result<T> + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let own = watch.clone();
    let found = interruptible(py, || watch.interrupt(), move || work(&own))?;
    found.map_err(|error| raise(py, &error))
}

/// Number columns by name, notes about points, and text columns.
type Arrays<'py> = (Bound<'py, PyDict>, Vec<(usize, String)>, Vec<Texts<'py>>);
type NamedColumns = Vec<(String, Vec<f64>)>;
