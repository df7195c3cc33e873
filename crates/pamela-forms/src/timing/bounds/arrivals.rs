//! Sections whose branches come one after the other and visit one resource.

use super::lines::Proven;
use super::sides::Step;
use crate::expr::{ExprId, Function, ReduceKind};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::certificate::Theorem;
use crate::timing::scope::Lowering;

/// A branch that comes, visits one resource, and ends.
struct Branch {
    /// When it comes: the delays before the visit.
    arrival: ExprId,
    resource: Resource,
    service: ExprId,
    /// The delays behind the visit.
    rest: ExprId,
}

/// The order in which branches come.
enum Order {
    First,
    Last,
}

impl Lowering<'_, '_> {
    /// Branches in the order in which they come, or in the opposite one, at a resource that all visit once.
    ///
    /// One that comes when all servers are busy begins when the branch ends that came `c` earlier. So the last one to end
    /// follows a chain of services without gap, which began when some branch came (Lindley 1952, Kiefer and Wolfowitz 1955).
    pub(super) fn arrivals(&mut self, binder: Binder, steps: &[Step]) -> Option<Proven> {
        let branch = self.branch(binder, steps)?;
        let order = self.order_of(branch.arrival, binder)?;
        let longest = if self.arena.mentions(branch.service, binder.index) {
            let single = self.arena.as_number(branch.resource.multiplicity) == Some(&Rational::ONE);
            single.then(|| self.of_single_server(binder, &branch, &order))?
        } else {
            self.of_pool(binder, &branch, &order)
        };
        let time = self.add(&[longest, branch.rest]);
        let count = self.count(binder);
        Some(Proven {
            time: self.where_some(count, time),
            theorem: Theorem::Arrivals,
        })
    }

    /// The order of times that are seen to rise or to fall with the index.
    fn order_of(&mut self, arrival: ExprId, binder: Binder) -> Option<Order> {
        if self.never_falls(arrival, binder.index) {
            return Some(Order::First);
        }
        let slope = self.slope(arrival, binder.index)?;
        if self.is_positive(slope) {
            return Some(Order::First);
        }
        let minus = self.arena.number(-1);
        let falls = self.mul(&[minus, slope]);
        self.is_positive(falls).then_some(Order::Last)
    }

    /// The branch, if it is delays around one visit, of which all branches make the same but for when and how long.
    fn branch(&mut self, binder: Binder, steps: &[Step]) -> Option<Branch> {
        let is_visit = |step: &Step| matches!(step, Step::Visit(..));
        let position = steps.iter().position(is_visit)?;
        let (before, after) = (&steps[..position], &steps[position + 1..]);
        let are_delays = |steps: &[Step]| steps.iter().all(|step| matches!(step, Step::Delay(_)));
        let Step::Visit(resource, service) = steps[position] else {
            return None;
        };
        let moves = |id: ExprId| self.arena.mentions(id, binder.index);
        if !are_delays(before)
            || !are_delays(after)
            || moves(resource.index)
            || moves(resource.multiplicity)
            || !self.is_same_for_all(after, binder.index)
        {
            return None;
        }
        Some(Branch {
            arrival: self.length(before),
            resource,
            service,
            rest: self.length(after),
        })
    }

    /// The longest of the chains of a branch and all that come later.
    fn of_single_server(&mut self, binder: Binder, branch: &Branch, order: &Order) -> ExprId {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let own = self.arena.symbol(index);
        let later = self.arena.fresh_index();
        let each = self.arena.symbol(later);
        let each = self.arena.substitute(branch.service, index, each);
        let (first, last) = match order {
            Order::First => (own, upper),
            Order::Last => (lower, own),
        };
        let chain = self.arena.reduce(ReduceKind::Sum, later, first, last, each);
        let path = self.add(&[branch.arrival, chain]);
        self.arena
            .reduce(ReduceKind::Max, index, lower, upper, path)
    }

    /// The longest of the chains of a branch and every c-th that comes later. Of all chains of so many services, the one
    /// that ends with the last branch begins latest.
    fn of_pool(&mut self, binder: Binder, branch: &Branch, order: &Order) -> ExprId {
        let (count, servers) = (self.count(binder), branch.resource.multiplicity);
        let (zero, one, minus) = (
            self.arena.number(0),
            self.arena.number(1),
            self.arena.number(-1),
        );
        let share = self.arena.reciprocal(servers);
        let waves = self.mul(&[count, share]);
        let waves = self.arena.apply(Function::Ceil, waves);
        let waves = self.add(&[waves, minus]);
        let wave = self.arena.fresh_index();
        let earlier = self.arena.symbol(wave);
        let back = self.mul(&[servers, earlier]);
        let begins = match order {
            Order::First => {
                let last = self.add(&[binder.lower, count, minus]);
                self.difference(last, back)
            }
            Order::Last => self.add(&[binder.lower, back]),
        };
        let arrival = self.arena.substitute(branch.arrival, binder.index, begins);
        let services = self.add(&[earlier, one]);
        let services = self.mul(&[services, branch.service]);
        let path = self.add(&[arrival, services]);
        self.arena.reduce(ReduceKind::Max, wave, zero, waves, path)
    }
}
