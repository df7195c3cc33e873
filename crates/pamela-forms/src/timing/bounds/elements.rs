//! Windows of array elements: a loop visits them one after another, copies visit one each.

use super::sides::{Element, Reach};
use crate::expr::{ExprId, ReduceKind, Symbol};
use crate::ring::Rational;
use crate::timing::argument::Binder;
use crate::timing::process::contention::is_shifted;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// The element that the windows of [`Element::Each`] are for.
    fn element(&mut self) -> Symbol {
        if let Some(element) = self.bounds.element {
            return element;
        }
        let element = self.arena.fresh_index();
        self.bounds.element = Some(element);
        element
    }

    /// Visits of a loop that moves from element to element, each in one iteration.
    pub(super) fn reach_of_elements(
        &mut self,
        binder: Binder,
        time: ExprId,
        body: &[Reach],
    ) -> Vec<Reach> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let (one, minus) = (self.arena.number(1), self.arena.number(-1));
        let mut all = Vec::new();
        for own in body {
            let Some((iteration, place)) = self.iteration_of_element(own, binder) else {
                continue;
            };
            let (next, last) = (self.add(&[iteration, one]), self.add(&[iteration, minus]));
            let mut sum = |from: ExprId, to: ExprId| {
                self.arena.reduce(ReduceKind::Sum, index, from, to, time)
            };
            let (before, after) = (sum(lower, last), sum(next, upper));
            let windows = own.windows.map(|window| {
                let window = self.window_at(window, index, iteration);
                self.placed(before, window, after)
            });
            all.push(Reach {
                place,
                windows,
                ..*own
            });
        }
        all
    }

    /// The iteration of a loop that visits the element, and all the elements, which are next to each other.
    fn iteration_of_element(&mut self, own: &Reach, binder: Binder) -> Option<(ExprId, Element)> {
        let Element::At(place) = own.place else {
            return None;
        };
        let index = binder.index;
        let everywhere = own.visits == self.arena.number(1);
        if !everywhere
            || !is_shifted(self.arena, place, index)
            || self.arena.mentions(own.servers, index)
        {
            return None;
        }
        let [zero, one] = [0, 1].map(|number| {
            let number = self.arena.number(number);
            let place = self.arena.substitute(place, index, number);
            self.add(&[place])
        });
        let step = self.difference(one, zero);
        let backwards = match self.arena.as_number(step)? {
            step if *step == Rational::ONE => false,
            step if *step == -Rational::ONE => true,
            _ => return None,
        };
        let element = self.element();
        let element = self.arena.symbol(element);
        let ends = [binder.lower, binder.upper];
        let (iteration, [first, last]) = if backwards {
            (
                self.difference(zero, element),
                ends.map(|end| self.difference(zero, end)),
            )
        } else {
            (
                self.difference(element, zero),
                ends.map(|end| self.add(&[zero, end])),
            )
        };
        let (lower, upper) = if backwards {
            (last, first)
        } else {
            (first, last)
        };
        Some((iteration, Element::Each { lower, upper }))
    }

    /// The longest window of an element.
    pub(super) fn longest_of_elements(&mut self, place: Element, length: ExprId) -> ExprId {
        let Element::Each { lower, upper } = place else {
            return length;
        };
        let (element, own) = (self.element(), self.arena.fresh_index());
        let value = self.arena.symbol(own);
        let length = self.arena.substitute(length, element, value);
        self.arena
            .reduce(ReduceKind::Max, own, lower, upper, length)
    }

    /// Adds the busiest element that copies visit.
    ///
    /// Its window runs from the earliest start to the shortest remaining time.
    pub(super) fn busiest_of_copies(
        &mut self,
        binder: Binder,
        body: &[Reach],
        times: &mut Vec<ExprId>,
    ) {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let one = self.arena.number(1);
        for own in body {
            let Element::At(place) = own.place else {
                continue;
            };
            if own.visits != one || !self.arena.mentions(place, index) {
                continue;
            }
            for window in own.windows {
                if self.is_zero(window.head) && self.is_zero(window.tail) {
                    continue;
                }
                let unit = self.arena.unit_vector(own.array, place);
                let work = self.arena.mul(&[window.work, unit]);
                let all = self.sum_over(binder, work);
                let busy = self.arena.vector_max(all);
                let [head, tail] = [window.head, window.tail].map(|part| {
                    self.arena
                        .reduce(ReduceKind::Min, index, lower, upper, part)
                });
                let length = self.add(&[head, busy, tail]);
                times.push(self.where_any(binder, length));
            }
        }
    }

    /// The time if the range is nonempty, else 0.
    pub(super) fn where_any(&mut self, binder: Binder, time: ExprId) -> ExprId {
        let one = self.arena.number(1);
        let some = self.in_some(one, binder);
        let zero = self.arena.number(0);
        self.arena.if_else(some, time, zero)
    }
}
