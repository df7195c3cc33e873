//! Units: brackets after a number, or a fact.

use std::sync::Arc;

use super::Name;
use crate::diagnostic::Span;
use crate::ring::Rational;

/// `[GB/s]`
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Empty for `[1]`.
    pub parts: Vec<UnitPart>,
    pub span: Span,
    /// Base units, once the names are resolved.
    pub meaning: Option<Arc<Meaning>>,
}

/// `s^-1`
#[derive(Clone, Debug, PartialEq)]
pub struct UnitPart {
    pub name: Name,
    pub power: i32,
}

/// A multiple of a product of base units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meaning {
    pub scale: Rational,
    /// Base units with their nonzero powers, in alphabetical order.
    pub bases: Vec<(String, i32)>,
}

/// `5 [us]`
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub number: Rational,
    pub unit: Unit,
}

impl Quantity {
    /// Number of base units.
    pub fn value(&self) -> Rational {
        match &self.unit.meaning {
            Some(meaning) => self.number.clone() * meaning.scale.clone(),
            None => self.number.clone(),
        }
    }
}

/// `unit [x]`, a new base unit, or `unit [x] = 4 [KiB]`, a multiple.
#[derive(Clone, Debug)]
pub struct DeclaredUnit {
    pub name: Name,
    pub value: Option<Quantity>,
    pub span: Span,
}
