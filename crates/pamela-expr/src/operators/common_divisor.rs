//! The greatest common divisor of two whole numbers.

use super::arithmetic::whole;
use super::row::{Condition, OperationRow};
use crate::number::{EvalError, Number};

pub const ROW: OperationRow = OperationRow {
    name: "gcd",
    operands: 2,
    defaults: &[],
    is_symmetric: true,
    domain: &[Condition::Whole(0), Condition::Whole(1)],
    is_whole: true,
    not_negative_with: Some(&[]),
    exact: |operands| operands[0].common_divisor(operands[1]),
    value,
    weight: 8,
    // It is harder to see than the sign of a number.
    choices: 2,
    latex: "\\gcd",
    helper: Some("gcd"),
};

fn value(operands: &[Number]) -> Result<(Number, u64), EvalError> {
    let operands = whole(operands, "gcd takes whole numbers")?;
    let divisor = operands[0].common_divisor(&operands[1]);
    let divisor = Number::exact(divisor.ok_or(EvalError::TooLarge)?)?;
    Ok((divisor, 0))
}
