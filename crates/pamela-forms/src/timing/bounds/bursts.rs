//! Sections in which each branch visits one resource.

use super::chain::each_visit;
use super::lines::Proven;
use super::sides::{Burst, Step};
use crate::diagnostic::Diagnostic;
use crate::expr::{ExprId, ReduceKind, Relation};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::arrays::largest_demand;
use crate::timing::certificate::Theorem;
use crate::timing::numeric::Cases;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// Reads a chain as a burst.
    pub(super) fn burst_of(&mut self, steps: &[Step]) -> Option<Burst> {
        let zero = self.arena.number(0);
        let (head, rest) = match steps {
            [Step::Delay(head), rest @ ..] => (*head, rest),
            rest => (zero, rest),
        };
        let (tail, visits) = match rest {
            [visits @ .., Step::Delay(tail)] => (*tail, visits),
            visits => (zero, visits),
        };
        let mut resources: Vec<Resource> = Vec::new();
        each_visit(visits, &mut |resource, _| {
            if !resources.contains(resource) {
                resources.push(*resource);
            }
        });
        let resource = match (&resources[..], steps) {
            ([resource], _) => *resource,
            // Who visits nothing ends when it begins.
            ([], []) => {
                return Some(Burst {
                    head,
                    tail,
                    demand: self.arena.zero_vector(),
                    some: self.arena.number(1),
                });
            }
            _ => return None,
        };
        let single = self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE);
        if !single || !self.is_at_one_place(visits, resource.index) {
            return None;
        }
        let work = self.length(visits);
        let unit = self.arena.unit_vector(resource.array, resource.index);
        Some(Burst {
            head,
            tail,
            demand: self.arena.mul(&[work, unit]),
            some: self.arena.number(1),
        })
    }

    /// True if a chain has no delay, and its loops leave a place as it is.
    fn is_at_one_place(&self, visits: &[Step], place: ExprId) -> bool {
        visits.iter().all(|step| match step {
            Step::Delay(_) | Step::Hold(..) => false,
            Step::Visit(..) => true,
            Step::Loop(binder, body) => {
                !self.arena.mentions(place, binder.index) && self.is_at_one_place(body, place)
            }
        })
    }

    /// Joins bursts that begin at the same time.
    pub(super) fn bursts_together(&mut self, bursts: &[Burst]) -> Option<Burst> {
        let (first, rest) = bursts.split_first()?;
        if rest
            .iter()
            .any(|b| (b.head, b.tail) != (first.head, first.tail))
        {
            return None;
        }
        let demands: Vec<ExprId> = bursts.iter().map(|b| b.demand).collect();
        let some: Vec<ExprId> = bursts.iter().map(|b| b.some).collect();
        Some(Burst {
            demand: self.add(&demands),
            some: self.arena.max(&some),
            ..*first
        })
    }

    /// The burst that truth values select.
    pub(super) fn burst_of_choice(
        &mut self,
        cases: &Cases,
        bursts: &[Burst],
    ) -> Result<Option<Burst>, Diagnostic> {
        let Some((first, rest)) = bursts.split_first() else {
            return Ok(None);
        };
        if rest
            .iter()
            .any(|b| (b.head, b.tail) != (first.head, first.tail))
        {
            return Ok(None);
        }
        let demands: Vec<ExprId> = bursts.iter().map(|b| b.demand).collect();
        let some: Vec<ExprId> = bursts.iter().map(|b| b.some).collect();
        Ok(Some(Burst {
            demand: self.choice(cases, &demands)?,
            some: self.choice(cases, &some)?,
            ..*first
        }))
    }

    /// Adds delays before and after a burst.
    ///
    /// A branch must have these delays even if it visits nothing.
    pub(super) fn burst_placed(
        &mut self,
        burst: &Burst,
        before: &[ExprId],
        after: &[ExprId],
    ) -> Option<Burst> {
        let one = self.arena.number(1);
        let is_bare = self.is_zero(burst.head) && self.is_zero(burst.tail);
        if !is_bare && burst.some != one {
            return None;
        }
        let head = [before, &[burst.head]].concat();
        let tail = [&[burst.tail], after].concat();
        Some(Burst {
            head: self.add(&head),
            tail: self.add(&tail),
            some: one,
            ..*burst
        })
    }

    /// Joins a burst for each index of a range.
    pub(super) fn burst_of_copies(&mut self, burst: &Burst, binder: Binder) -> Option<Burst> {
        let moves = |id: ExprId| self.arena.mentions(id, binder.index);
        if moves(burst.head) || moves(burst.tail) {
            return None;
        }
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let some = if moves(burst.some) {
            self.arena
                .reduce(ReduceKind::Max, index, lower, upper, burst.some)
        } else {
            let some = self.arena.relate(Relation::LessEqual, lower, upper);
            self.arena.both(some, burst.some)
        };
        Some(Burst {
            demand: self.sum_over(binder, burst.demand),
            some,
            ..*burst
        })
    }

    pub(super) fn time_of_burst(&mut self, burst: &Burst) -> Proven {
        let zero = self.arena.number(0);
        let largest = largest_demand(self.arena, burst.demand);
        let around = self.add(&[burst.head, burst.tail]);
        let whole = self.add(&[around, largest]);
        let time = if around == zero {
            whole
        } else {
            self.where_holds(burst.some, whole)
        };
        let theorem = Theorem::OneResourceEach;
        Proven { time, theorem }
    }
}
