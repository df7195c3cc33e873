//! Operations on several numbers that are not of the ring.

use serde::{Deserialize, Serialize};

use super::row::OperationRow;
use super::{common_divisor, floor_sum};
use crate::ring::Rational;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Operation {
    /// Greatest common divisor of two whole numbers, which are ordered; 0 for 0 and 0.
    CommonDivisor,
    /// The sum of `i^p * floor((a*i + b) / m)^q` for `i = 0, .., n - 1`, of `[n, m, a, b, p, q]`.
    FloorSum,
}

impl Operation {
    pub const ALL: [Operation; 2] = [Operation::CommonDivisor, Operation::FloorSum];

    pub fn row(self) -> &'static OperationRow {
        match self {
            Operation::CommonDivisor => &common_divisor::ROW,
            Operation::FloorSum => &floor_sum::ROW,
        }
    }

    /// The operation called `name` in the language.
    pub fn named(name: &str) -> Option<Operation> {
        (Operation::ALL.into_iter()).find(|operation| operation.row().name == name)
    }

    /// The value of exact operands, if it is defined and short.
    pub fn exact(self, operands: &[&Rational]) -> Option<Rational> {
        let row = self.row();
        let defined = || row.domain.iter().all(|condition| condition.holds(operands));
        (operands.len() == row.operands && defined()).then(|| (row.exact)(operands))?
    }
}
