use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::{Format, Problem, problem};

/// Rows that stand together in a file. They are kept in memory until there are so many.
const ROWS: usize = 1 << 17;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// Texts, else numbers.
    pub texts: bool,
    /// Whether few values are to be expected, each many times.
    pub repeats: bool,
}

/// Some rows of a column.
#[derive(Clone, Debug)]
pub struct Column(ArrayRef);

/// A missing value for what is not finite.
pub fn numbers(values: impl IntoIterator<Item = f64>) -> Column {
    let values = values.into_iter().map(|v| v.is_finite().then_some(v));
    Column(Arc::new(values.collect::<Float64Array>()))
}

/// A missing value for an empty text.
pub fn texts<'a>(values: impl IntoIterator<Item = &'a str>) -> Column {
    let values = values
        .into_iter()
        .map(|text| (!text.is_empty()).then_some(text));
    Column(Arc::new(values.collect::<StringArray>()))
}

/// Writes a table, some rows at a time.
pub struct Writer<W: Write + Send> {
    schema: SchemaRef,
    /// What is not written yet, and how many rows that is.
    pending: Vec<RecordBatch>,
    rows: usize,
    to: To<W>,
}

enum To<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    Arrow(FileWriter<W>),
}

impl<W: Write + Send> Writer<W> {
    /// # Errors
    /// What cannot be written.
    pub fn new(out: W, format: Format, fields: &[Field]) -> Result<Writer<W>, Problem> {
        let field = |field: &Field| {
            let kind = match field.texts {
                true => DataType::Utf8,
                false => DataType::Float64,
            };
            arrow_schema::Field::new(&field.name, kind, true)
        };
        let schema = Arc::new(Schema::new(fields.iter().map(field).collect::<Vec<_>>()));
        let to = match format {
            Format::Parquet => {
                let mut properties = WriterProperties::builder()
                    .set_max_row_group_size(ROWS)
                    .set_statistics_enabled(EnabledStatistics::Chunk)
                    .set_created_by("pamela".to_string());
                for field in fields.iter().filter(|field| !field.repeats) {
                    let path = ColumnPath::from(vec![field.name.clone()]);
                    properties = properties.set_column_dictionary_enabled(path, false);
                }
                let properties = Some(properties.build());
                let writer = ArrowWriter::try_new(out, schema.clone(), properties);
                To::Parquet(Box::new(writer.map_err(problem)?))
            }
            Format::Arrow => To::Arrow(FileWriter::try_new(out, &schema).map_err(problem)?),
        };
        Ok(Writer {
            schema,
            pending: Vec::new(),
            rows: 0,
            to,
        })
    }

    /// Adds rows: a column for each field, all of one length.
    ///
    /// # Errors
    /// Columns of other kinds or lengths; what cannot be written.
    pub fn write(&mut self, columns: &[Column]) -> Result<(), Problem> {
        let columns = columns.iter().map(|column| column.0.clone()).collect();
        let rows = RecordBatch::try_new(self.schema.clone(), columns).map_err(problem)?;
        self.rows += rows.num_rows();
        self.pending.push(rows);
        match self.rows >= ROWS {
            true => self.put(),
            false => Ok(()),
        }
    }

    /// Writes what is pending.
    fn put(&mut self) -> Result<(), Problem> {
        let rows = concat_batches(&self.schema, &self.pending).map_err(problem)?;
        self.pending.clear();
        self.rows = 0;
        match &mut self.to {
            To::Parquet(writer) => writer.write(&rows).map_err(problem),
            To::Arrow(writer) => writer.write(&rows).map_err(problem),
        }
    }

    /// Ends the file, which cannot be read before.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.put()?;
        match self.to {
            To::Parquet(writer) => writer.close().map(drop).map_err(problem),
            To::Arrow(mut writer) => writer.finish().map_err(problem),
        }
    }
}
