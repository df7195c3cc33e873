//! Constants of MPI and types of what is sent, as whole numbers.

use super::super::number::{Atom, Number};
use super::{ALL, ANYBODY, NOBODY, SELF};

/// Types that are sent, with their bytes.
const TYPES: [(i64, &str); 5] = [
    (1, "CHAR SIGNED_CHAR UNSIGNED_CHAR BYTE PACKED INT8_T UINT8_T C_BOOL CXX_BOOL CHARACTER"),
    (2, "SHORT UNSIGNED_SHORT INT16_T UINT16_T"),
    (4, "INT UNSIGNED FLOAT INT32_T UINT32_T INTEGER REAL WCHAR LOGICAL"),
    (
        8,
        "DOUBLE LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT UNSIGNED_LONG_LONG INT64_T UINT64_T DOUBLE_PRECISION AINT OFFSET
        COUNT FLOAT_INT 2INT C_FLOAT_COMPLEX C_COMPLEX COMPLEX",
    ),
    (16, "LONG_DOUBLE C_DOUBLE_COMPLEX DOUBLE_COMPLEX"),
];

/// The value of a constant of MPI, where it matters.
pub fn constant(name: &str) -> Option<i64> {
    let plain = name.strip_prefix("MPI_")?;
    let known = match plain {
        "COMM_NULL" | "SUCCESS" | "THREAD_SINGLE" | "DATATYPE_NULL" => 0,
        "COMM_WORLD" => ALL,
        "COMM_SELF" => SELF,
        "PROC_NULL" => NOBODY,
        "ANY_SOURCE" | "ANY_TAG" => ANYBODY,
        "ROOT" => -3,
        "UNDEFINED" => -32766,
        "THREAD_FUNNELED" => 1,
        "THREAD_SERIALIZED" => 2,
        "THREAD_MULTIPLE" => 3,
        "DOUBLE_INT" | "LONG_INT" => 12,
        "SHORT_INT" => 6,
        _ => {
            let is_named = |names: &str| names.split_whitespace().any(|name| name == plain);
            return TYPES.iter().find(|(_, names)| is_named(names)).map(|t| t.0);
        }
    };
    Some(known)
}

/// Words of 8 bytes.
pub fn words(bytes: &Number) -> Number {
    const WORD: i64 = 8;
    let divides = |by: i64| bytes.terms().all(|(_, coefficient)| coefficient % by == 0);
    let by = [8, 4, 2, 1]
        .into_iter()
        .find(|by| divides(*by))
        .unwrap_or(1);
    let number = bytes.div(&Number::constant(by));
    match by {
        WORD => number,
        _ => Number::atom(Atom::Quotient(number, Number::constant(WORD / by))),
    }
}
