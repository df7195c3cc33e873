//! `pamela diff`

use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::{ADVANCED, RuleOptions, parse_definition};
use super::{Outcome, output, read_file, rule_base};
use crate::diagnostic::Error;
use crate::diff::{self, Request};
use crate::effort::Effort;
use crate::pipeline::Model;
use crate::syntax::LibraryLoader;

pub const EXAMPLES: &str = "\
Examples:
  pamela diff old.pam new.pam                      where which is slower, and by what factor
  pamela diff old.pam new.pam --only time_main
  git show HEAD~1:sort.c > before.c; pamela diff before.c sort.c --entry sort";

pub const NOTES: &str = "\
Values of the same name are compared: greater is slower. Files that end in .c are modelled first, as by `pamela model`. \
The comparison holds where the facts of both models do.

Exit codes: 0 nothing got slower; 1 something did, or an error; 3 not decided.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The first model or C program
    #[arg(value_name = "OLD")]
    old: String,
    /// The second model or C program
    #[arg(value_name = "NEW")]
    new: String,
    /// Compare only these values, for example time_main
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Values of which more is better, such as a speedup
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    more_is_better: Vec<String>,
    /// Set a parameter in both models (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Function to model in C programs [default: the region of a pragma, else main]
    #[cfg(feature = "programs")]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Work limit: low (1/16), normal or high (16 times)
    #[arg(
        long, value_enum, value_name = "EFFORT", default_value_t = Effort::Normal, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    effort: Effort,
    /// Search this directory for imported files (repeatable)
    #[arg(long, value_name = "DIR", help_heading = ADVANCED)]
    library: Vec<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let [old, new] = [&arguments.old, &arguments.new].map(|file| read(arguments, file));
    let (old, new) = (old?, new?);
    for (name, _) in &arguments.define {
        if !has(&old, name) && !has(&new, name) {
            let message = format!("cannot set `{name}`: no model has such a parameter or equation");
            return Err(Error::new(message));
        }
    }
    let request = Request {
        only: arguments.only.clone(),
        more_is_better: arguments.more_is_better.clone(),
        effort: arguments.effort,
    };
    let found = diff::difference(&old, &new, &rule_base(&arguments.rules)?, &request)?;
    if arguments.json {
        output::json(&diff::Report::from(&found))?
    } else {
        for line in diff::lines(&found) {
            output::line(&line)?;
        }
    }
    if found.values.is_empty() {
        output::note("note: the models have no value of the same name");
    }
    Ok(match (found.is_slower(), found.is_decided()) {
        (true, _) => Outcome::Wrong,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::Incomplete,
    })
}

/// The model of a file, with the values given to it.
fn read(arguments: &Arguments, file: &str) -> Result<Model, Error> {
    let loader = LibraryLoader {
        directories: arguments.library.clone(),
    };
    let text = if Path::new(file).extension().is_some_and(|own| own == "c") {
        of_program(arguments, file)?
    } else {
        read_file(Path::new(file))?
    };
    let mut model = Model::read(file, &text, &loader)?;
    for (name, value) in &arguments.define {
        if has(&model, name) {
            model.define(name, value)?;
        }
    }
    Ok(model)
}

/// True if the model has a parameter or an equation of this name.
fn has(model: &Model, name: &str) -> bool {
    let own = model.own_name(name);
    model.checked().lookup(&own).is_some()
}

#[cfg(feature = "programs")]
fn of_program(arguments: &Arguments, file: &str) -> Result<String, Error> {
    let entry = arguments.entry.clone();
    super::model::text_of(file, entry)
}

#[cfg(not(feature = "programs"))]
fn of_program(_: &Arguments, file: &str) -> Result<String, Error> {
    let message = format!("cannot model `{file}`: this program was built without `programs`");
    Err(Error::new(message))
}
