//! What a branch of a section may wait for at a resource.

use super::super::argument::Binder;
use super::super::notes::Note;
use super::super::scope::Lowering;
use super::Lowered;
use super::sides::{Context, Place, Remarks, Use};
use crate::expr::{ExprId, ReduceKind};
use crate::syntax::tree::Range;

impl Lowering<'_, '_> {
    /// What a branch may wait for at a resource: for all work of the others, and at each visit for what of theirs may be
    /// there; the first come, first served, then in any order.
    pub(super) fn waiting(
        &mut self,
        own: &Use,
        work: ExprId,
        together: ExprId,
        remarks: &mut Remarks,
    ) -> (ExprId, ExprId) {
        remarks.extend(own.is_several().then_some(Note::ElementsAsOne));
        let each = self.mul(&[own.visits, together]);
        let first = self.arena.min(&[work, each]);
        let Context::Within(idle) = self.bounds.context.clone() else {
            return (first, work);
        };
        (
            self.where_crowded(&idle, own, first),
            self.where_crowded(&idle, own, work),
        )
    }

    /// What a branch may wait for at a resource that holders of others may visit: all work of the others, also where
    /// nobody queues for it, if it has one server. The work of a single server is not counted as work of its holder.
    pub(super) fn waiting_for_holders(
        &mut self,
        own: &Use,
        work: ExprId,
        remarks: &mut Remarks,
    ) -> ExprId {
        remarks.insert(Note::HoldersWait);
        remarks.extend(own.is_several().then_some(Note::ElementsAsOne));
        let Context::Within(idle) = self.bounds.context.clone() else {
            return work;
        };
        let Some(idle) = idle.iter().find(|idle| idle.is_of(own)) else {
            return work;
        };
        let zero = self.arena.number(0);
        let at_single = self.arena.if_else(idle.single, work, zero);
        self.arena.if_else(idle.crowded, work, at_single)
    }

    /// What all copies want of a resource, or of the element that is wanted most.
    pub(super) fn wanted_by_all(
        &mut self,
        own: &Use,
        element: Option<Place>,
        binder: Binder,
        each: ExprId,
        range: &Range,
    ) -> Lowered<ExprId> {
        let Some(place) = element else {
            return self.reduced(ReduceKind::Sum, binder, each, range);
        };
        let unit = self.arena.unit_vector(own.array, place.index);
        let each = self.arena.mul(&[each, unit]);
        let all = self.reduced(ReduceKind::Sum, binder, each, range)?;
        Ok(self.arena.vector_max(all))
    }
}
