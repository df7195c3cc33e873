//! The exponential.

use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::Number;
use crate::ring::Rational;

pub const ROW: Row = Row {
    name: "exp",
    domain: Domain::All,
    exact: |_, x| x.is_zero().then_some(Rational::ONE),
    value: |_, x| Number::known(x.to_real().exp()),
    sign: Sign::Sure,
    latex: ["\\exp\\left(", "\\right)"],
    sympy: "sympy.exp",
    sql: Some("EXP"),
    code: Code::Own,
    rounding: Rounding::Digits {
        exact_at: 0.0,
        upto: false,
        long: false,
    },
};
