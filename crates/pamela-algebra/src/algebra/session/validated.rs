//! Closed forms that were compared with the expressions they came from.

use crate::algebra::validation::{Claim, Counterexample, LAW_OPERATIONS, Verdict, validate};
use rustc_hash::FxHashSet;

use super::{ExprId, Outcome, Result, Session};
use crate::expr::Arena;
use crate::ring::Rational;

/// After this many wrong scopes, an equation stays as it was.
const MOST_WRONG: usize = 8;

/// Values of parameters by name.
pub type PointByName = Vec<(String, Rational)>;

/// A scope that was left open because its closed form was wrong.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The scope, with numbers in place of the indices of loops around it.
    pub scope: ExprId,
    /// Values of the parameters of the scope, by name.
    pub point: PointByName,
    /// The value of the scope by the definition.
    pub expected: String,
    /// Value of the closed form, if it has one.
    pub found: Option<String>,
}

/// A closed form with the outcome of its validation.
pub struct Validated {
    pub outcome: Outcome,
    /// Number of points of the comparison.
    pub points: usize,
    pub refuted: Vec<Refuted>,
}

/// A closed scope: under its facts, the scope has the value of its result.
pub(super) struct Closing {
    start: ExprId,
    closed: ExprId,
    /// Conditions of the enclosing branches, and assumptions.
    conditions: Vec<ExprId>,
}

impl Session<'_> {
    /// Closes a scope and records the result.
    pub(super) fn close_noted(&mut self, start: Result) -> Result {
        let canonical = start.expr;
        let closed = self.close_or_find(start);
        if closed.expr != canonical {
            let conditions = self.cases.iter().chain(closed.assumed.iter());
            self.closings.push(Closing {
                start: canonical,
                closed: closed.expr,
                conditions: conditions.copied().collect(),
            });
        }
        closed
    }

    /// Like [`Session::close`], then compares the result with `expr`. While they differ, the smallest scope that
    /// differs from its closed form is left open. `law_operations` is the budget for operations on laws.
    pub fn close_validated(
        &mut self,
        expr: ExprId,
        facts: &[ExprId],
        law_operations: &mut usize,
    ) -> Validated {
        let work = self.work;
        let mut refuted = Vec::new();
        loop {
            let outcome = self.close(expr);
            let claim = Claim {
                facts,
                conditions: &outcome.assumptions,
                left: expr,
                right: outcome.expr,
            };
            let whole = match validate(&self.terms.arena, claim, law_operations) {
                Verdict::Agrees { points } => {
                    return Validated {
                        outcome,
                        points,
                        refuted,
                    };
                }
                Verdict::Refuted(whole) => *whole,
            };
            if self.shares {
                self.shares = false;
                self.begin_anew(work);
                continue;
            }
            let smallest = self.smallest_refuted(facts);
            let smallest = smallest.filter(|_| self.left_open.len() < MOST_WRONG);
            let Some((scope, counterexample)) = smallest else {
                if !self.contains_left_open(expr) {
                    refuted.push(self.refuted(expr, whole));
                }
                return Validated {
                    outcome: self.unchanged(expr),
                    points: 0,
                    refuted,
                };
            };
            // A scope that contains a wrong scope and rebuilds it is wrong only because of the inner one.
            let is_new = !self.contains_left_open(scope);
            self.left_open.insert(scope);
            if is_new {
                refuted.push(self.refuted(scope, counterexample));
            }
            self.begin_anew(work);
        }
    }

    fn begin_anew(&mut self, work: u64) {
        self.work = work;
        self.splits = 0;
        self.memo.clear();
        self.closings.clear();
    }

    /// The smallest scope that differs from its closed form.
    fn smallest_refuted(&self, facts: &[ExprId]) -> Option<(ExprId, Counterexample)> {
        let arena = &self.terms.arena;
        let mut closings: Vec<_> = self.closings.iter().collect();
        closings.sort_by_key(|c| (arena.size(c.start), arena.size(c.closed), c.start));
        closings.into_iter().find_map(|closing| {
            let claim = Claim {
                facts,
                conditions: &closing.conditions,
                left: closing.start,
                right: closing.closed,
            };
            match validate(arena, claim, &mut LAW_OPERATIONS.clone()) {
                Verdict::Agrees { .. } => None,
                Verdict::Refuted(found) => Some((closing.start, *found)),
            }
        })
    }

    fn contains_left_open(&self, expr: ExprId) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![expr];
        while let Some(id) = pending.pop() {
            if self.left_open.contains(&id) {
                return true;
            }
            if seen.insert(id) {
                pending.extend(self.terms.arena.operands(id));
            }
        }
        false
    }

    fn refuted(&mut self, scope: ExprId, counterexample: Counterexample) -> Refuted {
        Refuted::new(&mut self.terms.arena, scope, counterexample)
    }

    fn unchanged(&self, expr: ExprId) -> Outcome {
        Outcome {
            expr,
            assumptions: Vec::new(),
            rules: Vec::new(),
            record: None,
        }
    }
}

impl Refuted {
    pub fn new(arena: &mut Arena, scope: ExprId, mut counterexample: Counterexample) -> Refuted {
        let mut shown = scope;
        for (index, value) in std::mem::take(&mut counterexample.indices) {
            let value = arena.number(value);
            shown = arena.substitute(shown, index, value);
        }
        counterexample
            .parameters
            .retain(|&(symbol, _)| arena.mentions(shown, symbol));
        Refuted {
            point: counterexample.named(arena),
            scope: shown,
            expected: counterexample.expected,
            found: counterexample.found,
        }
    }
}
