//! The distance from 0.

use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::Number;

pub const ROW: Row = Row {
    name: "abs",
    domain: Domain::All,
    exact: |_, x| Some(x.abs()),
    value: |_, x| match x {
        Number::Exact(x) => Ok(Number::Exact(x.abs())),
        Number::Real(x) => Ok(Number::Real(x.abs())),
    },
    sign: Sign::OfOperand,
    latex: ["\\left|", "\\right|"],
    sympy: "sympy.Abs",
    sql: Some("ABS"),
    code: Code::Own,
    rounding: Rounding::OfOperand,
};
