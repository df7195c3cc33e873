//! 1 for integers, 0 for other numbers.

use super::arithmetic::is_integer;
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::Number;
use crate::ring::Rational;

pub const ROW: Row = Row {
    name: "integer",
    domain: Domain::All,
    exact: |_, x| Some(truth(x.is_integer())),
    value: |_, x| Ok(Number::Exact(truth(is_integer(x)?))),
    sign: Sign::Sure,
    latex: ["\\left[", " \\in \\mathbb{Z}\\right]"],
    sympy: "pamela_is_whole",
    sql: None,
    code: Code::Helper("is_whole"),
    rounding: Rounding::None,
};

fn truth(holds: bool) -> Rational {
    Rational::from(i64::from(holds))
}
