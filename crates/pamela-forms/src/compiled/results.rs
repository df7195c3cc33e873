//! Looks up results by the names of equations.

use std::ops::Index;

use super::{Columns, Compiled, EquationColumns, Evaluated, EvaluatedEquation, LawValue, Point};
use crate::diagnostic::{Error, Result, listed};
use crate::eval::Value;
use crate::pipeline::{Simplified, SimplifiedEquation};
use crate::ring::Rational;

/// The equation of this name.
///
/// # Panics
/// Panics if there is no such equation; [`Simplified::equation`] does not.
impl Index<&str> for Simplified {
    type Output = SimplifiedEquation;

    #[expect(clippy::panic, reason = "as an index does")]
    fn index(&self, name: &str) -> &SimplifiedEquation {
        self.equation(name)
            .unwrap_or_else(|| panic!("there is no equation `{name}`"))
    }
}

/// The equation of this name.
///
/// # Panics
/// Panics if there is no such equation; [`Compiled::equation`] does not.
impl Index<&str> for Compiled {
    type Output = SimplifiedEquation;

    fn index(&self, name: &str) -> &SimplifiedEquation {
        &self.simplified()[name]
    }
}

impl Compiled {
    /// The equation of this name.
    pub fn equation(&self, name: &str) -> Option<&SimplifiedEquation> {
        self.simplified().equation(name)
    }
}

impl Evaluated {
    /// The equation with this name.
    ///
    /// # Errors
    /// Fails if no equation has the name, or if it has no value at the point.
    pub fn equation(&self, name: &str) -> Result<&EvaluatedEquation> {
        let found = self.equations.iter().find(|e| e.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.equations.iter().map(|e| e.name.as_str()).collect();
            Error::new(format!(
                "`{name}` has no value here; expected one of {}",
                listed(&names)
            ))
        })
    }

    /// The value of a scalar as a double, or the mean of a law.
    ///
    /// # Errors
    /// Fails like [`Evaluated::equation`]; also fails for a vector.
    pub fn number(&self, name: &str) -> Result<f64> {
        match &self.equation(name)?.value {
            Value::Scalar(number) => Ok(number.to_f64()),
            Value::Law(law) => Ok(law.cumulants().mean),
            Value::Vector(_) => Err(Error::new(format!("`{name}` is a vector"))),
        }
    }

    /// The exact value of a scalar.
    ///
    /// # Errors
    /// Fails like [`Evaluated::equation`]; also fails for a vector, a law, or a number without a known
    /// fraction.
    pub fn exact(&self, name: &str) -> Result<Rational> {
        let exact = match &self.equation(name)?.value {
            Value::Scalar(number) => number.as_exact().cloned(),
            Value::Law(_) | Value::Vector(_) => None,
        };
        exact.ok_or_else(|| Error::new(format!("`{name}` is not an exact number")))
    }

    /// Moments and quantiles of a law.
    ///
    /// # Errors
    /// Fails like [`Evaluated::equation`]; also fails if the value is not a law.
    pub fn law(&self, name: &str) -> Result<&LawValue> {
        let law = self.equation(name)?.law.as_ref();
        law.ok_or_else(|| Error::new(format!("`{name}` is not a law")))
    }
}

impl Columns {
    /// The values of the equation with this name, in the order of the points.
    pub fn equation(&self, name: &str) -> Option<&EquationColumns> {
        self.equations.iter().find(|e| e.name == name)
    }
}

impl From<&Point> for Point {
    fn from(point: &Point) -> Point {
        point.clone()
    }
}

impl<V: Into<Rational>, const COUNT: usize> From<[(&str, V); COUNT]> for Point {
    fn from(values: [(&str, V); COUNT]) -> Point {
        let values = values.into_iter();
        values.fold(Point::default(), |point, (name, value)| {
            point.with(name, value)
        })
    }
}
