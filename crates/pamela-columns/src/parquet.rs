//! Parquet files, a column at a time, as Arrow arrays.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, Decimal128Array, Float32Array, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::DataType;
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType as Kind, DoubleType};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescriptor, ColumnPath, Type};

use super::write::{Field, ROWS};
use super::{Problem, problem};

/// Writes columns of numbers and texts.
pub struct Writer<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Writer<W> {
    pub fn new(out: W, fields: &[Field]) -> Result<Writer<W>, Problem> {
        let mut properties = WriterProperties::builder()
            .set_max_row_group_size(ROWS)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by("pamela".to_string());
        let mut columns = Vec::new();
        for field in fields {
            if !field.repeats {
                let path = ColumnPath::from(vec![field.name.clone()]);
                properties = properties.set_column_dictionary_enabled(path, false);
            }
            let (kind, logical) = if field.texts {
                (Physical::BYTE_ARRAY, Some(LogicalType::String))
            } else {
                (Physical::DOUBLE, None)
            };
            let column = Type::primitive_type_builder(&field.name, kind)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical);
            columns.push(Arc::new(column.build().map_err(problem)?));
        }
        let schema = Type::group_type_builder("schema").with_fields(columns);
        let schema = Arc::new(schema.build().map_err(problem)?);
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties.build()));
        Ok(Writer(writer.map_err(problem)?))
    }

    /// Writes rows as a group of their own.
    pub fn write(&mut self, rows: &RecordBatch) -> Result<(), Problem> {
        if rows.num_rows() == 0 {
            return Ok(());
        }
        let mut group = self.0.next_row_group().map_err(problem)?;
        for column in rows.columns() {
            let Some(mut writer) = group.next_column().map_err(problem)? else {
                break;
            };
            let present: Vec<i16> = (0..column.len())
                .map(|row| i16::from(column.is_valid(row)))
                .collect();
            let present = Some(&present[..]);
            if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
                let numbers: Vec<f64> = numbers.iter().flatten().collect();
                let writer = writer.typed::<DoubleType>();
                writer
                    .write_batch(&numbers, present, None)
                    .map_err(problem)?;
            } else if let Some(texts) = column.as_string_opt::<i32>() {
                let texts: Vec<ByteArray> = texts.iter().flatten().map(ByteArray::from).collect();
                let writer = writer.typed::<ByteArrayType>();
                writer.write_batch(&texts, present, None).map_err(problem)?;
            }
            writer.close().map_err(problem)?;
        }
        group.close().map(drop).map_err(problem)
    }

    pub fn finish(self) -> Result<(), Problem> {
        self.0.close().map(drop).map_err(problem)
    }
}

/// The kind of the arrays in which a column is read, or what it holds where that is neither numbers nor texts.
fn kind(column: &ColumnDescriptor) -> Result<DataType, String> {
    use ConvertedType as Converted;
    if column.path().parts().len() > 1 || column.max_rep_level() > 0 {
        return Err("lists or structures".to_string());
    }
    let (physical, converted) = (column.physical_type(), column.converted_type());
    // Such as times in nanoseconds.
    if let (Converted::NONE, Some(logical)) = (converted, column.logical_type_ref()) {
        return Err(format!("{logical:?}"));
    }
    match (physical, converted) {
        (Physical::DOUBLE, _) => Ok(DataType::Float64),
        (Physical::FLOAT, _) => Ok(DataType::Float32),
        (
            Physical::INT32,
            Converted::NONE | Converted::INT_8 | Converted::INT_16 | Converted::INT_32,
        ) => Ok(DataType::Int32),
        (Physical::INT32, Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32) => {
            Ok(DataType::UInt32)
        }
        (Physical::INT64, Converted::NONE | Converted::INT_64) => Ok(DataType::Int64),
        (Physical::INT64, Converted::UINT_64) => Ok(DataType::UInt64),
        (Physical::BYTE_ARRAY, Converted::UTF8 | Converted::ENUM | Converted::JSON) => {
            Ok(DataType::Utf8)
        }
        (_, Converted::DECIMAL) if column.type_precision() <= 38 => {
            let scale = i8::try_from(column.type_scale()).unwrap_or(0);
            Ok(DataType::Decimal128(38, scale))
        }
        (_, Converted::NONE) => Err(physical.to_string()),
        (_, converted) => Err(converted.to_string()),
    }
}

/// The values of some rows of a column, as many as there are.
fn values<T: Kind>(
    reader: &mut ColumnReaderImpl<T>,
    is_optional: bool,
    rows: usize,
) -> Result<Vec<Option<T::T>>, Problem> {
    let (mut present, mut values) = (Vec::new(), Vec::new());
    let read = reader.read_records(rows, Some(&mut present), None, &mut values);
    read.map_err(problem)?;
    let mut values = values.into_iter();
    Ok(if is_optional {
        let rows = present.into_iter();
        rows.map(|level| if level > 0 { values.next() } else { None })
            .collect()
    } else {
        values.map(Some).collect()
    })
}

/// A number of at most 16 bytes, the first of which counts most.
fn integer(bytes: &[u8]) -> Option<i128> {
    let sign = if bytes.first().is_some_and(|first| *first > 127) {
        0xff
    } else {
        0
    };
    let mut all = [sign; 16];
    all.get_mut(16_usize.checked_sub(bytes.len())?..)?
        .copy_from_slice(bytes);
    Some(i128::from_be_bytes(all))
}

/// Some rows of a column of this kind, as many as there are.
fn array(
    reader: &mut ColumnReader,
    kind: &DataType,
    is_optional: bool,
    rows: usize,
) -> Result<ArrayRef, Problem> {
    let decimals = |numbers: Vec<Option<i128>>, digits: u8, scale: i8| {
        let numbers = Decimal128Array::from(numbers).with_precision_and_scale(digits, scale);
        Ok(Arc::new(numbers.map_err(problem)?) as ArrayRef)
    };
    let from_bytes = |bytes: Option<&[u8]>| -> Result<Option<i128>, Problem> {
        let Some(bytes) = bytes else { return Ok(None) };
        let number = integer(bytes)
            .ok_or_else(|| Problem("a decimal has more than 16 bytes".to_string()))?;
        Ok(Some(number))
    };
    Ok(match (reader, kind) {
        (ColumnReader::DoubleColumnReader(own), _) => {
            Arc::new(Float64Array::from(values(own, is_optional, rows)?))
        }
        (ColumnReader::FloatColumnReader(own), _) => {
            Arc::new(Float32Array::from(values(own, is_optional, rows)?))
        }
        (ColumnReader::Int32ColumnReader(own), kind) => {
            let numbers = values(own, is_optional, rows)?.into_iter();
            match *kind {
                DataType::Decimal128(digits, scale) => {
                    return decimals(numbers.map(|x| x.map(i128::from)).collect(), digits, scale);
                }
                DataType::UInt32 => Arc::new(
                    numbers
                        .map(|x| x.map(|x| x as u32))
                        .collect::<UInt32Array>(),
                ),
                _ => Arc::new(numbers.collect::<Int32Array>()),
            }
        }
        (ColumnReader::Int64ColumnReader(own), kind) => {
            let numbers = values(own, is_optional, rows)?.into_iter();
            match *kind {
                DataType::Decimal128(digits, scale) => {
                    return decimals(numbers.map(|x| x.map(i128::from)).collect(), digits, scale);
                }
                DataType::UInt64 => Arc::new(
                    numbers
                        .map(|x| x.map(|x| x as u64))
                        .collect::<UInt64Array>(),
                ),
                _ => Arc::new(numbers.collect::<Int64Array>()),
            }
        }
        (ColumnReader::ByteArrayColumnReader(own), DataType::Decimal128(digits, scale)) => {
            let bytes = values(own, is_optional, rows)?;
            let numbers = bytes
                .iter()
                .map(|own| from_bytes(own.as_ref().map(ByteArray::data)));
            return decimals(numbers.collect::<Result<_, _>>()?, *digits, *scale);
        }
        (ColumnReader::FixedLenByteArrayColumnReader(own), DataType::Decimal128(digits, scale)) => {
            let bytes = values(own, is_optional, rows)?;
            let numbers = bytes
                .iter()
                .map(|own| from_bytes(own.as_ref().map(|own| own.data())));
            return decimals(numbers.collect::<Result<_, _>>()?, *digits, *scale);
        }
        (ColumnReader::ByteArrayColumnReader(own), _) => {
            let texts = values(own, is_optional, rows)?;
            let texts = texts
                .iter()
                .map(|own| own.as_ref().map(ByteArray::as_utf8).transpose());
            Arc::new(texts.collect::<Result<StringArray, _>>().map_err(problem)?)
        }
        _ => {
            return Err(Problem(
                "a column has another kind than its file says".to_string(),
            ));
        }
    })
}

/// The columns of a file that are read: their places, names and kinds.
pub struct Reader {
    file: SerializedFileReader<File>,
    columns: Vec<(usize, String, DataType)>,
    /// The next group of rows.
    next: usize,
    /// Readers of the columns of the group before, and how many rows are left in it.
    open: Vec<ColumnReader>,
    left: usize,
}

impl Reader {
    /// Columns of texts are read if `with_texts`.
    pub fn new(file: File, with_texts: bool) -> Result<Reader, Problem> {
        let file = SerializedFileReader::new(file).map_err(problem)?;
        let mut columns = Vec::new();
        let all = file.metadata().file_metadata().schema_descr().columns();
        for (place, column) in all.iter().enumerate() {
            let name = column.path().parts().first().map_or("", String::as_str);
            let kind = kind(column)
                .map_err(|holds| Problem(format!("column `{name}` has {holds}, no numbers")))?;
            if with_texts || kind != DataType::Utf8 {
                columns.push((place, name.to_string(), kind));
            }
        }
        Ok(Reader {
            file,
            columns,
            next: 0,
            open: Vec::new(),
            left: 0,
        })
    }

    /// Names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(_, name, _)| name.as_str())
    }

    fn rows(&mut self) -> Result<Vec<ArrayRef>, Problem> {
        if self.left == 0 {
            let group = self.file.get_row_group(self.next).map_err(problem)?;
            self.next += 1;
            self.left = usize::try_from(group.metadata().num_rows()).map_err(problem)?;
            let readers = self
                .columns
                .iter()
                .map(|(place, ..)| group.get_column_reader(*place));
            self.open = readers.collect::<Result<_, _>>().map_err(problem)?;
        }
        let rows = self.left.min(ROWS);
        self.left -= rows;
        let schema = self.file.metadata().file_metadata().schema_descr();
        let mut arrays = Vec::new();
        for ((place, name, kind), reader) in self.columns.iter().zip(&mut self.open) {
            let is_optional = schema.column(*place).max_def_level() > 0;
            let array = array(reader, kind, is_optional, rows)?;
            if array.len() != rows {
                return Err(Problem(format!("column `{name}` ends before the others")));
            }
            arrays.push(array);
        }
        Ok(arrays)
    }
}

impl Iterator for Reader {
    type Item = Result<Vec<ArrayRef>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 && self.next >= self.file.num_row_groups() {
            return None;
        }
        let rows = self.rows();
        if rows.is_err() {
            (self.left, self.next) = (0, usize::MAX);
        }
        Some(rows)
    }
}
