//! Sections that nothing runs beside: times that no order of requests changes, and groups of
//! branches that share resources.

use std::collections::BTreeSet;

use super::evaluate::Evaluator;
use super::number::Number;
use super::order_free::connected;
use super::parts::Composed;
use super::resources::Element;
use super::scope::Scope;
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{Expr, Process};

/// A branch where it stands.
pub(super) type Branch<'m> = (&'m Process, Scope<'m>);

impl<'m> Evaluator<'m> {
    /// The time of a process that every run takes; `None` where orders may differ, or chance has a part.
    pub(super) fn order_free_time(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Option<Number> {
        let (activities, root) = self.activities(process, scope).ok()?;
        let order_free = activities.is_order_free(root);
        order_free
            .then(|| self.run(&activities, root).ok())
            .flatten()
    }

    /// True if `body`, which runs while a server of `resource` is held, may request another one.
    pub(super) fn is_asked_for_again(
        &mut self,
        resource: &'m Expr,
        body: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<bool, Diagnostic> {
        let resource = self.resource(resource, scope)?;
        Ok(match self.activities(body, scope) {
            Ok((activities, root)) => activities
                .elements(root)
                .contains(&(resource.array, resource.index)),
            Err(_) => self.model.holding().is_in_circle(resource.array),
        })
    }

    /// The parts of a composition where they stand.
    pub(super) fn branches_of(
        &mut self,
        composed: Composed<'m>,
        scope: &Scope<'m>,
    ) -> Result<Vec<Branch<'m>>, Diagnostic> {
        let mut branches = Vec::new();
        self.each_part(composed, scope, &mut |_, part, inner| {
            branches.push((part, inner.clone()));
            Ok(())
        })?;
        Ok(branches)
    }

    /// Groups of branches that share a resource, directly or through others; a single group if their visits are not
    /// known.
    pub(super) fn components_of(
        &mut self,
        composed: Composed<'m>,
        scope: &Scope<'m>,
    ) -> Result<Vec<Vec<Branch<'m>>>, Diagnostic> {
        let branches = self.branches_of(composed, scope)?;
        let visited: Option<Vec<BTreeSet<Element<'m>>>> = branches
            .iter()
            .map(|(part, inner)| {
                let (activities, root) = self.activities(part, inner).ok()?;
                Some(activities.elements(root))
            })
            .collect();
        let Some(visited) = visited else {
            return Ok(vec![branches]);
        };
        let groups = connected(&visited).into_iter();
        let of_group = |group: Vec<usize>| group.into_iter().map(|k| branches[k].clone()).collect();
        Ok(groups.map(of_group).collect())
    }
}
