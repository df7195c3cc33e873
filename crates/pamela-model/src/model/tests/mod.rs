//! What the checker refuses and accepts, and its fractions.

mod checks;
mod fraction;
mod graphs;
mod link;
mod recordings;
mod records;
mod units;
mod warnings;

use super::Model;
use crate::diagnostic::{Diagnostic, Error};
use crate::syntax::{NoFiles, parse_model};

fn check(text: &str) -> Result<Model, Error> {
    let (tree, sources) = parse_model("test.pam", text, &NoFiles)?;
    Model::check(tree, sources, &NoFiles)
}

fn model(text: &str) -> Model {
    check(text).unwrap_or_else(|error| panic!("{text}: {:?}", error.diagnostics))
}
