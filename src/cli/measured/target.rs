//! What was measured.

use std::collections::HashSet;

use crate::diagnostic::{Error, listed};
use crate::estimate::process_of;
use crate::pipeline::{Model, unknown_name};
use crate::syntax::tree::{Equation, Type};
use crate::timing::Origin;

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The time of a process.
    Process(String),
    /// A numeric equation, in seconds.
    Equation(String),
}

impl Target {
    /// The process that is named, or else the main one; or the equation that is named.
    ///
    /// # Errors
    /// Fails if the process or the equation does not exist.
    pub fn of(
        model: &Model,
        process: Option<&str>,
        equation: Option<&str>,
    ) -> Result<Target, Error> {
        let checked = model.checked();
        let is_number =
            |own: &Equation| own.kind == Type::Numeric && !own.parameter && own.formals.is_empty();
        match equation {
            Some(name) if checked.lookup(name).is_some_and(is_number) => {
                Ok(Target::Equation(name.to_owned()))
            }
            Some(name) => {
                let own = checked.equations().iter().filter(|own| is_number(own));
                let names: Vec<&str> = own.map(|own| own.name.text.as_str()).collect();
                let message = format!(
                    "`{name}` is not a numeric equation without arguments; expected one of {}",
                    listed(&names)
                );
                Err(unknown_name(message, name, &names))
            }
            None => process_of(model, process)
                .map(Target::Process)
                .map_err(|error| {
                    let has_process = checked.main_process().is_some();
                    if has_process {
                        error
                    } else {
                        error.hint("name what was measured: --equation NAME")
                    }
                }),
        }
    }

    fn name(&self) -> &str {
        match self {
            Target::Process(name) | Target::Equation(name) => name,
        }
    }
}

/// Names that a column of measured times may have beside `time`; none is a parameter.
pub fn time_names(model: &Model, target: &Target) -> Vec<String> {
    let own: Vec<String> = match target {
        Target::Process(process) => {
            let origins = [
                Origin::Execution(process.clone()),
                Origin::Time(process.clone()),
            ];
            origins
                .iter()
                .filter_map(Origin::process_equation)
                .collect()
        }
        Target::Equation(name) => vec![name.clone()],
    };
    let names = own.into_iter().chain(["value".to_string()]);
    let is_parameter = |name: &String| model.scalar_parameters().any(|own| own == name);
    names.filter(|name| !is_parameter(name)).collect()
}

/// The parameters on which a target depends.
pub fn needed(model: &Model, target: &Target) -> HashSet<String> {
    let equations = model.checked().equations();
    let first = equations
        .iter()
        .position(|own| own.name.text == target.name());
    let mut seen: HashSet<usize> = first.into_iter().collect();
    let mut pending: Vec<usize> = first.into_iter().collect();
    while let Some(position) = pending.pop() {
        let mentioned = model.checked().mentions(position).into_iter();
        pending.extend(mentioned.filter(|position| seen.insert(*position)));
    }
    let names = seen
        .into_iter()
        .map(|place| equations[place].name.text.clone());
    names.collect()
}
