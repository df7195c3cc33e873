//! Sections whose branches differ by an index: items with individual times, and tasks dealt out in
//! turn.

use std::rc::Rc;

use super::chain::each_visit;
use super::lines::Proven;
use super::sides::{Crowd, Step};
use crate::expr::{ExprId, Function, Node, ReduceKind, Symbol};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::certificate::Theorem;
use crate::timing::process::contention::is_shifted;
use crate::timing::process::covered::never_negative;
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// A flow shop in which item `i` takes its own, equal time at each station.
    pub(super) fn proportional_items(&mut self, binder: Binder, steps: &[Step]) -> Option<Proven> {
        let own = self.time_at_each_station(steps)?;
        let places_are_fixed = {
            let zero = self.arena.number(0);
            let at_rest = with_times(steps, zero);
            self.is_same_for_all(&at_rest, binder.index)
        };
        if !places_are_fixed {
            return None;
        }
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let sum = self.sum_over(binder, own);
        let longest = self.arena.reduce(ReduceKind::Max, index, lower, upper, own);
        Some(self.through_stations(steps, sum, longest))
    }

    /// Like [`Lowering::proportional_items`], for branches that are written out.
    pub(super) fn proportional_branches(&mut self, branches: &[Rc<[Step]>]) -> Option<Proven> {
        let zero = self.arena.number(0);
        let first = with_times(branches.first()?, zero);
        let mut times = Vec::new();
        for branch in branches {
            times.push(self.time_at_each_station(branch)?);
            if !self.are_same(&first, &with_times(branch, zero)) {
                return None;
            }
        }
        let (sum, longest) = (self.add(&times), self.arena.max(&times));
        Some(self.through_stations(&branches[0], sum, longest))
    }

    fn through_stations(&mut self, steps: &[Step], sum: ExprId, longest: ExprId) -> Proven {
        let (one, minus) = (self.arena.number(1), self.arena.number(-1));
        let stations = self.length(&with_times(steps, one));
        let further = self.add(&[stations, minus]);
        let further = self.mul(&[further, longest]);
        let time = self.add(&[sum, further]);
        Proven {
            time: self.where_some(stations, time),
            theorem: Theorem::ProportionalItems,
        }
    }

    /// An upper bound for items with individual times on a line of single-server stations.
    ///
    /// It is the longest path through a table of items and stations. An item counts its longest
    /// service, and each further station the longest service there.
    pub(super) fn most_of_items(&mut self, binder: Binder, steps: &[Step]) -> Option<ExprId> {
        if !self.is_without_return(steps) || !self.stations(steps)?.several.is_empty() {
            return None;
        }
        let zero = self.arena.number(0);
        let idle = with_services(steps, zero)?;
        if !self.is_same_for_all(&idle, binder.index) {
            return None;
        }
        let delays = self.length(&idle);
        let longest = self.stations(steps)?.longest;
        let first = steps
            .iter()
            .position(|step| !matches!(step, Step::Delay(_)))?;
        let further = match &steps[first] {
            Step::Loop(stations, body) if !matches!(body[..], [Step::Loop(..)]) => {
                let one = self.arena.number(1);
                let second = self.add(&[stations.lower, one]);
                let rest = Binder {
                    lower: second,
                    ..*stations
                };
                [Step::Loop(rest, body.clone())].into()
            }
            Step::Loop(..) => vec![steps[first].clone()],
            _ => Vec::new(),
        };
        let further = [&further[..], &steps[first + 1..]].concat();
        let at_stations = self.longest_services(&further, binder);
        let items = self.sum_over(binder, longest);
        let time = self.add(&[delays, at_stations, items]);
        Some(self.where_any(binder, time))
    }

    /// The sum over all stations of the longest service that an item has there.
    fn longest_services(&mut self, steps: &[Step], items: Binder) -> ExprId {
        let mut all = Vec::new();
        for step in steps {
            match step {
                Step::Delay(_) | Step::Hold(..) => {}
                Step::Visit(_, time) => {
                    let Binder {
                        index,
                        lower,
                        upper,
                        ..
                    } = items;
                    all.push(
                        self.arena
                            .reduce(ReduceKind::Max, index, lower, upper, *time),
                    );
                }
                Step::Loop(binder, body) => {
                    let inner = self.longest_services(body, items);
                    all.push(self.sum_over(*binder, inner));
                }
            }
        }
        self.add(&all)
    }

    /// The service of a chain without delays that is the same at each of its stations, which have one server.
    fn time_at_each_station(&mut self, steps: &[Step]) -> Option<ExprId> {
        if !self.is_without_return(steps) || !self.stations(steps)?.several.is_empty() {
            return None;
        }
        let mut times: Vec<ExprId> = Vec::new();
        let mut fixed = true;
        collect_times(steps, &mut times, &mut fixed, &mut |time, index| {
            self.arena.mentions(time, index)
        });
        match times[..] {
            [time] if fixed => Some(time),
            _ => None,
        }
    }

    /// Branches that each visit `r(i mod m)` once.
    ///
    /// In the order of the text they are served as by a pool of `m` servers.
    pub(super) fn dealt_in_turn(&mut self, binder: Binder, steps: &[Step]) -> Option<Proven> {
        let mut pooled = Vec::new();
        for step in steps {
            pooled.push(match step {
                Step::Visit(resource, time) => match self.as_pool(*resource, binder.index, steps) {
                    Some(pool) => Step::Visit(pool, *time),
                    None => step.clone(),
                },
                step => step.clone(),
            });
        }
        let crowd = Crowd {
            count: self.count(binder),
            steps: pooled.into(),
            private: [].into(),
        };
        if !self.is_same_for_all(&crowd.steps, binder.index) {
            return None;
        }
        let line = self
            .line(&crowd.steps)
            .filter(|line| line.cycles.is_none())?;
        let (time, _) = self.time_of_line(&line, crowd.count)?;
        Some(Proven {
            time: self.where_some(crowd.count, time),
            theorem: Theorem::DealtInTurn,
        })
    }

    /// The pool that elements of an array are, of which neighbours in a range visit neighbours.
    fn as_pool(&mut self, resource: Resource, index: Symbol, steps: &[Step]) -> Option<Resource> {
        let Node::Mod(position, count) = *self.arena.node(resource.index) else {
            return None;
        };
        let mut visits = 0;
        each_visit(steps, &mut |other, _| {
            visits += usize::from(other.array == resource.array)
        });
        let single = self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE);
        if visits != 1
            || !single
            || self.arena.mentions(count, index)
            || !self.counts(position, index)
        {
            return None;
        }
        let whole = self.arena.apply(Function::Integer, count);
        self.ask(&[whole]);
        Some(Resource {
            index: self.arena.number(0),
            multiplicity: count,
            ..resource
        })
    }

    /// True if a position increases by one with the index.
    pub(super) fn counts(&mut self, position: ExprId, index: Symbol) -> bool {
        let (one, own) = (self.arena.number(1), self.arena.symbol(index));
        let next = self.add(&[own, one]);
        let next = self.arena.substitute(position, index, next);
        let step = self.difference(next, position);
        is_shifted(self.arena, position, index)
            && self.arena.as_number(step) == Some(&Rational::ONE)
    }

    /// A pool whose tasks arrive in order of increasing time.
    ///
    /// They arrive together, or one after another from single-server stations.
    pub(super) fn rising_pool(&mut self, binder: Binder, steps: &[Step]) -> Option<Proven> {
        let (position, resource, time) = self.visit_that_rises(binder, steps)?;
        let (before, after) = (&steps[..position], &steps[position + 1..]);
        let station = match before {
            [] | [Step::Delay(_)] => self.arena.number(0),
            _ => {
                let stations = self.stations(before)?;
                stations.several.is_empty().then_some(stations.longest)?
            }
        };
        let (count, servers) = (self.count(binder), resource.multiplicity);
        let share = self.arena.reciprocal(servers);
        let waves = self.mul(&[count, share]);
        let waves = self.arena.apply(Function::Ceil, waves);
        let (zero, minus) = (self.arena.number(0), self.arena.number(-1));
        let last = self.add(&[waves, minus]);
        // Task k begins when it comes up, or when task k - c ends: the last ones of some waves are a chain.
        let wave = self.arena.fresh_index();
        let back = self.arena.symbol(wave);
        let back = self.mul(&[servers, back]);
        let task = self.difference(binder.upper, back);
        let own = self.arena.substitute(time, binder.index, task);
        let path = if self.is_zero(station) {
            self.arena.reduce(ReduceKind::Sum, wave, zero, last, own)
        } else {
            let first = self.arena.fresh_index();
            let waves_back = self.arena.symbol(first);
            let chain = self
                .arena
                .reduce(ReduceKind::Sum, wave, zero, waves_back, own);
            let back = self.mul(&[servers, waves_back]);
            let earlier = self.add(&[count, minus]);
            let earlier = self.difference(earlier, back);
            let comes_up = self.mul(&[earlier, station]);
            let path = self.add(&[comes_up, chain]);
            self.arena.reduce(ReduceKind::Max, first, zero, last, path)
        };
        let around = [self.length(before), self.length(after)];
        let whole = self.add(&[around[0], path, around[1]]);
        Some(Proven {
            time: self.where_some(count, whole),
            theorem: Theorem::RisingPool,
        })
    }

    /// The last visit of a chain, if only this visit differs from branch to branch and never takes less time in a
    /// later branch. The part before it visits each resource once.
    fn visit_that_rises(
        &mut self,
        binder: Binder,
        steps: &[Step],
    ) -> Option<(usize, Resource, ExprId)> {
        let is_visit = |step: &Step| !matches!(step, Step::Delay(_));
        let position = steps.iter().rposition(is_visit)?;
        let Step::Visit(resource, time) = steps[position] else {
            return None;
        };
        let zero = self.arena.number(0);
        let mut alike = steps.to_vec();
        alike[position] = Step::Visit(resource, zero);
        let rises = self.is_same_for_all(&alike, binder.index)
            && self.is_without_return(&alike)
            && self.never_falls(time, binder.index);
        rises.then_some((position, resource, time))
    }

    /// True if an expression is seen to be no less for a greater index.
    pub(super) fn never_falls(&mut self, id: ExprId, index: Symbol) -> bool {
        if !self.arena.mentions(id, index) {
            return true;
        }
        let node = self.arena.node(id).clone();
        match &node {
            Node::Symbol(symbol) => *symbol == index,
            Node::Add(parts) | Node::Max(parts) | Node::Min(parts) => {
                parts.iter().all(|&part| self.never_falls(part, index))
            }
            Node::Mul(parts) => parts
                .iter()
                .all(|&part| self.is_positive(part) && self.never_falls(part, index)),
            Node::Apply(Function::Floor | Function::Ceil | Function::Sqrt, part) => {
                self.never_falls(*part, index)
            }
            Node::Pow(base, exponent) => {
                let exponent = self.arena.as_number(*exponent);
                let power = exponent.is_some_and(|e| !e.is_negative());
                power && self.is_positive(*base) && self.never_falls(*base, index)
            }
            // The range moves to where terms are no less, and grows by terms that are not negative.
            Node::Reduce(reduce) if reduce.kind == ReduceKind::Sum => {
                let steps = [reduce.lower, reduce.upper].map(|end| self.slope(end, index));
                let [Some(lower), Some(upper)] = steps else {
                    return false;
                };
                let growth = self.difference(upper, lower);
                let grows = self.is_zero(growth)
                    || self.is_positive(growth) && self.is_positive(reduce.body);
                let moves = self.is_zero(lower)
                    || self.is_positive(lower) && self.never_falls(reduce.body, reduce.index);
                grows && moves && self.never_falls(reduce.body, index)
            }
            _ => false,
        }
    }

    pub(super) fn is_positive(&self, id: ExprId) -> bool {
        never_negative(self.arena, &self.never_negative, id)
    }

    /// By how much a linear expression grows with each step of an index.
    pub(super) fn slope(&mut self, id: ExprId, index: Symbol) -> Option<ExprId> {
        if !self.arena.mentions(id, index) {
            return Some(self.arena.number(0));
        }
        match self.arena.node(id).clone() {
            Node::Symbol(_) => Some(self.arena.number(1)),
            Node::Add(parts) => {
                let slopes: Option<Vec<ExprId>> =
                    parts.iter().map(|&part| self.slope(part, index)).collect();
                Some(self.add(&slopes?))
            }
            Node::Mul(parts) => {
                let (moving, mut factors): (Vec<ExprId>, Vec<ExprId>) = parts
                    .iter()
                    .partition(|&&part| self.arena.mentions(part, index));
                let [moving] = moving[..] else { return None };
                factors.push(self.slope(moving, index)?);
                Some(self.mul(&factors))
            }
            _ => None,
        }
    }
}

/// The chain with this time for each visit; `None` where resources are held.
fn with_services(steps: &[Step], time: ExprId) -> Option<Rc<[Step]>> {
    let step = |step: &Step| match step {
        Step::Delay(_) => Some(step.clone()),
        Step::Visit(resource, _) => Some(Step::Visit(*resource, time)),
        Step::Hold(..) => None,
        Step::Loop(binder, body) => Some(Step::Loop(*binder, with_services(body, time)?)),
    };
    steps.iter().map(step).collect()
}

/// The chain with this time for each visit and each delay.
fn with_times(steps: &[Step], time: ExprId) -> Rc<[Step]> {
    let step = |step: &Step| match step {
        Step::Delay(_) => Step::Delay(time),
        Step::Visit(resource, _) => Step::Visit(*resource, time),
        Step::Hold(resource, body) => Step::Hold(*resource, with_times(body, time)),
        Step::Loop(binder, body) => Step::Loop(*binder, with_times(body, time)),
    };
    steps.iter().map(step).collect()
}

/// The different times of all visits, and whether no loop changes them; a delay is a change.
fn collect_times(
    steps: &[Step],
    times: &mut Vec<ExprId>,
    fixed: &mut bool,
    mentions: &mut impl FnMut(ExprId, Symbol) -> bool,
) {
    for step in steps {
        match step {
            Step::Delay(_) | Step::Hold(..) => *fixed = false,
            Step::Visit(_, time) if times.contains(time) => {}
            Step::Visit(_, time) => times.push(*time),
            Step::Loop(binder, body) => {
                collect_times(body, times, fixed, mentions);
                *fixed &= !times.iter().any(|&time| mentions(time, binder.index));
            }
        }
    }
}
