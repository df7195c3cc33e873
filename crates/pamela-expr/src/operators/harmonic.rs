//! Harmonic numbers, of whole orders.

use super::arithmetic::{count, short_count};
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::{EvalError, Number};
use crate::ring::Rational;
use crate::special;

pub const ROW: Row = Row {
    name: "H",
    domain: Domain::Counts,
    exact: |order, x| {
        let n = short_count(x, order)?;
        Some(Rational::from(special::exact_harmonic(n, order)))
    },
    value,
    sign: Sign::Sure,
    latex: ["H_{", "}"],
    sympy: "sympy.harmonic",
    sql: None,
    code: Code::Helper("harmonic"),
    rounding: Rounding::Digits {
        exact_at: 1.0,
        upto: true,
        long: true,
    },
};

fn value(order: u32, x: &Number) -> Result<Number, EvalError> {
    match count(x, ROW.name)? {
        Some(n) if n.saturating_mul(order.into()) <= special::MAX_EXACT_HARMONIC => {
            Number::exact(special::exact_harmonic(n, order).into())
        }
        _ => {
            let n = x.to_real();
            Number::real_within(
                special::harmonic(n.value, order),
                n.error / n.value.max(1.0),
            )
        }
    }
}
