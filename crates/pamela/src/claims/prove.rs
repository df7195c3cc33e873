//! Proves the statements of a claim.

use super::ground::{Goal, Ground, Value};
use super::statement::Statement;
use crate::expr::{ExprId, Relation as Sign, Symbol};
use crate::formula::expression_text;

/// Regions that are told of a claim that is not decided.
const MOST_REGIONS: usize = 6;

/// Proves the statements of one claim.
pub(super) struct Prove {
    pub(super) ground: Ground,
    /// Values by the names of their equations.
    pub(super) values: Vec<(String, Value)>,
    /// True if a proof used bounds of times.
    pub(super) used_bounds: bool,
}

impl Prove {
    /// True if a statement is proved where `further`, truth values of the results, hold.
    pub(super) fn of(&mut self, statement: &Statement, further: &[ExprId]) -> bool {
        match statement {
            Statement::All(parts) => parts.iter().all(|part| self.of(part, further)),
            Statement::Any(parts) => {
                parts.iter().any(|part| self.of(part, further))
                    || (0..parts.len()).any(|own| self.beside_others(parts, own, further))
            }
            Statement::Truth(name) => {
                let Some(value) = self.value(name) else {
                    return false;
                };
                self.ground.applies(&value.conditions) && self.ground.holds(value.expr)
            }
            Statement::Sign {
                difference,
                bounded,
                goal,
            } => {
                if self.has_sign(difference, *goal, further) {
                    return true;
                }
                let by_bounds = bounded.as_ref();
                let proved = by_bounds.is_some_and(|own| self.has_sign(own, *goal, further));
                self.used_bounds |= proved;
                proved
            }
        }
    }

    /// True if one of several statements holds where the others do not.
    fn beside_others(&mut self, parts: &[Statement], own: usize, further: &[ExprId]) -> bool {
        let mut further = further.to_vec();
        for (number, part) in parts.iter().enumerate() {
            if number == own {
                continue;
            }
            let Some(opposite) = self.opposite(part) else {
                return false;
            };
            further.push(opposite);
        }
        self.of(&parts[own], &further)
    }

    /// The truth value that a comparison does not hold.
    fn opposite(&mut self, statement: &Statement) -> Option<ExprId> {
        let Statement::Sign {
            difference, goal, ..
        } = statement
        else {
            return None;
        };
        let closed = self.closed(difference)?;
        // A number that is not 0, and not below it, is above it.
        if *goal == Goal::Zero && self.ground.has_sign(closed, Goal::NonNegative, &[]) {
            let arena = self.ground.results();
            let zero = arena.number(0);
            return Some(arena.relate(Sign::Less, zero, closed));
        }
        let arena = self.ground.results();
        let zero = arena.number(0);
        Some(match goal {
            Goal::NonNegative => arena.relate(Sign::Less, closed, zero),
            Goal::Positive => arena.relate(Sign::LessEqual, closed, zero),
            Goal::NonZero => arena.relate(Sign::Equal, closed, zero),
            Goal::Zero => {
                let equal = arena.relate(Sign::Equal, closed, zero);
                arena.not(equal)
            }
        })
    }

    fn value(&self, name: &str) -> Option<Value> {
        let mut values = self.values.iter();
        values
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.clone())
    }

    /// The closed form of a value whose conditions are proved.
    pub(super) fn closed(&mut self, name: &str) -> Option<ExprId> {
        let value = self.value(name)?;
        if !self.ground.applies(&value.conditions) {
            return None;
        }
        let closed = self.ground.close(value.expr);
        closed.assumptions.is_empty().then_some(closed.expr)
    }

    fn has_sign(&mut self, name: &str, goal: Goal, further: &[ExprId]) -> bool {
        let closed = self.closed(name);
        closed.is_some_and(|closed| self.ground.has_sign(closed, goal, further))
    }

    /// The regimes in which a comparison is proved, as conditions.
    pub(super) fn regions(&mut self, statement: &Statement, whole: &[String]) -> Vec<String> {
        let Statement::Sign {
            difference, goal, ..
        } = statement
        else {
            return Vec::new();
        };
        let Some(value) = self.value(difference) else {
            return Vec::new();
        };
        if !self.ground.applies(&value.conditions) {
            return Vec::new();
        }
        let closed = self.ground.close(value.expr);
        let Some(found) = self.ground.regimes(&closed, &[]) else {
            return Vec::new();
        };
        let mut regions = Vec::new();
        for regime in found.regimes {
            if regions.len() < MOST_REGIONS
                && !regime.when.is_empty()
                && self.ground.has_sign(regime.expr, *goal, &regime.when)
            {
                let arena = self.ground.results();
                let whole: Vec<Symbol> = whole.iter().map(|name| arena.named(name)).collect();
                let texts = regime.when.iter();
                let texts: Vec<String> = texts
                    .map(|&condition| expression_text(arena, condition, &whole))
                    .collect();
                regions.push(texts.join(" && "));
            }
        }
        regions
    }
}
