//! What a number of the page is: the value itself, a bound of it, an approximation.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::SimplifiedEquation;
use crate::timing::Origin;

/// What is said next to every number and curve of an equation.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// A few words; none where the closed form is the value.
    pub label: String,
    /// All that it rests on.
    pub notes: Vec<String>,
}

/// How a note begins that is about a formula, not about a value.
const ABOUT_FORMULA: &str = "no formula for ";

impl Standing {
    /// The notes about values.
    pub fn of_values(&self) -> impl Iterator<Item = &String> {
        let notes = self.notes.iter();
        notes.filter(|note| !note.starts_with(ABOUT_FORMULA))
    }
}

/// The standings of equations by their names.
pub(super) fn standings(equations: &[SimplifiedEquation]) -> BTreeMap<&str, Standing> {
    let by_name: BTreeMap<&str, &SimplifiedEquation> =
        equations.iter().map(|e| (e.name.as_str(), e)).collect();
    let one = |e: &SimplifiedEquation| standing(e, &by_name);
    by_name.iter().map(|(name, e)| (*name, one(e))).collect()
}

fn standing(
    equation: &SimplifiedEquation,
    by_name: &BTreeMap<&str, &SimplifiedEquation>,
) -> Standing {
    use Origin::{Derivative, Elasticity, Moment};
    let of = match &equation.origin {
        Moment { of, .. } | Derivative { of, .. } | Elasticity { of, .. } => {
            by_name.get(of.as_str())
        }
        _ => None,
    };
    let own = equation.formula.approximations().iter().cloned();
    let mut notes: Vec<String> = own.collect();
    let mentioned = mentioned(equation, by_name);
    let others = of.into_iter().copied().chain(mentioned);
    let others = others.flat_map(|other| other.formula.approximations());
    for note in others {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let is_own = |start: &str| {
        let own = equation.formula.approximations().iter();
        own.into_iter().any(|note| note.starts_with(start))
    };
    let any = |start: &str| notes.iter().any(|note| note.starts_with(start));
    let label = match &equation.origin {
        Origin::Lower(_) | Origin::Least { .. } => "lower bound",
        Origin::Upper(_)
        | Origin::UpperUnordered(_)
        | Origin::UpperByWork(_)
        | Origin::Most { .. } => "upper bound",
        origin if origin.is_estimate() => "estimate, no bound",
        Derivative { .. } | Elasticity { .. } if any("lower bound") => "of a lower bound",
        _ if is_own("lower bound") => "lower bound",
        _ if any("lower bound") || any("by times that are lower bounds") => "rests on lower bounds",
        _ if any("approximation") || any("independence") => "approximation",
        _ if any("assumes") => "under an assumption",
        _ if !notes.iter().all(|note| note.starts_with(ABOUT_FORMULA)) => "see its note",
        _ => "",
    };
    Standing {
        label: label.to_string(),
        notes,
    }
}

/// What an equation mentions, directly or not.
fn mentioned<'e>(
    equation: &SimplifiedEquation,
    by_name: &BTreeMap<&str, &'e SimplifiedEquation>,
) -> Vec<&'e SimplifiedEquation> {
    let mut seen = BTreeSet::new();
    let mut pending: Vec<String> = equation.formula.mentions().into_iter().collect();
    let mut found = Vec::new();
    while let Some(name) = pending.pop() {
        if let Some(next) = by_name.get(name.as_str())
            && seen.insert(next.name.as_str())
        {
            pending.extend(next.formula.mentions());
            found.push(*next);
        }
    }
    found
}
