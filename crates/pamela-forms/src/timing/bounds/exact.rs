//! The exact time of a process with contention, if nobody can wait or a theorem gives it.
//!
//! It applies if nothing that runs beside the process visits its resources: to the whole, and to
//! branches that share no resources with others.

mod graph;
mod known;

use std::collections::BTreeSet;
use std::rc::Rc;

use super::lines::Proven;
use super::places::{insert, places_of, places_of_copies};
use super::sides::{Bounds, Burst, Crowd, Exact, Known, Place, Spot, Step};
use super::{Lowered, Side};
use crate::expr::{ExprId, ReduceKind};
use crate::model::with_stack;
use crate::syntax::tree::{Composition, Process, ProcessKind, Range, Replication};
use crate::timing::argument::{Binder, Resource};
use crate::timing::certificate::{Application, Precondition};
use crate::timing::numeric::Cases;
use crate::timing::scope::Lowering;

impl Side for Exact {
    fn of(lowering: &mut Lowering<'_, '_>, process: &Process) -> Lowered<Exact> {
        with_stack(|| lowering.exact(process))
    }

    fn known(bounds: &mut Bounds) -> &mut Known<Exact> {
        &mut bounds.exact
    }
}

impl Lowering<'_, '_> {
    fn exact(&mut self, process: &Process) -> Lowered<Exact> {
        match &process.kind {
            ProcessKind::Delay(time) => {
                let time = self.numeric(time)?;
                Ok(self.exact_chain(time, [Step::Delay(time)].into(), [].into()))
            }
            ProcessKind::Use(resource, time) => {
                let (resource, time) = (self.resource(resource)?, self.numeric(time)?);
                let place = spot_of(resource);
                let steps = [Step::Visit(resource, time)].into();
                let task = self.is_law(time).then_some((resource, time));
                Ok(Exact {
                    task,
                    ..self.exact_chain(time, steps, [place].into())
                })
            }
            ProcessKind::Hold(resource, body) => {
                let (resource, body) = (self.resource(resource)?, Exact::of(self, body)?);
                Ok(self.exact_hold(resource, &body))
            }
            ProcessKind::Sequence(parts) => {
                let parts = self.exacts(parts)?;
                Ok(self.exact_sequence(&parts))
            }
            ProcessKind::Parallel(parts) => {
                let parts = self.exacts(parts)?;
                Ok(self.exact_branches(&parts))
            }
            ProcessKind::Any(parts) => {
                let parts = self.exacts(parts)?;
                Ok(self.exact_any(&parts))
            }
            ProcessKind::Replicate(replication) => self.exact_replication(replication),
            ProcessKind::Graph(graph) => self.exact_graph(graph),
            ProcessKind::If(condition, a, b) => {
                let cases = self.condition(condition)?;
                let branches = [Some(&**a), b.as_deref()];
                let parts = self.branches(&cases, &branches, |inner, branch| match branch {
                    Some(process) => Exact::of(inner, process),
                    None => {
                        let zero = inner.arena.number(0);
                        Ok(inner.exact_chain(zero, [].into(), [].into()))
                    }
                })?;
                self.exact_choice(&cases, &parts)
            }
            ProcessKind::Switch(cases) => {
                let conditions = self.conditions(cases.iter().map(|(c, _)| c), process.span)?;
                let branches: Vec<&Process> = cases.iter().map(|(_, p)| p).collect();
                let parts =
                    self.branches(&conditions, &branches, |inner, p| Exact::of(inner, p))?;
                self.exact_choice(&conditions, &parts)
            }
            ProcessKind::Call(name, arguments) => self.side_called(name, arguments),
        }
    }

    pub(super) fn exacts(&mut self, parts: &[Process]) -> Lowered<Vec<Exact>> {
        parts.iter().map(|part| Exact::of(self, part)).collect()
    }

    /// A process that does one thing after the other.
    fn exact_chain(&mut self, time: ExprId, steps: Rc<[Step]>, places: Rc<[Spot]>) -> Exact {
        let crowd = Crowd {
            count: self.arena.number(1),
            steps,
            private: [].into(),
        };
        // Theorems about chains are of times that are not drawn.
        Exact {
            time: Some(time),
            crowd: (!self.is_law(time)).then_some(crowd),
            ..Exact::unknown(places)
        }
    }

    fn exact_hold(&mut self, resource: Resource, body: &Exact) -> Exact {
        let own = spot_of(resource);
        let again = self.may_meet(&[own], &body.places);
        let mut places = body.places.to_vec();
        insert(&mut places, own);
        let one = self.arena.number(1);
        let inside = self.as_chain(body, one);
        Exact {
            time: body.time,
            applications: body.applications.clone(),
            crowd: inside.map(|inside| Crowd {
                count: one,
                steps: [Step::Hold(resource, inside)].into(),
                private: [].into(),
            }),
            ..Exact::unknown(places.into())
        }
        .requiring(Precondition::NotHeld, !again)
    }

    fn exact_sequence(&mut self, parts: &[Exact]) -> Exact {
        let places = visited_by(parts);
        let times: Option<Vec<ExprId>> = parts.iter().map(|part| part.time).collect();
        let one = self.arena.number(1);
        let chains: Option<Vec<Rc<[Step]>>> =
            parts.iter().map(|part| self.as_chain(part, one)).collect();
        let steps = chains.and_then(|chains| self.chain_of(&chains));
        Exact {
            time: times.map(|times| self.add(&times)),
            applications: joined(parts),
            burst: match steps {
                Some(_) => None,
                None => self.burst_within(parts, one),
            },
            crowd: steps.map(|steps| Crowd {
                count: one,
                steps,
                private: [].into(),
            }),
            ..Exact::unknown(places)
        }
    }

    /// The burst of parts one after the other of which only one visits resources.
    fn burst_within(&mut self, parts: &[Exact], one: ExprId) -> Option<Burst> {
        let mut visiting = (0..parts.len()).filter(|&k| !parts[k].places.is_empty());
        let (position, None) = (visiting.next()?, visiting.next()) else {
            return None;
        };
        let times = |inner: &Self, parts: &[Exact]| -> Option<Vec<ExprId>> {
            let certain = |part: &Exact| part.time.filter(|&time| !inner.is_law(time));
            parts.iter().map(certain).collect()
        };
        let before = times(self, &parts[..position])?;
        let after = times(self, &parts[position + 1..])?;
        let burst = self.as_burst(&parts[position], one)?;
        self.burst_placed(&burst, &before, &after)
    }

    /// A part as steps: a part that visits no resource is a delay.
    fn as_chain(&self, part: &Exact, one: ExprId) -> Option<Rc<[Step]>> {
        match part.steps(one) {
            Some(steps) => Some(steps.clone()),
            None if part.places.is_empty() => {
                let time = part.time.filter(|&time| !self.is_law(time))?;
                Some([Step::Delay(time)].into())
            }
            None => None,
        }
    }

    fn exact_choice(&mut self, cases: &Cases, parts: &[Exact]) -> Lowered<Exact> {
        let places = visited_by(parts);
        let times: Option<Vec<ExprId>> = parts.iter().map(|part| part.time).collect();
        let (Cases::Truths(_), Some(times)) = (cases, times) else {
            return Ok(Exact::unknown(places));
        };
        let time = self.choice(cases, &times)?;
        if places.is_empty() {
            return Ok(self.exact_chain(time, [Step::Delay(time)].into(), places));
        }
        let one = self.arena.number(1);
        let bursts: Option<Vec<Burst>> =
            parts.iter().map(|part| self.as_burst(part, one)).collect();
        let burst = match bursts {
            Some(bursts) => self.burst_of_choice(cases, &bursts)?,
            None => None,
        };
        Ok(Exact {
            time: Some(time),
            applications: joined(parts),
            burst,
            ..Exact::unknown(places)
        })
    }

    /// Branches that share nothing end with the first; what losers hold is free then.
    fn exact_any(&mut self, parts: &[Exact]) -> Exact {
        let places = visited_by(parts);
        let times: Option<Vec<ExprId>> = parts.iter().map(|part| part.time).collect();
        let apart = self.components(&visits_of(parts)).len() == parts.len();
        let Some(times) = times.filter(|_| apart) else {
            return Exact::unknown(places);
        };
        let time = self.extreme(false, &times);
        Exact {
            time: Some(time),
            applications: joined(parts),
            ..Exact::unknown(places)
        }
    }

    fn exact_branches(&mut self, parts: &[Exact]) -> Exact {
        let places = visited_by(parts);
        let mut times = Some(Vec::new());
        let mut applications = BTreeSet::new();
        let mut crowd = None;
        let components = self.components(&visits_of(parts));
        for component in &components {
            let members: Vec<Exact> = component.iter().map(|&k| parts[k].clone()).collect();
            let (own, shape) = match &members[..] {
                [one] => (one.time, one.clone()),
                _ => {
                    let section = self.exact_section(&members);
                    (section.time, section)
                }
            };
            applications.extend(shape.applications.iter().cloned());
            times = times.zip(own).map(|(mut times, own)| {
                times.push(own);
                times
            });
            if components.len() == 1 {
                crowd = shape.crowd;
            }
        }
        let one = self.arena.number(1);
        Exact {
            time: times.map(|times: Vec<ExprId>| self.extreme(true, &times)),
            applications: Rc::new(applications),
            crowd,
            burst: self.burst_of_branches(parts, one),
            ..Exact::unknown(places)
        }
    }

    /// Branches that may wait for each other.
    fn exact_section(&mut self, branches: &[Exact]) -> Exact {
        let one = self.arena.number(1);
        let crowd = self.crowd_of_branches(branches);
        let burst = self.burst_of_branches(branches, one);
        let mut proven = crowd.as_ref().and_then(|crowd| self.time_of_crowd(crowd));
        if let (None, Some(burst)) = (proven, burst) {
            proven = Some(self.time_of_burst(&burst));
        }
        if proven.is_none() {
            let chains: Option<Vec<Rc<[Step]>>> = branches
                .iter()
                .map(|branch| branch.steps(one).cloned())
                .collect();
            proven = chains.and_then(|chains| self.proportional_branches(&chains));
        }
        self.section_of(visited_by(branches), proven, crowd, burst)
    }

    fn crowd_of_branches(&mut self, branches: &[Exact]) -> Option<Crowd> {
        let crowds: Option<Vec<&Crowd>> = branches.iter().map(|b| b.crowd.as_ref()).collect();
        let (first, rest) = crowds.as_deref()?.split_first()?;
        // An element of one copy may be that of a copy in another branch.
        let same = rest
            .iter()
            .all(|crowd| self.are_same(&first.steps, &crowd.steps));
        if !same || !first.private.is_empty() || rest.iter().any(|c| !c.private.is_empty()) {
            return None;
        }
        let counts: Vec<ExprId> = branches
            .iter()
            .filter_map(|b| Some(b.crowd.as_ref()?.count))
            .collect();
        Some(Crowd {
            count: self.add(&counts),
            ..(*first).clone()
        })
    }

    fn burst_of_branches(&mut self, branches: &[Exact], one: ExprId) -> Option<Burst> {
        let bursts: Option<Vec<Burst>> = branches
            .iter()
            .map(|branch| self.as_burst(branch, one))
            .collect();
        self.bursts_together(&bursts?)
    }

    fn as_burst(&mut self, branch: &Exact, one: ExprId) -> Option<Burst> {
        match (branch.burst, branch.steps(one)) {
            (Some(burst), _) => Some(burst),
            (None, Some(steps)) => self.burst_of(&steps.clone()),
            (None, None) => None,
        }
    }

    fn exact_replication(&mut self, replication: &Replication) -> Lowered<Exact> {
        let range = &replication.range;
        let kind = match replication.kind {
            Composition::Sequence => ReduceKind::Sum,
            Composition::Parallel => ReduceKind::Max,
            Composition::Any => self.quorum(range)?,
        };
        let binder = self.binder(range)?;
        self.ask_of_quorum(kind, range, binder)?;
        let body: Exact = self.side_of_body(range, binder, &replication.body)?;
        let apart = self.are_copies_apart(&body.places, binder);
        let places = places_of_copies(self, &body.places, binder);
        if self.is_law(binder.lower) || self.is_law(binder.upper) {
            return Ok(Exact::unknown(places));
        }
        if replication.kind == Composition::Sequence {
            return self.exact_loop(range, binder, &body, places);
        }
        if let (true, Some(time)) = (apart, body.time) {
            let one = self.arena.number(1);
            let burst = match replication.kind {
                Composition::Parallel => self.as_burst(&body, one),
                _ => None,
            };
            return Ok(Exact {
                time: Some(self.reduced(kind, binder, time, range)?),
                applications: body.applications,
                burst: burst.and_then(|burst| self.burst_of_copies(&burst, binder)),
                ..Exact::unknown(places)
            });
        }
        if replication.kind == Composition::Any {
            return Ok(Exact::unknown(places));
        }
        if let Some(proven) = self.exponential_tasks(range, binder, &body)? {
            return Ok(self.section_of(places, Some(proven), None, None));
        }
        Ok(self.exact_copies(binder, &body, places))
    }

    fn exact_loop(
        &mut self,
        range: &Range,
        binder: Binder,
        body: &Exact,
        places: Rc<[Spot]>,
    ) -> Lowered<Exact> {
        let one = self.arena.number(1);
        let steps = self.as_chain(body, one);
        let steps = steps.map(|steps| self.loop_of(binder, &steps));
        let time = match body.time {
            Some(time) => Some(self.reduced(ReduceKind::Sum, binder, time, range)?),
            None => None,
        };
        Ok(Exact {
            time,
            applications: body.applications.clone(),
            crowd: steps.map(|steps| Crowd {
                count: one,
                steps,
                private: [].into(),
            }),
            ..Exact::unknown(places)
        })
    }

    /// Copies that may wait for each other.
    fn exact_copies(&mut self, binder: Binder, body: &Exact, places: Rc<[Spot]>) -> Exact {
        let one = self.arena.number(1);
        let crowd = body
            .crowd
            .as_ref()
            .and_then(|crowd| self.crowd_of_copies(crowd, binder));
        let burst = self.as_burst(body, one);
        let burst = burst.and_then(|burst| self.burst_of_copies(&burst, binder));
        let mut proven = crowd.as_ref().and_then(|crowd| self.time_of_crowd(crowd));
        if let (None, Some(burst)) = (proven, burst) {
            proven = Some(self.time_of_burst(&burst));
        }
        if let (None, Some(steps)) = (proven, body.steps(one).cloned()) {
            proven = self.proportional_items(binder, &steps);
            proven = proven.or_else(|| self.rising_pool(binder, &steps));
            proven = proven.or_else(|| self.dealt_in_turn(binder, &steps));
            proven = proven.or_else(|| self.arrivals(binder, &steps));
        }
        self.section_of(places, proven, crowd, burst)
    }

    /// A section whose time a theorem gives, or whose shape is known.
    fn section_of(
        &mut self,
        places: Rc<[Spot]>,
        proven: Option<Proven>,
        crowd: Option<Crowd>,
        burst: Option<Burst>,
    ) -> Exact {
        let names = places.iter().map(|(array, _)| *array);
        let names: BTreeSet<&str> = names.filter_map(|a| self.arena.symbol_name(a)).collect();
        let resources: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let application = |proven: &Proven| Application {
            theorem: proven.theorem,
            resources,
        };
        Exact {
            time: proven.map(|proven| proven.time),
            applications: Rc::new(proven.as_ref().map(application).into_iter().collect()),
            crowd,
            burst,
            ..Exact::unknown(places)
        }
    }

    /// Copies that are alike but for elements of their own.
    fn crowd_of_copies(&mut self, crowd: &Crowd, binder: Binder) -> Option<Crowd> {
        let own = self.private_arrays(&crowd.steps, binder.index);
        let steps = self.alone_at(&crowd.steps, &own);
        // An element that is one copy's own may be visited by copies of copies.
        let moves = self.arena.mentions(crowd.count, binder.index);
        let nested = moves || crowd.count != self.arena.number(1);
        if !self.is_same_for_all(&steps, binder.index)
            || !crowd.private.is_empty()
            || nested && !own.is_empty()
        {
            return None;
        }
        Some(Crowd {
            count: self.sum_over(binder, crowd.count),
            steps,
            private: own.into(),
        })
    }
}

/// The array element that a resource is.
pub(super) fn spot_of(resource: Resource) -> Spot {
    let index = resource.index;
    (resource.array, Some(Place { index, over: None }))
}

pub(super) fn visits_of(parts: &[Exact]) -> Vec<Rc<[Spot]>> {
    parts.iter().map(|part| part.places.clone()).collect()
}

/// The places that several processes visit.
fn visited_by(parts: &[Exact]) -> Rc<[Spot]> {
    places_of(parts.iter().map(|part| &part.places))
}

fn joined(parts: &[Exact]) -> Rc<BTreeSet<Application>> {
    let all = parts
        .iter()
        .flat_map(|part| part.applications.iter().cloned());
    Rc::new(all.collect())
}
