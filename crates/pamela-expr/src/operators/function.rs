//! Functions of one number.

use serde::{Deserialize, Serialize};

use super::row::{Domain, Row};
use super::{
    absolute, ceil, exponential, factorial, floor, harmonic, integer, log_gamma, logarithm,
    square_root,
};
use crate::number::{EvalError, Number};
use crate::ring::Rational;

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
