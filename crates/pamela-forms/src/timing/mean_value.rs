//! Symbolic mean value analysis of a closed section `par (p = 1, P) seq (i = 1, N) { stations }`.
//!
//! P must be a number. The section is a closed queueing network with P clients. It has a product
//! form if services are exponential (`docs/explanation/bounds.md`).

use super::closed::{Closed, Visited, differs};
use super::notes::Note;
use super::scope::Lowering;
use super::standing::{Method, Standing};
use super::{LoweredEquation, Origin, argument::not_a};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, LawKind, LawName, Node, Relation, Symbol};
use crate::ring::Rational;
use crate::syntax::tree::{Name, Value as Definition};

type Lowered<T> = Result<T, Diagnostic>;

/// The products of demands in the sums over all distributions of clients.
const MOST_PRODUCTS: u64 = 500;

/// A closed network of exponential services, of a known number of clients.
struct Network {
    clients: u64,
    cycles: ExprId,
    /// Mean times of a cycle outside of all stations.
    think: Vec<ExprId>,
    stations: Vec<Station>,
}

/// A resource.
struct Station {
    array: Symbol,
    index: ExprId,
    servers: u64,
    /// Mean service time, and the number of services in a cycle.
    service: ExprId,
    visits: i64,
    span: Span,
}

impl Lowering<'_, '_> {
    /// The mean cycle and the time of the process at `position`, which has no arguments.
    pub(super) fn mean_value_at(
        &mut self,
        position: usize,
        name: &Name,
    ) -> Lowered<Vec<LoweredEquation>> {
        let model = self.model;
        let Some(Definition::Process(process)) = &model.equations()[position].value else {
            return Err(not_a("process", name.span));
        };
        let cycle_origin = Origin::Cycle(name.text.clone());
        let time_origin = Origin::MeanValue(name.text.clone());
        let (cycle_name, time_name) = (
            self.result_name(&cycle_origin),
            self.result_name(&time_origin),
        );
        let by_name = std::mem::replace(&mut self.by_name, false);
        let lowered = self.collecting(|inner| {
            let closed = inner.closed_section(process)?;
            let closed = inner.network(&closed)?;
            let path = inner.process_written_out(position, &[].into(), name.span)?;
            let path = inner.arena.cumulant(1, path.phi);
            let cycle = inner.cycle(&closed, name.span)?;
            let mention = inner.mention(position, cycle_name.clone(), cycle);
            Ok((cycle, inner.time(&closed, path, mention)))
        });
        self.by_name = by_name;
        let ((cycle, time), provisos) = lowered?;
        let one = |own: String, origin: Origin, expr: ExprId| LoweredEquation {
            notes: vec![Note::Equilibrium],
            standing: Standing::Estimate(Method::MeanValueAnalysis),
            ..self.own_equation(own, origin, expr, &provisos.conditions, name.span)
        };
        Ok(vec![
            one(cycle_name, cycle_origin, cycle),
            one(time_name, time_origin, time),
        ])
    }

    fn network(&mut self, closed: &Closed) -> Lowered<Network> {
        let number = self.arena.as_number(closed.clients);
        let number = number.and_then(Rational::to_i64);
        let number = number
            .and_then(|n| u64::try_from(n).ok())
            .filter(|&n| n > 0);
        let clients = number.ok_or_else(|| {
            let what = "the number of branches is not a number; set the parameters, or use `eval \
                        --contention mva`";
            differs(what, closed.span)
        })?;
        let think = closed.think.iter();
        let think = think.map(|&time| self.arena.cumulant(1, time)).collect();
        let stations = closed.stations.iter().map(|own| self.station(own));
        Ok(Network {
            clients,
            cycles: closed.cycles,
            think,
            stations: stations.collect::<Lowered<_>>()?,
        })
    }

    fn station(&self, own: &Visited) -> Lowered<Station> {
        let servers = self.arena.as_number(own.servers);
        let servers = servers
            .and_then(Rational::to_i64)
            .and_then(|m| u64::try_from(m).ok());
        let servers = servers.filter(|&m| m > 0).ok_or_else(|| {
            let what = "the number of servers of a resource is not known to be a whole number";
            differs(what, own.span)
        })?;
        let exponential = LawKind::Named(LawName::Exponential);
        let mut service = None;
        for &(law, span) in &own.services {
            let mean = match self.arena.node(law) {
                Node::Law(kind, operands) if *kind == exponential => operands[0],
                _ => {
                    let what =
                        "a service is not exponential; use `eval --contention mva` with numbers";
                    return Err(differs(what, span));
                }
            };
            if *service.get_or_insert(mean) != mean {
                let what = "services of one resource have different means; use `eval --contention mva` with \
                            numbers";
                return Err(differs(what, span));
            }
        }
        Ok(Station {
            array: own.array,
            index: own.index,
            servers,
            service: service.ok_or_else(|| differs("a resource has no visit", own.span))?,
            visits: own.services.len() as i64,
            span: own.span,
        })
    }

    /// The mean cycle of all clients together.
    fn cycle(&mut self, closed: &Network, span: Span) -> Lowered<ExprId> {
        self.apart(&closed.stations)?;
        let products = products(closed);
        if products > MOST_PRODUCTS {
            let what = format!(
                "the sums over all distributions of {} clients have more than {MOST_PRODUCTS} products; use \
                 `eval --contention mva` with numbers",
                closed.clients
            );
            return Err(differs(&what, span));
        }
        let (zero, alone) = (self.arena.number(0), self.alone(closed));
        let some = self.arena.relate(Relation::Less, zero, alone);
        self.ask(&[some]);
        let [before, all] = self.normalising(closed);
        let clients = self.arena.number(closed.clients as i64);
        Ok(self.quotient(&[clients, all], before))
    }

    fn demand(&mut self, station: &Station) -> ExprId {
        let visits = self.arena.number(station.visits);
        self.arena.mul(&[visits, station.service])
    }

    /// The mean cycle of a client alone.
    fn alone(&mut self, closed: &Network) -> ExprId {
        let demands = closed.stations.iter().map(|s| self.demand(s));
        let demands: Vec<ExprId> = demands.chain(closed.think.iter().copied()).collect();
        self.arena.add(&demands)
    }

    /// The time, where the critical path has the mean `path`.
    ///
    /// The last of the clients ends the run, and those that are left are faster when others have ended:
    /// `N C_P + (E[phi] - N C_1) C_1/C_P`.
    fn time(&mut self, closed: &Network, path: ExprId, cycle: ExprId) -> ExprId {
        let cycles = closed.cycles;
        let zero = self.arena.number(0);
        let cycles = self.arena.max(&[zero, cycles]);
        let alone = self.alone(closed);
        let rest = self.arena.mul(&[cycles, alone]);
        let rest = self.arena.subtract(path, rest);
        let rest = self.quotient(&[rest, alone], cycle);
        let steady = self.arena.mul(&[cycles, cycle]);
        self.arena.add(&[steady, rest])
    }

    fn quotient(&mut self, factors: &[ExprId], divisor: ExprId) -> ExprId {
        let reciprocal = self.arena.reciprocal(divisor);
        let factors: Vec<ExprId> = factors.iter().copied().chain([reciprocal]).collect();
        self.arena.mul(&factors)
    }

    /// Resources of one array are only told apart where their indices are numbers.
    fn apart(&self, stations: &[Station]) -> Lowered<()> {
        let named = |s: &Station| self.arena.as_number(s.index).is_none();
        for (place, station) in stations.iter().enumerate() {
            let mut others = stations[..place].iter();
            if others.any(|o| o.array == station.array && (named(o) || named(station))) {
                let what = "two resources of one array can only be distinguished by numbers";
                return Err(differs(what, station.span));
            }
        }
        Ok(())
    }

    /// The sums of the products of demands over all distributions of one client less, and of all clients (Buzen).
    fn normalising(&mut self, closed: &Network) -> [ExprId; 2] {
        let clients = closed.clients as usize;
        let think = self.arena.add(&closed.think);
        let mut sums = self.powers(think, clients, |n| n as u64);
        for station in &closed.stations {
            let demand = self.demand(station);
            let own = self.powers(demand, clients, |n| (n as u64).min(station.servers));
            sums = (0..=clients)
                .map(|n| {
                    let terms = (0..=n).map(|j| self.arena.mul(&[sums[n - j], own[j]]));
                    let terms: Vec<ExprId> = terms.collect();
                    self.arena.add(&terms)
                })
                .collect();
        }
        [sums[clients - 1], sums[clients]]
    }

    /// `base^n / (d(1) d(2) .. d(n))` for each n.
    fn powers(&mut self, base: ExprId, most: usize, divisor: impl Fn(usize) -> u64) -> Vec<ExprId> {
        let mut last = self.arena.number(1);
        let mut all = vec![last];
        for n in 1..=most {
            let share = Rational::from(divisor(n) as i64).recip();
            let share = self.arena.number(share.unwrap_or(Rational::ONE));
            last = self.arena.mul(&[last, base, share]);
            all.push(last);
        }
        all
    }
}

/// Number of products of demands in the sums over all distributions of clients.
fn products(closed: &Network) -> u64 {
    let places = closed.stations.len() as u64 + u64::from(!closed.think.is_empty());
    let mut count: u64 = 1;
    for place in 1..places.max(1) {
        count = count.saturating_mul(closed.clients + place) / place;
        if count > MOST_PRODUCTS {
            return count;
        }
    }
    count.max(closed.clients)
}
