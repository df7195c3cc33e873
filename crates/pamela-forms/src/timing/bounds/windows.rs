//! Windows: sets of visits to one resource.
//!
//! A window has the time before any of its visits begins, their work, and the time after each of
//! them.

use std::rc::Rc;

use super::sides::{Element, Reach, Window};
use crate::expr::{ExprId, Function, ReduceKind, Relation, Symbol};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::scope::Lowering;

/// For up to this many branches that visit a resource, every subset is tried.
const MOST_SUBSETS: usize = 3;

const ALL: usize = 0;
const FIRST: usize = 1;
const LAST: usize = 2;

impl Lowering<'_, '_> {
    /// The window of one visit of duration `time`.
    pub(super) fn visit(&mut self, resource: Resource, time: ExprId) -> Reach {
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        let share = self.arena.reciprocal(resource.multiplicity);
        let window = Window {
            head: zero,
            work: self.arena.mul(&[share, time]),
            tail: zero,
            count: one,
            service: Some(time),
        };
        Reach {
            array: resource.array,
            place: Element::At(resource.index),
            servers: resource.multiplicity,
            visits: one,
            windows: [window; 3],
        }
    }

    /// Adds an enclosing visit, which replaces inner visits to the same resource.
    pub(super) fn reach_with(&mut self, inside: &[Reach], own: Reach) -> Rc<[Reach]> {
        let other = |r: &&Reach| (r.array, r.place) != (own.array, own.place);
        let others = inside.iter().filter(other).copied();
        others.chain([own]).collect()
    }

    /// Windows of parts in sequence, each with its least time.
    pub(super) fn reach_in_sequence(&mut self, parts: &[(ExprId, Rc<[Reach]>)]) -> Rc<[Reach]> {
        let lists: Vec<Rc<[Reach]>> = parts.iter().map(|(_, list)| list.clone()).collect();
        let times: Vec<ExprId> = parts.iter().map(|(time, _)| *time).collect();
        let mut all = Vec::new();
        for resource in resources(&lists) {
            let visitors = self.visitors(&lists, resource);
            let (Some(&(from, first)), Some(&(to, last))) = (visitors.first(), visitors.last())
            else {
                continue;
            };
            let windows: Vec<Window> = visitors.iter().map(|(_, r)| r.windows[ALL]).collect();
            let (before, after) = (self.add(&times[..from]), self.add(&times[to + 1..]));
            let (until_last, since_first) = (self.add(&times[..to]), self.add(&times[from + 1..]));
            let whole = Window {
                head: self.add(&[before, first.windows[ALL].head]),
                tail: self.add(&[last.windows[ALL].tail, after]),
                ..self.joined_visits(&windows)
            };
            let begin = self.placed(before, first.windows[FIRST], since_first);
            let end = self.placed(until_last, last.windows[LAST], after);
            all.push(Reach {
                windows: [whole, begin, end],
                ..first
            });
        }
        all.into()
    }

    /// The visits of several windows, which are not empty, with the time around those of the first.
    fn joined_visits(&mut self, windows: &[Window]) -> Window {
        let works: Vec<ExprId> = windows.iter().map(|w| w.work).collect();
        let counts: Vec<ExprId> = windows.iter().map(|w| w.count).collect();
        let service = windows[0].service;
        let alike = windows.iter().all(|w| w.service == service);
        Window {
            work: self.add(&works),
            count: self.add(&counts),
            service: service.filter(|_| alike),
            ..windows[0]
        }
    }

    pub(super) fn placed(&mut self, before: ExprId, window: Window, after: ExprId) -> Window {
        Window {
            head: self.add(&[before, window.head]),
            tail: self.add(&[window.tail, after]),
            ..window
        }
    }

    /// The parts that visit a resource, where they do so at the same points: at all, or under one condition.
    fn visitors(
        &mut self,
        lists: &[Rc<[Reach]>],
        resource: (Symbol, Element),
    ) -> Vec<(usize, Reach)> {
        let of = |r: &&Reach| (r.array, r.place) == resource;
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

    /// Windows of a loop whose body takes at least `time`.
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
        let mut all = self.reach_of_elements(binder, time, body);
        for own in self.steady(body, binder) {
            let [whole, first, last] = own.windows;
            let visits = self.visits_in_loop(whole, binder);
            let mut sum = |from: ExprId, to: ExprId, body: ExprId| {
                self.arena.reduce(ReduceKind::Sum, index, from, to, body)
            };
            let (since_first, until_last) =
                (sum(second, upper, time), sum(lower, before_last, time));
            let head = self.arena.substitute(whole.head, index, lower);
            let tail = self.arena.substitute(whole.tail, index, upper);
            let first = self.window_at(first, index, lower);
            let last = self.window_at(last, index, upper);
            let zero = self.arena.number(0);
            let windows = [
                Window {
                    head,
                    tail,
                    ..visits
                },
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

    /// The window of one iteration.
    pub(super) fn window_at(&mut self, window: Window, index: Symbol, value: ExprId) -> Window {
        let mut at = |part: ExprId| self.arena.substitute(part, index, value);
        Window {
            head: at(window.head),
            work: at(window.work),
            tail: at(window.tail),
            count: at(window.count),
            service: window.service.map(at),
        }
    }

    /// The visits of all iterations.
    fn visits_in_loop(&mut self, window: Window, binder: Binder) -> Window {
        let moves = |service: &ExprId| self.arena.mentions(*service, binder.index);
        Window {
            service: window.service.filter(|service| !moves(service)),
            work: self.sum_over(binder, window.work),
            count: self.sum_over(binder, window.count),
            ..window
        }
    }

    /// The visits that a body makes in every iteration.
    fn steady(&self, body: &[Reach], binder: Binder) -> Vec<Reach> {
        let free = |r: &&Reach| !self.moves(r, binder.index);
        body.iter().filter(free).copied().collect()
    }

    /// True if an index decides what is visited, or whether it is.
    fn moves(&self, reach: &Reach, index: Symbol) -> bool {
        let mentions = |id: ExprId| self.arena.mentions(id, index);
        let elsewhere = match reach.place {
            Element::At(place) => mentions(place),
            Element::Each { lower, upper } => mentions(lower) || mentions(upper),
        };
        elsewhere || mentions(reach.visits) || mentions(reach.servers)
    }

    pub(super) fn in_some(&mut self, visits: ExprId, binder: Binder) -> ExprId {
        let some = self
            .arena
            .relate(Relation::LessEqual, binder.lower, binder.upper);
        self.arena.both(some, visits)
    }

    /// Windows of parallel copies. Adds their lengths to `times` as lower bounds of the total time.
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
        self.busiest_of_copies(binder, body, times);
        let mut all = Vec::new();
        for own in self.steady(body, binder) {
            let windows = own.windows.map(|w| {
                let visits = self.visits_in_loop(w, binder);
                let least = |inner: &mut Self, body: ExprId| {
                    inner
                        .arena
                        .reduce(ReduceKind::Min, index, lower, upper, body)
                };
                Window {
                    head: least(self, w.head),
                    tail: least(self, w.tail),
                    ..visits
                }
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

    /// The lengths of each window of a resource.
    fn lengths(&mut self, reach: &Reach) -> [ExprId; 3] {
        reach.windows.map(|w| {
            let busy = self.busy(&w, reach.servers);
            let length = self.add(&[w.head, busy, w.tail]);
            let zero = self.arena.number(0);
            let length = self.arena.if_else(reach.visits, length, zero);
            self.longest_of_elements(reach.place, length)
        })
    }

    /// Least time that the servers need for the visits. With equal visits, some server has a whole wave.
    fn busy(&mut self, window: &Window, servers: ExprId) -> ExprId {
        let single = self.arena.as_number(servers) == Some(&Rational::ONE);
        // A number of waves that differs from iteration to iteration seldom closes.
        let varies = self.varies(window.count);
        match window.service {
            Some(service) if !single && !varies => {
                let share = self.arena.reciprocal(servers);
                let waves = self.mul(&[window.count, share]);
                let waves = self.arena.apply(Function::Ceil, waves);
                self.mul(&[waves, service])
            }
            _ => window.work,
        }
    }

    /// Windows of parallel branches. Adds their lengths to `times` as lower bounds of the total
    /// time.
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
            let all: Vec<Window> = branches.iter().map(|r| r.windows[which]).collect();
            let heads: Vec<ExprId> = all.iter().map(|w| w.head).collect();
            let tails: Vec<ExprId> = all.iter().map(|w| w.tail).collect();
            Window {
                head: self.arena.min(&heads),
                tail: self.arena.min(&tails),
                ..self.joined_visits(&all)
            }
        });
        Reach {
            windows,
            ..branches[0]
        }
    }

    /// Windows of the branch that truth values select.
    pub(super) fn reach_of_choice(
        &mut self,
        conditions: &[ExprId],
        lists: &[Rc<[Reach]>],
    ) -> Rc<[Reach]> {
        let mut all = Vec::new();
        let zero = self.arena.number(0);
        for resource in resources(lists) {
            let of = |r: &&Reach| (r.array, r.place) == resource;
            let own: Vec<Option<Reach>> =
                lists.iter().map(|l| l.iter().find(of).copied()).collect();
            let Some(&known) = own.iter().flatten().next() else {
                continue;
            };
            let mut chosen = |part: &dyn Fn(&Reach) -> ExprId| {
                let values = own.iter().map(|r| r.as_ref().map_or(zero, part));
                let mut cases = conditions.iter().zip(values).rev();
                let last = cases.next().map_or(zero, |(_, value)| value);
                cases.fold(last, |rest, (condition, value)| {
                    self.arena.if_else(*condition, value, rest)
                })
            };
            let visits = chosen(&|r| r.visits);
            let windows = [ALL, FIRST, LAST].map(|which| {
                let service = known.windows[which].service;
                let alike = own.iter().flatten();
                let alike = alike
                    .map(|r| r.windows[which].service)
                    .all(|s| s == service);
                Window {
                    head: chosen(&|r| r.windows[which].head),
                    work: chosen(&|r| r.windows[which].work),
                    tail: chosen(&|r| r.windows[which].tail),
                    count: chosen(&|r| r.windows[which].count),
                    service: service.filter(|_| alike),
                }
            });
            all.push(Reach {
                visits,
                windows,
                ..known
            });
        }
        all.into()
    }
}

/// The resources that any of several processes visit.
fn resources(lists: &[Rc<[Reach]>]) -> Vec<(Symbol, Element)> {
    let mut found = Vec::new();
    for reach in lists.iter().flat_map(|list| list.iter()) {
        if !found.contains(&(reach.array, reach.place)) {
            found.push((reach.array, reach.place));
        }
    }
    found
}
