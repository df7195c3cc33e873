//! Numbers of Arrow arrays as doubles.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_schema::DataType;

fn each<T: ArrowPrimitiveType>(column: &ArrayRef, double: fn(T::Native) -> f64) -> Float64Array {
    column.as_primitive::<T>().unary(double)
}

/// The nearest doubles of numbers, truth values and decimals; `None` for another kind of column. Missing values stay
/// missing.
pub fn doubles(column: &ArrayRef) -> Option<Float64Array> {
    Some(match column.data_type() {
        DataType::Float64 => column.as_primitive::<Float64Type>().clone(),
        DataType::Float32 => each::<Float32Type>(column, f64::from),
        DataType::Float16 => each::<Float16Type>(column, f64::from),
        DataType::Int8 => each::<Int8Type>(column, f64::from),
        DataType::Int16 => each::<Int16Type>(column, f64::from),
        DataType::Int32 => each::<Int32Type>(column, f64::from),
        DataType::Int64 => each::<Int64Type>(column, |x| x as f64),
        DataType::UInt8 => each::<UInt8Type>(column, f64::from),
        DataType::UInt16 => each::<UInt16Type>(column, f64::from),
        DataType::UInt32 => each::<UInt32Type>(column, f64::from),
        DataType::UInt64 => each::<UInt64Type>(column, |x| x as f64),
        DataType::Boolean => {
            let truths = column.as_boolean().iter();
            truths.map(|x| x.map(f64::from)).collect()
        }
        DataType::Null => Float64Array::new_null(column.len()),
        _ => {
            let texts = decimals(column)?;
            let number = |text: &str| text.parse().unwrap_or(f64::NAN);
            texts.iter().map(|text| text.map(number)).collect()
        }
    })
}

fn written<T: DecimalType + ArrowPrimitiveType>(column: &ArrayRef) -> StringArray {
    let numbers = column.as_primitive::<T>();
    let rows = 0..numbers.len();
    rows.map(|row| {
        let is_there = !numbers.is_null(row);
        is_there.then(|| numbers.value_as_string(row))
    })
    .collect()
}

/// Decimals as they are written, such as `-0.10`; `None` for another kind of column.
pub fn decimals(column: &ArrayRef) -> Option<StringArray> {
    match column.data_type() {
        DataType::Decimal32(..) => Some(written::<Decimal32Type>(column)),
        DataType::Decimal64(..) => Some(written::<Decimal64Type>(column)),
        DataType::Decimal128(..) => Some(written::<Decimal128Type>(column)),
        DataType::Decimal256(..) => Some(written::<Decimal256Type>(column)),
        _ => None,
    }
}
