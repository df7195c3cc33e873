//! Value of an expression.

use super::number::Number;
use crate::source::tree::Kind;

/// The value of an expression; without a number if it depends on data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    pub number: Option<Number>,
    /// A number with a fraction: its quotients are not rounded.
    pub real: bool,
    /// True for unsigned values, which wrap around below 0.
    pub wraps: bool,
    /// True if the value comes from outside the program, as from `atoi`.
    pub outside: bool,
}

impl Value {
    pub fn unknown() -> Value {
        Value::default()
    }

    /// An input of the program.
    pub fn outside() -> Value {
        Value {
            outside: true,
            ..Value::default()
        }
    }

    pub fn integer(number: Option<Number>) -> Value {
        Value {
            number,
            ..Value::default()
        }
    }

    pub fn real(number: Option<Number>) -> Value {
        Value {
            number,
            real: true,
            ..Value::default()
        }
    }

    /// A value of this kind.
    pub fn of_kind(kind: Kind, number: Option<Number>) -> Value {
        Value {
            number,
            real: kind == Kind::Real,
            wraps: kind.wraps(),
            ..Value::default()
        }
    }
}
