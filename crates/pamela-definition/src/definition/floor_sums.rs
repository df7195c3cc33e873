//! `floorsum`: adds products of powers of an index and of a floored quotient, one by one.

use super::evaluate::{Evaluator, at};
use super::number::{Fault, Number};
use super::value::Value;
use crate::diagnostic::{Diagnostic, Span};

const MOST_POWERS: i64 = 6;
/// The longest operand.
const MOST_BITS: u64 = 1_000;

impl Evaluator<'_> {
    /// `floorsum` of `n, m, a, b`, optionally followed by the powers of the index and of the quotient (0 and 1 by
    /// default).
    pub(super) fn floor_sum(&mut self, values: &[Value], span: Span) -> Result<Value, Diagnostic> {
        let mut operands = at(operands(values), span)?;
        operands.extend(
            [Number::zero(), Number::one()]
                .into_iter()
                .skip(values.len().saturating_sub(4)),
        );
        at(in_domain(&operands), span)?;
        let [n, m, a, b, p, q] = operands.as_slice() else {
            let message = "`floorsum` takes from four to six numbers";
            return Err(Diagnostic::error(
                message,
                span,
                "wrong number of arguments",
            ));
        };
        let (mut sum, mut i) = (Number::zero(), Number::zero());
        while at(i.compare(n), span)?.is_lt() {
            self.step(span, 1)?;
            let term = || -> Result<Number, Fault> {
                let floor = a.multiply(&i)?.add(b)?.floor_divide(m)?;
                i.power(p)?.multiply(&floor.power(q)?)
            };
            sum = at(sum.add(&at(term(), span)?), span)?;
            i = at(i.add(&Number::one()), span)?;
        }
        Ok(sum.into())
    }
}

fn operands(values: &[Value]) -> Result<Vec<Number>, Fault> {
    let whole = |value: &Value| match value {
        Value::Scalar(x) if x.is_integer()? => x.floor(),
        Value::Scalar(x) => Err(format!(
            "`floorsum` is only defined for whole numbers, not for {x}"
        )),
        Value::Vector(_) => Err("`floorsum` is only defined for whole numbers".to_owned()),
    };
    values.iter().map(whole).collect()
}

fn in_domain(operands: &[Number]) -> Result<(), Fault> {
    let exact = |x: &Number| x.as_exact().map(|exact| exact.bits().0);
    match operands.iter().map(exact).collect::<Option<Vec<u64>>>() {
        Some(bits) if bits.iter().all(|&bits| bits <= MOST_BITS) => {}
        _ => {
            return Err(format!(
                "`floorsum` takes numbers of at most {MOST_BITS} bits"
            ));
        }
    }
    let [n, m, _, _, p, q] = operands else {
        return Ok(());
    };
    let below = |x: &Number, least: i64| Ok::<_, Fault>(x.compare(&Number::from(least))?.is_lt());
    if below(n, 0)? || below(p, 0)? || below(q, 0)? {
        return Err("the count and the powers of `floorsum` are at least 0".to_owned());
    }
    if below(m, 1)? {
        return Err("the divisor of `floorsum` is at least 1".to_owned());
    }
    if !below(&p.add(q)?, MOST_POWERS + 1)? {
        return Err(format!(
            "the powers of `floorsum` are at most {MOST_POWERS} together"
        ));
    }
    Ok(())
}
