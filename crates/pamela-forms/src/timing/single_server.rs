//! An estimate of the mean time of clients at one server, in symbols.
//!
//! The same formulas with numbers, and those of other sections, are in `estimate::section` of `pamela`.

use super::closed::Closed;
use super::notes::Note;
use super::scope::Lowering;
use super::standing::{Method, Standing};
use super::{LoweredEquation, Origin};
use crate::expr::{ExprId, Function, LawKind, LawName, Node, Relation};
use crate::ring::Rational;
use crate::syntax::tree::{Name, Value as Definition};

/// Clients that think and visit one server once a cycle.
struct Clients {
    count: ExprId,
    cycles: ExprId,
    /// Mean and variance of the time of a cycle outside of the server.
    think: ExprId,
    think_variance: ExprId,
    service: ExprId,
    law: ExprId,
}

impl Lowering<'_, '_> {
    /// The mean cycle, and an estimate of the mean time of the process at `position`, which has no arguments. `None` unless
    /// its clients visit a single server once in each cycle, and some time is random. `least` is a lower bound of the time.
    pub(super) fn single_server_at(
        &mut self,
        position: usize,
        name: &Name,
        least: ExprId,
    ) -> Option<Vec<LoweredEquation>> {
        let model = self.model;
        let Some(Definition::Process(process)) = &model.equations()[position].value else {
            return None;
        };
        let (cycle_origin, origin) = (
            Origin::Cycle(name.text.clone()),
            Origin::Between(name.text.clone()),
        );
        let (cycle_name, own_name) = (self.result_name(&cycle_origin), self.result_name(&origin));
        let by_name = std::mem::replace(&mut self.by_name, false);
        let lowered = self.collecting(|inner| {
            let closed = inner.closed_section(process)?;
            let clients = inner.at_one_server(&closed);
            Ok(clients.map(|clients| {
                let cycle = inner.cycle_at_one_server(&clients);
                let mention = inner.mention(position, cycle_name.clone(), cycle);
                (cycle, inner.time_at_one_server(&clients, mention, least))
            }))
        });
        self.by_name = by_name;
        let (found, provisos): (Option<(ExprId, ExprId)>, _) = lowered.ok()?;
        let (cycle, time) = found?;
        let one = |own: String, origin: Origin, expr: ExprId| LoweredEquation {
            notes: vec![Note::ClosedSection],
            standing: Standing::Estimate(Method::ClosedSection),
            ..self.own_equation(own, origin, expr, &provisos.conditions, name.span)
        };
        Some(vec![
            one(cycle_name, cycle_origin, cycle),
            one(own_name, origin, time),
        ])
    }

    fn at_one_server(&mut self, closed: &Closed) -> Option<Clients> {
        let [station] = closed.stations.as_slice() else {
            return None;
        };
        let &[(law, _)] = station.services.as_slice() else {
            return None;
        };
        let is_single = self.arena.as_number(station.servers)?.is_one();
        let is_random = closed.think.iter().any(|&time| self.is_law(time)) || self.is_law(law);
        if !is_single || !is_random {
            return None;
        }
        let moments = |inner: &mut Self, order| {
            let each = closed.think.iter();
            let each: Vec<ExprId> = each.map(|&t| inner.arena.cumulant(order, t)).collect();
            inner.arena.add(&each)
        };
        let (think, think_variance) = (moments(self, 1), moments(self, 2));
        Some(Clients {
            count: closed.clients,
            cycles: closed.cycles,
            think,
            think_variance,
            service: self.arena.cumulant(1, law),
            law,
        })
    }

    /// The mean cycle: where services are exponential, the server is idle with the probability `erlangB(P, Z/S)`, whatever the
    /// law of the time outside. Other services wait `(1 + v)/2` of that, and all clients together do not pass faster than the
    /// server serves them.
    fn cycle_at_one_server(&mut self, clients: &Clients) -> ExprId {
        let one = self.arena.number(1);
        for count in [clients.count, clients.cycles] {
            let some = self.arena.relate(Relation::LessEqual, one, count);
            self.ask(&[some]);
        }
        let work = self.arena.mul(&[clients.count, clients.service]);
        if self
            .arena
            .as_number(clients.think)
            .is_some_and(Rational::is_zero)
        {
            return work;
        }
        let positive = self.arena.positive(clients.service);
        let load = self.arena.divide(clients.think, clients.service);
        let domain = self.arena.domain_of_erlang(clients.count, load, false);
        self.ask(&[&[positive], domain.as_slice()].concat());
        let idle = self.arena.erlang_loss(clients.count, load);
        let busy = self.arena.subtract(one, idle);
        let exponential = self.arena.divide(work, busy);
        let is_exponential = matches!(
            self.arena.node(clients.law),
            Node::Law(LawKind::Named(LawName::Exponential), _)
        );
        if is_exponential {
            return exponential;
        }
        let alone = self.arena.add(&[clients.think, clients.service]);
        let variance = self.arena.cumulant(2, clients.law);
        let square = self.square(clients.service);
        let variability = self.arena.divide(variance, square);
        let half = self
            .arena
            .number(Rational::new(1, 2).unwrap_or(Rational::ONE));
        // What a busy server makes them wait does not grow with the variance.
        let is_less = self.arena.relate(Relation::LessEqual, variability, one);
        let least = self.arena.max(&[alone, work]);
        let least = self.arena.if_else(is_less, alone, least);
        let wait = self.arena.subtract(exponential, least);
        let more = self.arena.subtract(variability, one);
        let further = self.arena.mul(&[half, more, wait]);
        let cycle = self.arena.add(&[exponential, further]);
        self.arena.max(&[cycle, work])
    }

    /// The larger of two times: the first cycle, in which all clients come at one time, before further ones; and all cycles,
    /// with the spread of the last client. With random times outside of the server, also the lower bound.
    fn time_at_one_server(&mut self, clients: &Clients, cycle: ExprId, least: ExprId) -> ExprId {
        let one = self.arena.number(1);
        let (count, cycles, service) = (clients.count, clients.cycles, clients.service);
        let work = self.arena.mul(&[count, service]);
        let last = self.place_of_last(count);
        let is_fixed = self
            .arena
            .as_number(clients.think_variance)
            .is_some_and(Rational::is_zero);
        let alone = self.arena.add(&[clients.think, service]);
        let first = if is_fixed {
            self.arena.add(&[clients.think, work])
        } else {
            let apart = self.arena.apply(Function::Sqrt, clients.think_variance);
            let apart = self.arena.mul(&[last, apart]);
            let zero = self.arena.number(0);
            let begin = self.arena.subtract(clients.think, apart);
            let begin = self.arena.max(&[zero, begin]);
            let all = self.arena.add(&[begin, work]);
            let last = self.arena.add(&[alone, apart]);
            self.arena.max(&[all, last])
        };
        let others = self.arena.subtract(cycles, one);
        let others = self.arena.mul(&[others, cycle]);
        let burst = self.arena.add(&[first, others]);
        let spread = self.spread_at_one_server(clients, cycle, last, is_fixed);
        let spread = self.arena.apply(Function::Sqrt, spread);
        let spread = self.arena.mul(&[last, spread]);
        let all = self.arena.mul(&[cycles, cycle]);
        let steady = self.arena.add(&[all, spread]);
        if is_fixed {
            return self.arena.max(&[burst, steady]);
        }
        let least = self.arena.cumulant(1, least);
        self.arena.max(&[least, burst, steady])
    }

    /// The variance of the time of a client among the others: `N (Var(S) + W^2) (1 - rho)`, and of its times outside.
    fn spread_at_one_server(
        &mut self,
        clients: &Clients,
        cycle: ExprId,
        last: ExprId,
        is_fixed: bool,
    ) -> ExprId {
        let one = self.arena.number(1);
        let work = self.arena.mul(&[clients.count, clients.service]);
        let busy = self.arena.divide(work, cycle);
        let idle = self.arena.subtract(one, busy);
        let alone = self.arena.add(&[clients.think, clients.service]);
        let wait = self.arena.subtract(cycle, alone);
        let wait = self.square(wait);
        let variance = self.arena.cumulant(2, clients.law);
        let variance = self.arena.add(&[variance, wait]);
        let served = self.arena.mul(&[clients.cycles, variance, idle]);
        if is_fixed {
            return served;
        }
        let think = self.arena.mul(&[clients.cycles, clients.think_variance]);
        let late = self.square(last);
        let late = self.arena.mul(&[late, think]);
        let (zero, both) = (self.arena.number(0), self.arena.add(&[late, wait]));
        let share = self.arena.divide(late, both);
        // One client waits for nobody.
        let is_shared = self.arena.relate(Relation::Less, one, clients.count);
        let share = self.arena.if_else(is_shared, share, zero);
        let share = self.square(share);
        let half = self
            .arena
            .number(Rational::new(1, 2).unwrap_or(Rational::ONE));
        let part = self.arena.mul(&[half, busy, share]);
        let part = self.arena.add(&[idle, part]);
        let thought = self.arena.mul(&[think, part]);
        self.arena.add(&[served, thought])
    }

    /// How far the last client is above the mean, in deviations of a normal law (Blom 1958).
    fn place_of_last(&mut self, count: ExprId) -> ExprId {
        let number = |inner: &mut Self, a, b| {
            let value = Rational::new(a, b).unwrap_or(Rational::ZERO);
            inner.arena.number(value)
        };
        let (below, above) = (number(self, 3, 8), number(self, 1, 4));
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        let place = self.arena.subtract(count, below);
        let all = self.arena.add(&[count, above]);
        let share = self.arena.divide(place, all);
        let normal = self
            .arena
            .law(LawKind::Named(LawName::Normal), &[zero, one]);
        self.arena.quantile(normal, share)
    }

    fn square(&mut self, base: ExprId) -> ExprId {
        let two = self.arena.number(2);
        self.arena.pow(base, two)
    }
}
