//! Held resources in upper bounds.
//!
//! A process that waits for a held resource waits for its holder, and for whatever the holder waits
//! for.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::sides::{Place, Upper, Use};
use super::{Lowered, Side};
use crate::expr::{ExprId, Relation, Symbol};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, Process};
use crate::timing::argument::Resource;
use crate::timing::notes::Note;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// The upper bound of a body that runs while holding a resource.
    ///
    /// The wait for the resource includes the holder's work outside single-server resources, and the holder's own
    /// waits.
    pub(super) fn upper_of_hold(&mut self, resource: &Expr, body: &Process) -> Lowered<Upper> {
        let mut upper = Upper::of(self, body)?;
        let resource = self.resource(resource)?;
        let servers = self.servers_at_work(&resource);
        let share = self.arena.reciprocal(servers);
        let work = self.arena.scale(share, upper.outside);
        // Laws are not told from their copies.
        if !upper.random {
            let negative = self.negated(work);
            upper.path = self.add(&[upper.path, negative]);
        }
        upper.work = self.add(&[upper.work, work]);
        upper.outside = self.outside_of(resource.multiplicity, upper.outside);
        let circle = self.is_in_circle(resource.array);
        upper.remarks.extend(circle.then_some(Note::HeldInCircle));
        if !upper.random && !self.is_undisturbed() {
            let one = self.arena.number(1);
            let own = Use {
                array: resource.array,
                place: Some(Place {
                    index: resource.index,
                    over: None,
                }),
                servers,
                work,
                visits: one,
                together: work,
                number: one,
            };
            upper.uses = self.uses_with(&upper.uses, own);
        }
        Ok(upper)
    }

    /// Uses with one more, which stands around them.
    fn uses_with(&mut self, uses: &Rc<[Use]>, own: Use) -> Rc<[Use]> {
        let lists = [uses.clone(), [own].into()];
        let mut all = Vec::new();
        for list in self.shared(&lists) {
            let uses: Vec<Use> = list.into_iter().flatten().collect();
            let place = uses.first().and_then(|first| first.place);
            all.extend(self.taken_as_one(&uses).map(|one| Use { place, ..one }));
        }
        all.into()
    }

    /// Work during a visit that does not happen at a single server.
    pub(super) fn outside_of(&mut self, servers: ExprId, time: ExprId) -> ExprId {
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        match self.arena.as_number(servers) {
            Some(number) if *number == Rational::ONE => zero,
            Some(_) => time,
            None => {
                let single = self.arena.relate(Relation::Equal, servers, one);
                self.arena.if_else(single, zero, time)
            }
        }
    }

    /// Number of servers that work while somebody waits; resources held in a circle count as 1.
    pub(super) fn servers_at_work(&mut self, resource: &Resource) -> ExprId {
        if self.is_in_circle(resource.array) {
            self.arena.number(1)
        } else {
            resource.multiplicity
        }
    }

    fn is_in_circle(&self, array: Symbol) -> bool {
        let name = self.arena.symbol_name(array);
        name.is_some_and(|name| self.model.holding().is_in_circle(name))
    }

    /// Arrays that holders may wait for, if somebody with these uses waits for the holders.
    pub(super) fn inside_of(&mut self, uses: &[Use]) -> BTreeSet<Symbol> {
        let model = self.model;
        let mut inside = BTreeSet::new();
        for own in uses {
            let Some(name) = self.arena.symbol_name(own.array).map(str::to_owned) else {
                continue;
            };
            let arrays = model.holding().inside(&name);
            inside.extend(arrays.map(|array| self.arena.named(array)));
        }
        inside
    }
}
