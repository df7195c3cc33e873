//! The square root.

use super::arithmetic::{power, rational_power, undefined};
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::{EvalError, Number};
use crate::ring::Rational;

pub const ROW: Row = Row {
    name: "sqrt",
    domain: Domain::NotNegative,
    exact: |_, x| {
        if x.is_zero() {
            Some(Rational::ZERO)
        } else {
            rational_power(x, &Rational::new(1, 2)?)
        }
    },
    value: |_, x| value(x),
    sign: Sign::OfOperand,
    latex: ["\\sqrt{", "}"],
    sympy: "sympy.sqrt",
    sql: Some("SQRT"),
    code: Code::Own,
    rounding: Rounding::OfRoot,
};

fn value(x: &Number) -> Result<Number, EvalError> {
    if x.compare(&Number::Exact(Rational::ZERO))?.is_lt() {
        return undefined("the square root of a negative number");
    }
    let half = Rational::new(1, 2).unwrap_or_default();
    power(x, &Number::Exact(half))
}
