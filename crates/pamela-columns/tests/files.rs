//! What is written is read again, by this crate and as the formats say.

#![allow(clippy::unwrap_used, reason = "what a test needs")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int32Array, Int64Array, RecordBatch, StructArray,
    TimestampMillisecondArray, TimestampNanosecondArray, UInt8Array, UInt32Array, UInt64Array,
};
use pamela_columns::{Cell, Field, Format, Writer, batches, numbers, read, texts};

/// A file of its own for each test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("pamela-columns-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn field(name: &str, texts: bool) -> Field {
    Field {
        name: name.to_string(),
        texts,
        repeats: texts,
    }
}

fn write(path: &Path, format: Format) {
    let fields = [
        field("P", false),
        field("T_main", false),
        field("note", true),
    ];
    let file = std::fs::File::create(path).unwrap();
    let mut writer = Writer::new(file, format, &fields).unwrap();
    for start in [0, 3] {
        let rows = (0..3).map(|row| f64::from(start + row));
        let values = rows
            .clone()
            .map(|p| if p == 4.0 { f64::NAN } else { p / 3.0 });
        let notes = rows.clone().map(|p| if p == 4.0 { "no value" } else { "" });
        writer
            .write(&[numbers(rows), numbers(values), texts(notes)])
            .unwrap();
    }
    writer.finish().unwrap();
}

/// All rows of a Parquet file, by the format's own reader.
fn rows(path: &Path) -> RecordBatch {
    let file = std::fs::File::open(path).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
    let mut batches = reader.unwrap().build().unwrap();
    batches.next().unwrap().unwrap()
}

#[test]
fn rows_keep_their_values_and_what_is_missing() {
    let scratch = Scratch::new("kept.parquet");
    write(scratch.path(), Format::Parquet);
    let rows = rows(scratch.path());
    assert_eq!(rows.num_rows(), 6);
    let values = rows.column(1).as_primitive::<Float64Type>();
    let found: Vec<Option<f64>> = values.iter().collect();
    let expected = [
        Some(0.0),
        Some(1.0 / 3.0),
        Some(2.0 / 3.0),
        Some(1.0),
        None,
        Some(5.0 / 3.0),
    ];
    assert_eq!(found, expected);
    let notes: Vec<Option<&str>> = rows.column(2).as_string::<i32>().iter().collect();
    assert_eq!(notes, [None, None, None, None, Some("no value"), None]);
}

#[test]
fn columns_of_texts_are_left_out() {
    let scratch = Scratch::new("texts.arrow");
    let fields = [field("note", true), field("P", false)];
    let file = std::fs::File::create(scratch.path()).unwrap();
    let mut writer = Writer::new(file, Format::Arrow, &fields).unwrap();
    writer
        .write(&[texts(["few", ""]), numbers([1.0, 2.0])])
        .unwrap();
    writer.finish().unwrap();
    let found = read(scratch.path(), Format::Arrow).unwrap();
    assert_eq!(found, [("P".to_string(), vec![1.0, 2.0])]);
}

#[test]
fn numbers_are_read_from_both_kinds_of_files() {
    for (name, format) in [("in.parquet", Format::Parquet), ("in.arrow", Format::Arrow)] {
        let scratch = Scratch::new(name);
        let fields = [field("P", false), field("N", false)];
        let file = std::fs::File::create(scratch.path()).unwrap();
        let mut writer = Writer::new(file, format, &fields).unwrap();
        writer
            .write(&[numbers([1.0, 2.0]), numbers([0.1, -7.0])])
            .unwrap();
        writer.finish().unwrap();
        let found = read(scratch.path(), format).unwrap();
        let expected = [
            ("P".to_string(), vec![1.0, 2.0]),
            ("N".to_string(), vec![0.1, -7.0]),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn what_is_no_number_is_named_with_its_row_and_column() {
    let said = |column: ArrayRef| {
        let scratch = Scratch::new("wrong.arrow");
        let batch = RecordBatch::try_from_iter([("N", column)]).unwrap();
        let file = std::fs::File::create(scratch.path()).unwrap();
        let mut writer = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        read(scratch.path(), Format::Arrow).unwrap_err().to_string()
    };
    assert_eq!(
        said(Arc::new(BooleanArray::from(vec![true]))),
        "column `N` has Boolean, no numbers"
    );
    assert_eq!(
        said(Arc::new(Int64Array::from(vec![Some(1), None]))),
        "row 2: nothing in column `N`"
    );
    assert_eq!(
        said(Arc::new(Int64Array::from(vec![-(1_i64 << 53) - 1]))),
        "row 1: 9007199254740993, which is not a double, in column `N`"
    );
    assert_eq!(
        said(Arc::new(Float64Array::from(vec![f64::INFINITY]))),
        "row 1: inf in column `N`"
    );
}

/// A Parquet file of these columns, written by the format's own library as pandas and Polars do.
fn written(scratch: &Scratch, columns: Vec<(&str, ArrayRef)>) {
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Compression;
    use parquet::file::properties::WriterProperties;
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(scratch.path()).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_size(3)
        .build();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// `-3 .. 3` as whole numbers of each width, and `0 .. 6` where there is no sign.
#[test]
fn columns_of_other_programs_are_read() {
    let signed = [-3_i8, -2, -1, 0, 1, 2, 3];
    let array = |array: ArrayRef| array;
    macro_rules! whole {
        ($array:ty, $numbers:expr) => {
            array(Arc::new(<$array>::from_iter_values($numbers)))
        };
    }
    let naturals = 0_u8..7;
    let decimals = signed.map(|x| i128::from(x) * 25);
    let decimal = |digits| {
        let numbers = Decimal128Array::from_iter_values(decimals);
        array(Arc::new(
            numbers.with_precision_and_scale(digits, 2).unwrap(),
        ))
    };
    let scratch = Scratch::new("other.parquet");
    let texts: DictionaryArray<Int32Type> =
        ["a", "b", "a", "", "c", "a", "b"].into_iter().collect();
    written(
        &scratch,
        vec![
            ("i8", whole!(Int8Array, signed)),
            ("i32", whole!(Int32Array, signed.map(i32::from))),
            ("i64", whole!(Int64Array, signed.map(i64::from))),
            ("text", array(Arc::new(texts))),
            ("f32", whole!(Float32Array, signed.map(f32::from))),
            ("f64", whole!(Float64Array, signed.map(f64::from))),
            ("u8", whole!(UInt8Array, naturals.clone())),
            ("u32", whole!(UInt32Array, naturals.clone().map(u32::from))),
            ("u64", whole!(UInt64Array, naturals.map(u64::from))),
            ("short", decimal(4)),
            ("long", decimal(12)),
            ("longest", decimal(30)),
        ],
    );
    let found = read(scratch.path(), Format::Parquet).unwrap();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let expected = "i8 i32 i64 f32 f64 u8 u32 u64 short long longest";
    assert_eq!(names.join(" "), expected);
    for (name, values) in found {
        let expected = signed.map(f64::from).map(|x| match name.as_bytes()[0] {
            b'u' => x + 3.0,
            b's' | b'l' => x / 4.0,
            _ => x,
        });
        assert_eq!(values, expected, "{name}");
    }
}

#[test]
fn columns_that_hold_no_numbers_are_named() {
    let said = |column: ArrayRef| {
        let scratch = Scratch::new("none.parquet");
        written(&scratch, vec![("N", column)]);
        let problem = read(scratch.path(), Format::Parquet);
        problem.unwrap_err().to_string()
    };
    let many = 1_u64 << 53;
    assert_eq!(
        said(Arc::new(UInt64Array::from(vec![many, many + 1]))),
        "row 2: 9007199254740993, which is not a double, in column `N`"
    );
    assert_eq!(
        said(Arc::new(Float32Array::from(vec![Some(1.0), None]))),
        "row 2: nothing in column `N`"
    );
    for column in [
        Arc::new(BooleanArray::from(vec![true])) as ArrayRef,
        Arc::new(Date32Array::from(vec![1])),
        Arc::new(TimestampNanosecondArray::from(vec![1])),
        Arc::new(TimestampMillisecondArray::from(vec![1])),
        Arc::new(StructArray::from(
            RecordBatch::try_from_iter([("x", Arc::new(Int32Array::from(vec![1])) as ArrayRef)])
                .unwrap(),
        )),
    ] {
        let said = said(column);
        assert!(
            said.starts_with("column `N` has ")
                && said.ends_with(", no numbers")
                && !said.contains("Some"),
            "{said}"
        );
    }
}

#[test]
fn what_is_no_such_file_is_an_error() {
    let scratch = Scratch::new("text.parquet");
    std::fs::write(scratch.path(), "P,N\n1,2\n").unwrap();
    assert!(read(scratch.path(), Format::Parquet).is_err());
    assert!(read(scratch.path(), Format::Arrow).is_err());
    assert!(read(Path::new("nowhere.parquet"), Format::Parquet).is_err());
}

/// However rows come, a file has the same bytes, and all of them are read again.
#[test]
fn a_file_is_a_function_of_its_rows() {
    const ROWS: usize = 300_000;
    let fields = [field("P", false), field("T", false), field("note", true)];
    for format in [Format::Parquet, Format::Arrow, Format::Stream] {
        let written = |sizes: &[usize]| {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes, format, &fields).unwrap();
            let (mut at, mut sizes) = (0, sizes.iter().cycle());
            while at < ROWS {
                let end = ROWS.min(at + sizes.next().unwrap());
                let rows = (at..end).map(|row| row as f64);
                let notes = (at..end).map(|row| if row % 1000 == 7 { "seven" } else { "" });
                let values = rows
                    .clone()
                    .map(|x| if x == 9.0 { f64::NAN } else { x / 7.0 });
                let columns = [
                    numbers(rows.map(|x| x % 10.0)),
                    numbers(values),
                    texts(notes),
                ];
                writer.write(&columns).unwrap();
                at = end;
            }
            writer.finish().unwrap();
            bytes
        };
        let one = written(&[256]);
        assert!(one == written(&[ROWS]) && one == written(&[131_073, 1, 250_000, 17]));
        let scratch = Scratch::new(&format!("function-{format:?}"));
        std::fs::write(scratch.path(), &one).unwrap();
        let mut row = 0;
        for columns in batches(scratch.path(), format).unwrap() {
            let columns = columns.unwrap();
            for place in 0..columns[0].len() {
                let x = row as f64;
                assert_eq!(columns[0].cell(place), Cell::Number(x % 10.0));
                match columns[1].cell(place) {
                    Cell::Number(value) if row == 9 => assert!(value.is_nan()),
                    value => assert_eq!(value, Cell::Number(x / 7.0)),
                }
                let note = if row % 1000 == 7 { "seven" } else { "" };
                assert_eq!(columns[2].cell(place), Cell::Text(note));
                row += 1;
            }
        }
        assert_eq!(row, ROWS);
    }
}
