//! Labels and notes printed beside every number and curve of an equation.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::SimplifiedEquation;
use crate::timing::{Note, Origin};

/// Label and notes printed beside every number and curve of an equation.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// A few words; empty if the value is the closed form.
    pub label: String,
    /// All approximations that the value rests on.
    pub notes: Vec<Note>,
}

impl Told {
    /// The notes about values.
    pub fn of_values(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| !note.is_about_formula())
    }
}

/// Labels and notes of equations, by name.
pub(super) fn told_of(equations: &[SimplifiedEquation]) -> BTreeMap<&str, Told> {
    let by_name: BTreeMap<&str, &SimplifiedEquation> =
        equations.iter().map(|e| (e.name.as_str(), e)).collect();
    let one = |e: &SimplifiedEquation| told(e, &by_name);
    by_name.iter().map(|(name, e)| (*name, one(e))).collect()
}

fn told(equation: &SimplifiedEquation, by_name: &BTreeMap<&str, &SimplifiedEquation>) -> Told {
    use Origin::{Derivative, Elasticity, Moment};
    let of = match &equation.origin {
        Moment { of, .. } | Derivative { of, .. } | Elasticity { of, .. } => {
            by_name.get(of.as_str())
        }
        _ => None,
    };
    let mut notes: Vec<Note> = equation.formula.approximations().to_vec();
    let mentioned = mentioned(equation, by_name);
    let others = of.into_iter().copied().chain(mentioned);
    for note in others.flat_map(|other| other.formula.approximations()) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let assumes = notes.iter().any(|note| matches!(note, Note::Assumes(_)));
    let label = match equation.standing.label() {
        Some(label) => label,
        None if assumes => "under an assumption",
        None if !notes.iter().all(Note::is_about_formula) => "see its note",
        None => "",
    };
    Told {
        label: label.to_string(),
        notes,
    }
}

/// The equations that an equation mentions, directly or not.
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
