//! Waiting times of a branch at a resource.

use super::Lowered;
use super::sides::{Context, Place, Remarks, Use};
use crate::expr::{ExprId, ReduceKind};
use crate::syntax::tree::Range;
use crate::timing::argument::Binder;
use crate::timing::notes::Note;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// Bounds the waiting of a branch at a resource: first come, first served, and in any order.
    ///
    /// A branch waits for all work of the others, and at each visit for the work that may be
    /// present.
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

    /// Bounds the waiting at a resource that holders of other resources may visit.
    ///
    /// The bound is all work of the others. For a single server it applies even if nobody queues.
    /// Its work is not counted as work of the holder.
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

    /// The total use of a resource by all copies, or of the most requested element.
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
