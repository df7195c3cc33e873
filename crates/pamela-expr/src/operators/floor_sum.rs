//! Sums of floors of a line, in as many steps as its divisor has bits.

use super::arithmetic::{undefined, whole};
use super::row::Condition::{AtMost, NotNegative, Positive, Whole};
use super::row::OperationRow;
use crate::number::{EvalError, Number};
use crate::ring::Rational;

/// The operands are `n, m, a, b, p, q`.
pub const ROW: OperationRow = OperationRow {
    name: "floorsum",
    operands: 6,
    defaults: &[0, 1],
    is_symmetric: false,
    domain: &[
        NotNegative(0),
        NotNegative(4),
        NotNegative(5),
        Positive(1),
        AtMost([4, 5], 6),
        Whole(0),
        Whole(1),
        Whole(2),
        Whole(3),
        Whole(4),
        Whole(5),
    ],
    is_whole: true,
    not_negative_with: Some(&[2, 3]),
    exact: |operands| Rational::floor_sum(operands.try_into().ok()?),
    value,
    weight: 20,
    // It reads like a loop, though it is evaluated without one.
    choices: 100,
    latex: "\\operatorname{floorsum}",
    helper: None,
};

fn value(operands: &[Number]) -> Result<(Number, u64), EvalError> {
    let operands = whole(operands, "floorsum takes whole numbers")?;
    let [n, m, a, b, p, q] = operands.as_slice() else {
        return Err(EvalError::TooLarge);
    };
    if [n, p, q].into_iter().any(Rational::is_negative) {
        return undefined("floorsum takes a count and powers from 0 on");
    }
    if !m.is_positive() {
        return undefined("floorsum takes a divisor greater than zero");
    }
    let powers = (p + q)
        .to_i64()
        .and_then(|powers| u64::try_from(powers).ok());
    let Some(powers) = powers.filter(|&powers| powers <= 6) else {
        return undefined("floorsum takes powers that are at most 6 together");
    };
    let sum = Rational::floor_sum([n, m, a, b, p, q]).ok_or(EvalError::TooLarge)?;
    // There are about as many steps as m has bits, each with sums of all powers, of numbers as long as the longest.
    let longest = operands.iter().map(Rational::bits).max().unwrap_or(0);
    let steps = 2 * m.bits() * (powers + 1).pow(3) * (1 + longest / 64);
    Ok((Number::exact(sum)?, steps))
}
