//! Closed forms of one or several models in one arena, with the facts under which questions about
//! them are answered.

use rustc_hash::FxHashMap;

use crate::algebra::{self, Closed, Regimes, RuleBase, Simplifier};
use crate::expr::{Arena, ExprId, Relation};
use crate::formula::Formula;
use crate::ring::Rational;

/// A formula in the arena of a [`Ground`].
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) expr: ExprId,
    /// Truth values: the expression is the value where all of them are 1.
    pub(crate) conditions: Vec<ExprId>,
}

/// Collects formulas, then answers questions about them.
pub(crate) struct Collection {
    arena: Arena,
    facts: Vec<ExprId>,
}

impl Collection {
    pub(crate) fn new() -> Collection {
        Collection {
            arena: Arena::new(),
            facts: Vec::new(),
        }
    }

    /// The arena of the formulas, to combine them.
    pub(crate) fn arena(&mut self) -> &mut Arena {
        &mut self.arena
    }

    /// Copies a formula.
    pub(crate) fn value(&mut self, formula: &Formula) -> Value {
        let mut copied = FxHashMap::default();
        let mut copy = |id| self.arena.import(formula.arena(), id, &mut copied);
        Value {
            expr: copy(formula.root()),
            conditions: formula.conditions().iter().map(|&id| copy(id)).collect(),
        }
    }

    /// Adds a fact: a formula that is 1 wherever questions are asked.
    pub(crate) fn fact(&mut self, formula: &Formula) {
        let value = self.value(formula);
        self.facts.push(value.expr);
    }

    /// Adds truth values of the arena as facts.
    pub(crate) fn facts(&mut self, truths: &[ExprId]) {
        self.facts.extend(truths);
    }

    /// Answers questions with the given rules.
    pub(crate) fn ground(mut self, rules: RuleBase, options: algebra::Options) -> Ground {
        self.facts.retain(|&fact| {
            let number = self.arena.as_number(fact);
            !number.is_some_and(Rational::is_one)
        });
        let is_empty = Simplifier::contradiction(&self.arena, &self.facts).is_some();
        Ground {
            simplifier: Simplifier::new(self.arena, &self.facts, rules, options),
            is_empty,
        }
    }
}

/// Answers questions about formulas under facts.
pub(crate) struct Ground {
    simplifier: Simplifier,
    /// True if the facts hold nowhere.
    is_empty: bool,
}

/// The sign that a difference is claimed to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    NonNegative,
    Positive,
    Zero,
    NonZero,
}

impl Ground {
    /// True if the facts hold nowhere.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The closed form of an expression of the collection, without assumptions.
    pub(crate) fn close(&mut self, expr: ExprId) -> Closed {
        self.simplifier.close_assuming_nothing(expr)
    }

    /// The closed form of an expression of the results, without assumptions.
    pub(crate) fn reclosed(&mut self, expr: ExprId) -> Option<ExprId> {
        self.simplifier.simplified(expr)
    }

    /// The regimes of a closed form; `None` if it has none, or too many.
    pub(crate) fn regimes(&mut self, closed: &Closed, parameters: &[String]) -> Option<Regimes> {
        self.simplifier.regimes(closed, parameters).ok().flatten()
    }

    /// The arena of closed forms.
    pub(crate) fn results(&mut self) -> &mut Arena {
        self.simplifier.results_mut()
    }

    /// True if the conditions of a value, in the collection, are proved.
    pub(crate) fn applies(&mut self, conditions: &[ExprId]) -> bool {
        conditions.iter().all(|&condition| self.holds(condition))
    }

    /// True if a truth value of the collection is proved.
    pub(crate) fn holds(&mut self, condition: ExprId) -> bool {
        if self.is_empty {
            return true;
        }
        let closed = self.close(condition);
        closed.assumptions.is_empty() && self.simplifier.is_proved(closed.expr, &[])
    }

    /// True if a closed form is proved to have a sign where `further`, of the results, holds.
    pub(crate) fn has_sign(&mut self, closed: ExprId, goal: Goal, further: &[ExprId]) -> bool {
        let arena = self.simplifier.results_mut();
        let zero = arena.number(0);
        let relation = match goal {
            Goal::NonNegative => Relation::LessEqual,
            Goal::Positive => Relation::Less,
            Goal::Zero | Goal::NonZero => Relation::Equal,
        };
        let claim = arena.relate(relation, zero, closed);
        let claim = match goal {
            Goal::NonZero => arena.not(claim),
            _ => claim,
        };
        if self.simplifier.is_proved(claim, further) {
            return true;
        }
        if goal == Goal::Zero && !further.is_empty() {
            let opposite = self.simplifier.results_mut().negate(closed);
            return [closed, opposite]
                .into_iter()
                .all(|own| self.has_sign(own, Goal::NonNegative, further));
        }
        goal == Goal::NonZero && {
            let arena = self.simplifier.results_mut();
            let [above, below] = [(zero, closed), (closed, zero)]
                .map(|(low, high)| arena.relate(Relation::Less, low, high));
            self.simplifier.is_proved(above, further) || self.simplifier.is_proved(below, further)
        }
    }
}
