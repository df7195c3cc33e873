//! Turns processes into critical path, demand and time.

pub(super) mod contention;
pub(super) mod covered;

use std::rc::Rc;

use super::argument::{Argument, Binder, not_a};
use super::arrays::largest_demand;
use super::cost::{Cost, Notes};
use super::numeric::Cases;
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, ReduceKind};
use crate::model::with_stack;
use crate::ring::Rational;
use crate::syntax::tree::{
    Composition, Expr, Process, ProcessKind, Range, Replication, Type, Value as Definition,
};

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    /// The process equation at `position` with these arguments, expanded or by name.
    pub(super) fn process_equation(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<Cost> {
        if !self.mentions(position) {
        } else if arguments.is_empty() {
            return self.section_mentioned(position, span);
        } else {
            if let Some(cost) = self.routine_called(position, arguments, span)? {
                return Ok(cost);
            }
        }
        self.process_written_out(position, arguments, span)
    }

    /// The cost of the process equation at `position` with these arguments, expanded.
    pub(super) fn process_written_out(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<Cost> {
        let key = self.instance(position, arguments);
        if let Some((cost, provisos)) = self.costs.get(&key).cloned() {
            self.adopt(&provisos);
            return Ok(cost);
        }
        self.count_instance(arguments, span)?;
        let model = self.model;
        let equation = &model.equations()[position];
        let Some(Definition::Process(process)) = &equation.value else {
            return Err(not_a("process", span));
        };
        let lowered = self.collecting(|inner| {
            let open = model.open(&equation.name.text);
            if let Some(open) = open {
                // Its waits have no law elsewhere.
                inner.ask_all_stable(open, span)?;
            }
            let own = inner.in_equation(equation, arguments, |inner| inner.process(process))?;
            match open {
                Some(open) => inner.open_cost(open, own, span),
                None => Ok(own),
            }
        })?;
        let cost = lowered.0;
        self.adopt(&lowered.1);
        self.costs.insert(key, lowered);
        Ok(cost)
    }

    pub(super) fn process(&mut self, process: &Process) -> Lowered<Cost> {
        with_stack(|| match &process.kind {
            ProcessKind::Delay(time) => {
                let (time, delta) = (self.numeric(time)?, self.arena.zero_vector());
                Ok(Cost {
                    phi: time,
                    delta,
                    time,
                    covered: false,
                    outlasting: self.is_never_negative(time),
                    notes: Notes::default(),
                })
            }
            ProcessKind::Use(resource, time) => self.use_of(resource, time),
            ProcessKind::Hold(resource, body) => self.hold_of(resource, body),
            ProcessKind::Sequence(parts) => {
                let costs = self.processes(parts.iter())?;
                Ok(self.sequence(&costs))
            }
            ProcessKind::Parallel(parts) => {
                let costs = self.processes(parts.iter())?;
                Ok(self.parallel(&costs))
            }
            ProcessKind::Any(parts) => {
                let costs = self.processes(parts.iter())?;
                Ok(self.any(&costs))
            }
            ProcessKind::Replicate(replication) => self.replicate(replication),
            ProcessKind::Graph(graph) => self.graph_of_processes(graph, process.span),
            ProcessKind::If(condition, a, b) => {
                let cases = self.condition(condition)?;
                let branches = [Some(&**a), b.as_deref()];
                let costs = self.branches(&cases, &branches, |inner, branch| match branch {
                    Some(process) => inner.process(process),
                    None => Ok(inner.nothing()),
                })?;
                self.process_choice(&cases, &costs)
            }
            ProcessKind::Switch(cases) => {
                let conditions = self.conditions(cases.iter().map(|(c, _)| c), process.span)?;
                let branches: Vec<&Process> = cases.iter().map(|(_, p)| p).collect();
                let costs = self.branches(&conditions, &branches, |inner, p| inner.process(p))?;
                self.process_choice(&conditions, &costs)
            }
            ProcessKind::Call(name, arguments) => {
                self.process_called(&name.text, arguments, name.span)
            }
        })
    }

    fn processes<'p>(&mut self, parts: impl Iterator<Item = &'p Process>) -> Lowered<Vec<Cost>> {
        parts.map(|part| self.process(part)).collect()
    }

    pub(super) fn nothing(&mut self) -> Cost {
        let (zero, delta) = (self.arena.number(0), self.arena.zero_vector());
        Cost {
            phi: zero,
            delta,
            time: zero,
            covered: true,
            outlasting: true,
            notes: Notes::default(),
        }
    }

    fn use_of(&mut self, resource: &Expr, time: &Expr) -> Lowered<Cost> {
        let resource = self.resource(resource)?;
        let time = self.numeric(time)?;
        let share = self.arena.reciprocal(resource.multiplicity);
        let demand = self.arena.scale(share, time);
        let unit = self.arena.unit_vector(resource.array, resource.index);
        let delta = self.arena.mul(&[demand, unit]);
        let positive = self.is_never_negative(time);
        let servers = self.arena.as_number(resource.multiplicity);
        Ok(Cost {
            phi: time,
            delta,
            time,
            covered: positive && servers == Some(&Rational::ONE),
            outlasting: positive && servers.is_some_and(|servers| *servers >= Rational::ONE),
            notes: Notes {
                visit_without_demand: delta == self.arena.zero_vector(),
                ..Notes::default()
            },
        })
    }

    /// The body, and a demand for as long as it takes.
    fn hold_of(&mut self, resource: &Expr, body: &Process) -> Lowered<Cost> {
        let body = self.process(body)?;
        let resource = self.resource(resource)?;
        let share = self.arena.reciprocal(resource.multiplicity);
        let held = self.arena.scale(share, body.time);
        let unit = self.arena.unit_vector(resource.array, resource.index);
        let held = self.arena.mul(&[held, unit]);
        let positive = self.is_never_negative(body.time);
        let servers = self.arena.as_number(resource.multiplicity);
        let single = servers == Some(&Rational::ONE);
        let several = servers.is_some_and(|servers| *servers >= Rational::ONE);
        // Held several times at once, it may be demanded for longer.
        let again = contention::between(self.arena, &[body.delta, held]);
        let mut notes = body.notes;
        notes.held_demands |= self.arena.is_random(body.delta) && self.is_law(body.time);
        notes.visit_without_demand |= held == self.arena.zero_vector();
        Ok(Cost {
            delta: self.add(&[body.delta, held]),
            covered: positive && single,
            outlasting: body.outlasting && positive && several && !again,
            notes,
            ..body
        })
    }

    /// True if services one after the other are at one server, for times that are drawn; of others, both are compared.
    fn is_drawn_by_one(&self, demand: ExprId) -> bool {
        self.arena.is_random(demand) && contention::is_of_one(self.arena, demand)
    }

    fn is_never_negative(&self, time: ExprId) -> bool {
        covered::never_negative(self.arena, &self.never_negative, time)
    }

    pub(super) fn sequence(&mut self, costs: &[Cost]) -> Cost {
        let [phi, delta, time] = components(costs).map(|parts| self.add(&parts));
        Cost {
            phi,
            delta,
            time,
            covered: costs.iter().all(|cost| cost.covered) && self.is_drawn_by_one(delta),
            outlasting: costs.iter().all(|cost| cost.outlasting),
            notes: Notes::of(costs),
        }
    }

    pub(super) fn parallel(&mut self, costs: &[Cost]) -> Cost {
        let [phis, deltas, times] = components(costs);
        let delta = self.add(&deltas);
        let mut notes = Notes::of(costs);
        notes.contention = notes.contention
            || contention::between(self.arena, &deltas)
            || self.may_wait_without_demand(costs);
        notes.shared_count_in_time |= notes.shared_count;
        notes.weighed_in_parallel |= notes.weighed && costs.len() > 1;
        let covered = costs.iter().all(|cost| cost.covered);
        let (times, demand) = if self.arena.is_random(delta) {
            let uncovered = costs.iter().filter(|cost| !cost.covered);
            let wanted = contention::not_outlasted(self.arena, costs);
            notes.independence |= wanted.iter().any(|&(part, demand)| {
                let part = &costs[part];
                !part.covered && self.is_law(part.time) && self.arena.is_random(demand)
            });
            let wanted: Vec<ExprId> = wanted.into_iter().map(|(_, demand)| demand).collect();
            (uncovered.map(|cost| cost.time).collect(), self.add(&wanted))
        } else if covered {
            (Vec::new(), delta)
        } else {
            (times, delta)
        };
        notes.independence |= notes.held_demands && self.arena.is_random(demand);
        Cost {
            phi: self.extreme(true, &phis),
            delta,
            time: self.time_of_section(times, demand),
            covered,
            outlasting: costs.iter().all(|cost| cost.outlasting),
            notes,
        }
    }

    /// True if one of the parts visits a resource for no time while another one has a demand, perhaps for the same resource.
    fn may_wait_without_demand(&mut self, costs: &[Cost]) -> bool {
        let zero = self.arena.zero_vector();
        (costs.iter().enumerate()).any(|(number, own)| {
            let mut others = costs
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            own.notes.visit_without_demand && others.any(|(_, other)| other.delta != zero)
        })
    }

    /// The largest of the times of its parts and of the components of a demand.
    fn time_of_section(&mut self, mut times: Vec<ExprId>, demand: ExprId) -> ExprId {
        times.push(largest_demand(self.arena, demand));
        self.extreme(true, &times)
    }

    fn any(&mut self, costs: &[Cost]) -> Cost {
        let [phis, _, times] = components(costs);
        let (phi, time) = (self.extreme(false, &phis), self.extreme(false, &times));
        let delta = self.arena.zero_vector();
        let mut notes = Notes::of(costs);
        notes.demand_dropped |= costs.iter().any(|c| c.delta != delta);
        notes.weighed_in_parallel |= notes.weighed && costs.len() > 1;
        Cost {
            phi,
            delta,
            time,
            covered: false,
            outlasting: costs.iter().all(|cost| cost.outlasting),
            notes,
        }
    }

    fn replicate(&mut self, replication: &Replication) -> Lowered<Cost> {
        let range = &replication.range;
        let kind = match replication.kind {
            Composition::Sequence => ReduceKind::Sum,
            Composition::Parallel => ReduceKind::Max,
            Composition::Any => self.quorum(range)?,
        };
        let binder = self.binder(range)?;
        self.ask_of_quorum(kind, range, binder)?;
        let body = self.under_binder(&range.index.text, binder, |inner| {
            inner.process(&replication.body)
        })?;
        let zero_vector = self.arena.zero_vector();
        let phi = self.reduced(kind, binder, body.phi, range)?;
        let mut time = self.reduced(kind, binder, body.time, range)?;
        if replication.kind == Composition::Any {
            let mut notes = body.notes;
            notes.demand_dropped |= body.delta != zero_vector;
            notes.weighed_in_parallel |= notes.weighed;
            return Ok(Cost {
                phi,
                delta: zero_vector,
                time,
                covered: false,
                outlasting: body.outlasting,
                notes,
            });
        }
        let outer = std::mem::take(&mut self.notes);
        let delta = if body.delta == zero_vector {
            zero_vector
        } else {
            self.reduced(ReduceKind::Sum, binder, body.delta, range)?
        };
        let mut notes = body.notes;
        notes.shared_count |= self.notes.shared_count;
        self.notes = outer;
        let covered;
        if replication.kind == Composition::Parallel {
            notes.shared_count_in_time |= notes.shared_count;
            notes.weighed_in_parallel |= notes.weighed;
            let waits = notes.visit_without_demand && body.delta != zero_vector;
            notes.contention = notes.contention
                || waits
                || contention::among_copies(self.arena, body.delta, binder.index);
            covered = body.covered;
            let times = if covered { Vec::new() } else { vec![time] };
            let wanted = if self.arena.is_random(body.delta) {
                self.wanted_by_several(&body, binder, range)?
            } else {
                delta
            };
            let of_time = times.iter().any(|&t| self.is_law(t));
            notes.independence |= self.arena.is_random(wanted) && (notes.held_demands || of_time);
            time = self.time_of_section(times, wanted);
        } else {
            covered = body.covered
                && self.is_drawn_by_one(body.delta)
                && !contention::is_placed_by(self.arena, body.delta, binder.index);
        }
        Ok(Cost {
            phi,
            delta,
            time,
            covered,
            outlasting: body.outlasting,
            notes,
        })
    }

    /// The demand of all copies, except a resource that only one copy uses and that takes no longer than that copy.
    fn wanted_by_several(&mut self, body: &Cost, binder: Binder, range: &Range) -> Lowered<ExprId> {
        let wanted = contention::not_outlasted_by_copies(self.arena, body, &binder);
        let wanted = self.add(&wanted);
        if wanted == self.arena.zero_vector() {
            Ok(wanted)
        } else {
            self.reduced(ReduceKind::Sum, binder, wanted, range)
        }
    }

    /// The maximum or minimum of times.
    pub(super) fn extreme(&mut self, largest: bool, times: &[ExprId]) -> ExprId {
        if times.iter().any(|&time| self.is_law(time)) {
            self.law_extremum(largest, times)
        } else if largest {
            self.arena.max(times)
        } else {
            self.arena.min(times)
        }
    }

    pub(super) fn reduced(
        &mut self,
        kind: ReduceKind,
        binder: Binder,
        body: ExprId,
        range: &Range,
    ) -> Lowered<ExprId> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        if self.arena.is_random(body) || self.is_law(lower) || self.is_law(upper) {
            let span = range.lower.span.to(range.upper.span);
            return self.law_reduce(kind, binder, body, span);
        }
        Ok(self.arena.reduce(kind, index, lower, upper, body))
    }

    fn process_choice(&mut self, cases: &Cases, costs: &[Cost]) -> Lowered<Cost> {
        let [phis, deltas, times] = components(costs);
        let phi = self.choice(cases, &phis)?;
        let delta = self.choice(cases, &deltas)?;
        let time = self.choice(cases, &times)?;
        // With a random choice, the demand is the weighted sum of the demands of the branches.
        let certain = matches!(cases, Cases::Truths(_));
        let covered = certain && costs.iter().all(|cost| cost.covered);
        let mut notes = Notes::of(costs);
        notes.weighed |= matches!(cases, Cases::Weights(_));
        Ok(Cost {
            phi,
            delta,
            time,
            covered,
            outlasting: certain && costs.iter().all(|cost| cost.outlasting),
            notes,
        })
    }

    fn process_called(&mut self, name: &str, arguments: &[Expr], span: Span) -> Lowered<Cost> {
        match self.local(name).cloned() {
            Some(Argument::Process(position, arguments)) => {
                self.process_equation(position, &arguments, span)
            }
            Some(_) => Err(not_a("process", span)),
            None => {
                let position = self.model.position(name);
                let position =
                    position.filter(|p| self.model.equations()[*p].kind == Type::Process);
                let Some(position) = position else {
                    return Err(not_a("process", span));
                };
                let arguments = self.arguments(arguments)?;
                self.process_equation(position, &arguments, span)
            }
        }
    }
}

/// The critical paths, the demands and the times.
fn components(costs: &[Cost]) -> [Vec<ExprId>; 3] {
    let phis = costs.iter().map(|c| c.phi).collect();
    let deltas = costs.iter().map(|c| c.delta).collect();
    let times = costs.iter().map(|c| c.time).collect();
    [phis, deltas, times]
}
