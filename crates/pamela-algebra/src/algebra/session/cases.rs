//! Cases of a conditional, each simplified where its condition is a fact.

use rustc_hash::FxHashSet;

use super::{ExprId, Gathered, Node, Result, Session, union};
use crate::algebra::definedness::requirements_beyond;
use crate::algebra::scope::{Clamping, mentions_index};

/// Reductions are closed case by case this deep, and this often in one equation.
const CASES_DEEP: usize = 2;
const MOST_SPLITS: u32 = 4;

impl Session<'_> {
    /// A reduction whose closed form tells several cases apart is closed anew under the first condition, and
    /// under its opposite: the rules that fit a case are not those that fit all.
    pub(super) fn case_by_case(&mut self, start: Result, closed: Result) -> Result {
        let worth = matches!(self.terms.arena.node(start.expr), Node::Reduce(_))
            && self.cases.len() < CASES_DEEP
            && self.splits < MOST_SPLITS
            && self.terms.cost(closed.expr).cases > 1
            && !self.options.strict;
        let Some(condition) = worth.then(|| self.first_condition(closed.expr)).flatten() else {
            return closed;
        };
        if self.asks_for_more(start.expr, &closed.assumed, condition) {
            return closed;
        }
        self.splits += 1;
        let mut gathered = Gathered {
            assumed: vec![start.assumed],
            rules: vec![closed.rules.clone()],
            records: start.record.into_iter().collect(),
            terms: Vec::new(),
        };
        let opposite = self.terms.arena.not(condition);
        let then = self.branch(condition, start.expr, &mut gathered);
        let otherwise = self.branch(opposite, start.expr, &mut gathered);
        let expr = self.terms.arena.if_else(condition, then, otherwise);
        let expr = self.terms.canonical(expr);
        let record = self.together(gathered.records, Vec::new(), expr);
        let told_apart = Result {
            expr,
            assumed: union(gathered.assumed),
            rules: union(gathered.rules),
            record,
        };
        // One branch may be what the other is there.
        let mut saturation = self.saturate(&told_apart, Clamping::Off);
        let told_apart = self.adopt(&told_apart, &mut saturation);
        if self.terms.cost(told_apart.expr) < self.terms.cost(closed.expr) {
            told_apart
        } else {
            closed
        }
    }

    /// True if the condition may be undefined where `expr` is not, which may never evaluate it.
    fn asks_for_more(&mut self, expr: ExprId, assumed: &[ExprId], condition: ExprId) -> bool {
        let known: Vec<ExprId> = self.facts.iter().chain(assumed).copied().collect();
        !requirements_beyond(&mut self.terms, &known, expr, condition).is_empty()
    }

    /// The condition on parameters of the outermost conditional, where there is one.
    fn first_condition(&self, expr: ExprId) -> Option<ExprId> {
        let mut pending = std::collections::VecDeque::from([expr]);
        while let Some(id) = pending.pop_front() {
            if let Node::If(condition, ..) = *self.terms.arena.node(id)
                && !mentions_index(&self.terms, condition)
            {
                return Some(condition);
            }
            pending.extend(self.terms.arena.operands(id));
        }
        None
    }

    /// A branch of a conditional, where the condition for which it is chosen is a fact.
    pub(super) fn branch(
        &mut self,
        chosen: ExprId,
        expr: ExprId,
        gathered: &mut Gathered,
    ) -> ExprId {
        if self.terms.arena.height(expr) == 0 && self.terms.arena.is_total(expr) {
            return self.part(expr, gathered);
        }
        self.under(chosen, |session| session.part(expr, gathered))
    }

    /// The result of `work` with the condition as an additional fact.
    pub(super) fn under<T>(&mut self, condition: ExprId, work: impl FnOnce(&mut Self) -> T) -> T {
        let condition = self.terms.canonical(condition);
        self.facts.push(condition);
        self.cases.push(condition);
        let outside = (
            std::mem::take(&mut self.memo),
            std::mem::take(&mut self.experience),
        );
        let found = work(self);
        (self.memo, self.experience) = outside;
        self.cases.pop();
        self.facts.pop();
        found
    }

    /// True if a rule has told cases apart, and one of them can be simplified by itself.
    pub(super) fn has_open_branch(&mut self, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        let mut seen = FxHashSet::default();
        while let Some(id) = pending.pop() {
            if self.terms.arena.height(id) == 0 || !seen.insert(id) {
                continue;
            }
            if let Node::If(_, then, otherwise) = *self.terms.arena.node(id)
                && (self.is_open(then) || self.is_open(otherwise))
            {
                return true;
            }
            pending.extend(self.terms.arena.operands(id));
        }
        false
    }
}
