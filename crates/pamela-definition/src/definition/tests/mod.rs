//! Values computed by hand.

mod graphs;
mod law_parameters;
mod laws;
mod numbers;
mod processes;
mod samples;
mod schedules;
mod simulation;
mod standard;

use std::collections::BTreeMap;

use num_rational::BigRational;

use super::{Evaluator, Limits, Timing, Value, Vector};
use crate::diagnostic::{Diagnostic, Error};
use crate::model::{Fraction, Model, Number};
use crate::syntax::{NoFiles, parse_model};

fn check(text: &str) -> Result<Model, Error> {
    let (tree, sources) = parse_model("test.pam", text, &NoFiles)?;
    Model::check(tree, sources, &NoFiles)
}

fn model(text: &str) -> Model {
    check(text).unwrap_or_else(|error| panic!("{text}: {:?}", error.diagnostics))
}

fn with_value<T>(
    text: &str,
    bindings: &[(&str, &str)],
    read: impl FnOnce(&mut Evaluator) -> T,
) -> T {
    let model = model(text);
    let bindings: BTreeMap<String, Value> = bindings
        .iter()
        .map(|(name, value)| (name.to_string(), rational(value).into()))
        .collect();
    read(&mut Evaluator::new(
        &model,
        &bindings,
        Limits { steps: 1_000_000 },
    ))
}

/// The value of equation `x` of the model.
fn x(text: &str, bindings: &[(&str, &str)]) -> Result<Value, Diagnostic> {
    with_value(text, bindings, |evaluator| evaluator.equation("x"))
}

/// The value of one expression without parameters.
fn value(expression: &str) -> Result<Value, Diagnostic> {
    x(&format!("numeric x = {expression}"), &[])
}

fn timing(text: &str, bindings: &[(&str, &str)]) -> Result<Timing, Diagnostic> {
    with_value(text, bindings, |evaluator| evaluator.process("main"))
}

fn rational(text: &str) -> Fraction {
    text.parse::<BigRational>()
        .map(Fraction::from)
        .unwrap_or_else(|_| panic!("{text} is not a rational"))
}

fn scalar(text: &str) -> Value {
    rational(text).into()
}

fn number(text: &str) -> Number {
    rational(text).into()
}

fn list(elements: &[i64]) -> Value {
    Value::Vector(Vector::from_elements(
        elements.iter().map(|e| Number::from(*e)).collect(),
    ))
}
