//! Points at which a sum is compared: degenerate and ordinary parameter values, with the value by definition.

use std::collections::BTreeMap;

use num_rational::BigRational;

use crate::model::{Evaluator, Limits, Model, Number, Value};
use crate::syntax::tree::{Equation, ParameterFact};

/// Small ones first: empty ranges, one iteration, whole and broken periods.
const INTEGERS: [i64; 11] = [0, 1, 2, 3, -1, 5, 4, 7, -2, 12, 23];
/// Numerators and denominators: poles, zeros, signs, fractions.
const NUMBERS: [(i64, i64); 8] = [
    (1, 1),
    (0, 1),
    (2, 1),
    (1, 2),
    (-1, 1),
    (3, 1),
    (-3, 2),
    (5, 1),
];
/// Points of a grid that are looked at.
const MOST_TRIED: usize = 400;
const MOST_KEPT: usize = 80;
const STEPS: u64 = 400_000;
/// A size at which no loop can run, but other parameters can have it.
const LARGE: i64 = 1_000_000_000;
/// Points with one large parameter: number of tries for each parameter, and step limit.
const MOST_LARGE: usize = 8;
const STEPS_OF_LARGE: u64 = 10_000;

/// Values of the parameters and of the sum.
#[derive(Clone, Debug)]
pub struct Point {
    pub values: BTreeMap<String, BigRational>,
    pub expected: Number,
    /// True if some range that was met has no index.
    pub degenerate: bool,
}

impl Point {
    /// `N = 0, r = 1`
    pub fn text(&self) -> String {
        let parts = self.values.iter();
        let parts: Vec<String> = parts.map(|(name, x)| format!("{name} = {x}")).collect();
        parts.join(", ")
    }
}

/// Points that satisfy the statements of the model, and at which the definition of `equation` has a value.
pub fn points(model: &Model, equation: &str) -> Vec<Point> {
    points_at(model, equation, &BTreeMap::new())
}

/// Like [`points`], with fixed values of some parameters.
pub fn points_at(model: &Model, equation: &str, fixed: &BTreeMap<String, i64>) -> Vec<Point> {
    let points = grid(model, equation, fixed, MOST_TRIED, STEPS);
    points.take(MOST_KEPT).collect()
}

/// Points at which one whole parameter is large; if that makes a loop long, the definition gives no value within the
/// step limit.
pub fn large_points(model: &Model, equation: &str) -> Vec<Point> {
    let whole = model.parameters().filter(|parameter| is_whole(parameter));
    let fixed = whole.map(|parameter| BTreeMap::from([(parameter.name.text.clone(), LARGE)]));
    let fixed: Vec<BTreeMap<String, i64>> = fixed.collect();
    let points = fixed
        .iter()
        .flat_map(|fixed| grid(model, equation, fixed, MOST_LARGE, STEPS_OF_LARGE));
    points.collect()
}

fn grid(
    model: &Model,
    equation: &str,
    fixed: &BTreeMap<String, i64>,
    most: usize,
    steps: u64,
) -> impl Iterator<Item = Point> {
    let axis = |parameter: &Equation| {
        let name = parameter.name.text.clone();
        let values = match fixed.get(&name) {
            Some(&value) => vec![BigRational::from_integer(value.into())],
            None => candidates(parameter),
        };
        (name, values)
    };
    let axes: Vec<(String, Vec<BigRational>)> = model.parameters().map(axis).collect();
    let total: usize = axes.iter().map(|(_, values)| values.len()).product();
    let tried = total.min(most);
    (0..tried).filter_map(move |number| {
        let mut rest = spread(number, total);
        let values = axes.iter().map(|(name, values)| {
            let value = values[rest % values.len()].clone();
            rest /= values.len();
            (name.clone(), value)
        });
        point(model, equation, values.collect(), steps)
    })
}

/// A grid of few points in its order; of many, points all over it.
fn spread(number: usize, total: usize) -> usize {
    if total <= MOST_TRIED {
        return number;
    }
    // The golden section leaves no part of the grid out for long.
    ((number as f64 * 0.618_033_988_749_895).fract() * total as f64) as usize
}

fn is_whole(parameter: &Equation) -> bool {
    let integer = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
    parameter.facts.iter().any(integer)
}

fn candidates(parameter: &Equation) -> Vec<BigRational> {
    if is_whole(parameter) {
        let whole = INTEGERS.into_iter();
        return whole
            .map(|value| BigRational::from_integer(value.into()))
            .collect();
    }
    let fraction = |(numerator, denominator): (i64, i64)| {
        BigRational::new(numerator.into(), denominator.into())
    };
    NUMBERS.into_iter().map(fraction).collect()
}

/// The point with these values, if they satisfy the statements of the model and the definition has a value within the
/// step limit.
pub(super) fn point(
    model: &Model,
    equation: &str,
    values: BTreeMap<String, BigRational>,
    steps: u64,
) -> Option<Point> {
    let bindings: BTreeMap<String, Value> = values
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    let mut evaluator = Evaluator::new(model, &bindings, Limits { steps });
    if !evaluator.broken_facts().ok()?.is_empty() {
        return None;
    }
    let expected = match evaluator.equation(equation).ok()? {
        Value::Scalar(number) => number,
        Value::Vector(_) => return None,
    };
    let degenerate = evaluator.empty_ranges() > 0;
    Some(Point {
        values,
        expected,
        degenerate,
    })
}
