//! Sections with random times whose law is known.

use super::Lowered;
use super::lines::Proven;
use super::sides::Exact;
use crate::expr::{ExprId, LawKind, LawName, Node, ReduceKind};
use crate::syntax::tree::Range;
use crate::timing::argument::Binder;
use crate::timing::certificate::Theorem;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// Copies that each visit one pool, with identical exponential service times.
    pub(super) fn exponential_tasks(
        &mut self,
        range: &Range,
        binder: Binder,
        body: &Exact,
    ) -> Lowered<Option<Proven>> {
        let Some((pool, time)) = body.task else {
            return Ok(None);
        };
        let varies = [pool.index, pool.multiplicity, time]
            .iter()
            .any(|&id| self.arena.mentions(id, binder.index));
        if varies || !self.is_exponential(time) {
            return Ok(None);
        }
        let (one, count) = (self.arena.number(1), self.count(binder));
        let share = self.arena.reciprocal(pool.multiplicity);
        let next = self.arena.scale(share, time);
        let zero = self.arena.number(0);
        let queued = self.difference(count, pool.multiplicity);
        let queued = self.arena.max(&[zero, queued]);
        let begun = self.arena.min(&[count, pool.multiplicity]);
        let mut copies = |kind: ReduceKind, count: ExprId, time: ExprId| {
            let index = self.arena.fresh_index();
            let value = self.arena.symbol(index);
            let binder = Binder {
                index,
                lower: one,
                upper: count,
                value,
            };
            self.reduced(kind, binder, time, range)
        };
        let until_all_begin = copies(ReduceKind::Sum, queued, next)?;
        let last = copies(ReduceKind::Max, begun, time)?;
        Ok(Some(Proven {
            time: self.add(&[until_all_begin, last]),
            theorem: Theorem::ExponentialTasks,
        }))
    }

    fn is_exponential(&self, law: ExprId) -> bool {
        match self.arena.node(law) {
            Node::Law(LawKind::Named(LawName::Exponential), _) => true,
            Node::Law(LawKind::Scale, operands) => {
                operands.last().is_some_and(|&law| self.is_exponential(law))
            }
            _ => false,
        }
    }
}
