//! Converts values and errors of the definition.

use super::MAX_COMPONENTS;
use crate::diagnostic::{Diagnostic, Error, Result};
use crate::eval::{Number, Value, Vector};
use crate::model;
use crate::ring::Rational;
use crate::syntax::tree::Equation;

pub(super) fn error(model: &model::Model, diagnostic: Diagnostic) -> Error {
    Error {
        diagnostics: vec![diagnostic],
        sources: model.sources().clone(),
    }
}

/// Converts a value; returns `None` for a vector with too many components.
pub(in crate::compiled) fn convert(value: model::Value) -> Option<Value> {
    let number = |number: model::Number| match number {
        model::Number::Exact(value) => Number::Exact(Rational::from(value.into_big())),
        model::Number::Real(value) => Number::Real(value),
    };
    Some(match value {
        model::Value::Scalar(scalar) => Value::Scalar(number(scalar)),
        model::Value::Vector(vector) if vector.len() > MAX_COMPONENTS => return None,
        model::Value::Vector(vector) => {
            let components = vector.components().into_iter();
            Value::Vector(Vector::from_components(components.map(
                |((array, index), value)| {
                    (
                        array.as_ref().into(),
                        Rational::from(index.into_big()),
                        number(value),
                    )
                },
            )))
        }
    })
}

/// Checks that every parameter has a value.
///
/// # Errors
/// Fails if a parameter has no value.
pub(in crate::compiled) fn require_values(model: &model::Model) -> Result<()> {
    let is_missing =
        |p: &&Equation| p.value.is_none() && model.wait_by_runs(&p.name.text).is_none();
    let missing: Vec<&Equation> = model.parameters().filter(is_missing).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(without_values(&missing, model))
    }
}

fn without_values(missing: &[&Equation], model: &model::Model) -> Error {
    let diagnostic = |parameter: &&Equation| {
        let name = &parameter.name.text;
        Diagnostic::error(
            format!("the parameter `{name}` has no value"),
            parameter.name.span,
            "declared here without a value",
        )
        .lacks(model.row_of_field(name).unwrap_or(name))
    };
    Error {
        diagnostics: missing.iter().map(diagnostic).collect(),
        sources: model.sources().clone(),
    }
}
