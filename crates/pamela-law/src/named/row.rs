//! What the language says of a named law: its name, arguments and documentation.

use super::Named;
use super::estimate::Estimate;

/// Declaration of a named law.
pub struct Row {
    /// The name in the language.
    pub name: &'static str,
    /// A description in one line.
    pub says: &'static str,
    /// A call in the language.
    pub example: &'static str,
    /// The arguments, in the order in which they are written.
    pub arguments: &'static [Argument],
    /// The least value, if all laws of this name have one.
    pub least: Option<Least>,
    /// When the density is surely positive between the ends of the support.
    pub density: Density,
    /// The law with arguments in their domains; an error if they do not fit together.
    pub(super) make: fn(&[f64]) -> Result<Named, String>,
    /// Estimates the arguments from samples.
    #[cfg_attr(not(feature = "samples"), allow(dead_code))]
    pub(crate) estimate: Option<Estimate>,
}

/// Argument of a named law.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name in a signature.
    pub name: &'static str,
    /// The name in a message.
    pub says: &'static str,
    /// The values that are allowed.
    pub domain: Domain,
    /// The unit that a value has.
    pub unit: Unit,
}

/// Unit of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The unit of the law.
    Own,
    /// The square of the unit of the law.
    Square,
    /// No unit.
    None,
}

/// Least value of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// This number.
    Number(i64),
    /// The argument at this index.
    Argument(usize),
}

/// When a law has a positive density between the ends of its support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Always.
    Always,
    /// If this argument is positive.
    Positive(usize),
    /// If this argument is below the next one.
    Increasing(usize),
    /// Never, or it is not known.
    Unknown,
}

/// Domain of an argument; all values are finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Any number.
    Any,
    /// A number above 0.
    Positive,
    /// A number of at least 0.
    NotNegative,
    /// A number from 0 to 1.
    Probability,
    /// A probability above 0.
    Chance,
    /// A whole number of at least 0.
    Count,
    /// A whole number of at least 1.
    Stages,
}

impl Domain {
    /// True for a finite number in the domain.
    pub fn holds(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Domain::Any => true,
                Domain::Positive => x > 0.0,
                Domain::NotNegative => x >= 0.0,
                Domain::Probability => (0.0..=1.0).contains(&x),
                Domain::Chance => x > 0.0 && x <= 1.0,
                Domain::Count => x >= 0.0 && x.fract() == 0.0,
                Domain::Stages => x >= 1.0 && x.fract() == 0.0,
            }
    }

    /// The domain in words: `a number above 0`.
    pub fn words(self) -> &'static str {
        match self {
            Domain::Any => "a number",
            Domain::Positive => "a number above 0",
            Domain::NotNegative => "a number from 0",
            Domain::Probability => "a number from 0 to 1",
            Domain::Chance => "a number above 0, at most 1",
            Domain::Count => "a whole number from 0",
            Domain::Stages => "a whole number from 1",
        }
    }
}

/// An argument with the unit of the law.
pub(super) const fn own(name: &'static str, says: &'static str, domain: Domain) -> Argument {
    Argument {
        name,
        says,
        domain,
        unit: Unit::Own,
    }
}

/// An argument without a unit.
pub(super) const fn plain(name: &'static str, says: &'static str, domain: Domain) -> Argument {
    Argument {
        name,
        says,
        domain,
        unit: Unit::None,
    }
}
