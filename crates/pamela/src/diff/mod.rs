//! Compares the values of two models: where which is greater, by what factor, and how both grow.
//!
//! Values of the same name are compared. The difference of their closed forms is proved to be 0, or to
//! have one sign in each of its regimes. Points find differences that no proof excludes.

mod compare;
mod growth;
mod ratio;
mod sides;
mod text;

pub use growth::{Growth, Order};
pub use text::lines;

use serde::Serialize;

use crate::algebra::RuleBase;
use crate::diagnostic::Result;
use crate::effort::Effort;
use crate::pipeline::Model;
use sides::Sides;

/// What to compare.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Names of the values; empty means all that both models have.
    pub only: Vec<String>,
    /// Values of which more is better, such as a speedup.
    pub more_is_better: Vec<String>,
    /// Limit of work.
    pub effort: Effort,
}

/// The differences of two models.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Names of the files.
    pub old: String,
    /// Name of the second file.
    pub new: String,
    /// The values that both have, in the order of the second.
    pub values: Vec<Compared>,
    /// Names of values that only the first has.
    pub only_old: Vec<String>,
    /// Names of values that only the second has.
    pub only_new: Vec<String>,
    /// Parameters that only the first has.
    pub parameters_only_old: Vec<String>,
    /// Parameters that only the second has.
    pub parameters_only_new: Vec<String>,
}

/// How a value changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Proved to be the same.
    Equal,
    /// Greater somewhere, and nowhere less.
    Slower,
    /// Less somewhere, and nowhere greater.
    Faster,
    /// Proved to be nowhere greater; no point was found where it is less.
    NotSlower,
    /// Greater somewhere, and less elsewhere.
    Mixed,
    /// No difference was found, and none was excluded.
    Undecided,
}

/// A value of both models.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Name in both models.
    pub name: String,
    /// Closed form in the first; `None` if it has none.
    pub old: Option<String>,
    /// Closed form in the second.
    pub new: Option<String>,
    /// How it changed.
    pub change: Change,
    /// True if the change is known for all values of the parameters; otherwise it was found at points.
    pub certain: bool,
    /// Why it is not decided, if there is a reason to name.
    pub reason: Option<String>,
    /// Conditions of the closed forms: the answer holds where they do.
    pub domain: Vec<String>,
    /// Where it changed, and how.
    pub regions: Vec<Region>,
    /// The greatest quotient of the second by the first; `None` if they are equal.
    pub ratio: Option<Ratio>,
    /// Orders of growth that differ, by parameter.
    pub growth: Vec<GrowthChange>,
    /// Points at which it is greater and less, with the values there.
    pub examples: Vec<Example>,
}

/// A part of the parameters' values, and how the value changed there.
#[derive(Clone, Debug, Serialize)]
pub struct Region {
    /// The conditions; empty where there are none.
    pub when: Vec<String>,
    /// How the value changed.
    pub change: Change,
    /// The second value minus the first.
    pub difference: String,
    /// True if it is proved.
    pub certain: bool,
}

/// A quotient of both values.
#[derive(Clone, Debug, Serialize)]
pub struct Ratio {
    /// The number; infinite if no number bounds it.
    #[serde(serialize_with = "finite_or_null")]
    pub value: f64,
    /// The number exactly, if it is a fraction.
    pub exact: Option<String>,
    /// How it is known.
    pub kind: RatioKind,
    /// A point at which it is reached.
    pub at: Option<Vec<(String, String)>>,
}

/// How the quotient of two values is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RatioKind {
    /// The same everywhere.
    Constant,
    /// The greatest value, which is reached.
    Greatest,
    /// No value reaches it, but values come near.
    Limit,
    /// It exceeds every number, because the orders of growth differ.
    Unbounded,
    /// The largest at the points that were tried.
    Sampled,
}

/// Orders of growth before and after.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthChange {
    /// The parameter.
    pub parameter: String,
    /// `O(N)`
    pub old: String,
    /// `O(N^2)`
    pub new: String,
    /// True if the second grows faster.
    pub faster: bool,
}

/// Both values at a point.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// Values of the parameters.
    pub point: Vec<(String, String)>,
    /// The first value, in decimals.
    pub old: String,
    /// The second value.
    pub new: String,
}

fn finite_or_null<S: serde::Serializer>(
    value: &f64,
    to: S,
) -> std::result::Result<S::Ok, S::Error> {
    if value.is_finite() {
        to.serialize_f64(*value)
    } else {
        to.serialize_none()
    }
}

/// The differences as JSON, with the answers that the exit code gives.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'d> {
    /// True if a value is worse somewhere.
    slower: bool,
    /// True if no value is left undecided.
    decided: bool,
    #[serde(flatten)]
    difference: &'d Difference,
}

impl<'d> From<&'d Difference> for Report<'d> {
    fn from(difference: &'d Difference) -> Report<'d> {
        Report {
            slower: difference.is_slower(),
            decided: difference.is_decided(),
            difference,
        }
    }
}

impl Difference {
    /// True if a value is worse somewhere.
    pub fn is_slower(&self) -> bool {
        let worse = |own: &Compared| matches!(own.change, Change::Slower | Change::Mixed);
        self.values.iter().any(worse)
    }

    /// True if no value is left undecided, and there is one.
    pub fn is_decided(&self) -> bool {
        let open = |own: &Compared| own.change == Change::Undecided;
        !self.values.is_empty() && !self.values.iter().any(open)
    }
}

/// Compares two models.
///
/// # Errors
/// Fails if one of the models has no closed forms at all, or if a requested name is not in both.
pub fn difference(
    old: &Model,
    new: &Model,
    rules: &RuleBase,
    request: &Request,
) -> Result<Difference> {
    let sides = Sides::new(old, new, rules, request)?;
    let values = sides.names.iter().map(|name| sides.compared(name, request));
    Ok(Difference {
        old: old.name().to_owned(),
        new: new.name().to_owned(),
        values: values.collect(),
        only_old: sides.only_old.clone(),
        only_new: sides.only_new.clone(),
        parameters_only_old: sides.parameters_only(0),
        parameters_only_new: sides.parameters_only(1),
    })
}
