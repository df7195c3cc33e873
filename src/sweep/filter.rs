//! Conditions on points, as expressions of the language.

use super::axes::constant;
use crate::compiled::{Compiled, Input, Plan};
use crate::diagnostic::Result;
use crate::eval::certified::Scratch;
use crate::pipeline::{Model, Options, plain_error};

/// A condition over named numbers: a point is kept where it is 1.
#[derive(Clone, Debug)]
pub struct Filter {
    plan: Plan,
    names: Vec<String>,
}

/// The equation that holds the condition.
const CONDITION: &str = "condition";

impl Filter {
    /// Reads a condition over `names`.
    ///
    /// # Errors
    /// A text that is no expression over the names.
    pub fn new(text: &str, names: &[&str]) -> Result<Filter> {
        if let Some(name) = names.iter().find(|name| **name == CONDITION) {
            return Err(plain_error(format!(
                "`--where` cannot be used with a parameter `{name}`"
            )));
        }
        let parameters = names
            .iter()
            .map(|name| format!("numeric parameter {name}\n"));
        let model = format!(
            "{}numeric {CONDITION} = {text}\n",
            parameters.collect::<String>()
        );
        let parsed = Model::read("--where", &model, &crate::syntax::NoFiles);
        let compiled: Result<Compiled> =
            parsed.and_then(|model| model.compile(&Options::default()));
        let compiled = compiled.map_err(|error| {
            let reason = error.diagnostics.first().map(|d| d.message.clone());
            let known = names.join(", ");
            plain_error(format!(
                "`--where {text}` cannot be read: {}; it may speak of {known}",
                reason.unwrap_or_default()
            ))
        })?;
        let used: Vec<String> = compiled
            .equations()
            .iter()
            .flat_map(|e| e.formula.parameters())
            .collect();
        Ok(Filter {
            plan: compiled.plan_of_values(&[])?,
            names: used,
        })
    }

    /// The names that it speaks of.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn scratch(&self) -> Scratch {
        self.plan.scratch()
    }

    /// The points of a batch that are kept, of those whose values `named` gives.
    pub fn kept(
        &self,
        named: &dyn Fn(&str) -> Option<Input>,
        length: usize,
        scratch: &mut Scratch,
    ) -> Vec<usize> {
        let zero = || constant("0").map_or(Input::Default, Input::Constant);
        let input = |name: &String| named(name).unwrap_or_else(zero);
        let inputs: Vec<Input> = self.plan.parameters().iter().map(input).collect();
        let columns = self.plan.run(&inputs, length, scratch);
        let values = &columns.equations[0].values;
        (0..length).filter(|&lane| values[lane] == 1.0).collect()
    }
}
