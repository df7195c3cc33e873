//! Sections whose time is known exactly, with all their waiting. `docs/bounds.md` has the theorems and their proofs.

use std::rc::Rc;

use super::super::certificate::Theorem;
use super::super::numeric::Cases;
use super::super::process::contention::is_shifted;
use super::super::process::covered::never_negative;
use super::super::scope::{Binder, Lowering, Resource};
use super::chain::{Step, each_visit};
use super::uses::Place;
use crate::diagnostic::Diagnostic;
use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Symbol};
use crate::ring::Rational;

/// Copies of one chain that begin at the same time.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) count: ExprId,
    pub(super) steps: Rc<[Step]>,
    /// Arrays of which each copy has an element of its own, whose visits are delays in `steps`.
    pub(super) private: Rc<[Symbol]>,
}

/// Branches that each visit one resource, with one server, after the same time and before the same time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    head: ExprId,
    tail: ExprId,
    demand: ExprId,
    /// 1 where there is a branch.
    some: ExprId,
}

/// The time of a section and what it follows from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proven {
    pub(super) time: ExprId,
    pub(super) theorem: Theorem,
}

/// The passes of a line: each of `cycles` times through a chain that visits no resource twice.
struct Line {
    head: ExprId,
    /// `None`: one.
    cycles: Option<ExprId>,
    chain: Rc<[Step]>,
    tail: ExprId,
}

impl Lowering<'_, '_> {
    /// The time of a section of alike branches.
    pub(super) fn time_of_crowd(&mut self, crowd: &Crowd) -> Option<Proven> {
        if let Some(time) = self.return_to_first(crowd) {
            let theorem = Theorem::ReturnToFirst;
            let time = self.where_some(crowd.count, time);
            return Some(Proven { time, theorem });
        }
        let line = self.line(&crowd.steps)?;
        let (passes, theorem) = self.time_of_line(&line, crowd.count)?;
        let whole = self.add(&[line.head, passes, line.tail]);
        let time = self.where_some(crowd.count, whole);
        Some(Proven { time, theorem })
    }

    fn line(&mut self, steps: &Rc<[Step]>) -> Option<Line> {
        let zero = self.arena.number(0);
        if self.is_without_return(steps) {
            return Some(Line {
                head: zero,
                cycles: None,
                chain: steps.clone(),
                tail: zero,
            });
        }
        let (head, binder, body, tail) = match &steps[..] {
            [Step::Loop(b, body)] => (zero, *b, body, zero),
            [Step::Delay(h), Step::Loop(b, body)] => (*h, *b, body, zero),
            [Step::Loop(b, body), Step::Delay(q)] => (zero, *b, body, *q),
            [Step::Delay(h), Step::Loop(b, body), Step::Delay(q)] => (*h, *b, body, *q),
            _ => return None,
        };
        let (count, chain) = match self.is_same_for_all(body, binder.index) {
            true if self.is_without_return(body) => (self.count(binder), body.clone()),
            true => {
                let inner = match &body[..] {
                    [Step::Loop(..)] => self.line(body)?,
                    _ => return None,
                };
                let (outer, cycles) = (self.count(binder), inner.cycles?);
                (self.mul(&[outer, cycles]), inner.chain)
            }
            false => self.rounds(binder, body)?,
        };
        Some(Line {
            head,
            cycles: Some(count),
            chain,
            tail,
        })
    }

    /// A loop that visits `r(i mod m)` in each iteration alike: so many times round the `m` elements.
    fn rounds(&mut self, binder: Binder, body: &[Step]) -> Option<(ExprId, Rc<[Step]>)> {
        let [Step::Visit(resource, time)] = body else {
            return None;
        };
        let Node::Mod(position, stations) = *self.arena.node(resource.index) else {
            return None;
        };
        let free = [*time, resource.multiplicity, stations];
        let steady = !free.iter().any(|&id| self.arena.mentions(id, binder.index))
            && self.counts(position, binder.index);
        if !steady {
            return None;
        }
        let all = self.count(binder);
        let share = self.arena.reciprocal(stations);
        let rounds = self.mul(&[all, share]);
        let whole = self.arena.apply(Function::Integer, rounds);
        self.ask(&[whole]);
        let (first, minus) = (self.arena.number(0), self.arena.number(-1));
        let last = self.add(&[stations, minus]);
        let own = self.arena.fresh_index();
        let value = self.arena.symbol(own);
        let station = Resource {
            index: value,
            ..*resource
        };
        let round = Binder {
            index: own,
            lower: first,
            upper: last,
            value,
        };
        let visit: Rc<[Step]> = [Step::Visit(station, *time)].into();
        Some((rounds, [Step::Loop(round, visit)].into()))
    }

    /// How long `count` branches take for their passes, where there is one.
    fn time_of_line(&mut self, line: &Line, count: ExprId) -> Option<(ExprId, Theorem)> {
        let alone = self.length(&line.chain);
        let stations = self.stations(&line.chain)?;
        let minus = self.arena.number(-1);
        let others = self.add(&[count, minus]);
        let Some(cycles) = line.cycles else {
            let (behind, theorem) = match stations.several[..] {
                [] => (self.mul(&[others, stations.longest]), Theorem::Line),
                [(servers, service)] => {
                    let behind = self.behind_several(others, stations.longest, servers, service);
                    (behind, Theorem::LineWithPool)
                }
                _ => return None,
            };
            return Some((self.add(&[alone, behind]), theorem));
        };
        let passes = self.mul(&[cycles, count]);
        let further = self.add(&[passes, minus]);
        let rounds = self.mul(&[cycles, alone]);
        let (first, last, theorem) = match stations.several[..] {
            [] => {
                let behind = [others, further].map(|n| self.mul(&[n, stations.longest]));
                (behind[0], behind[1], Theorem::Line)
            }
            // With a delay in the cycle the longest path may turn between the ends.
            [(servers, service)] if alone == service && self.is_zero(stations.longest) => {
                let waves = [others, further].map(|n| self.arena.floor_divide(n, servers));
                let waves = waves.map(|n| self.mul(&[n, service]));
                (waves[0], waves[1], Theorem::RoundsOfAPool)
            }
            _ => return None,
        };
        let by_branches = self.add(&[rounds, first]);
        let by_passes = self.add(&[alone, last]);
        let time = self.arena.max(&[by_branches, by_passes]);
        Some((self.where_some(cycles, time), theorem))
    }

    /// How much later the last of some others is, behind stations of one server with this longest service and one of
    /// several: each step back repeats one service, and takes the place of one branch or of as many as there are servers.
    fn behind_several(
        &mut self,
        others: ExprId,
        longest: ExprId,
        servers: ExprId,
        service: ExprId,
    ) -> ExprId {
        let waves = self.arena.floor_divide(others, servers);
        let waves = self.mul(&[waves, service]);
        if self.is_zero(longest) {
            return waves;
        }
        let left = self.arena.modulo(others, servers);
        let left = self.mul(&[left, longest]);
        let singles = self.mul(&[others, longest]);
        let mixed = self.add(&[waves, left]);
        self.arena.max(&[singles, mixed])
    }

    /// A resource that is visited first and last, with one other between: a copy engine that serves both directions.
    fn return_to_first(&mut self, crowd: &Crowd) -> Option<ExprId> {
        let mut visits: Vec<(Resource, ExprId)> = Vec::new();
        let mut delays: Vec<ExprId> = Vec::new();
        for step in crowd.steps.iter() {
            match step {
                Step::Delay(time) if delays.len() + 1 == visits.len() => delays.push(*time),
                Step::Visit(resource, time) => {
                    let zero = self.arena.number(0);
                    delays.resize(visits.len(), zero);
                    visits.push((*resource, *time));
                }
                _ => return None,
            }
        }
        let [(first, h), (middle, k), (last, d)] = visits[..] else {
            return None;
        };
        let (&[a, b], true) = (&delays[..], first == last) else {
            return None;
        };
        let one = |id: ExprId| self.arena.as_number(id) == Some(&Rational::ONE);
        if !one(first.multiplicity) || !one(middle.multiplicity) {
            return None;
        }
        let at = |r: Resource| {
            let index = r.index;
            Some(Place { index, over: None })
        };
        if first.array == middle.array && !self.are_all_apart(&[at(first), at(middle)]) {
            return None;
        }
        let n = crowd.count;
        let mut path =
            |h_times: Option<ExprId>, k_times: Option<ExprId>, d_times: Option<ExprId>| {
                let mut times = |n: Option<ExprId>, t: ExprId| n.map_or(t, |n| self.mul(&[n, t]));
                let parts = [
                    times(h_times, h),
                    a,
                    times(k_times, k),
                    b,
                    times(d_times, d),
                ];
                self.add(&parts)
            };
        let paths = [
            path(Some(n), None, None),
            path(None, Some(n), None),
            path(None, None, Some(n)),
        ];
        let both = self.add(&[h, d]);
        let engine = self.mul(&[n, both]);
        Some(self.arena.max(&[engine, paths[0], paths[1], paths[2]]))
    }

    /// What a chain is of a burst.
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

    /// Whether a chain has no delay, and its loops leave a place as it is.
    fn is_at_one_place(&self, visits: &[Step], place: ExprId) -> bool {
        visits.iter().all(|step| match step {
            Step::Delay(_) | Step::Hold(..) => false,
            Step::Visit(..) => true,
            Step::Loop(binder, body) => {
                !self.arena.mentions(place, binder.index) && self.is_at_one_place(body, place)
            }
        })
    }

    /// Bursts that begin at the same time.
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

    /// The burst that truth values choose.
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

    /// A burst with what is before it and after it.
    pub(super) fn burst_placed(
        &mut self,
        burst: &Burst,
        before: &[ExprId],
        after: &[ExprId],
    ) -> Burst {
        let head = [before, &[burst.head]].concat();
        let tail = [&[burst.tail], after].concat();
        Burst {
            head: self.add(&head),
            tail: self.add(&tail),
            ..*burst
        }
    }

    /// A burst for each index of a range.
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
        let some = match moves(burst.some) {
            true => self
                .arena
                .reduce(ReduceKind::Max, index, lower, upper, burst.some),
            false => {
                let some = self.arena.relate(Relation::LessEqual, lower, upper);
                self.arena.both(some, burst.some)
            }
        };
        Some(Burst {
            demand: self.sum_over(binder, burst.demand),
            some,
            ..*burst
        })
    }

    pub(super) fn time_of_burst(&mut self, burst: &Burst) -> Proven {
        let zero = self.arena.number(0);
        let largest = self.arena.vector_max(burst.demand);
        let around = self.add(&[burst.head, burst.tail]);
        let whole = self.add(&[around, largest]);
        let time = match around == zero {
            true => whole,
            false => self.where_holds(burst.some, whole),
        };
        let theorem = Theorem::OneResourceEach;
        Proven { time, theorem }
    }

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
    fn counts(&mut self, position: ExprId, index: Symbol) -> bool {
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

    /// A time where there is one of `count` at least, which a domain says if the count is the same throughout.
    fn where_some(&mut self, count: ExprId, time: ExprId) -> ExprId {
        let one = self.arena.number(1);
        let some = self.arena.relate(Relation::LessEqual, one, count);
        self.where_holds(some, time)
    }

    fn where_holds(&mut self, some: ExprId, time: ExprId) -> ExprId {
        let zero = self.arena.number(0);
        let moves = |&symbol: &Symbol| self.arena.range(symbol).is_some();
        let varies = self.arena.free(some).iter().any(moves);
        match self.arena.as_number(some) {
            Some(number) if number.is_zero() => zero,
            Some(_) => time,
            None if varies => self.arena.if_else(some, time, zero),
            None => {
                self.ask(&[some]);
                time
            }
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
