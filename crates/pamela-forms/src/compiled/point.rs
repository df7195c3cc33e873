//! A point in the space of the parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::at::{convert, require_values};
use crate::diagnostic::{Error, Result};
use crate::eval::{Bindings, Number, Value};
use crate::model;
use crate::pipeline::Model;
use crate::ring::Rational;

/// Values of parameters by name.
#[derive(Clone, Debug, Default)]
pub struct Point {
    pub(super) values: Bindings,
    /// The model with the parameters set to these values, if they were given as expressions.
    pub(super) definition: Option<Arc<model::Model>>,
}

impl Point {
    /// Adds an exact value for a parameter: a whole number, a fraction, or a decimal by
    /// [`decimal`](crate::eval::decimal).
    pub fn with(mut self, name: &str, value: impl Into<Rational>) -> Point {
        let value = Value::Scalar(Number::Exact(value.into()));
        self.values.insert(name.to_owned(), value);
        self.definition = None;
        self
    }

    /// The values of the parameters `names` in a model.
    pub(super) fn of_model(model: &Model, names: Vec<&str>) -> Result<Point> {
        let checked = model.checked();
        require_values(checked)?;
        let mut values = Bindings::new();
        for name in names {
            let given = BTreeMap::new();
            let limits = model::Limits::default();
            let mut evaluator = model::Evaluator::new(checked, &given, limits);
            let value = evaluator.equation(name).map_err(|fault| Error {
                diagnostics: vec![fault],
                sources: checked.sources().clone(),
            })?;
            let large = || {
                Error::new(format!(
                    "`{name}` has too many components to be written out"
                ))
            };
            values.insert(name.to_owned(), convert(value).ok_or_else(large)?);
        }
        Ok(Point {
            values,
            definition: Some(Arc::new(checked.clone())),
        })
    }

    /// The values for the evaluator of the definition, if all of them are exact numbers.
    pub(super) fn for_definition(&self) -> Option<BTreeMap<String, model::Value>> {
        if self.definition.is_some() {
            return None;
        }
        let exact = |(name, value): (&String, &Value)| match value {
            Value::Scalar(Number::Exact(value)) => {
                let value = model::Number::Exact(model::Fraction::from(value.to_big()));
                Some((name.clone(), model::Value::Scalar(value)))
            }
            _ => None,
        };
        self.values.iter().map(exact).collect()
    }

    /// The model with the parameters set to these values.
    pub(super) fn define_in(&self, model: &Model) -> Result<model::Model> {
        let mut model = model.clone();
        for (name, value) in &self.values {
            match value {
                Value::Scalar(Number::Exact(value)) => model.define_number(name, value)?,
                _ => return Err(Error::new(format!("`{name}` is not an exact number"))),
            }
        }
        Ok(model.checked().clone())
    }
}
