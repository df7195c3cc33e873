//! The ends of ranges of real numbers, which lie at doubles or between neighbouring ones.

use std::collections::BTreeMap;

use super::condition::{Condition, Side};
use super::lattice::{Cell, Pieces};
use super::range::{End, Range};
use super::signs::{Obstacle, Signs};
use super::truth::{Truth, both, either, holds};
use crate::eval::Number;
use crate::expr::{ExprId, Function, Node};
use crate::ring::Rational;
use crate::syntax::tree::Relation;

/// Decimals of at most this many digits after the point are tried.
const MOST_DIGITS: u32 = 320;

/// What decides the truth at a number.
pub struct Question<'q> {
    pub condition: &'q Condition,
    pub sides: &'q BTreeMap<&'q str, ExprId>,
    /// Truth values that must hold as well.
    pub facts: Vec<ExprId>,
    /// Conditions under which the sides are right.
    pub conditions: Vec<ExprId>,
}

/// A place where cells meet.
struct Gap {
    low: Rational,
    high: Rational,
    before: bool,
    after: bool,
}

impl Signs {
    /// The ranges of positive numbers of pieces that are all decided.
    pub fn ranges(
        &mut self,
        question: &Question<'_>,
        pieces: &Pieces<Truth>,
    ) -> Result<Vec<Range>, Obstacle> {
        let mut all: Vec<Range> = Vec::new();
        let mut start: Option<Option<End>> = None;
        let mut before: Option<(Cell, bool)> = None;
        for (cell, truth) in pieces {
            let now = *truth == Truth::Yes;
            if let Some((last, was)) = before {
                let gap = Gap {
                    low: self.lattice.value(last.last),
                    high: self.lattice.value(cell.first),
                    before: was,
                    after: now,
                };
                let place = self.place(question, &gap)?;
                match (was, now) {
                    (false, true) => start = Some(place),
                    (true, false) => all.push(Range {
                        low: start.take().flatten(),
                        high: place,
                    }),
                    (true, true) => {
                        // A single number is left out.
                        if let Some(end) = place {
                            all.push(Range {
                                low: start.take().flatten(),
                                high: Some(end.clone()),
                            });
                            start = Some(Some(end));
                        }
                    }
                    (false, false) => all.extend(place.map(|end| Range {
                        low: Some(end.clone()),
                        high: Some(end),
                    })),
                }
            } else if now {
                start = Some(if self.lattice.reaches_zero(*cell) {
                    Some(End::exact(Rational::ZERO, false))
                } else {
                    Some(End::exact(self.lattice.value(cell.first), true))
                });
            }
            before = Some((*cell, now));
        }
        if let (Some(low), Some((last, _))) = (start, before) {
            let high = if self.lattice.is_unbounded(last) {
                None
            } else {
                Some(End::exact(self.lattice.value(last.last), true))
            };
            all.push(Range { low, high });
        }
        Ok(all)
    }

    /// The number at which the truth changes between two neighbouring points, or the only number between them at which
    /// it differs.
    fn place(&mut self, question: &Question<'_>, gap: &Gap) -> Result<Option<End>, Obstacle> {
        let simple = simplest(&gap.low, &gap.high);
        let differences = self.differences(question);
        for at in simple {
            if !self.is_special(&differences, &at)? {
                continue;
            }
            let there = self.holds_at(question, &at)?;
            if gap.before != gap.after {
                return Ok(Some(End::exact(at, there)));
            }
            return Ok((there != gap.before).then(|| End::exact(at, there)));
        }
        if gap.before == gap.after {
            let cell = [gap.low.to_f64(), gap.high.to_f64()];
            for &id in &differences {
                if !self.is_apart(id, cell) {
                    return Err(Obstacle::Undecided(id));
                }
            }
            return Ok(None);
        }
        // An irrational number, at which a difference is 0.
        let changing = self.changing(question.condition, question.sides, gap)?;
        let is_included =
            changing.is_some_and(|relation| holds(relation, std::cmp::Ordering::Equal));
        let value = if gap.after == is_included {
            &gap.high
        } else {
            &gap.low
        };
        Ok(Some(End {
            value: value.clone(),
            is_exact: false,
            is_included,
        }))
    }

    /// The relation of a comparison whose truth changes in a gap.
    fn changing(
        &mut self,
        condition: &Condition,
        sides: &BTreeMap<&str, ExprId>,
        gap: &Gap,
    ) -> Result<Option<Relation>, Obstacle> {
        for (relation, left, right) in condition.comparisons() {
            let difference = self.difference(left, right, sides);
            let low = self.sign_at(difference, &gap.low)?;
            let high = self.sign_at(difference, &gap.high)?;
            if low != high {
                return Ok(Some(relation));
            }
        }
        Ok(None)
    }

    /// The difference of two sides.
    pub fn difference(
        &mut self,
        left: &Side,
        right: &Side,
        sides: &BTreeMap<&str, ExprId>,
    ) -> ExprId {
        let [left, right] = [left, right].map(|side| match side {
            Side::Number(value) => self.arena.number(value.clone()),
            Side::Equation { name, .. } => sides[name.as_str()],
        });
        self.arena.subtract(left, right)
    }

    fn differences(&mut self, question: &Question<'_>) -> Vec<ExprId> {
        let comparisons = question.condition.comparisons().into_iter();
        let mut all: Vec<ExprId> = comparisons
            .map(|(_, left, right)| self.difference(left, right, question.sides))
            .collect();
        for &fact in question.facts.iter().chain(&question.conditions) {
            if let Node::Compare(_, a, b) = *self.arena.node(fact) {
                all.push(self.arena.subtract(a, b));
            }
        }
        all.retain(|&id| self.arena.mentions(id, self.variable));
        all
    }

    /// True if a difference is 0 at a number, or a value in it is rounded there at a step.
    fn is_special(&mut self, differences: &[ExprId], at: &Rational) -> Result<bool, Obstacle> {
        for &id in differences {
            if self.sign_at(id, at)?.is_none_or(std::cmp::Ordering::is_eq) {
                return Ok(true);
            }
            let mut pending = vec![id];
            while let Some(id) = pending.pop() {
                if let Node::Apply(Function::Floor | Function::Ceil, of) = *self.arena.node(id)
                    && let Some(Number::Exact(value)) = self.number_at(of, at)?
                    && value.is_integer()
                    && self.arena.mentions(of, self.variable)
                {
                    return Ok(true);
                }
                pending.extend(self.arena.operands(id));
            }
        }
        Ok(false)
    }

    fn holds_at(&mut self, question: &Question<'_>, at: &Rational) -> Result<bool, Obstacle> {
        for &fact in &question.facts {
            if !self
                .sign_at(fact, at)?
                .is_some_and(std::cmp::Ordering::is_ne)
            {
                return Ok(false);
            }
        }
        for &condition in &question.conditions {
            if !self
                .sign_at(condition, at)?
                .is_some_and(std::cmp::Ordering::is_ne)
            {
                return Err(Obstacle::Unproved(condition));
            }
        }
        let truth = self.truth_at(question.condition, question.sides, at)?;
        Ok(truth == Truth::Yes)
    }

    fn truth_at(
        &mut self,
        condition: &Condition,
        sides: &BTreeMap<&str, ExprId>,
        at: &Rational,
    ) -> Result<Truth, Obstacle> {
        let combine = |start: Truth,
                       list: &[Condition],
                       own: &mut Self,
                       with: fn(&Truth, &Truth) -> Truth| {
            list.iter().try_fold(start, |all, part| {
                Ok(with(&all, &own.truth_at(part, sides, at)?))
            })
        };
        match condition {
            Condition::Compare(relation, left, right) => {
                let difference = self.difference(left, right, sides);
                let sign = self.sign_at(difference, at)?;
                Ok(sign.map_or(Truth::Undefined, |sign| holds(*relation, sign).into()))
            }
            Condition::All(list) => combine(Truth::Yes, list, self, both),
            Condition::Any(list) => combine(Truth::No, list, self, either),
        }
    }
}

/// Numbers with short texts from one to another: the shortest decimal, and the fraction with the least denominator.
fn simplest(low: &Rational, high: &Rational) -> Vec<Rational> {
    let mut found = Vec::new();
    let mut scale = Rational::ONE;
    let ten = Rational::from(10);
    for _ in 0..MOST_DIGITS {
        let digits = (low * &scale).ceil();
        if let Some(value) = digits.checked_div(&scale)
            && value <= *high
        {
            found.push(value);
            break;
        }
        scale = &scale * &ten;
    }
    found.extend(simplest_fraction(low, high));
    found.push(low.clone());
    found.push(high.clone());
    found
}

/// The fraction with the least denominator in a closed interval of positive numbers, by continued fractions.
fn simplest_fraction(low: &Rational, high: &Rational) -> Option<Rational> {
    let (mut low, mut high) = (low.clone(), high.clone());
    let mut parts = Vec::new();
    loop {
        let whole = low.floor();
        if whole == low || &whole + &Rational::ONE <= high {
            let last = if whole == low {
                whole
            } else {
                whole + Rational::ONE
            };
            let back = |all: Rational, part: &Rational| Some(part + &all.recip()?);
            return parts.iter().rev().try_fold(last, back);
        }
        let next_low = (&high - &whole).recip()?;
        high = (&low - &whole).recip()?;
        low = next_low;
        parts.push(whole);
        if parts.len() > 200 {
            return None;
        }
    }
}
