//! The least integer that is not less.

use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::Number;
use crate::ring::Rational;

pub const ROW: Row = Row {
    name: "ceil",
    domain: Domain::All,
    exact: |_, x| Some(x.ceil()),
    value: |_, x| match x {
        Number::Exact(x) => Ok(Number::Exact(x.ceil())),
        Number::Real(x) => Number::exact(-Rational::from(x.negate().floor()?)),
    },
    sign: Sign::Sure,
    latex: ["\\left\\lceil ", " \\right\\rceil"],
    sympy: "sympy.ceiling",
    sql: Some("CEIL"),
    code: Code::Own,
    rounding: Rounding::None,
};
