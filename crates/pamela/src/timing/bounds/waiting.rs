//! What a branch of a section may wait for at a resource.

use super::super::argument::Binder;
use super::super::scope::Lowering;
use super::sides::{Context, Place, Remarks, Use};
use super::{Lowered, TAKEN_AS_ONE};
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
        remarks.extend(own.is_several().then_some(TAKEN_AS_ONE));
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
