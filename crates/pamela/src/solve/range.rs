//! Ranges of numbers.

use crate::ring::Rational;

/// An end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The number, exactly or as the nearest double.
    pub value: Rational,
    /// True if the number is exact.
    pub is_exact: bool,
    /// True if the number is in the range.
    pub is_included: bool,
}

/// All numbers from one to another: whole numbers for a parameter that is declared so.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// `None` if there is no lower end.
    pub low: Option<End>,
    /// `None` if there is no upper end.
    pub high: Option<End>,
}

impl End {
    /// An exact end.
    pub fn exact(value: Rational, is_included: bool) -> End {
        End {
            value,
            is_exact: true,
            is_included,
        }
    }

    /// The negated number.
    pub fn negated(self) -> End {
        End {
            value: -self.value,
            ..self
        }
    }
}
