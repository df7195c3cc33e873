//! Symbolic mean value analysis of a closed section `par (p = 1, P) seq (i = 1, N) { stations }`.
//!
//! P must be a number. The section is a closed queueing network with P clients. It has a product
//! form if services are exponential (`docs/explanation/bounds.md`).

use super::argument::{Argument, Binder, not_a};
use super::notes::Note;
use super::scope::Lowering;
use super::standing::{Method, Standing};
use super::{LoweredEquation, Origin};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, LawKind, LawName, Node, Relation, Symbol};
use crate::model::{CLOSED_SECTION, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{
    Composition, Expr, Name, Process, ProcessKind, Range, Type, Value as Definition,
};

type Lowered<T> = Result<T, Diagnostic>;

/// The products of demands in the sums over all distributions of clients.
const MOST_PRODUCTS: u64 = 500;

/// A process read as a closed section, as far as it was examined.
#[derive(Default)]
struct Closed {
    clients: u64,
    cycles: Option<ExprId>,
    /// Mean times of a cycle outside of all stations.
    think: Vec<ExprId>,
    stations: Vec<Station>,
    /// Indices of clients and cycles; nothing may depend on them.
    indices: Vec<(Symbol, String)>,
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

/// The expected part of a closed section.
#[derive(Clone, Copy)]
enum Stage {
    Clients,
    Cycles,
    Stations,
}

fn differs(what: &str, span: Span) -> Diagnostic {
    let message = format!("mean value analysis in symbols does not apply: {what}");
    Diagnostic::error(message, span, "here").hint(CLOSED_SECTION)
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
            let mut closed = Closed::default();
            inner.look_at(process, Stage::Clients, &mut closed)?;
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

    fn look_at(&mut self, process: &Process, stage: Stage, closed: &mut Closed) -> Lowered<()> {
        let span = process.span;
        with_stack(|| match (stage, &process.kind) {
            (_, ProcessKind::Call(name, arguments)) => {
                self.look_at_called(name, arguments, stage, closed)
            }
            (Stage::Clients, ProcessKind::Replicate(section))
                if section.kind == Composition::Parallel =>
            {
                let (binder, count) = self.iterations(&section.range, closed)?;
                let number = self.arena.as_number(count).and_then(Rational::to_i64);
                let number = number
                    .and_then(|n| u64::try_from(n).ok())
                    .filter(|&n| n > 0);
                closed.clients = number.ok_or_else(|| {
                    let what = "the number of branches is not a number; set the parameters, or use `eval \
                                --contention mva`";
                    differs(what, section.range.upper.span)
                })?;
                self.under_binder(&section.range.index.text, binder, |inner| {
                    inner.look_at(&section.body, Stage::Cycles, closed)
                })
            }
            (Stage::Cycles, ProcessKind::Replicate(section))
                if section.kind == Composition::Sequence =>
            {
                let (binder, count) = self.iterations(&section.range, closed)?;
                closed.cycles = Some(count);
                self.under_binder(&section.range.index.text, binder, |inner| {
                    inner.look_at(&section.body, Stage::Stations, closed)
                })
            }
            (Stage::Stations, ProcessKind::Sequence(parts)) => parts
                .iter()
                .try_for_each(|part| self.look_at(part, stage, closed)),
            (Stage::Stations, ProcessKind::Delay(time)) => {
                let lowered = self.numeric(time)?;
                let mean = self.arena.cumulant(1, lowered);
                self.alike(mean, time.span, closed)?;
                closed.think.push(mean);
                Ok(())
            }
            (Stage::Stations, ProcessKind::Use(resource, time)) => {
                self.look_at_use(resource, time, closed)
            }
            (Stage::Clients, _) => Err(differs("this is not a `par` with a range", span)),
            (Stage::Cycles, _) => Err(differs("the branches are not a `seq` with a range", span)),
            (Stage::Stations, _) => {
                let what = "a cycle must be `delay`s and `use`s one after the other";
                Err(differs(what, span))
            }
        })
    }

    fn look_at_called(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        stage: Stage,
        closed: &mut Closed,
    ) -> Lowered<()> {
        let (position, arguments) = match self.local(&name.text).cloned() {
            Some(Argument::Process(position, arguments)) => (position, arguments),
            Some(_) => return Err(not_a("process", name.span)),
            None => {
                let position = self.model.position(&name.text);
                let position = position.ok_or_else(|| not_a("process", name.span))?;
                (position, self.arguments(arguments)?)
            }
        };
        self.count_instance(&arguments, name.span)?;
        let model = self.model;
        let equation = &model.equations()[position];
        match &equation.value {
            Some(Definition::Process(body)) if equation.kind == Type::Process => {
                self.in_equation(equation, &arguments, |inner| {
                    inner.look_at(body, stage, closed)
                })
            }
            _ => Err(not_a("process", name.span)),
        }
    }

    /// A range with how many iterations it has, which may be fewer than none.
    fn iterations(&mut self, range: &Range, closed: &mut Closed) -> Lowered<(Binder, ExprId)> {
        let binder = self.binder(range)?;
        for bound in [binder.lower, binder.upper] {
            self.alike(bound, range.lower.span.to(range.upper.span), closed)?;
            if self.is_law(bound) {
                return Err(differs("a bound is random", range.upper.span));
            }
        }
        let index = range.index.text.clone();
        closed.indices.push((binder.index, index));
        let one = self.arena.number(1);
        let last = self.arena.subtract(binder.upper, binder.lower);
        let last = self.arena.apply(Function::Floor, last);
        Ok((binder, self.arena.add(&[last, one])))
    }

    /// All clients and cycles do the same.
    fn alike(&self, expr: ExprId, span: Span, closed: &Closed) -> Lowered<()> {
        let mut indices = closed.indices.iter();
        match indices.find(|(index, _)| self.arena.mentions(expr, *index)) {
            Some((_, name)) => {
                let what = format!("this depends on `{name}`, so no two of them are alike");
                Err(differs(&what, span))
            }
            None => Ok(()),
        }
    }

    fn look_at_use(&mut self, resource: &Expr, time: &Expr, closed: &mut Closed) -> Lowered<()> {
        let span = resource.span;
        let resource = self.resource(resource)?;
        let law = self.numeric(time)?;
        let exponential = LawKind::Named(LawName::Exponential);
        let mean = match self.arena.node(law) {
            Node::Law(kind, operands) if *kind == exponential => operands[0],
            _ => {
                let what = "a service is not exponential; use `eval --contention mva` with numbers";
                return Err(differs(what, time.span));
            }
        };
        for part in [resource.index, resource.multiplicity, mean] {
            self.alike(part, time.span, closed)?;
        }
        let servers = self.arena.as_number(resource.multiplicity);
        let servers = servers
            .and_then(Rational::to_i64)
            .and_then(|m| u64::try_from(m).ok());
        let servers = servers.filter(|&m| m > 0);
        let servers = servers.ok_or_else(|| {
            differs(
                "the number of servers of a resource is not known to be a whole number",
                span,
            )
        })?;
        let same = |s: &&mut Station| s.array == resource.array && s.index == resource.index;
        match closed.stations.iter_mut().find(same) {
            Some(known) if known.service == mean => known.visits += 1,
            Some(_) => {
                let what = "services of one resource have different means; use `eval --contention mva` with \
                            numbers";
                return Err(differs(what, time.span));
            }
            None => closed.stations.push(Station {
                array: resource.array,
                index: resource.index,
                servers,
                service: mean,
                visits: 1,
                span,
            }),
        }
        Ok(())
    }

    /// The mean cycle of all clients together.
    fn cycle(&mut self, closed: &Closed, span: Span) -> Lowered<ExprId> {
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
    fn alone(&mut self, closed: &Closed) -> ExprId {
        let demands = closed.stations.iter().map(|s| self.demand(s));
        let demands: Vec<ExprId> = demands.chain(closed.think.iter().copied()).collect();
        self.arena.add(&demands)
    }

    /// The time, where the critical path has the mean `path`.
    ///
    /// The last of the clients ends the run, and those that are left are faster when others have ended:
    /// `N C_P + (E[phi] - N C_1) C_1/C_P`.
    fn time(&mut self, closed: &Closed, path: ExprId, cycle: ExprId) -> ExprId {
        let cycles = closed.cycles.unwrap_or_else(|| self.arena.number(1));
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
    fn normalising(&mut self, closed: &Closed) -> [ExprId; 2] {
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
fn products(closed: &Closed) -> u64 {
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
