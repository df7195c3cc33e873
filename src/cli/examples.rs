//! `pamela examples`: models that the program carries.

use clap::Args;

use super::{Outcome, output};
use crate::diagnostic::Error;
use crate::pipeline::unknown_name;

pub const EXAMPLES: &str = "\
Examples:
  pamela examples                        list all examples
  pamela examples patterns/pipeline      print one of them
  pamela examples papers/mrm > mrm.pam   copy it into a file";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Name of an example, for example patterns/pipeline
    pub name: Option<String>,
}

macro_rules! carried {
    ($($name:literal),* $(,)?) => {
        /// Names and texts of the models of `corpus/papers` and `corpus/patterns`.
        const MODELS: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../corpus/", $name, ".pam")))),*
        ];
    };
}

carried![
    "papers/composition",
    "papers/conditional_loop",
    "papers/mrm",
    "papers/mrm_constants",
    "papers/mrm_moments",
    "papers/mrm_normal_form",
    "papers/mrm_numbers",
    "papers/mrm_result",
    "papers/mrm_stochastic",
    "papers/mrm_symbolic",
    "papers/mrm_time_numbers",
    "papers/mrm_time_unitvec",
    "papers/mrm_time_vector",
    "papers/mult",
    "papers/psrs",
    "papers/psrs_numbers",
    "papers/psrs_stochastic",
    "papers/selection_sort",
    "papers/selection_sort_stochastic",
    "papers/single_use",
    "papers/speculative_search",
    "papers/sum_of_scalar",
    "papers/vector_scaling",
    "papers/vector_scaling_moments",
    "papers/vector_scaling_parallel",
    "papers/vector_scaling_stochastic",
    "papers/vectors",
    "patterns/cache_and_pool",
    "patterns/checkpoint_restart",
    "patterns/collective",
    "patterns/master_worker",
    "patterns/pipeline",
    "patterns/recursion",
    "patterns/speedup",
    "patterns/stencil",
    "patterns/stragglers",
    "patterns/tree_reduction",
];

/// Prints an example, or the list of all.
///
/// # Errors
/// Fails for a name that no example has.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    match &arguments.name {
        None => output::line(&list())?,
        Some(name) => output::print(text(name)?)?,
    }
    Ok(Outcome::Done)
}

/// Each name with the first line of the model.
fn list() -> String {
    let width = MODELS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, text): &(&str, &str)| {
        let first = text.lines().next().unwrap_or_default();
        let about = first.trim_start_matches('%').trim();
        format!("{name:width$}  {about}")
    };
    let lines: Vec<String> = MODELS.iter().map(line).collect();
    lines.join("\n")
}

fn text(name: &str) -> Result<&'static str, Error> {
    let asked = name.strip_suffix(".pam").unwrap_or(name);
    let has_name = |full: &str| full == asked || full.rsplit('/').next() == Some(asked);
    let found = MODELS.iter().find(|(full, _)| has_name(full));
    let short = |full: &'static str| full.rsplit('/').next().unwrap_or(full);
    let names: Vec<&str> = MODELS.iter().map(|(name, _)| short(name)).collect();
    let (_, text) = found.ok_or_else(|| {
        unknown_name(format!("there is no example `{asked}`"), asked, &names)
            .hint("`pamela examples` lists all examples")
    })?;
    Ok(text)
}
