//! Lower bounds: `T`, and windows.
//!
//! A window is a set of visits to a resource that start no earlier than some time and are all followed by some time.
//! All work of the visits lies in between.

use std::rc::Rc;

use super::graphs::Tasks;
use super::sections::Section;
use super::sides::{Bounds, Chance, Context, Known, Lower, Reach};
use super::{Lowered, Side, joined};
use crate::expr::{ExprId, ReduceKind};
use crate::model::with_stack;
use crate::ring::Rational;
use crate::syntax::tree::{Composition, Expr, Graph, Process, ProcessKind, Replication};
use crate::timing::argument::Binder;
use crate::timing::arrays::largest_demand;
use crate::timing::notes::Note;
use crate::timing::numeric::Cases;
use crate::timing::process::covered;
use crate::timing::scope::Lowering;

impl Side for Lower {
    fn of(lowering: &mut Lowering<'_, '_>, process: &Process) -> Lowered<Lower> {
        with_stack(|| lowering.lower(process))
    }

    fn known(bounds: &mut Bounds) -> &mut Known<Lower> {
        &mut bounds.lower
    }
}

impl Lowering<'_, '_> {
    /// The lower bound of a whole process. The mean time without waiting is one as well.
    pub(super) fn at_least(&mut self, lower: &Lower) -> ExprId {
        if lower.chance == Chance::Some && self.is_law(lower.phi) {
            let mean = self.mean(lower.phi);
            self.arena.max(&[lower.time, mean])
        } else {
            lower.time
        }
    }

    fn lower(&mut self, process: &Process) -> Lowered<Lower> {
        match &process.kind {
            ProcessKind::Delay(time) => {
                let time = self.numeric(time)?;
                Ok(self.lower_of_one(time))
            }
            ProcessKind::Use(resource, time) => self.lower_of_use(resource, time),
            ProcessKind::Hold(resource, body)
                if self.is_undisturbed() && self.is_asked_for_again(resource, body)? =>
            {
                let within = Context::Within([].into());
                self.in_context(within, |inner| inner.lower_of_hold(resource, body))
            }
            ProcessKind::Hold(resource, body) => self.lower_of_hold(resource, body),
            ProcessKind::Sequence(parts) => {
                let parts = self.lowers(parts)?;
                Ok(self.lower_of_sequence(&parts))
            }
            ProcessKind::Parallel(parts) if self.is_undisturbed() => {
                match self.undisturbed_section(process)? {
                    Section::Known(time) => Ok(self.lower_of_one(time)),
                    Section::Components(components) => self.lower_of_components(parts, components),
                    _ => self.lower_of_section(parts),
                }
            }
            ProcessKind::Parallel(parts) => {
                let parts = self.lowers(parts)?;
                Ok(self.lower_of_branches(&parts))
            }
            ProcessKind::Any(_) if self.is_undisturbed() => {
                match self.undisturbed_section(process)? {
                    Section::Known(time) => Ok(self.lower_of_one(time)),
                    _ => self.in_context(Context::Within([].into()), |inner| inner.lower(process)),
                }
            }
            ProcessKind::Any(parts) => {
                let parts = self.lowers(parts)?;
                let phis: Vec<ExprId> = parts.iter().map(|part| part.phi).collect();
                let times: Vec<ExprId> = parts.iter().map(|part| part.time).collect();
                let (phi, time) = (self.extreme(false, &phis), self.arena.min(&times));
                Ok(self.lower_of_any(&parts, phi, time))
            }
            ProcessKind::Replicate(replication)
                if self.is_undisturbed() && replication.kind != Composition::Sequence =>
            {
                match self.undisturbed_section(process)? {
                    Section::Known(time) => Ok(self.lower_of_one(time)),
                    Section::Apart if replication.kind == Composition::Parallel => {
                        self.lower_of_replication(replication)
                    }
                    _ => self.in_context(Context::Within([].into()), |inner| {
                        inner.lower_of_replication(replication)
                    }),
                }
            }
            ProcessKind::Replicate(replication) => self.lower_of_replication(replication),
            ProcessKind::Graph(graph) => self.lower_of_graph(graph),
            ProcessKind::If(condition, a, b) => {
                let cases = self.condition(condition)?;
                let branches = [Some(&**a), b.as_deref()];
                let lowers = self.branches(&cases, &branches, |inner, branch| match branch {
                    Some(process) => Lower::of(inner, process),
                    None => Ok(inner.lower_of_nothing()),
                })?;
                self.lower_of_choice(&cases, &lowers)
            }
            ProcessKind::Switch(cases) => {
                let conditions = self.conditions(cases.iter().map(|(c, _)| c), process.span)?;
                let branches: Vec<&Process> = cases.iter().map(|(_, p)| p).collect();
                let lowers =
                    self.branches(&conditions, &branches, |inner, p| Lower::of(inner, p))?;
                self.lower_of_choice(&conditions, &lowers)
            }
            ProcessKind::Call(name, arguments) => self.side_called(name, arguments),
        }
    }

    /// A graph takes its longest chain of tasks, and the largest demand of all; where its times are numbers, its windows.
    fn lower_of_graph(&mut self, graph: &Graph<Process>) -> Lowered<Lower> {
        let tasks: Tasks<Lower> = self.tasks_of(graph)?;
        let path = self.longest(&tasks, |lower| lower.time);
        let phi = self.longest(&tasks, |lower| lower.phi);
        let demand = self.total_demand(&tasks, |lower| lower.demand)?;
        let mut times = vec![path, largest_demand(self.arena, demand)];
        let parts: Vec<Lower> = tasks.sides().cloned().collect();
        if parts.iter().all(|part| part.chance == Chance::None) {
            let visits = |lower: &Lower| (lower.time, lower.reach.clone());
            times.extend(self.window_of_numbers(&tasks, visits));
        }
        let time = self.arena.max(&times);
        Ok(self.whole(&parts, phi, time, demand, [].into()))
    }

    fn lower_of_section(&mut self, parts: &[Process]) -> Lowered<Lower> {
        let within = Context::Within([].into());
        let parts = self.in_context(within, |inner| inner.lowers(parts))?;
        Ok(self.lower_of_branches(&parts))
    }

    /// A section that nothing runs beside: branches that share nothing with others do not wait for them.
    fn lower_of_components(
        &mut self,
        parts: &[Process],
        components: Vec<Vec<usize>>,
    ) -> Lowered<Lower> {
        let mut all = Vec::new();
        for component in components {
            let branches: Vec<Process> = component.iter().map(|&k| parts[k].clone()).collect();
            all.push(match &branches[..] {
                [one] => Lower::of(self, one)?,
                _ => self.lower_of_section(&branches)?,
            });
        }
        Ok(self.lower_of_branches(&all))
    }

    fn lowers(&mut self, parts: &[Process]) -> Lowered<Vec<Lower>> {
        parts.iter().map(|part| Lower::of(self, part)).collect()
    }

    fn lower_of_nothing(&mut self) -> Lower {
        let zero = self.arena.number(0);
        Lower {
            covered: true,
            ..self.lower_of_one(zero)
        }
    }

    fn lower_of_one(&mut self, time: ExprId) -> Lower {
        let drawn = self.is_law(time);
        Lower {
            phi: time,
            time: self.mean(time),
            demand: self.arena.zero_vector(),
            covered: false,
            reach: [].into(),
            chance: if drawn { Chance::Some } else { Chance::None },
            remarks: drawn.then_some(Note::BoundOfMean).into_iter().collect(),
        }
    }

    fn lower_of_use(&mut self, resource: &Expr, time: &Expr) -> Lowered<Lower> {
        let resource = self.resource(resource)?;
        let time = self.numeric(time)?;
        let mut lower = self.lower_of_one(time);
        let share = self.arena.reciprocal(resource.multiplicity);
        let work = self.arena.mul(&[share, lower.time]);
        let unit = self.arena.unit_vector(resource.array, resource.index);
        lower.demand = self.arena.mul(&[work, unit]);
        let alone = self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE);
        lower.covered =
            alone && covered::never_negative(self.arena, &self.never_negative, lower.time);
        lower.reach = [self.visit(resource, lower.time)].into();
        Ok(lower)
    }

    /// A visit as long as the body, whose other visits are as they were.
    fn lower_of_hold(&mut self, resource: &Expr, body: &Process) -> Lowered<Lower> {
        let mut lower = Lower::of(self, body)?;
        let resource = self.resource(resource)?;
        let share = self.arena.reciprocal(resource.multiplicity);
        let work = self.arena.mul(&[share, lower.time]);
        let unit = self.arena.unit_vector(resource.array, resource.index);
        let held = self.arena.mul(&[work, unit]);
        lower.demand = self.add(&[lower.demand, held]);
        let alone = self.arena.as_number(resource.multiplicity) == Some(&Rational::ONE);
        lower.covered =
            alone && covered::never_negative(self.arena, &self.never_negative, lower.time);
        let visit = self.visit(resource, lower.time);
        lower.reach = self.reach_with(&lower.reach, visit);
        Ok(lower)
    }

    fn lower_of_sequence(&mut self, parts: &[Lower]) -> Lower {
        let mut sum = |of: fn(&Lower) -> ExprId| {
            let all: Vec<ExprId> = parts.iter().map(of).collect();
            self.add(&all)
        };
        let (phi, time, demand) = (sum(|p| p.phi), sum(|p| p.time), sum(|p| p.demand));
        let stages: Vec<(ExprId, Rc<[Reach]>)> =
            parts.iter().map(|p| (p.time, p.reach.clone())).collect();
        let reach = self.reach_in_sequence(&stages);
        self.whole(parts, phi, time, demand, reach)
    }

    /// Combines parts, as far as the result follows from all of them alike.
    fn whole(
        &mut self,
        parts: &[Lower],
        phi: ExprId,
        time: ExprId,
        demand: ExprId,
        reach: Rc<[Reach]>,
    ) -> Lower {
        let chance = parts.iter().map(|part| part.chance).max();
        Lower {
            phi,
            time,
            demand,
            covered: false,
            reach,
            chance: chance.unwrap_or(Chance::None),
            remarks: joined(parts.iter().map(|part| &part.remarks)),
        }
    }

    fn lower_of_branches(&mut self, parts: &[Lower]) -> Lower {
        let phis: Vec<ExprId> = parts.iter().map(|part| part.phi).collect();
        let demands: Vec<ExprId> = parts.iter().map(|part| part.demand).collect();
        let (phi, demand) = (self.extreme(true, &phis), self.add(&demands));
        let mut times = vec![largest_demand(self.arena, demand)];
        let covered = parts.iter().all(|part| part.covered);
        if !covered {
            times.extend(parts.iter().map(|part| part.time));
        }
        let lists: Vec<Rc<[Reach]>> = parts.iter().map(|part| part.reach.clone()).collect();
        // For random times, the minimum is not a mean.
        let certain = parts.iter().all(|part| part.chance == Chance::None);
        let reach = if certain {
            self.reach_in_parallel(&lists, &mut times)
        } else {
            [].into()
        };
        let time = self.arena.max(&times);
        Lower {
            covered: covered && reach.is_empty(),
            ..self.whole(parts, phi, time, demand, reach)
        }
    }

    /// A section that stops its losers has no certain demand.
    fn lower_of_any(&mut self, parts: &[Lower], phi: ExprId, time: ExprId) -> Lower {
        let demand = self.arena.zero_vector();
        let mut lower = self.whole(parts, phi, time, demand, [].into());
        match lower.chance {
            Chance::None => {}
            // The least of means is no bound; without waiting, the least of laws is exact.
            Chance::Some if self.is_law(phi) => {
                lower.time = self.mean(phi);
            }
            _ => {
                lower.chance = Chance::Blind;
                lower.time = self.arena.number(0);
                lower.remarks.insert(Note::NoTimeOfAny);
            }
        }
        lower
    }

    fn lower_of_replication(&mut self, replication: &Replication) -> Lowered<Lower> {
        let range = &replication.range;
        let kind = match replication.kind {
            Composition::Sequence => ReduceKind::Sum,
            Composition::Parallel => ReduceKind::Max,
            Composition::Any => self.quorum(range)?,
        };
        let binder = self.binder(range)?;
        self.ask_of_quorum(kind, range, binder)?;
        let body: Lower = self.side_of_body(range, binder, &replication.body)?;
        let phi = self.reduced(kind, binder, body.phi, range)?;
        let parts = std::slice::from_ref(&body);
        if self.is_law(binder.lower) || self.is_law(binder.upper) {
            return Ok(self.lower_of_random_loop(binder, &body, phi));
        }
        let time = self.reduced(kind, binder, body.time, range)?;
        if replication.kind == Composition::Any {
            return Ok(self.lower_of_any(parts, phi, time));
        }
        let zero = self.arena.zero_vector();
        let demand = if body.demand == zero {
            zero
        } else {
            self.reduced(ReduceKind::Sum, binder, body.demand, range)?
        };
        if replication.kind == Composition::Sequence {
            let reach = self.reach_in_loop(binder, body.time, &body.reach);
            return Ok(self.whole(parts, phi, time, demand, reach));
        }
        let mut times = vec![largest_demand(self.arena, demand)];
        if !body.covered {
            times.push(time);
        }
        let reach = if body.chance == Chance::None {
            self.reach_in_copies(binder, &body.reach, &mut times)
        } else {
            [].into()
        };
        let time = self.arena.max(&times);
        Ok(Lower {
            covered: body.covered && reach.is_empty(),
            ..self.whole(parts, phi, time, demand, reach)
        })
    }

    /// Counts copies by their mean number; the lowering of `phi` has rejected other loops.
    fn lower_of_random_loop(&mut self, binder: Binder, body: &Lower, phi: ExprId) -> Lower {
        let (first, last) = (self.mean(binder.lower), self.mean(binder.upper));
        let (one, negative) = (self.arena.number(1), self.negated(first));
        let count = self.add(&[last, one, negative]);
        let time = self.mul(&[count, body.time]);
        let demand = self.arena.mul(&[count, body.demand]);
        let mut lower = self.whole(std::slice::from_ref(body), phi, time, demand, [].into());
        lower.chance = lower.chance.max(Chance::Some);
        lower.remarks.insert(Note::BoundOfMean);
        lower
    }

    fn lower_of_choice(&mut self, cases: &Cases, parts: &[Lower]) -> Lowered<Lower> {
        let phis: Vec<ExprId> = parts.iter().map(|part| part.phi).collect();
        let phi = self.choice(cases, &phis)?;
        let weights = match cases {
            Cases::Truths(_) => None,
            cases => Some(self.mean_weights(cases)),
        };
        let by = weights.as_ref().unwrap_or(cases);
        let times: Vec<ExprId> = parts.iter().map(|part| part.time).collect();
        let demands: Vec<ExprId> = parts.iter().map(|part| part.demand).collect();
        let (time, demand) = (self.choice(by, &times)?, self.choice(by, &demands)?);
        let reach = match cases {
            Cases::Truths(conditions) => {
                let lists: Vec<Rc<[Reach]>> = parts.iter().map(|p| p.reach.clone()).collect();
                self.reach_of_choice(conditions, &lists)
            }
            _ => [].into(),
        };
        let mut lower = self.whole(parts, phi, time, demand, reach);
        if matches!(cases, Cases::Truths(_)) {
            lower.covered = parts.iter().all(|part| part.covered);
        } else {
            // With probabilities, the critical path is an average, and the largest of averages is not the mean of the
            // largest.
            let weighed = matches!(cases, Cases::Weights(_) | Cases::Random(_));
            let chance = if weighed { Chance::Blind } else { Chance::Some };
            lower.chance = lower.chance.max(chance);
            lower.remarks.insert(if weighed {
                Note::WeighedMean
            } else {
                Note::BoundOfMean
            });
        }
        Ok(lower)
    }

    /// The probabilities of the cases, on average.
    fn mean_weights(&mut self, cases: &Cases) -> Cases {
        let weights = match cases {
            Cases::Truths(weights) | Cases::Weights(weights) => weights.clone(),
            Cases::Bernoulli(p) => vec![*p, self.arena.not(*p)],
            Cases::Random(condition) => {
                let p = self.mean(*condition);
                vec![p, self.arena.not(p)]
            }
            Cases::Drawn(conditions) => {
                let mut left = self.arena.number(1);
                let mut weights = Vec::new();
                for &condition in conditions {
                    let p = self.mean(condition);
                    weights.push(self.mul(&[left, p]));
                    let not = self.arena.not(p);
                    left = self.mul(&[left, not]);
                }
                weights
            }
        };
        Cases::Weights(weights)
    }
}
