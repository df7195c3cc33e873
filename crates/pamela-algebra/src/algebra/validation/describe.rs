//! Values in words and numbers, for comparisons and messages.

use pamela_expr::eval::{Number, Value};

use crate::ring::Rational;

/// Mean and variance.
pub fn moments(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Scalar(number) => Some((number.to_f64(), 0.0)),
        Value::Law(law) => {
            let cumulants = law.cumulants();
            Some((cumulants.mean, cumulants.variance))
        }
        Value::Vector(_) => None,
    }
}

pub fn text(value: &Value) -> String {
    match value {
        Value::Scalar(number) => number.exact_text(),
        Value::Vector(vector) => {
            let components = vector.components();
            let component = |(array, index, number): (&str, &Rational, &Number)| {
                format!("{array}[{index}]: {}", number.exact_text())
            };
            let components: Vec<String> = components.map(component).collect();
            format!("[{}]", components.join(", "))
        }
        Value::Law(law) => {
            let cumulants = law.cumulants();
            format!(
                "a law of mean {} and variance {}",
                cumulants.mean, cumulants.variance
            )
        }
    }
}
