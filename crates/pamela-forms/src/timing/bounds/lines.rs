//! Sections whose exact time is known, with contention.
//!
//! The theorems and their proofs are in `docs/explanation/bounds.md`.

use std::rc::Rc;

use super::chain::Stations;
use super::sides::{Crowd, Step};
use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Symbol};
use crate::ring::Rational;
use crate::timing::argument::{Binder, Resource};
use crate::timing::certificate::Theorem;
use crate::timing::scope::Lowering;

/// The exact time of a section, and the theorem that gives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proven {
    pub(super) time: ExprId,
    pub(super) theorem: Theorem,
}

/// A line: branches that pass `cycles` times through a chain that visits no resource twice.
pub(super) struct Line {
    head: ExprId,
    /// Number of passes; `None` means one.
    pub(super) cycles: Option<ExprId>,
    chain: Rc<[Step]>,
    tail: ExprId,
}

impl Lowering<'_, '_> {
    /// The exact time of a section of identical branches.
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

    pub(super) fn line(&mut self, steps: &Rc<[Step]>) -> Option<Line> {
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
        let (count, chain) = if !self.is_same_for_all(body, binder.index) {
            self.rounds(binder, body)?
        } else if self.is_without_return(body) {
            (self.count(binder), body.clone())
        } else {
            let inner = match &body[..] {
                [Step::Loop(..)] => self.line(body)?,
                _ => return None,
            };
            let (outer, cycles) = (self.count(binder), inner.cycles?);
            (self.mul(&[outer, cycles]), inner.chain)
        };
        Some(Line {
            head,
            cycles: Some(count),
            chain,
            tail,
        })
    }

    /// A loop that visits `r(i mod m)` in the same way in each iteration: a number of rounds over the `m` elements.
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
        let whole = [rounds, stations].map(|number| self.arena.apply(Function::Integer, number));
        self.ask(&whole);
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

    /// The time of `count` branches on a line, if a theorem gives it.
    pub(super) fn time_of_line(&mut self, line: &Line, count: ExprId) -> Option<(ExprId, Theorem)> {
        let alone = self.length(&line.chain);
        let stations = self.stations(&line.chain)?;
        let minus = self.arena.number(-1);
        let others = self.add(&[count, minus]);
        let Some(cycles) = line.cycles else {
            let theorem = match stations.several[..] {
                [] => Theorem::Line,
                _ => Theorem::LineWithPool,
            };
            return Some((self.one_pass(others, &line.chain)?, theorem));
        };
        let passes = self.mul(&[cycles, count]);
        let further = self.add(&[passes, minus]);
        let rounds = self.mul(&[cycles, alone]);
        let (first, last, theorem) = match stations.several[..] {
            [] => {
                let behind = [others, further].map(|n| self.mul(&[n, stations.longest]));
                (behind[0], behind[1], Theorem::Line)
            }
            [(servers, service)] if alone == service && self.is_zero(stations.longest) => {
                let waves = [others, further].map(|n| self.arena.floor_divide(n, servers));
                let waves = waves.map(|n| self.mul(&[n, service]));
                (waves[0], waves[1], Theorem::RoundsOfAPool)
            }
            _ => {
                let time = self.turning_path(cycles, count, alone, &stations)?;
                let time = self.where_some(cycles, time);
                return Some((time, Theorem::LineWithPoolInRounds));
            }
        };
        let by_branches = self.add(&[rounds, first]);
        let by_passes = self.add(&[alone, last]);
        let time = self.arena.max(&[by_branches, by_passes]);
        Some((self.where_some(cycles, time), theorem))
    }

    /// The longest path over `cycles` rounds: some last rounds are whole cycles of one branch, and before them
    /// services of all branches are repeated. If a pool has servers that are sometimes idle, the maximum may lie
    /// between the ends.
    fn turning_path(
        &mut self,
        cycles: ExprId,
        count: ExprId,
        alone: ExprId,
        stations: &Stations,
    ) -> Option<ExprId> {
        let (zero, one, minus) = (
            self.arena.number(0),
            self.arena.number(1),
            self.arena.number(-1),
        );
        let index = self.arena.fresh_index();
        let before = self.arena.symbol(index);
        let crowded = self.add(&[before, one]);
        let last = self.add(&[cycles, minus]);
        let whole = self.difference(cycles, before);
        let whole = self.mul(&[whole, alone]);
        let passes = self.mul(&[crowded, count]);
        let further = self.add(&[passes, minus]);
        let repeated = self.repeated_services(further, stations)?;
        let path = self.add(&[whole, repeated]);
        Some(self.arena.reduce(ReduceKind::Max, index, zero, last, path))
    }

    /// A resource of one server that is visited first and once more: a copy engine that serves both directions, a disk that
    /// is read and written.
    fn return_to_first(&mut self, crowd: &Crowd) -> Option<ExprId> {
        let zero = self.arena.number(0);
        let (head, steps) = match &crowd.steps[..] {
            [Step::Delay(head), rest @ ..] => (*head, rest),
            rest => (zero, rest),
        };
        let Some(Step::Visit(first, time)) = steps.first() else {
            return None;
        };
        let again = steps
            .iter()
            .skip(1)
            .position(|step| matches!(step, Step::Visit(resource, _) if resource == first))?;
        let (once, from_there) = steps.split_at(again + 1);
        let mut others = once.to_vec();
        others.extend_from_slice(&from_there[1..]);
        let single = self.arena.as_number(first.multiplicity) == Some(&Rational::ONE);
        if !single || !self.is_without_return(&others) {
            return None;
        }
        let minus = self.arena.number(-1);
        let further = self.add(&[crowd.count, minus]);
        let through = self.one_pass(further, steps)?;
        let first_visits = self.mul(&[crowd.count, *time]);
        let last_visits = self.one_pass(further, from_there)?;
        let behind_all = self.add(&[first_visits, last_visits]);
        let longest = self.arena.max(&[through, behind_all]);
        Some(self.add(&[head, longest]))
    }

    /// One pass of a chain, and services repeated for `further` branches.
    fn one_pass(&mut self, further: ExprId, chain: &[Step]) -> Option<ExprId> {
        let stations = self.stations(chain)?;
        let repeated = self.repeated_services(further, &stations)?;
        let length = self.length(chain);
        Some(self.add(&[length, repeated]))
    }

    /// The time if `count` is at least 1, else 0.
    ///
    /// If `count` does not vary, this becomes a condition of the result.
    pub(super) fn where_some(&mut self, count: ExprId, time: ExprId) -> ExprId {
        let one = self.arena.number(1);
        let some = self.arena.relate(Relation::LessEqual, one, count);
        self.where_holds(some, time)
    }

    /// True if an expression changes between iterations of an enclosing loop.
    pub(super) fn varies(&self, id: ExprId) -> bool {
        let is_index = |symbol: Symbol| self.bounds.binders.iter().any(|b| b.index == symbol);
        let moves = |&symbol: &Symbol| is_index(symbol) || self.arena.range(symbol).is_some();
        self.arena.free(id).iter().any(moves)
    }

    pub(super) fn where_holds(&mut self, some: ExprId, time: ExprId) -> ExprId {
        let zero = self.arena.number(0);
        let varies = self.varies(some);
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
