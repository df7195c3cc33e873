//! Compares values with the definition.

use serde::Serialize;

use super::points::Point;
use crate::model::Number;

/// Result of comparing a closed form at the points of a sum.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    /// Points at which the closed form claims to hold.
    pub compared: usize,
    /// Points excluded by its conditions, or by the limits of its notation.
    pub declined: usize,
    /// Points with another value than the sum, or without a value.
    pub wrong: Vec<Wrong>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Wrong {
    pub point: String,
    pub expected: String,
    /// The other value, or the reason why there is none.
    pub found: String,
    pub has_value: bool,
}

/// Answer of a closed form at a point.
pub enum Answer {
    Value(Number),
    /// The form claims to hold but has no value, for this reason.
    Undefined(String),
    /// The form does not claim to hold at this point.
    Declined,
}

impl Verdict {
    /// The verdict at one point.
    pub fn of(point: &Point, answer: Answer) -> Verdict {
        let mut verdict = Verdict::default();
        verdict.add(point, answer);
        verdict
    }

    pub fn add(&mut self, point: &Point, answer: Answer) {
        let (has_value, found) = match answer {
            Answer::Declined => {
                self.declined += 1;
                return;
            }
            Answer::Value(value) if same(&value, &point.expected) => {
                self.compared += 1;
                return;
            }
            Answer::Value(value) => (true, text(&value)),
            Answer::Undefined(reason) => (false, reason),
        };
        self.compared += 1;
        self.wrong.push(Wrong {
            point: point.text(),
            expected: text(&point.expected),
            found,
            has_value,
        });
    }
}

fn text(number: &Number) -> String {
    match number {
        Number::Exact(value) => value.to_string(),
        Number::Real(real) => real.value.to_string(),
    }
}

/// Equal, up to rounding where one of them is a double.
fn same(left: &Number, right: &Number) -> bool {
    if let (Number::Exact(left), Number::Exact(right)) = (left, right) {
        return left == right;
    }
    let (left, right) = (double(left), double(right));
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
}

fn double(number: &Number) -> f64 {
    match number {
        Number::Exact(value) => value.to_f64(),
        Number::Real(real) => real.value,
    }
}
