//! Prints imports, and the formals and facts of equations.

use std::fmt;

use super::list;
use crate::syntax::tree::{Equation, Import, ImportedNames, ParameterFact};

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.names {
            ImportedNames::Under(None) => write!(f, "import \"{path}\"")?,
            ImportedNames::Under(Some(name)) => write!(f, "import \"{path}\" as {name}")?,
            ImportedNames::Single(names) => {
                write!(f, "from \"{path}\" import ")?;
                list(f, names)?;
            }
        }
        for (number, (name, value)) in self.given.iter().enumerate() {
            f.write_str(if number == 0 { " with (" } else { ", " })?;
            write!(f, "{name} = {value}")?;
        }
        f.write_str(if self.given.is_empty() { "" } else { ")" })
    }
}

/// Writes formals, with defaults of the last ones.
pub(super) fn write_formals(f: &mut fmt::Formatter<'_>, equation: &Equation) -> fmt::Result {
    let without = equation.formals.len() - equation.defaults.len();
    let defaults = equation.defaults.iter().map(Some);
    let defaults = std::iter::repeat_n(None, without).chain(defaults);
    for (number, (formal, default)) in equation.formals.iter().zip(defaults).enumerate() {
        f.write_str(if number == 0 { "(" } else { ", " })?;
        write!(f, "{formal}")?;
        let mut units = equation.formal_units.iter();
        if let Some((_, unit)) = units.find(|(name, _)| *name == formal.text) {
            write!(f, " : {unit}")?;
        }
        if let Some(default) = default {
            write!(f, " = {default}")?;
        }
    }
    f.write_str(if equation.formals.is_empty() { "" } else { ")" })
}

/// Writes `: integer >= 1`.
pub(super) fn write_facts(f: &mut fmt::Formatter<'_>, facts: &[ParameterFact]) -> fmt::Result {
    // The law of an unknown number and the rate of arrivals belong to the value.
    let is_fact = |fact: &&ParameterFact| {
        !matches!(fact, ParameterFact::Unknown(_) | ParameterFact::Arrivals(_))
    };
    for (number, fact) in facts.iter().filter(is_fact).enumerate() {
        f.write_str(if number == 0 { " : " } else { " " })?;
        write!(f, "{fact}")?;
    }
    Ok(())
}
