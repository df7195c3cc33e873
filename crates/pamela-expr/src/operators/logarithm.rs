//! The natural logarithm.

use super::arithmetic::undefined;
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::{EvalError, Number};
use crate::real::Real;
use crate::ring::Rational;

pub const ROW: Row = Row {
    name: "log",
    domain: Domain::Positive,
    exact: |_, x| x.is_one().then_some(Rational::ZERO),
    value: |_, x| value(x),
    sign: Sign::Unsure,
    latex: ["\\ln\\left(", "\\right)"],
    sympy: "sympy.log",
    sql: Some("LN"),
    code: Code::Helper("log"),
    rounding: Rounding::Digits {
        exact_at: 1.0,
        upto: false,
        long: false,
    },
};

fn value(x: &Number) -> Result<Number, EvalError> {
    if x.compare(&Number::Exact(Rational::ZERO))?.is_le() {
        return undefined("the logarithm of a number <= 0");
    }
    Number::known(match x {
        Number::Exact(x) => Real::log_of(&x.to_big()),
        Number::Real(x) => x.log(),
    })
}
