//! Windows: sets of visits to one resource with the time before any of them begins, their work, and the time after each
//! of them.

use std::rc::Rc;

use super::super::scope::{Binder, Lowering};
use crate::expr::{ExprId, ReduceKind, Relation, Symbol};

/// Of so many branches that visit a resource, every set of them is looked at.
const MOST_SUBSETS: usize = 3;

/// When a process visits a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    array: Symbol,
    place: ExprId,
    /// 1 where it does.
    visits: ExprId,
    windows: [Window; 3],
}

/// A set of visits: all, some first ones, some last ones.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// None of them begins earlier.
    head: ExprId,
    /// Over the number of servers.
    work: ExprId,
    /// Each of them is followed by as much.
    tail: ExprId,
}

const ALL: usize = 0;
const FIRST: usize = 1;
const LAST: usize = 2;

impl Lowering<'_, '_> {
    /// One visit.
    pub(super) fn visit(&mut self, array: Symbol, place: ExprId, work: ExprId) -> Reach {
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        let window = Window {
            head: zero,
            work,
            tail: zero,
        };
        Reach {
            array,
            place,
            visits: one,
            windows: [window; 3],
        }
    }

    /// With one more visit, which stands around the others, and for them where they are to the same resource.
    pub(super) fn reach_with(&mut self, inside: &[Reach], own: Reach) -> Rc<[Reach]> {
        let other = |r: &&Reach| (r.array, r.place) != (own.array, own.place);
        let others = inside.iter().filter(other).copied();
        others.chain([own]).collect()
    }

    /// Of parts with their least times, one after the other.
    pub(super) fn reach_in_sequence(&mut self, parts: &[(ExprId, Rc<[Reach]>)]) -> Rc<[Reach]> {
        let lists: Vec<Rc<[Reach]>> = parts.iter().map(|(_, list)| list.clone()).collect();
        let times: Vec<ExprId> = parts.iter().map(|(time, _)| *time).collect();
        let mut all = Vec::new();
        for (array, place) in resources(&lists) {
            let visitors = self.visitors(&lists, (array, place));
            let (Some(&(from, first)), Some(&(to, last))) = (visitors.first(), visitors.last())
            else {
                continue;
            };
            let works: Vec<ExprId> = visitors.iter().map(|(_, r)| r.windows[ALL].work).collect();
            let (before, after) = (self.add(&times[..from]), self.add(&times[to + 1..]));
            let (until_last, since_first) = (self.add(&times[..to]), self.add(&times[from + 1..]));
            let whole = Window {
                head: self.add(&[before, first.windows[ALL].head]),
                work: self.add(&works),
                tail: self.add(&[last.windows[ALL].tail, after]),
            };
            let begin = self.placed(before, first.windows[FIRST], since_first);
            let end = self.placed(until_last, last.windows[LAST], after);
            all.push(Reach {
                array,
                place,
                visits: first.visits,
                windows: [whole, begin, end],
            });
        }
        all.into()
    }

    fn placed(&mut self, before: ExprId, window: Window, after: ExprId) -> Window {
        Window {
            head: self.add(&[before, window.head]),
            work: window.work,
            tail: self.add(&[window.tail, after]),
        }
    }

    /// The parts that visit a resource, where they do so at the same points: at all, or under one condition.
    fn visitors(
        &mut self,
        lists: &[Rc<[Reach]>],
        (array, place): (Symbol, ExprId),
    ) -> Vec<(usize, Reach)> {
        let of = |r: &&Reach| (r.array, r.place) == (array, place);
        let all: Vec<(usize, Reach)> = lists
            .iter()
            .enumerate()
            .filter_map(|(position, list)| Some((position, *list.iter().find(of)?)))
            .collect();
        let one = self.arena.number(1);
        let always = all.iter().any(|(_, r)| r.visits == one);
        let condition = match all.first() {
            Some((_, first)) if !always => first.visits,
            _ => one,
        };
        all.into_iter()
            .filter(|(_, r)| r.visits == condition)
            .collect()
    }

    /// Of a loop whose body takes the least time `time`.
    pub(super) fn reach_in_loop(
        &mut self,
        binder: Binder,
        time: ExprId,
        body: &[Reach],
    ) -> Rc<[Reach]> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let (one, minus) = (self.arena.number(1), self.arena.number(-1));
        let (second, before_last) = (self.add(&[lower, one]), self.add(&[upper, minus]));
        let mut all = Vec::new();
        for own in self.steady(body, binder) {
            let at = |inner: &mut Self, w: Window, i: ExprId| Window {
                head: inner.arena.substitute(w.head, index, i),
                work: inner.arena.substitute(w.work, index, i),
                tail: inner.arena.substitute(w.tail, index, i),
            };
            let [whole, first, last] = own.windows;
            let mut sum = |from: ExprId, to: ExprId, body: ExprId| {
                self.arena.reduce(ReduceKind::Sum, index, from, to, body)
            };
            let work = sum(lower, upper, whole.work);
            let (since_first, until_last) =
                (sum(second, upper, time), sum(lower, before_last, time));
            let head = self.arena.substitute(whole.head, index, lower);
            let tail = self.arena.substitute(whole.tail, index, upper);
            let (first, last) = (at(self, first, lower), at(self, last, upper));
            let zero = self.arena.number(0);
            let windows = [
                Window { head, work, tail },
                self.placed(zero, first, since_first),
                self.placed(until_last, last, zero),
            ];
            all.push(Reach {
                visits: self.in_some(own.visits, binder),
                windows,
                ..own
            });
        }
        all.into()
    }

    /// What a body visits in each iteration alike.
    fn steady(&self, body: &[Reach], binder: Binder) -> Vec<Reach> {
        let free = |r: &&Reach| {
            let mentions = |id: ExprId| self.arena.mentions(id, binder.index);
            !mentions(r.place) && !mentions(r.visits)
        };
        body.iter().filter(free).copied().collect()
    }

    fn in_some(&mut self, visits: ExprId, binder: Binder) -> ExprId {
        let some = self
            .arena
            .relate(Relation::LessEqual, binder.lower, binder.upper);
        self.arena.both(some, visits)
    }

    /// Of copies in parallel; their windows are lower bounds of the time of all.
    pub(super) fn reach_in_copies(
        &mut self,
        binder: Binder,
        body: &[Reach],
        times: &mut Vec<ExprId>,
    ) -> Rc<[Reach]> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let mut all = Vec::new();
        for own in self.steady(body, binder) {
            let mut reduced =
                |kind: ReduceKind, body: ExprId| self.arena.reduce(kind, index, lower, upper, body);
            let windows = own.windows.map(|w| Window {
                head: reduced(ReduceKind::Min, w.head),
                work: reduced(ReduceKind::Sum, w.work),
                tail: reduced(ReduceKind::Min, w.tail),
            });
            let reach = Reach {
                visits: self.in_some(own.visits, binder),
                windows,
                ..own
            };
            times.extend(self.lengths(&reach));
            all.push(reach);
        }
        all.into()
    }

    /// What each window of a resource takes, where it is visited.
    fn lengths(&mut self, reach: &Reach) -> [ExprId; 3] {
        reach.windows.map(|w| {
            let length = self.add(&[w.head, w.work, w.tail]);
            let zero = self.arena.number(0);
            self.arena.if_else(reach.visits, length, zero)
        })
    }

    /// Of branches in parallel; their windows are lower bounds of the time of all.
    pub(super) fn reach_in_parallel(
        &mut self,
        lists: &[Rc<[Reach]>],
        times: &mut Vec<ExprId>,
    ) -> Rc<[Reach]> {
        let mut all = Vec::new();
        for resource in resources(lists) {
            let visitors = self.visitors(lists, resource);
            let visitors: Vec<Reach> = visitors.into_iter().map(|(_, reach)| reach).collect();
            if visitors.len() <= MOST_SUBSETS {
                for set in 1_usize..(1 << visitors.len()) - 1 {
                    let chosen = visitors
                        .iter()
                        .enumerate()
                        .filter(|(k, _)| set >> k & 1 == 1);
                    let chosen: Vec<Reach> = chosen.map(|(_, reach)| *reach).collect();
                    if chosen.len() > 1 {
                        let reach = self.together(&chosen);
                        times.extend(self.lengths(&reach));
                    }
                }
            }
            if !visitors.is_empty() {
                let reach = self.together(&visitors);
                if visitors.len() > 1 {
                    times.extend(self.lengths(&reach));
                }
                all.push(reach);
            }
        }
        all.into()
    }

    fn together(&mut self, branches: &[Reach]) -> Reach {
        let windows = [ALL, FIRST, LAST].map(|which| {
            let of = |part: fn(&Window) -> ExprId| -> Vec<ExprId> {
                branches.iter().map(|r| part(&r.windows[which])).collect()
            };
            let (heads, works, tails) = (of(|w| w.head), of(|w| w.work), of(|w| w.tail));
            Window {
                head: self.arena.min(&heads),
                work: self.add(&works),
                tail: self.arena.min(&tails),
            }
        });
        Reach {
            windows,
            ..branches[0]
        }
    }

    /// Of the one that truth values choose.
    pub(super) fn reach_of_choice(
        &mut self,
        conditions: &[ExprId],
        lists: &[Rc<[Reach]>],
    ) -> Rc<[Reach]> {
        let mut all = Vec::new();
        let zero = self.arena.number(0);
        for (array, place) in resources(lists) {
            let of = |r: &&Reach| (r.array, r.place) == (array, place);
            let own: Vec<Option<Reach>> =
                lists.iter().map(|l| l.iter().find(of).copied()).collect();
            let mut chosen = |part: &dyn Fn(&Reach) -> ExprId| {
                let values = own.iter().map(|r| r.as_ref().map_or(zero, part));
                let mut cases = conditions.iter().zip(values).rev();
                let last = cases.next().map_or(zero, |(_, value)| value);
                cases.fold(last, |rest, (condition, value)| {
                    self.arena.if_else(*condition, value, rest)
                })
            };
            let visits = chosen(&|r| r.visits);
            let windows = [ALL, FIRST, LAST].map(|which| Window {
                head: chosen(&|r| r.windows[which].head),
                work: chosen(&|r| r.windows[which].work),
                tail: chosen(&|r| r.windows[which].tail),
            });
            all.push(Reach {
                array,
                place,
                visits,
                windows,
            });
        }
        all.into()
    }
}

/// The resources that any of several processes visit.
fn resources(lists: &[Rc<[Reach]>]) -> Vec<(Symbol, ExprId)> {
    let mut found = Vec::new();
    for reach in lists.iter().flat_map(|list| list.iter()) {
        if !found.contains(&(reach.array, reach.place)) {
            found.push((reach.array, reach.place));
        }
    }
    found
}
