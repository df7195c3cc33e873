//! Reuses closed scopes among the equations of a model.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::{Arena, ExprId, Result, Session, union};
use crate::algebra::closed::Statistics;
use crate::algebra::points::Points;
use crate::algebra::saturation::Stop;

/// Closed scopes of a model, and points at which its facts hold, in an arena of their own.
#[derive(Default)]
pub struct Shared {
    pub(super) points: Points,
    arena: Arena,
    known: FxHashMap<Key, Kept>,
}

/// Everything that a closed form depends on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    expr: ExprId,
    facts: Vec<ExprId>,
    /// Ascending.
    assumed: Vec<ExprId>,
    cases: usize,
    splits: u32,
    strict: bool,
}

struct Kept {
    expr: ExprId,
    assumed: Vec<ExprId>,
    rules: Vec<usize>,
    work: u64,
    splits: u32,
    statistics: Statistics,
}

/// Translates expressions between the arena of a session and that of the model.
pub struct Exchange<'a> {
    shared: &'a RefCell<Shared>,
    out: FxHashMap<ExprId, ExprId>,
    back: FxHashMap<ExprId, ExprId>,
}

impl<'a> Exchange<'a> {
    pub fn new(shared: &'a RefCell<Shared>) -> Exchange<'a> {
        Exchange {
            shared,
            out: FxHashMap::default(),
            back: FxHashMap::default(),
        }
    }
}

impl Session<'_> {
    /// Closes a scope, or reuses its closed form. The work of the original is charged again, so that results do not depend on
    /// the order of equations. Nothing that ran out of work is kept.
    pub(super) fn close_or_find(&mut self, start: Result) -> Result {
        if self.options.explain || !self.shares {
            let closed = self.close_scope(start.clone());
            return self.case_by_case(start, closed);
        }
        let key = self.key(&start);
        if let Some(found) = self.find(&key, &start) {
            return found;
        }
        let outside = std::mem::take(&mut self.statistics);
        let (work, splits) = (self.work, self.splits);
        let alone = Result {
            rules: [].into(),
            ..start.clone()
        };
        let closed = self.close_scope(alone.clone());
        let closed = self.case_by_case(alone, closed);
        let own = std::mem::replace(&mut self.statistics, outside);
        self.statistics.include(own);
        if own.stop == Stop::Saturated {
            let expr = self.shared_id(closed.expr);
            let assumed = closed
                .assumed
                .iter()
                .map(|&id| self.shared_id(id))
                .collect();
            let kept = Kept {
                expr,
                assumed,
                rules: closed.rules.to_vec(),
                work: work.saturating_sub(self.work),
                splits: self.splits - splits,
                statistics: own,
            };
            self.exchange.shared.borrow_mut().known.insert(key, kept);
        }
        Result {
            rules: union(vec![start.rules, closed.rules]),
            ..closed
        }
    }

    fn key(&mut self, start: &Result) -> Key {
        let facts = self.facts.clone();
        let facts = facts.into_iter().map(|id| self.shared_id(id)).collect();
        let mut assumed: Vec<ExprId> = start.assumed.iter().map(|&id| self.shared_id(id)).collect();
        assumed.sort_unstable();
        Key {
            expr: self.shared_id(start.expr),
            facts,
            assumed,
            cases: self.cases.len(),
            splits: self.splits,
            strict: self.options.strict,
        }
    }

    fn shared_id(&mut self, id: ExprId) -> ExprId {
        let mut shared = self.exchange.shared.borrow_mut();
        shared
            .arena
            .import(&self.terms.arena, id, &mut self.exchange.out)
    }

    fn find(&mut self, key: &Key, start: &Result) -> Option<Result> {
        let shared = self.exchange.shared.borrow();
        let kept = shared.known.get(key)?;
        let back = &mut self.exchange.back;
        let expr = self.terms.arena.import(&shared.arena, kept.expr, back);
        let expr = self.terms.canonical(expr);
        let assumed = kept.assumed.iter();
        let mut assumed: Vec<ExprId> = assumed
            .map(|&id| {
                let id = self.terms.arena.import(&shared.arena, id, back);
                self.terms.canonical(id)
            })
            .collect();
        assumed.sort_unstable();
        assumed.dedup();
        self.work = self.work.saturating_sub(kept.work);
        self.splits += kept.splits;
        self.statistics.include(kept.statistics);
        Some(Result {
            expr,
            assumed: assumed.into(),
            rules: union(vec![start.rules.clone(), kept.rules.clone().into()]),
            record: None,
        })
    }
}
