//! Values with their units.

use super::Subject;
use crate::compiled::EvaluatedEquation;
use crate::diagnostic::Error;
use crate::eval::{Number, Value, real_text};
use crate::law::Cumulants;
use crate::law::shortest::rounded;
use crate::pipeline::Shown;

/// The units in which values are shown.
pub struct Shows<'s> {
    subject: &'s Subject,
    time: Option<Shown>,
}

impl<'s> Shows<'s> {
    /// `time` is the name of the requested unit for times, if any.
    ///
    /// # Errors
    /// Fails if `time` is not a unit of time.
    pub fn new(subject: &'s Subject, time: Option<&str>) -> Result<Shows<'s>, Error> {
        let unit = |name: &str| match subject {
            Subject::Model(model) => model.time_unit(name),
            Subject::Compiled(compiled) => compiled.model()?.time_unit(name),
        };
        Ok(Shows {
            subject,
            time: time.map(unit).transpose()?,
        })
    }

    /// The unit of an equation, if it has one.
    pub fn of(&self, equation: &EvaluatedEquation) -> Option<Shown> {
        let own = match self.subject {
            Subject::Model(model) => model.shown(&equation.origin, &equation.name),
            Subject::Compiled(compiled) => compiled.shown(&equation.name).cloned(),
        }?;
        Some(match &self.time {
            Some(time) if own.time && !own.declared => time.clone(),
            _ => own,
        })
    }

    /// A value that reads back, with its unit.
    pub fn text(&self, equation: &EvaluatedEquation, digits: Digits) -> String {
        let value = &equation.value;
        let Some(own) = self.of(equation) else {
            return value_text(value, digits);
        };
        let Value::Scalar(number) = value else {
            // A vector or a law of numbers, times one unit.
            return format!(
                "1 [{}] * {}",
                base_of(&own),
                parenthesised(value_text(value, digits))
            );
        };
        let (text, unit) = scalar(number, &own, digits);
        if text.contains('/') {
            format!("{text} * 1 [{unit}]")
        } else {
            format!("{text} [{unit}]")
        }
    }

    /// A value as people write it, its unit behind it.
    pub fn plain(&self, equation: &EvaluatedEquation, digits: Digits) -> String {
        let value = &equation.value;
        match (self.of(equation), value) {
            (None, _) => value_text(value, digits),
            (Some(own), Value::Scalar(number)) => {
                let (text, unit) = scalar(number, &own, digits);
                format!("{text} {unit}")
            }
            (Some(own), _) => format!(
                "{} {}",
                parenthesised(value_text(value, digits)),
                base_of(&own)
            ),
        }
    }
}

/// Digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// All digits of a double.
    All,
    /// Fractions as they are.
    Fractions,
    /// This number of significant digits, for numbers that are not whole.
    Significant(usize),
}

impl Digits {
    fn text(self, number: &Number) -> String {
        match (self, number) {
            (Digits::Fractions, _) => number.exact_text(),
            (Digits::Significant(digits), number) if !number.is_whole() => {
                let double = number.to_f64();
                if double.is_normal() {
                    rounded(double, digits)
                } else {
                    number.decimal_text()
                }
            }
            _ => number.decimal_text(),
        }
    }
}

/// A number in the unit that shows it best, and this unit.
fn scalar(number: &Number, own: &Shown, digits: Digits) -> (String, String) {
    let own = own.for_value(number.to_f64());
    let text = digits.text(&shown(number, Some(&own)));
    (text, own.unit.clone())
}

fn parenthesised(text: String) -> String {
    if text.contains(" + ") {
        format!("({text})")
    } else {
        text
    }
}

/// For a unit that is a multiple, its base unit.
fn base_of(own: &Shown) -> String {
    if own.scale.is_one() {
        own.unit.clone()
    } else {
        own.base.clone()
    }
}

/// A number in a unit.
pub fn shown(number: &Number, unit: Option<&Shown>) -> Number {
    unit.map_or_else(|| number.clone(), |unit| unit.number(number))
}

/// The name of the unit of a value in JSON: the displayed unit for scalars, else base units.
pub fn name(value: &Value, unit: Option<Shown>) -> Option<String> {
    let unit = unit?;
    Some(match value {
        Value::Scalar(_) => unit.unit,
        _ => base_of(&unit),
    })
}

/// The array whose components a list names.
pub const PREDEFINED_ARRAY: &str = "fcfs";
/// Longer vectors are written as sums of unit vectors, by components in JSON.
const MAX_LIST: usize = 64;

fn value_text(value: &Value, digits: Digits) -> String {
    let text = |number: &Number| digits.text(number);
    let vector = match value {
        Value::Scalar(number) => return text(number),
        Value::Law(law) => return moments_text(&law.cumulants()),
        Value::Vector(vector) => vector,
    };
    if let Some(list) = vector.as_list(PREDEFINED_ARRAY, MAX_LIST) {
        let elements: Vec<String> = list.iter().map(text).collect();
        return if elements.is_empty() {
            "[0]".to_string()
        } else {
            format!("[{}]", elements.join(", "))
        };
    }
    let terms: Vec<String> = vector
        .components()
        .map(|(array, index, number)| {
            let array = match array {
                PREDEFINED_ARRAY => String::new(),
                other => format!("{other}, "),
            };
            format!("{} * unitvec({array}{index})", text(number))
        })
        .collect();
    if terms.is_empty() {
        "[0]".to_string()
    } else {
        terms.join(" + ")
    }
}

fn moments_text(law: &Cumulants) -> String {
    let moments = [law.mean, law.variance, law.skewness(), law.kurtosis()];
    format!("moments({})", moments.map(real_text).join(", "))
}
