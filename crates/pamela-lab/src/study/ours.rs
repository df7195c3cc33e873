//! A sum simplified by this library.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use super::points::Point;
use super::sums::{EQUATION, Sum};
use super::verdict::{Answer, Verdict};
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::eval::{self, Bindings, evaluate};
use crate::formula::{Formula, Notation};
use crate::model;
use crate::pipeline::{Model, Options, Simplified};

#[derive(Clone, Debug, Serialize)]
pub struct Ours {
    pub closed: bool,
    pub formula: String,
    pub conditions: Vec<String>,
    /// Median time from text to closed form, with rules loaded before.
    pub seconds: f64,
    pub verdict: Verdict,
}

/// Simplifies a sum `runs` times and compares its values at `points`.
///
/// # Errors
/// Fails for a model that cannot be parsed or has no equation `f`.
pub fn ours(sum: &Sum, points: &[Point], rules: &RuleBase, runs: usize) -> Result<Ours, Error> {
    let mut seconds = Vec::new();
    let mut last = None;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        last = Some(simplify(sum, rules)?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    let equation = last
        .as_ref()
        .and_then(|simplified: &Simplified| simplified.equation(EQUATION));
    let missing = || Error::new(format!("`{}` has no equation `{EQUATION}`", sum.name));
    let formula = &equation.ok_or_else(missing)?.formula;
    let mut verdict = Verdict::default();
    for point in points {
        verdict.add(point, answer(formula, point));
    }
    Ok(Ours {
        closed: formula.open_reductions() == 0,
        formula: formula.pamela(),
        conditions: formula.condition_texts(Notation::Pamela),
        seconds: median(&mut seconds),
        verdict,
    })
}

fn simplify(sum: &Sum, rules: &RuleBase) -> Result<Simplified, Error> {
    Model::parse(&sum.model)?.simplify_with(rules.clone(), &Options::default())
}

pub(super) fn answer(formula: &Formula, point: &Point) -> Answer {
    let values = point.values.iter();
    let bindings: Bindings = values
        .map(|(name, value)| {
            let number = eval::Number::Exact(value.clone().into());
            (name.clone(), eval::Value::Scalar(number))
        })
        .collect::<BTreeMap<_, _>>();
    let holds = |&condition: &_| {
        let value = evaluate(
            formula.arena(),
            condition,
            &bindings,
            eval::Limits::default(),
        );
        matches!(value, Ok(eval::Value::Scalar(number)) if !number.is_zero())
    };
    if !formula.conditions().iter().all(holds) {
        return Answer::Declined;
    }
    match formula.evaluate(&bindings) {
        Ok(eval::Value::Scalar(eval::Number::Exact(value))) => {
            Answer::Value(model::Number::from(value.to_big()))
        }
        Ok(eval::Value::Scalar(eval::Number::Real(real))) => {
            Answer::Value(model::Number::Real(real))
        }
        Ok(eval::Value::Vector(_)) => Answer::Undefined("a vector".to_string()),
        Ok(eval::Value::Law(_)) => Answer::Undefined("a law".to_string()),
        Err(error) => Answer::Undefined(error.to_string()),
    }
}

/// The upper median of the values; 0 for no values.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
