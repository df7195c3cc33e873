//! The named operators. Each has a file with a row: where the operator is defined, its values, and how it is written.
//!
//! A new one takes its file and three lines here, its word in `pamela-syntax`, and the second opinion of
//! `pamela-definition`. Facts, slopes, growth, bounds over boxes and certified doubles are optional: an
//! operator without them is treated as unknown there.

mod absolute;
mod arithmetic;
mod ceil;
mod common_divisor;
mod exponential;
mod factorial;
mod floor;
mod floor_sum;
mod harmonic;
mod integer;
mod log_gamma;
mod logarithm;
mod row;
mod square_root;

pub use arithmetic::{MAX_FOLDED_BITS, modulo, power, rational_power};
pub use row::{Code, Condition, Domain, OperationRow, Rounding, Row, Sign};

use serde::{Deserialize, Serialize};

use crate::number::{EvalError, Number};
use crate::ring::Rational;

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Function {
    Floor,
    Ceil,
    Abs,
    Sqrt,
    Log,
    Exp,
    /// 1 if the operand is an integer, else 0.
    Integer,
    /// `H(n, k) = 1/1^k + ... + 1/n^k` of the order `k >= 1`, for whole `n >= 0`.
    Harmonic(u32),
    /// `n!`, for whole `n >= 0`.
    Factorial,
    /// `log(gamma(x))`, for `x > 0`.
    LogGamma,
}

impl Function {
    /// All of them; the order of a harmonic number is a separate argument.
    pub const ALL: [Function; 10] = [
        Function::Floor,
        Function::Ceil,
        Function::Abs,
        Function::Sqrt,
        Function::Log,
        Function::Exp,
        Function::Integer,
        Function::Harmonic(1),
        Function::Factorial,
        Function::LogGamma,
    ];

    pub fn row(self) -> &'static Row {
        match self {
            Function::Floor => &floor::ROW,
            Function::Ceil => &ceil::ROW,
            Function::Abs => &absolute::ROW,
            Function::Sqrt => &square_root::ROW,
            Function::Log => &logarithm::ROW,
            Function::Exp => &exponential::ROW,
            Function::Integer => &integer::ROW,
            Function::Harmonic(_) => &harmonic::ROW,
            Function::Factorial => &factorial::ROW,
            Function::LogGamma => &log_gamma::ROW,
        }
    }

    /// The function called `name` in the language, except those with several arguments.
    pub fn named(name: &str) -> Option<Function> {
        (Function::ALL.into_iter()).find(|function| function.name() == name)
    }

    /// Name in the language; the order of a harmonic number is a separate argument.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// True if it is defined for every number.
    pub fn is_total(self) -> bool {
        self.row().domain == Domain::All
    }

    /// The value at a number, if it is exact, defined and short.
    pub fn exact(self, value: &Rational) -> Option<Rational> {
        (self.row().exact)(self.order(), value)
    }

    /// The value at a number.
    ///
    /// # Errors
    /// Fails outside of the domain, for results that are too long and for steps that are too close to decide.
    pub fn value(self, operand: &Number) -> Result<Number, EvalError> {
        (self.row().value)(self.order(), operand)
    }

    fn order(self) -> u32 {
        match self {
            Function::Harmonic(order) => order,
            _ => 1,
        }
    }
}

/// Operations on several numbers that are not of the ring.
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
