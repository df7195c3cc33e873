use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};

/// Some rows of a column.
#[derive(Clone, Debug)]
pub struct Column(pub(super) ArrayRef);

/// A value in a column; a missing value is NaN or an empty text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Number(f64),
    Text(&'a str),
}

/// A missing value for NaN.
pub fn numbers(values: impl IntoIterator<Item = f64>) -> Column {
    let values = values.into_iter().map(|v| (!v.is_nan()).then_some(v));
    Column(Arc::new(values.collect::<Float64Array>()))
}

/// A missing value for an empty text.
pub fn texts<'a>(values: impl IntoIterator<Item = &'a str>) -> Column {
    let values = values
        .into_iter()
        .map(|text| (!text.is_empty()).then_some(text));
    Column(Arc::new(values.collect::<StringArray>()))
}

impl Column {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a row.
    pub fn cell(&self, row: usize) -> Cell<'_> {
        let missing = self.0.is_null(row);
        match self.0.as_primitive_opt::<Float64Type>() {
            Some(_) if missing => Cell::Number(f64::NAN),
            Some(numbers) => Cell::Number(numbers.value(row)),
            None if missing => Cell::Text(""),
            None => {
                let texts = self.0.as_string_opt::<i32>();
                Cell::Text(texts.map_or("", |texts| texts.value(row)))
            }
        }
    }
}
