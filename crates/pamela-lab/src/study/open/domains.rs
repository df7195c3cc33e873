//! Points at which results hold, and distances of their bounds.

use crate::formula::{Formula, Notation};
use crate::model::Number;
use crate::pipeline::{Model, Simplified};
use crate::study::ours::{answer, median};
use crate::study::points::{Point, points};
use crate::study::verdict::Answer;

/// Both bounds of an open result, beside its definition.
pub struct Bounds {
    /// True if at half of the points where they are not 0, the bounds are within a factor of 2 of each other.
    pub near: bool,
    /// Points at which the definition violates a bound.
    pub beyond: Vec<String>,
    /// Median ratios of value to lower bound, and of upper bound to value.
    pub apart: [f64; 2],
    pub texts: [String; 2],
}

/// The conditions of a result that exclude a point at which the definition has a value and no range is empty.
///
/// Conditions that a range is not empty are not counted, since a process usually says nothing about empty ranges.
pub fn narrowed(model: &Model, name: &str, formula: &Formula) -> Option<String> {
    if formula.conditions().is_empty() {
        return None;
    }
    let points = points(model.checked(), name);
    let left_out =
        |point: &Point| !point.degenerate && matches!(answer(formula, point), Answer::Declined);
    let conditions = || formula.condition_texts(Notation::Pamela).join(", ");
    points.iter().any(left_out).then(conditions)
}

/// The bounds of an equation, if it has two.
pub fn bounds(model: &Model, simplified: &Simplified, name: &str) -> Option<Bounds> {
    let side = |side: &str| Some(&simplified.equation(&format!("{side}_{name}"))?.formula);
    let (lower, upper) = (side("lower")?, side("upper")?);
    let (mut near, mut all, mut beyond) = (0, 0, Vec::new());
    let mut apart = [Vec::new(), Vec::new()];
    for point in points(model.checked(), name) {
        let value = |formula| match answer(formula, &point) {
            Answer::Value(value) => Some(double(&value)),
            _ => None,
        };
        let expected = double(&point.expected);
        let (least, most) = (value(lower), value(upper));
        let slack = 1e-9 * expected.abs().max(1.0);
        let passed = least.is_some_and(|least| least > expected + slack)
            || most.is_some_and(|most| most < expected - slack);
        if passed {
            beyond.push(point.text());
        }
        if expected != 0.0 {
            all += 1;
            let both = least.zip(most);
            near += usize::from(both.is_some_and(|(least, most)| most <= 2.0 * least));
            apart[0].push(least.map_or(f64::INFINITY, |least| expected / least));
            apart[1].push(most.map_or(f64::INFINITY, |most| most / expected));
        }
    }
    Some(Bounds {
        near: 2 * near >= all,
        beyond,
        apart: apart.map(|mut factors| median(&mut factors)),
        texts: [lower, upper].map(Formula::pamela),
    })
}

fn double(number: &Number) -> f64 {
    match number {
        Number::Exact(value) => value.to_f64(),
        Number::Real(real) => real.value,
    }
}
