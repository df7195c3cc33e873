use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Schema, SchemaRef};
use arrow_select::concat::concat_batches;

use super::column::Column;
use super::{Format, Problem, parquet, problem};

/// Rows in one group of a file. Rows are kept in memory until a group is full.
pub const ROWS: usize = 1 << 17;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// Texts, else numbers.
    pub texts: bool,
    /// True if few values are to be expected, each many times.
    pub repeats: bool,
}

/// Writes a table, some rows at a time.
pub struct Writer<W: Write + Send> {
    schema: SchemaRef,
    /// Rows that are not written yet, and their number.
    pending: Vec<RecordBatch>,
    rows: usize,
    to: Sink<W>,
}

enum Sink<W: Write + Send> {
    Parquet(Box<parquet::Writer<W>>),
    Arrow(FileWriter<W>),
    Stream(StreamWriter<W>),
}

impl<W: Write + Send> Writer<W> {
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn new(out: W, format: Format, fields: &[Field]) -> Result<Writer<W>, Problem> {
        let field = |field: &Field| {
            let kind = if field.texts {
                DataType::Utf8
            } else {
                DataType::Float64
            };
            arrow_schema::Field::new(&field.name, kind, true)
        };
        let schema = Arc::new(Schema::new(fields.iter().map(field).collect::<Vec<_>>()));
        let to = match format {
            Format::Parquet => Sink::Parquet(Box::new(parquet::Writer::new(out, fields)?)),
            Format::Arrow => Sink::Arrow(FileWriter::try_new(out, &schema).map_err(problem)?),
            Format::Stream => Sink::Stream(StreamWriter::try_new(out, &schema).map_err(problem)?),
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
    /// Fails for columns of other kinds or lengths, or if the file cannot be written.
    pub fn write(&mut self, columns: &[Column]) -> Result<(), Problem> {
        let columns = columns.iter().map(|column| column.0.clone()).collect();
        let rows = RecordBatch::try_new(self.schema.clone(), columns).map_err(problem)?;
        self.rows += rows.num_rows();
        self.pending.push(rows);
        while self.rows >= ROWS {
            self.put(ROWS)?;
        }
        Ok(())
    }

    /// Writes this many pending rows: the contents of a file depend only on its rows, not on the batches in which
    /// they came.
    fn put(&mut self, count: usize) -> Result<(), Problem> {
        let all = concat_batches(&self.schema, &self.pending).map_err(problem)?;
        let rows = all.slice(0, count);
        self.rows -= count;
        self.pending = vec![all.slice(count, self.rows)];
        match &mut self.to {
            Sink::Parquet(writer) => writer.write(&rows),
            Sink::Arrow(writer) => writer.write(&rows).map_err(problem),
            Sink::Stream(writer) => {
                writer.write(&rows).map_err(problem)?;
                writer.flush().map_err(problem)
            }
        }
    }

    /// Ends the file; an unfinished file cannot be read.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.put(self.rows)?;
        match self.to {
            Sink::Parquet(writer) => writer.finish(),
            Sink::Arrow(mut writer) => writer.finish().map_err(problem),
            Sink::Stream(mut writer) => writer.finish().map_err(problem),
        }
    }
}
