//! Times of sections that nothing runs beside, for their bounds.

use super::exact::{spot_of, visits_of};
use super::sides::Exact;
use super::{Lowered, Side};
use crate::expr::ExprId;
use crate::syntax::tree::{Composition, Expr, Process, ProcessKind};
use crate::timing::scope::Lowering;

/// Data of a section with nothing beside it.
pub(super) enum Section {
    /// Every run takes this time.
    Known(ExprId),
    /// Groups of branches, by index, that may wait for each other.
    Components(Vec<Vec<usize>>),
    /// No copy waits for another.
    Apart,
    /// Copies may wait for each other; a theorem may give an upper bound.
    Together(Option<ExprId>),
}

impl Lowering<'_, '_> {
    /// True if `body` may request a server of `resource` while it already holds one.
    pub(super) fn is_asked_for_again(&mut self, resource: &Expr, body: &Process) -> Lowered<bool> {
        let (again, _) = self.collecting(|inner| {
            let (resource, body) = (inner.resource(resource)?, Exact::of(inner, body)?);
            Ok(inner.may_meet(&[spot_of(resource)], &body.places))
        })?;
        Ok(again)
    }

    /// Analyses a parallel section that nothing runs beside.
    pub(super) fn undisturbed_section(&mut self, process: &Process) -> Lowered<Section> {
        let (exact, provisos) = self.collecting(|inner| Exact::of(inner, process))?;
        if let Some(time) = exact.in_any_order() {
            self.adopt(&provisos);
            return Ok(Section::Known(time));
        }
        let (section, _) = self.collecting(|inner| match &process.kind {
            ProcessKind::Parallel(parts) => {
                let parts = inner.exacts(parts)?;
                Ok(Section::Components(inner.components(&visits_of(&parts))))
            }
            ProcessKind::Replicate(replication) => {
                let binder = inner.binder(&replication.range)?;
                let (range, body) = (&replication.range, &replication.body);
                let body: Exact = inner.side_of_body(range, binder, body)?;
                if inner.are_copies_apart(&body.places, binder) {
                    return Ok(Section::Apart);
                }
                let one = inner.arena.number(1);
                let steps = body.steps(one).cloned();
                let steps = steps.filter(|_| replication.kind == Composition::Parallel);
                let most = steps.and_then(|steps| inner.most_of_items(binder, &steps));
                Ok(Section::Together(most))
            }
            _ => Ok(Section::Together(None)),
        })?;
        Ok(section)
    }
}
