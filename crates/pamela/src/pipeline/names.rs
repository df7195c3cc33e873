//! Names of results: those that are not taken, and those that no equation has.

use crate::diagnostic::{Error, listed};
use crate::model;
use crate::timing::Origin;

/// The name of a result, or a longer one where the model has it already.
pub(crate) fn unused_name(model: &model::Model, mut name: String) -> String {
    while model.lookup(&name).is_some() {
        name.push('_');
    }
    name
}

/// What a user asks for by the name of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The time of a run: `time_main`.
    Time,
    /// A bound of it: `L_main`, `U_main`; `U1_main` and `U2_main` are parts of the upper one.
    Bound {
        /// One of the two that the upper bound is the smaller of.
        is_part: bool,
    },
    /// The critical path or the largest demand: `phi_main`, `omega_main`.
    Part,
    /// An equation, a parameter or something unknown.
    Other,
}

impl Asked {
    /// By the prefix of a name that the model does not define itself.
    pub fn by(name: &str) -> Asked {
        match name.split_once('_').map(|(prefix, _)| prefix) {
            Some("time") => Asked::Time,
            Some("L" | "U") => Asked::Bound { is_part: false },
            Some("U1" | "U2") => Asked::Bound { is_part: true },
            Some("phi" | "omega") => Asked::Part,
            _ => Asked::Other,
        }
    }

    /// True for every bound of a time.
    pub fn is_bound(self) -> bool {
        matches!(self, Asked::Bound { .. })
    }
}

/// The process of which this is what a run takes, if it is one of those of `times`, the `T` of which is a lower bound.
pub fn process_of_run<'o>(
    name: &str,
    mut times: impl Iterator<Item = &'o Origin>,
) -> Option<&'o String> {
    let own = name.strip_prefix("time_")?;
    let named = |origin: &&Origin| origin.process().is_some_and(|process| process == own);
    times.find(named)?.process()
}

/// Why there is no equation of this name, if it is what runs take of one of the processes of `times`.
pub fn no_formula<'o>(name: &str, times: impl Iterator<Item = &'o Origin>) -> Option<Error> {
    let process = process_of_run(name, times)?;
    Some(Error::new(format!("no formula gives the time of a run of `{process}`: `{name}` does not exist")).hint(format!(
            "`L_{process}` and `U_{process}` are its bounds; use `pamela eval` or `pamela simulate` for a run at a point"
        )))
}

/// None of the equations has this name.
pub fn no_equation(name: &str, names: &[&str]) -> Error {
    let message = match name {
        "" => "a name is missing next to a comma".to_string(),
        _ => format!("the model has no equation `{name}` without arguments"),
    };
    unknown_name(
        format!("{message}; expected one of {}", listed(names)),
        name,
        names,
    )
}

/// An error without a place, with the name that may be meant.
pub fn unknown_name(message: String, name: &str, names: &[&str]) -> Error {
    // `T` or `main` for `T_main`.
    let is_part = |full: &&&str| {
        let parts = full.split_once('_');
        parts.is_some_and(|(prefix, of)| prefix == name || of == name)
    };
    let part = names.iter().find(is_part).copied();
    let near = model::nearest(name, names.iter().copied()).or(part);
    let error = Error::new(message);
    match near {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    }
}
