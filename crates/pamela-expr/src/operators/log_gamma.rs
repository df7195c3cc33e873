//! The logarithm of the gamma function.

use super::arithmetic::{digamma_bound, undefined};
use super::row::{Code, Domain, Rounding, Row, Sign};
use crate::number::{EvalError, Number};
use crate::real::Real;
use crate::ring::Rational;
use crate::special;

pub const ROW: Row = Row {
    name: "lgamma",
    domain: Domain::Positive,
    exact: |_, x| (x.is_one() || *x == Rational::from(2)).then_some(Rational::ZERO),
    value: |_, x| value(x),
    sign: Sign::Unsure,
    latex: ["\\ln\\Gamma\\left(", "\\right)"],
    sympy: "sympy.loggamma",
    sql: None,
    code: Code::Helper("log_gamma"),
    rounding: Rounding::Digits {
        exact_at: 1.0,
        upto: false,
        long: true,
    },
};

fn value(x: &Number) -> Result<Number, EvalError> {
    if x.compare(&Number::Exact(Rational::ZERO))?.is_le() {
        return undefined("lgamma of a number <= 0");
    }
    let n = x.as_exact().and_then(Rational::to_i64);
    if let Some(n) = n.and_then(|n| u64::try_from(n).ok()) {
        if n > special::MAX_EXACT_LOG_GAMMA {
            let near = special::ln_gamma(n as f64);
            return Number::known(Real::log_gamma_of(&n.into(), near));
        }
        let factorial = special::exact_factorial(n - 1);
        return Number::known(Real::log_of(&factorial.into()));
    }
    let x = x.to_real();
    // Near 1 and 2, where the value is 0, the error is absolute.
    let error = digamma_bound(x.value) * x.error + 4.0 * f64::EPSILON;
    Number::real_within(special::ln_gamma(x.value), error)
}
