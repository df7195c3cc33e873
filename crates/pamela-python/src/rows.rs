//! Rows of sweeps as Arrow batches, and their text columns.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use numpy::PyArray1;
use pamela::pipeline::Shown;
use pamela::sweep::{Chunk, Watch};
use pyo3::prelude::*;

use crate::arrow::missing_where_nan;

/// Converts numbers from base units to the display unit.
pub fn in_unit(values: &mut [f64], unit: Option<&Shown>) {
    if let Some(unit) = unit.filter(|unit| !unit.scale.is_one()) {
        values
            .iter_mut()
            .for_each(|value| *value = unit.double(*value));
    }
}

/// Converts all numbers of a chunk to their units.
pub fn shown(sweep: &pamela::sweep::Sweep, mut chunk: Chunk) -> Chunk {
    for (name, values) in sweep.parameters().iter().zip(&mut chunk.parameters) {
        in_unit(values, sweep.plan.unit(name).as_ref());
    }
    for (unit, values) in sweep.plan.value_units().iter().zip(&mut chunk.values) {
        in_unit(values, unit.as_ref());
    }
    chunk
}

/// A text column: its name, the place of each text among the distinct ones (-1 for none), and these.
pub type Texts<'py> = (String, Bound<'py, PyArray1<i32>>, Vec<String>);

/// The text columns except notes: methods of laws, and the regime.
pub fn texts<'py>(
    py: Python<'py>,
    sweep: &pamela::sweep::Sweep,
    chunk: &mut Chunk,
) -> Vec<Texts<'py>> {
    let laws = sweep.plan.equations();
    let laws = laws.filter(|(_, sort)| *sort == pamela::expr::Sort::Law);
    let methods = laws.zip(&chunk.methods).map(|((name, _), methods)| {
        let mut distinct: Vec<String> = Vec::new();
        let mut place = |text: &String| {
            if text.is_empty() {
                return -1;
            }
            let known = distinct.iter().position(|own| own == text);
            let place = known.unwrap_or_else(|| {
                distinct.push(text.clone());
                distinct.len() - 1
            });
            place as i32
        };
        let places: Vec<i32> = methods.iter().map(&mut place).collect();
        let places = PyArray1::from_vec(py, places);
        (format!("{name}_method"), places, distinct)
    });
    let mut all: Vec<Texts<'py>> = methods.collect();
    if sweep.plan.regimes().len() > 0 {
        let regimes = chunk.regimes.iter();
        let places = regimes.map(|regime| regime.map_or(-1, |regime| regime as i32));
        let places = PyArray1::from_vec(py, places.collect());
        let regimes = sweep.plan.regimes().map(str::to_owned);
        all.push(("regime".to_owned(), places, regimes.collect()));
    }
    all
}

pub fn schema(sweep: &pamela::sweep::Sweep) -> SchemaRef {
    let number = |name: &String, nullable| Field::new(name, DataType::Float64, nullable);
    let text = |name: String| Field::new(name, DataType::Utf8, true);
    let mut fields: Vec<Field> = sweep
        .parameters()
        .iter()
        .map(|n| number(n, false))
        .collect();
    fields.extend(sweep.values().iter().map(|name| number(name, true)));
    let laws = sweep.plan.equations();
    let laws = laws.filter(|(_, sort)| *sort == pamela::expr::Sort::Law);
    fields.extend(laws.map(|(name, _)| text(format!("{name}_method"))));
    if sweep.plan.regimes().len() > 0 {
        fields.push(text("regime".to_string()));
    }
    fields.push(text("note".to_string()));
    Arc::new(Schema::new(fields))
}

/// Reads the table, a range of points at a time.
pub struct Reader {
    pub sweep: Arc<pamela::sweep::Sweep>,
    pub schema: SchemaRef,
    pub next: u64,
    pub end: u64,
    pub rows: u64,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next < self.end {
            let range = (self.next, self.end.min(self.next + self.rows));
            self.next = range.1;
            let chunk = match self.sweep.chunk(range, &Watch::default()) {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(ArrowError::ComputeError(error.to_string()))),
            };
            // Points of a range may all have been filtered out.
            if chunk.length > 0 {
                return Some(batch(&self.sweep, &self.schema, shown(&self.sweep, chunk)));
            }
        }
        None
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

fn batch(
    sweep: &pamela::sweep::Sweep,
    schema: &SchemaRef,
    chunk: Chunk,
) -> Result<RecordBatch, ArrowError> {
    let length = chunk.length;
    let parameters = chunk.parameters.into_iter();
    let mut columns: Vec<ArrayRef> = parameters
        .map(|values| Arc::new(Float64Array::from(values)) as ArrayRef)
        .collect();
    columns.extend(chunk.values.into_iter().map(missing_where_nan));
    for methods in chunk.methods {
        let methods = methods
            .iter()
            .map(|m| (!m.is_empty()).then_some(m.as_str()));
        columns.push(Arc::new(methods.collect::<StringArray>()));
    }
    let regimes: Vec<&str> = sweep.plan.regimes().collect();
    if !regimes.is_empty() {
        let of = |regime: Option<usize>| regime.map(|regime| regimes[regime]);
        let column = chunk.regimes.into_iter().map(of);
        columns.push(Arc::new(column.collect::<StringArray>()));
    }
    columns.push(notes(length, chunk.notes));
    RecordBatch::try_new(schema.clone(), columns)
}

/// A text column with few nonempty rows.
fn notes(length: usize, notes: Vec<(usize, String)>) -> ArrayRef {
    if notes.is_empty() {
        return Arc::new(StringArray::new_null(length));
    }
    let mut builder = StringBuilder::with_capacity(length, 0);
    let mut at = 0;
    for (place, note) in notes {
        (at..place).for_each(|_| builder.append_null());
        builder.append_value(note);
        at = place + 1;
    }
    (at..length).for_each(|_| builder.append_null());
    Arc::new(builder.finish())
}
