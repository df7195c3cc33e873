//! What an expression comes to.

use super::number::Number;

/// The value of an expression: none where it rests on data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    pub number: Option<Number>,
    /// A number with a fraction: its quotients are not rounded.
    pub real: bool,
}

impl Value {
    pub fn unknown() -> Value {
        Value::default()
    }

    pub fn integer(number: Option<Number>) -> Value {
        Value {
            number,
            real: false,
        }
    }
}
