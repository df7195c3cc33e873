//! Factorials.

use super::arithmetic::{count, digamma_bound, short_count};
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::{EvalError, Number};
use crate::ring::Rational;
use crate::special;

pub const ROW: Row = Row {
    name: "fact",
    domain: Domain::Counts,
    exact: |_, x| {
        let n = short_count(x, 1)?;
        Some(Rational::from(special::exact_factorial(n)))
    },
    value: |_, x| value(x),
    sign: Sign::Sure,
    latex: ["", "!"],
    sympy: "sympy.factorial",
    sql: None,
    code: Code::Helper("factorial"),
    rounding: Rounding::Whole,
};

fn value(x: &Number) -> Result<Number, EvalError> {
    match (count(x, ROW.name)?, x) {
        (Some(n), _) if n <= special::MAX_EXACT_FACTORIAL => {
            Number::exact(special::exact_factorial(n).into())
        }
        (_, Number::Exact(_)) => Err(EvalError::TooLarge),
        (_, Number::Real(n)) => {
            let value = special::factorial(n.value);
            Number::real_within(value, value * digamma_bound(n.value + 1.0) * n.error)
        }
    }
}
