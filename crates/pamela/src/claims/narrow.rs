//! Narrows the values of parameters by linear conditions.

use std::collections::BTreeMap;

use super::points::Axis;
use crate::ring::Rational;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp, Relation};

/// Rounds in which bounds of one parameter give bounds of another.
const ROUNDS: usize = 3;

/// Narrows the axes by conditions that all hold. Conditions that are not linear change nothing.
pub(super) fn narrow(axes: &mut [Axis], conditions: &[&Expr]) {
    for _ in 0..ROUNDS {
        for condition in conditions {
            by_condition(axes, condition);
        }
    }
}

fn by_condition(axes: &mut [Axis], condition: &Expr) {
    let ExprKind::Compare(relation, left, right) = &condition.kind else {
        return;
    };
    let (Some(left), Some(right)) = (Linear::of(axes, left), Linear::of(axes, right)) else {
        return;
    };
    let difference = left.plus(&right.times(&-Rational::ONE));
    match relation {
        Relation::Less | Relation::LessEqual => difference.at_most_zero(axes, *relation),
        Relation::Greater | Relation::GreaterEqual => {
            let opposite = difference.times(&-Rational::ONE);
            opposite.at_most_zero(axes, relation.mirrored());
        }
        Relation::Equal => {
            difference.at_most_zero(axes, Relation::LessEqual);
            let opposite = difference.times(&-Rational::ONE);
            opposite.at_most_zero(axes, Relation::LessEqual);
        }
        Relation::NotEqual => {}
    }
}

/// A number plus multiples of parameters, by the positions of their axes.
#[derive(Clone, Debug, Default)]
struct Linear {
    constant: Rational,
    factors: BTreeMap<usize, Rational>,
}

impl Linear {
    /// `None` for what is not linear, or not a parameter.
    fn of(axes: &[Axis], expr: &Expr) -> Option<Linear> {
        match &expr.kind {
            ExprKind::Number(value) => Some(Linear {
                constant: value.clone(),
                factors: BTreeMap::new(),
            }),
            ExprKind::Name(name) => {
                let axis = axes.iter().position(|axis| axis.name == *name)?;
                Some(Linear {
                    constant: Rational::ZERO,
                    factors: BTreeMap::from([(axis, Rational::ONE)]),
                })
            }
            ExprKind::Negate(inner) => Some(Linear::of(axes, inner)?.times(&-Rational::ONE)),
            ExprKind::Sum(first, rest) => {
                rest.iter()
                    .try_fold(Linear::of(axes, first)?, |all, (sign, term)| {
                        let term = Linear::of(axes, term)?;
                        Some(match sign {
                            AddOp::Add => all.plus(&term),
                            AddOp::Subtract => all.plus(&term.times(&-Rational::ONE)),
                        })
                    })
            }
            ExprKind::Product(first, rest) => {
                rest.iter()
                    .try_fold(Linear::of(axes, first)?, |all, (sign, factor)| {
                        let factor = Linear::of(axes, factor)?;
                        match sign {
                            MulOp::Multiply if factor.factors.is_empty() => {
                                Some(all.times(&factor.constant))
                            }
                            MulOp::Multiply if all.factors.is_empty() => {
                                Some(factor.times(&all.constant))
                            }
                            MulOp::Divide if factor.factors.is_empty() => {
                                Some(all.times(&factor.constant.recip()?))
                            }
                            _ => None,
                        }
                    })
            }
            _ => None,
        }
    }

    fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant = &sum.constant + &other.constant;
        for (axis, factor) in &other.factors {
            let own = sum.factors.entry(*axis).or_default();
            *own = &*own + factor;
        }
        sum.factors.retain(|_, factor| !factor.is_zero());
        sum
    }

    fn times(&self, factor: &Rational) -> Linear {
        let factors = self.factors.iter();
        let mut product = Linear {
            constant: &self.constant * factor,
            factors: factors.map(|(axis, own)| (*axis, own * factor)).collect(),
        };
        product.factors.retain(|_, factor| !factor.is_zero());
        product
    }

    /// Narrows each axis by `self <= 0` or `self < 0`, given the bounds of the others.
    fn at_most_zero(&self, axes: &mut [Axis], relation: Relation) {
        for (axis, factor) in &self.factors {
            let others = self.factors.iter().filter(|(other, _)| *other != axis);
            let mut least = others.map(|(other, factor)| {
                let axis = &axes[*other];
                let end = if factor.is_positive() {
                    axis.low.as_ref()
                } else {
                    axis.high.as_ref()
                };
                Some(factor * &end?.0)
            });
            let sum = least.try_fold(Rational::ZERO, |all, own| Some(&all + &own?));
            let Some(least) = sum else { continue };
            let limit = -(&self.constant + &least);
            let Some(limit) = limit.checked_div(factor) else {
                continue;
            };
            let relation = if factor.is_positive() {
                relation
            } else {
                relation.mirrored()
            };
            axes[*axis].bound(relation, limit);
        }
    }
}
