//! What an expression comes to.

use super::number::Number;
use crate::source::tree::Kind;

/// The value of an expression: none where it depends on data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    pub number: Option<Number>,
    /// A number with a fraction: its quotients are not rounded.
    pub real: bool,
    /// It has no sign: what would be below 0 wraps around.
    pub wraps: bool,
    /// It comes from outside of the program, as what `atoi` returns does.
    pub outside: bool,
}

impl Value {
    pub fn unknown() -> Value {
        Value::default()
    }

    /// Something that the program reads.
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

    /// The value of what is of this kind.
    pub fn of_kind(kind: Kind, number: Option<Number>) -> Value {
        Value {
            number,
            real: kind == Kind::Real,
            wraps: kind.wraps(),
            ..Value::default()
        }
    }
}
