//! Names of results: unused names, and errors for unknown ones.

use crate::diagnostic::{Error, listed};
use crate::model;
use crate::timing::Origin;

/// A name for a result; it is extended if the model already uses it.
pub fn unused_name(model: &model::Model, mut name: String) -> String {
    while model.lookup(&name).is_some() {
        name.push('_');
    }
    name
}

/// Kind of result that a name requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The time of a run: `time_main`.
    Time,
    /// A bound of the time: `L_main`, `U_main`, or `U1_main` and `U2_main`, the parts of the upper
    /// bound.
    Bound {
        /// True for the two parts of which the upper bound is the smaller.
        is_part: bool,
    },
    /// The critical path or the largest demand: `phi_main`, `omega_main`.
    Part,
    /// An equation, a parameter or an unknown name.
    Other,
}

impl Asked {
    /// Classifies a name by its prefix. The model must not define the name itself.
    pub fn by(name: &str) -> Asked {
        match name.split_once('_').map(|(prefix, _)| prefix) {
            // The error for `time` alone lists the times.
            None if name == "time" => Asked::Time,
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

/// The process whose run time `name` requests, if it is among `times`.
///
/// `times` are the processes whose `T` is a lower bound.
pub fn process_of_run<'o>(
    name: &str,
    mut times: impl Iterator<Item = &'o Origin>,
) -> Option<&'o String> {
    let own = name.strip_prefix("time_")?;
    let named = |origin: &&Origin| origin.process().is_some_and(|process| process == own);
    times.find(named)?.process()
}

/// An error if `name` is the run time of one of the processes in `times`, which has no formula.
pub fn no_formula<'o>(name: &str, times: impl Iterator<Item = &'o Origin>) -> Option<Error> {
    let process = process_of_run(name, times)?;
    Some(Error::new(format!("no formula gives the time of a run of `{process}`: `{name}` does not exist")).hint(format!(
            "`L_{process}` and `U_{process}` are its bounds; use `pamela eval` or `pamela simulate` for a run at a point"
        )))
}

/// An error: no equation has this name.
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

/// An error without a source location, with the closest known name as a hint.
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
