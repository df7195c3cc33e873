//! `pamela fit`

use super::arguments;
use super::{Outcome, output, standard_input};
use crate::diagnostic::Error;
use crate::law::Samples;
use crate::law::fit::Fit;
use crate::pipeline::{Model, plain_error};
use crate::syntax::{FileLoader, Loader};

pub fn run(arguments: &arguments::Fit) -> Result<Outcome, Error> {
    let column = arguments.column.as_deref();
    let samples = match arguments.file.as_str() {
        "-" => Samples::read(&standard_input()?, column),
        file => from_file(file, column),
    };
    let samples = samples.map_err(plain_error)?;
    let resamples = arguments.resamples as usize;
    let fit = Fit::new(&samples.column, samples.values, resamples, arguments.seed)
        .map_err(plain_error)?;
    if arguments.json {
        output::json(&fit)?;
    } else {
        output::line(&format!("{fit}\n{}", equations(&fit)))?;
    }
    Ok(Outcome::Done)
}

fn from_file(file: &str, column: Option<&str>) -> Result<Samples, String> {
    let text = FileLoader.read(file);
    let text = text.map_err(|reason| format!("cannot read `{file}`: {reason}"))?;
    Samples::read(&text, column).map_err(|error| format!("`{file}`: {error}"))
}

/// What can be put into a model: the best law, and the moments where that is another one.
fn equations(fit: &Fit) -> String {
    let name = name(&fit.column);
    let moments = fit.moments_expression();
    match fit.laws.first().map(|law| law.expression.as_str()) {
        Some(best) if best != moments => {
            format!("numeric {name} = {best}\n% by its moments alone: numeric {name} = {moments}")
        }
        _ => format!("numeric {name} = {moments}"),
    }
}

/// The column, where that is a name in a model; `x` otherwise.
fn name(column: &str) -> &str {
    let text = format!("numeric {column} = 1");
    let is_name = column
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    match is_name && Model::read("name", &text, &FileLoader).is_ok() {
        true => column,
        false => "x",
    }
}
