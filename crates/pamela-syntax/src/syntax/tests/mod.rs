mod brackets;
mod errors;
mod expressions;
mod graphs;
mod hostile;
mod inclusions;
mod models;
mod records;
mod round_trip;

use super::tree::{Expr, Model};
use super::{NoFiles, parse_expression, parse_model};

fn model(text: &str) -> Model {
    match parse_model("model.pam", text, &NoFiles) {
        Ok((model, _)) => model,
        Err(error) => panic!("{error}"),
    }
}

fn expression(text: &str) -> Expr {
    match parse_expression("expression", text) {
        Ok((expression, _)) => expression,
        Err(error) => panic!("{error}"),
    }
}

/// The rendered errors of a model.
fn errors(text: &str) -> String {
    match parse_model("model.pam", text, &NoFiles) {
        Ok((model, _)) => panic!("read as\n{model}"),
        Err(error) => error.to_string(),
    }
}

/// A tree as text without its places in the source: equal for trees that are equal otherwise.
fn shape(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut pieces = text.split("Span {");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shape, piece| {
        shape + piece.split_once('}').map_or("", |(_, rest)| rest)
    })
}
