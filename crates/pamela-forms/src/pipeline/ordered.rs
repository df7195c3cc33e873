//! Checks the order of bounds before they are printed.

use std::collections::BTreeMap;

use super::closed::ClosedEquation;
use crate::algebra::{PointByName, Simplifier};
use crate::expr::Sort;
use crate::model::{self, Evaluator, Fraction, Limits, Number, Value};
use crate::syntax::tree::Type;
use crate::timing::Origin;

/// Steps of the definition at one point.
const STEPS: u64 = 20_000;

/// Looks for points at which a lower bound exceeds its value, or an upper bound is below it.
///
/// The simplifier records what is found. Bounds of a process need not hold if a part of it takes a
/// negative time, or if no run of it ends.
pub(super) fn validate_order(
    model: &model::Model,
    simplifier: &mut Simplifier,
    closed: &BTreeMap<usize, Vec<ClosedEquation>>,
) {
    let mut groups: BTreeMap<&str, Vec<(u8, &ClosedEquation)>> = BTreeMap::new();
    let scalars = closed
        .values()
        .flatten()
        .filter(|told| told.equation.sort == Sort::Scalar && told.equation.formals.is_empty());
    for told in scalars {
        let (of, place) = place(told);
        groups.entry(of).or_default().push((place, told));
        if place != VALUE {
            groups
                .entry(&told.equation.name)
                .or_default()
                .push((VALUE, told));
        }
    }
    for (of, group) in &mut groups {
        group.sort_by_key(|&(place, _)| place);
        let mut is_inside = |point: &PointByName| {
            if model.lookup(of).is_none_or(|own| own.kind != Type::Process) {
                return true;
            }
            let point = point.iter();
            let given = point.map(|(name, value)| {
                (
                    name.clone(),
                    Value::from(Number::Exact(Fraction::from(value.to_big()))),
                )
            });
            let given = given.collect();
            let mut evaluator = Evaluator::new(model, &given, Limits { steps: STEPS });
            evaluator.negative_time(of).is_none()
                && evaluator.equation(&format!("time_{of}")).is_ok()
        };
        for pair in group.windows(2) {
            simplifier.validate_order(&pair[0].1.closed, &pair[1].1.closed, &mut is_inside);
        }
    }
}

/// The position of the bounded value.
const VALUE: u8 = 2;

/// The equation that a value or bound belongs to, and its position from the least bound to the greatest.
fn place(told: &ClosedEquation) -> (&str, u8) {
    match &told.equation.origin {
        Origin::Least { of } => (of, 0),
        Origin::Lower(process) => (process, 1),
        Origin::Execution(process) => (process, VALUE),
        Origin::Upper(process) => (process, 3),
        Origin::UpperUnordered(process) => (process, 4),
        Origin::UpperByWork(process) => (process, 5),
        Origin::Most { of } => (of, 6),
        _ => (&told.equation.name, VALUE),
    }
}
