//! Exchanges tables with other libraries, as Arrow streams in Python capsules.

use std::sync::{Arc, Mutex};

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, PrimitiveArray, RecordBatch, RecordBatchReader, RunArray,
    StringArray, cast::AsArray,
};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pamela::Interrupt;
use pamela::compiled::{Numbers, Plan};
use pamela::eval::decimal;
use pamela::ring::Rational;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::compiled::Compiled;
use crate::convert::{Subject, rational};
use crate::error::{raise, refuse};

/// Name of a capsule that holds a stream.
const NAME: &std::ffi::CStr = c"arrow_array_stream";
/// Doubles hold all whole numbers up to this one.
const WHOLE: u64 = 1 << 53;

/// Wraps a stream in a capsule.
pub fn export<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), NAME)
}

/// Imports the stream of an object that has one.
fn import(table: &Bound<'_, PyAny>) -> PyResult<ArrowArrayStreamReader> {
    let Ok(method) = table.getattr("__arrow_c_stream__") else {
        return Err(PyTypeError::new_err(format!(
            "expected an Arrow table (PyArrow, Polars, pandas 3, DuckDB, ..), not a {}; convert a dict of arrays with \
             pyarrow.table(..), or pass it to the compiled model itself",
            table.get_type().name()?
        )));
    };
    let capsule = method.call0()?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(NAME))?;
    // SAFETY: the capsule's name says that it holds such a stream, which is moved out of it, as the interface of capsules
    // demands.
    #[expect(unsafe_code, reason = "a stream of C")]
    let reader = unsafe { ArrowArrayStreamReader::from_raw(pointer.as_ptr().cast()) };
    reader.map_err(|error| refuse(table.py(), format!("the table cannot be read: {error}")))
}

/// Converts NaN to missing values.
pub fn missing_where_nan(values: Vec<f64>) -> ArrayRef {
    let array = if values.iter().any(|x| x.is_nan()) {
        let present = values.iter().map(|x| !x.is_nan()).collect();
        Float64Array::new(values.into(), Some(present))
    } else {
        Float64Array::from(values)
    };
    Arc::new(array)
}

/// Notes about rows read so far.
#[derive(Default)]
struct Notes {
    /// The first rows with a note.
    first: Vec<(usize, String)>,
    count: usize,
}

impl Notes {
    /// Number of notes to keep.
    const MOST: usize = 100;

    fn add(&mut self, before: usize, notes: Vec<(usize, String)>) {
        self.count += notes.len();
        let left = Notes::MOST - self.first.len();
        let first = notes.into_iter().take(left);
        self.first
            .extend(first.map(|(row, note)| (before + row, note)));
    }
}

/// A table with added value columns, which can be read once.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Stream {
    reader: Mutex<Option<Mapped>>,
    names: Vec<String>,
    notes: Arc<Mutex<Notes>>,
}

#[pymethods]
impl Stream {
    #[new]
    fn new(
        py: Python<'_>,
        compiled: &Compiled,
        table: &Bound<'_, PyAny>,
        constants: &Bound<'_, PyDict>,
        quantiles: Vec<f64>,
    ) -> PyResult<Stream> {
        let input = import(table)?;
        let plan = compiled.plan(py, &quantiles)?;
        let mut given = Vec::new();
        for (name, value) in constants {
            let name = name.extract::<String>()?;
            let value = rational(&Subject::Compiled(&compiled.compiled), &name, &value)?;
            given.push((name, value));
        }
        let mapped = Mapped::new(input, plan, given).map_err(|error| raise(py, &error))?;
        let fields = mapped.schema.fields().iter();
        Ok(Stream {
            names: fields.map(|field| field.name().clone()).collect(),
            notes: mapped.notes.clone(),
            reader: Mutex::new(Some(mapped)),
        })
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Notes about the first hundred rows that have one, and the number of rows with a note.
    #[getter]
    fn notes(&self) -> (Vec<(usize, String)>, usize) {
        let notes = self.notes.lock();
        notes.map_or_else(|_| Default::default(), |own| (own.first.clone(), own.count))
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = self.reader.lock().ok().and_then(|mut reader| reader.take());
        match reader {
            Some(reader) => export(py, Box::new(reader)),
            None => Err(refuse(
                py,
                "the stream was already read: it can be read only once",
            )),
        }
    }
}

/// The batches of a table, with their values.
struct Mapped {
    input: ArrowArrayStreamReader,
    plan: Plan,
    constants: Vec<(String, Rational)>,
    schema: SchemaRef,
    /// Columns that are parameters, with their indices.
    places: Vec<(String, usize)>,
    rows: usize,
    notes: Arc<Mutex<Notes>>,
}

impl Mapped {
    fn new(
        input: ArrowArrayStreamReader,
        plan: Plan,
        constants: Vec<(String, Rational)>,
    ) -> pamela::Result<Mapped> {
        let own = input.schema();
        let mut places = Vec::new();
        for (place, field) in own.fields().iter().enumerate() {
            let name = field.name();
            if plan.parameters().contains(name) {
                if !is_numeric(field.data_type()) {
                    let kind = field.data_type();
                    let message =
                        format!("the column `{name}` is of type {kind}, which is not a number");
                    return Err(pamela::Error::new(message)
                        .hint("cast it, or rename it if it is not the parameter"));
                }
                if places.iter().any(|(own, _)| own == name) {
                    let message = format!("the table has two columns `{name}`");
                    return Err(
                        pamela::Error::new(message).hint("rename one of them, or remove it")
                    );
                }
                if constants.iter().any(|(constant, _)| constant == name) {
                    let message = format!("`{name}` is both a column of the table and a constant");
                    return Err(pamela::Error::new(message));
                }
                places.push((name.clone(), place));
            }
        }
        let values = plan.value_names();
        if let Some(name) = values.iter().find(|name| own.field_with_name(name).is_ok()) {
            let message =
                format!("the table already has a column `{name}`, which the model computes");
            return Err(pamela::Error::new(message).hint("rename it, or leave it out"));
        }
        // Missing columns are reported before anything is computed.
        let one = Rational::from(0);
        let columns = places.iter().map(|(name, _)| (name.as_str(), &one));
        let given = constants.iter().map(|(name, value)| (name.as_str(), value));
        let inputs = columns
            .chain(given)
            .map(|(name, value)| (name, pamela::compiled::Input::Constant(value.clone())));
        plan.inputs(&inputs.collect::<Vec<_>>())?;
        let fields = own.fields().iter().cloned();
        let values = values
            .into_iter()
            .map(|name| Arc::new(Field::new(name, DataType::Float64, true)));
        let schema = Schema::new(fields.chain(values).collect::<Vec<_>>());
        Ok(Mapped {
            input,
            plan,
            constants,
            schema: Arc::new(schema),
            places,
            rows: 0,
            notes: Arc::default(),
        })
    }

    fn batch(&mut self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let length = batch.num_rows();
        let mut columns = Vec::new();
        for (name, place) in &self.places {
            columns.push((name, doubles(name, batch.column(*place), self.rows)?));
        }
        let constants = self.constants.iter();
        let constants = constants.map(|(n, value)| (n.as_str(), Numbers::Constant(value.clone())));
        let given = columns.iter().map(|(n, values)| {
            let unit = self.plan.unit(n).filter(|unit| !unit.scale.is_one());
            let numbers = match unit {
                Some(unit) => Numbers::Scaled(values, unit.scale),
                None => Numbers::Column(values),
            };
            (n.as_str(), numbers)
        });
        let given: Vec<(&str, Numbers)> = given.chain(constants).collect();
        let mut found = vec![vec![0.0; length]; self.schema.fields().len() - batch.num_columns()];
        let mut outputs: Vec<&mut [f64]> = found.iter_mut().map(Vec::as_mut_slice).collect();
        let never = Interrupt::default();
        let filled = self.plan.fill(&given, &mut outputs, &never);
        let notes = filled.map_err(|error| ArrowError::ComputeError(error.to_string()))?;
        for (values, unit) in found.iter_mut().zip(self.plan.value_units()) {
            if let Some(unit) = unit {
                values
                    .iter_mut()
                    .for_each(|value| *value = unit.double(*value));
            }
        }
        if let Ok(mut own) = self.notes.lock() {
            own.add(self.rows, notes);
        }
        self.rows += length;
        let own = batch.columns().iter().cloned();
        let all = own.chain(found.into_iter().map(missing_where_nan));
        RecordBatch::try_new(self.schema.clone(), all.collect())
    }
}

/// True if columns of this type hold numbers.
///
/// Texts, dates and times do not count, though Arrow would cast them.
fn is_numeric(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_numeric(values),
        DataType::RunEndEncoded(_, values) => is_numeric(values.data_type()),
        DataType::Null | DataType::Boolean => true,
        other => other.is_numeric(),
    }
}

/// Converts a column to doubles; missing values become NaN. Row numbers start at `before`.
fn doubles(name: &str, column: &ArrayRef, before: usize) -> Result<ScalarBuffer<f64>, ArrowError> {
    let wrong = |row: usize, what: &str| {
        let row = before + row;
        let message = format!("the column `{name}` has {what} in row {row}, which is not a double");
        ArrowError::InvalidArgumentError(message)
    };
    let Some((values, places)) = repeated(column) else {
        let found = plain(column)?;
        return match found.wrong.first() {
            Some(&row) => Err(wrong(row, found.what)),
            None => Ok(found.numbers),
        };
    };
    let found = plain(&values)?;
    let is_wrong =
        |place: &Option<usize>| place.is_some_and(|own| found.wrong.binary_search(&own).is_ok());
    if let Some(row) = places.iter().position(is_wrong) {
        return Err(wrong(row, found.what));
    }
    let number = |place: Option<usize>| place.map_or(f64::NAN, |own| found.numbers[own]);
    Ok(places.into_iter().map(number).collect())
}

/// The values of a column that holds each of them once, with the place of each row's value.
fn repeated(column: &ArrayRef) -> Option<(ArrayRef, Vec<Option<usize>>)> {
    fn runs<R: RunEndIndexType>(column: &RunArray<R>) -> (ArrayRef, Vec<Option<usize>>) {
        let rows = 0..column.len();
        let places = rows.map(|row| Some(column.get_physical_index(row)));
        (column.values().clone(), places.collect())
    }
    if let Some(column) = column.as_any_dictionary_opt() {
        let (keys, values) = (column.keys(), column.values());
        // Without values, all keys are missing.
        let places = if values.is_empty() {
            Vec::new()
        } else {
            column.normalized_keys()
        };
        let place = |row| {
            keys.is_valid(row)
                .then(|| places.get(row).copied())
                .flatten()
        };
        return Some((values.clone(), (0..keys.len()).map(place).collect()));
    }
    column
        .as_run_opt::<Int32Type>()
        .map(runs)
        .or_else(|| column.as_run_opt::<Int64Type>().map(runs))
        .or_else(|| column.as_run_opt::<Int16Type>().map(runs))
}

/// The doubles of a column.
struct Plain {
    /// NaN for a missing value.
    numbers: ScalarBuffer<f64>,
    /// Rows whose values are no doubles, in order, and what they are.
    wrong: Vec<usize>,
    what: &'static str,
}

fn plain(column: &ArrayRef) -> Result<Plain, ArrowError> {
    let Some(numbers) = pamela_columns::doubles(column) else {
        let message = format!("{} are no numbers", column.data_type());
        return Err(ArrowError::CastError(message));
    };
    let (wrong, what) = match column.data_type() {
        DataType::Int64 => {
            let large = beyond(column.as_primitive::<Int64Type>(), i64::unsigned_abs);
            (large, "a whole number above 2^53")
        }
        DataType::UInt64 => {
            let large = beyond(column.as_primitive::<UInt64Type>(), |x| x);
            (large, "a whole number above 2^53")
        }
        _ => match pamela_columns::decimals(column) {
            Some(texts) => (inexact(&texts, &numbers), "a decimal of too many digits"),
            None => (Vec::new(), ""),
        },
    };
    let numbers = match numbers.null_count() {
        // Shared with the table.
        0 => numbers.values().clone(),
        _ => numbers.iter().map(|x| x.unwrap_or(f64::NAN)).collect(),
    };
    Ok(Plain {
        numbers,
        wrong,
        what,
    })
}

/// The rows of decimals that are equal to no double as it is printed.
fn inexact(texts: &StringArray, numbers: &Float64Array) -> Vec<usize> {
    let is_exact = |row: usize| {
        let own = Rational::parse_decimal(texts.value(row)).ok();
        own.is_some() && decimal(numbers.value(row)) == own
    };
    let rows = 0..texts.len();
    rows.filter(|&row| texts.is_valid(row) && !is_exact(row))
        .collect()
}

/// The rows whose numbers are too large.
fn beyond<T: arrow_array::ArrowPrimitiveType>(
    column: &PrimitiveArray<T>,
    size: impl Fn(T::Native) -> u64,
) -> Vec<usize> {
    let is_large = |(_, x): &(usize, Option<T::Native>)| x.is_some_and(|x| size(x) > WHOLE);
    let large = column.iter().enumerate().filter(is_large);
    large.map(|(row, _)| row).collect()
}

impl Iterator for Mapped {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.input.next()?;
        Some(batch.and_then(|batch| self.batch(&batch)))
    }
}

impl RecordBatchReader for Mapped {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
