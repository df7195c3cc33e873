//! Sections whose branches differ by an index: items with times of their own, and tasks that are dealt out.

use std::rc::Rc;

use super::super::certificate::Theorem;
use super::super::process::contention::is_shifted;
use super::super::process::covered::never_negative;
use super::super::scope::{Binder, Lowering, Resource};
use super::chain::{Step, each_visit};
use super::lines::{Crowd, Proven};
use crate::expr::{ExprId, Function, Node, ReduceKind, Symbol};
use crate::ring::Rational;

impl Lowering<'_, '_> {
    /// Item `i` takes the same time at each station of a flow shop, which is its own.
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

    /// The same of branches that are written out.
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

    /// Branches of which each visits `r(i mod m)` once are, in the order of the text, served there as by a pool of `m`.
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

    /// Whether a position is the next one for the next index.
    pub(super) fn counts(&mut self, position: ExprId, index: Symbol) -> bool {
        let (one, own) = (self.arena.number(1), self.arena.symbol(index));
        let next = self.add(&[own, one]);
        let next = self.arena.substitute(position, index, next);
        let step = self.difference(next, position);
        is_shifted(self.arena, position, index)
            && self.arena.as_number(step) == Some(&Rational::ONE)
    }

    /// A pool whose tasks come up in the order of their times, the shortest first.
    pub(super) fn rising_pool(&mut self, binder: Binder, steps: &[Step]) -> Option<Proven> {
        let [Step::Visit(resource, time)] = steps else {
            return None;
        };
        let Binder { index, upper, .. } = binder;
        if [resource.index, resource.multiplicity]
            .iter()
            .any(|&id| self.arena.mentions(id, index))
        {
            return None;
        }
        if !self.never_falls(*time, index) {
            return None;
        }
        // Task k begins when task k - c ends: the last ones of each wave are a chain.
        let (count, servers) = (self.count(binder), resource.multiplicity);
        let share = self.arena.reciprocal(servers);
        let waves = self.mul(&[count, share]);
        let waves = self.arena.apply(Function::Ceil, waves);
        let (zero, minus) = (self.arena.number(0), self.arena.number(-1));
        let last = self.add(&[waves, minus]);
        let wave = self.arena.fresh_index();
        let before = self.arena.symbol(wave);
        let before = self.mul(&[minus, servers, before]);
        let task = self.add(&[upper, before]);
        let time = self.arena.substitute(*time, index, task);
        Some(Proven {
            time: self.arena.reduce(ReduceKind::Sum, wave, zero, last, time),
            theorem: Theorem::RisingPool,
        })
    }

    /// Whether an expression is seen to be no less for a greater index.
    fn never_falls(&self, id: ExprId, index: Symbol) -> bool {
        let rises = |part: &ExprId| self.never_falls(*part, index);
        let positive = |part: &ExprId| never_negative(self.arena, &self.never_negative, *part);
        match self.arena.node(id) {
            _ if !self.arena.mentions(id, index) => true,
            Node::Symbol(symbol) => *symbol == index,
            Node::Add(parts) | Node::Max(parts) | Node::Min(parts) => parts.iter().all(rises),
            Node::Mul(parts) => parts.iter().all(|part| rises(part) && positive(part)),
            Node::Apply(Function::Floor | Function::Ceil | Function::Sqrt, part) => rises(part),
            Node::Pow(base, exponent) => {
                let exponent = self.arena.as_number(*exponent);
                rises(base) && positive(base) && exponent.is_some_and(|e| !e.is_negative())
            }
            _ => false,
        }
    }
}

/// The chain with this time for each visit.
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
