use std::fs::File;
use std::path::Path;

use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatchReader, cast::AsArray};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::DataType;

use super::column::Column;
use super::convert::doubles;
use super::{Format, Problem, parquet, problem};

/// Maximum number of cells in a table.
pub const MOST_CELLS: usize = 100_000_000;

/// Whole numbers up to here are doubles.
const WHOLE: u64 = 1 << 53;

/// The columns of numbers of a file, in its order. Columns of texts are left out.
///
/// # Errors
/// Fails for a missing file, for a column of another kind or with a number that is missing, not finite or not a
/// double, and for too many cells.
pub fn read(path: &Path, format: Format) -> Result<Vec<(String, Vec<f64>)>, Problem> {
    let file = File::open(path).map_err(problem)?;
    match format {
        Format::Parquet => {
            let reader = parquet::Reader::new(file, false)?;
            let names = reader.names().map(str::to_string).collect();
            columns(names, reader)
        }
        Format::Arrow => numbers(FileReader::try_new(file, None).map_err(problem)?),
        Format::Stream => numbers(StreamReader::try_new(file, None).map_err(problem)?),
    }
}

/// The columns of a file that was written by [`Writer`](super::Writer), some rows at a time.
///
/// # Errors
/// Fails if the file is missing; then for each batch that cannot be read.
pub fn batches(
    path: &Path,
    format: Format,
) -> Result<impl Iterator<Item = Result<Vec<Column>, Problem>>, Problem> {
    let file = File::open(path).map_err(problem)?;
    let rows: Box<dyn Iterator<Item = Result<Vec<ArrayRef>, Problem>>> = match format {
        Format::Parquet => Box::new(parquet::Reader::new(file, true)?),
        Format::Arrow => Box::new(arrays(FileReader::try_new(file, None).map_err(problem)?)),
        Format::Stream => Box::new(arrays(StreamReader::try_new(file, None).map_err(problem)?)),
    };
    Ok(rows.map(|rows| Ok(rows?.into_iter().map(Column).collect())))
}

fn arrays(reader: impl RecordBatchReader) -> impl Iterator<Item = Result<Vec<ArrayRef>, Problem>> {
    reader.map(|batch| Ok(batch.map_err(problem)?.columns().to_vec()))
}

/// The columns without those of texts.
fn numbers(reader: impl RecordBatchReader) -> Result<Vec<(String, Vec<f64>)>, Problem> {
    let schema = reader.schema();
    let texts = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
    let fields = schema.fields().iter().enumerate();
    let wanted = fields.filter(|(_, field)| !texts.contains(field.data_type()));
    let (places, names): (Vec<usize>, Vec<String>) = wanted
        .map(|(place, field)| (place, field.name().clone()))
        .unzip();
    let wanted = arrays(reader).map(|rows| {
        let rows = rows?;
        Ok(places.iter().map(|&place| rows[place].clone()).collect())
    });
    columns(names, wanted)
}

fn columns(
    names: Vec<String>,
    batches: impl Iterator<Item = Result<Vec<ArrayRef>, Problem>>,
) -> Result<Vec<(String, Vec<f64>)>, Problem> {
    let mut found: Vec<(String, Vec<f64>)> = { names.into_iter() }
        .map(|name| (name, Vec::new()))
        .collect();
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        let count = batch.first().map_or(0, Array::len);
        if (rows + count).saturating_mul(found.len()) > MOST_CELLS {
            return Err(Problem(format!(
                "it has more than {MOST_CELLS} values; split it"
            )));
        }
        for ((name, values), column) in found.iter_mut().zip(&batch) {
            add(values, column).map_err(|what| match what {
                Wrong::Kind(kind) => Problem(format!("column `{name}` has {kind}, no numbers")),
                Wrong::Row(row, what) => {
                    Problem(format!("row {}: {what} in column `{name}`", rows + row + 1))
                }
            })?;
        }
        rows += count;
    }
    Ok(found)
}

enum Wrong {
    Kind(DataType),
    Row(usize, String),
}

fn add(values: &mut Vec<f64>, column: &ArrayRef) -> Result<(), Wrong> {
    let kind = column.data_type();
    if !kind.is_numeric() {
        return Err(Wrong::Kind(kind.clone()));
    }
    if let Some(row) = (0..column.len()).find(|&row| column.is_null(row)) {
        return Err(Wrong::Row(row, "nothing".to_string()));
    }
    let sizes: Vec<u64> = match kind {
        DataType::Int64 => {
            let all = column.as_primitive::<Int64Type>().values().iter();
            all.map(|v| v.unsigned_abs()).collect()
        }
        DataType::UInt64 => column.as_primitive::<UInt64Type>().values().to_vec(),
        _ => Vec::new(),
    };
    if let Some(row) = sizes.iter().position(|&size| size > WHOLE) {
        let what = format!("{}, which is not a double,", sizes[row]);
        return Err(Wrong::Row(row, what));
    }
    let doubles = doubles(column).ok_or_else(|| Wrong::Kind(kind.clone()))?;
    let doubles = doubles.values();
    if let Some(row) = doubles.iter().position(|v| !v.is_finite()) {
        return Err(Wrong::Row(row, doubles[row].to_string()));
    }
    values.extend(doubles);
    Ok(())
}
