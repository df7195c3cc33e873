//! Values by the definition of the language, and by the evaluator of formulas, side by side.

use std::collections::BTreeMap;
use std::fmt;

use crate::eval;
use crate::expr::{Arena, ExprId};
use crate::model::{self, Evaluator, Model};
use crate::ring::Rational;
use crate::syntax::rewrite::{label, node};
use crate::syntax::tree::{Expr, ExprKind};

use super::points::Point;

/// More steps are taken for undefined; instances take some hundreds.
const STEPS: u64 = 20_000;
const PATIENCE: u64 = 8;
/// Tolerance for functions without exact values: a closed form may lose digits that the definition keeps, but wrong
/// results differ by more.
const TOLERANCE: f64 = 1e-3;

/// A value, or none.
#[derive(Clone, Debug)]
pub enum Outcome {
    Undefined,
    /// The evaluator gave up.
    Unknown,
    Scalar(eval::Number),
    /// The nonzero components.
    Vector(BTreeMap<(String, Rational), eval::Number>),
    /// At least two values, ascending, each with its probability.
    Law(Vec<(eval::Number, Rational)>),
    /// Mean, variance, third and fourth cumulant of a law with infinitely many values.
    Cumulants([eval::Number; 4]),
}

impl Outcome {
    pub fn is_defined(&self) -> bool {
        !matches!(self, Outcome::Undefined | Outcome::Unknown)
    }

    /// True for a truth value that is defined and not 0.
    pub fn holds(&self) -> bool {
        matches!(self, Outcome::Scalar(value) if !value.is_zero())
    }

    /// True if both are equal, or both undefined.
    pub fn agrees(&self, other: &Outcome) -> bool {
        self.equals(other) || !self.is_defined() && !other.is_defined()
    }

    /// True if both are defined and equal: exactly, where both are exact.
    pub fn equals(&self, other: &Outcome) -> bool {
        match (self, other) {
            (Outcome::Scalar(a), Outcome::Scalar(b)) => same(a, b),
            (Outcome::Vector(a), Outcome::Vector(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((i, x), (j, y))| i == j && same(x, y))
            }
            (Outcome::Law(a), Outcome::Law(b)) => {
                let mut pairs = a.iter().zip(b);
                a.len() == b.len() && pairs.all(|((x, p), (y, q))| p == q && same(x, y))
            }
            (Outcome::Cumulants(a), Outcome::Cumulants(b)) => {
                a.iter().zip(b).all(|(x, y)| same(x, y))
            }
            _ => false,
        }
    }
}

fn same(a: &eval::Number, b: &eval::Number) -> bool {
    match (a.as_exact(), b.as_exact()) {
        (Some(a), Some(b)) => a == b,
        _ => {
            let (a, b) = (a.to_real(), b.to_real());
            let (size, errors) = (a.value.abs().max(b.value.abs()), a.error + b.error);
            (a.value - b.value).abs() <= (TOLERANCE * size.max(1.0)).max(errors)
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Undefined => f.write_str("undefined"),
            Outcome::Unknown => f.write_str("unknown"),
            Outcome::Scalar(value) => value.fmt(f),
            Outcome::Vector(components) if components.is_empty() => f.write_str("the zero vector"),
            Outcome::Vector(components) => {
                for (number, ((array, index), value)) in components.iter().enumerate() {
                    let separator = if number == 0 { "" } else { " + " };
                    write!(f, "{separator}{value} * unitvec({array}, {index})")?;
                }
                Ok(())
            }
            Outcome::Law(outcomes) => {
                for (number, (value, probability)) in outcomes.iter().enumerate() {
                    let separator = if number == 0 { "" } else { " | " };
                    write!(f, "{separator}{value} with {probability}")?;
                }
                Ok(())
            }
            Outcome::Cumulants([mean, variance, third, fourth]) => {
                write!(
                    f,
                    "a law of the cumulants {mean}, {variance}, {third}, {fourth}"
                )
            }
        }
    }
}

/// Values of several expressions at one point, by the definition.
pub struct Definition {
    model: Model,
    bindings: BTreeMap<String, model::Value>,
    steps: u64,
    far: bool,
}

impl Definition {
    pub fn at(point: &Point) -> Definition {
        let bind = |(name, value): (&String, &num_rational::BigRational)| {
            (name.clone(), model::Value::from(value.clone()))
        };
        Definition {
            model: Model::default(),
            bindings: point.values.iter().map(bind).collect(),
            steps: STEPS + point.steps,
            far: point.far,
        }
    }

    /// Allows more steps: a right side may cost more than a left side that could be evaluated.
    pub fn patient(mut self) -> Definition {
        self.steps *= PATIENCE;
        self
    }

    pub fn value(&self, expr: &Expr) -> Outcome {
        // The evaluator borrows model and expression for one lifetime.
        let limits = model::Limits { steps: self.steps };
        let mut evaluator = Evaluator::new(&self.model, &self.bindings, limits);
        match evaluator.evaluate_expression(expr) {
            Ok(model::Value::Scalar(value)) => Outcome::Scalar(number(&value)),
            Ok(model::Value::Vector(vector)) => {
                let components = vector.components().into_iter();
                let nonzero = components.filter(|(_, value)| !value.is_zero());
                let keyed = nonzero.map(|((array, index), value)| {
                    (
                        (array.to_string(), Rational::from(index.into_big())),
                        number(&value),
                    )
                });
                Outcome::Vector(keyed.collect())
            }
            Err(_) if evaluator.has_drawn() => match evaluator.distribution_of(expr) {
                Ok(distribution) => law(distribution),
                Err(_) => self.cumulants(expr),
            },
            Err(_) => self.without_value(),
        }
    }

    /// For large numbers, the definition gives up on some values that exist.
    fn without_value(&self) -> Outcome {
        if self.far {
            Outcome::Unknown
        } else {
            Outcome::Undefined
        }
    }

    /// The cumulants of a law that cannot be enumerated.
    fn cumulants(&self, expr: &Expr) -> Outcome {
        let cumulant = |operator| {
            let moment = node(ExprKind::Call(label(operator), vec![expr.clone()]));
            let limits = model::Limits { steps: self.steps };
            let mut evaluator = Evaluator::new(&self.model, &self.bindings, limits);
            match evaluator.evaluate_expression(&moment) {
                Ok(model::Value::Scalar(value)) => Some(number(&value)),
                _ => None,
            }
        };
        match ["E", "Var", "K3", "K4"].map(cumulant) {
            [Some(mean), Some(variance), ..] if variance.is_zero() => Outcome::Scalar(mean),
            [Some(mean), Some(variance), Some(third), Some(fourth)] => {
                Outcome::Cumulants([mean, variance, third, fourth])
            }
            _ => self.without_value(),
        }
    }
}

/// A distribution; one of a single value is that value.
fn law(distribution: model::Distribution) -> Outcome {
    let outcomes = distribution.outcomes.into_iter();
    let mut outcomes: Vec<(eval::Number, Rational)> = outcomes
        .map(|(value, probability)| (number(&value), Rational::from(probability.into_big())))
        .collect();
    match outcomes.len() {
        1 => Outcome::Scalar(outcomes.remove(0).0),
        _ => Outcome::Law(outcomes),
    }
}

fn number(value: &model::Number) -> eval::Number {
    match value {
        model::Number::Exact(value) => eval::Number::Exact(Rational::from(value.to_big())),
        model::Number::Real(value) => eval::Number::Real(value.clone()),
    }
}

/// The value of a rule's result at a point, by the evaluator of formulas.
pub fn formula_value(arena: &Arena, id: ExprId, point: &Point) -> Outcome {
    let bind = |(name, value): (&String, &num_rational::BigRational)| {
        (
            name.clone(),
            eval::Value::from(Rational::from(value.clone())),
        )
    };
    let bindings = point.values.iter().map(bind).collect();
    match eval::evaluate(
        arena,
        id,
        &bindings,
        eval::Limits {
            steps: STEPS + point.steps,
        },
    ) {
        Ok(eval::Value::Scalar(value)) => Outcome::Scalar(value),
        Ok(eval::Value::Law(_)) => Outcome::Undefined,
        Ok(eval::Value::Vector(vector)) => {
            let keyed = vector
                .components()
                .map(|(array, index, value)| ((array.to_string(), index.clone()), value.clone()));
            Outcome::Vector(keyed.collect())
        }
        Err(
            eval::EvalError::NotFinite
            | eval::EvalError::TooLarge
            | eval::EvalError::TooManySteps(_)
            | eval::EvalError::Undecided(_),
        ) if point.far => Outcome::Unknown,
        Err(_) => Outcome::Undefined,
    }
}
