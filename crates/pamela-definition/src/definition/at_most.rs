//! Definitional evaluation of upper bounds: possible waits of each process, resource by resource.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::resources::{Element, Resource};
use super::scope::Scope;

use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::parts::Composed;
use super::undisturbed::Branch;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Composition, Expr, Graph, Process, ProcessKind};

type Evaluated<T> = Result<T, Diagnostic>;

/// Upper bound of the time of a process, for services in any order and for first come, first served.
#[derive(Clone, Debug)]
pub(super) struct AtMost<'m> {
    /// Its critical path, of each service without the share of one server.
    path: Number,
    /// The longest chain in it of parts outside single servers.
    outside: Number,
    /// All services, each over its servers.
    work: Number,
    pub(super) fcfs: Number,
    pub(super) unordered: Number,
    /// In a parallel section.
    wants: BTreeMap<Element<'m>, Wants>,
}

/// Demand of a process for a resource; times are divided by the number of servers.
#[derive(Clone, Debug)]
struct Wants {
    servers: Number,
    work: Number,
    /// On one chain.
    visits: Number,
    /// The work, and the number of visits, that may be there at one time.
    together: Number,
    number: Number,
}

/// Position of a process.
#[derive(Clone)]
pub(super) enum Place<'m> {
    Top,
    /// In a parallel section, in which nobody waits for these.
    Within(Rc<Vec<Element<'m>>>),
}

impl<'m> AtMost<'m> {
    fn of(time: Number) -> AtMost<'m> {
        AtMost {
            path: time.clone(),
            outside: time.clone(),
            work: Number::zero(),
            fcfs: time.clone(),
            unordered: time,
            wants: BTreeMap::new(),
        }
    }

    /// By all work, with services in any order.
    pub(super) fn by_work(&self, span: Span) -> Evaluated<Number> {
        at(self.path.add(&self.work), span)
    }
}

impl<'m> Evaluator<'m> {
    /// The bounds of a process without arguments.
    pub(super) fn at_most(&mut self, position: usize) -> Evaluated<AtMost<'m>> {
        let process = self.process_at(position)?;
        self.most_of(process, &None, &Place::Top)
    }

    pub(super) fn most_of(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        place: &Place<'m>,
    ) -> Evaluated<AtMost<'m>> {
        self.step(process.span, 1)?;
        with_stack(|| self.most_here(process, scope, place))
    }

    fn most_here(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        place: &Place<'m>,
    ) -> Evaluated<AtMost<'m>> {
        match &process.kind {
            ProcessKind::Delay(time) => Ok(AtMost::of(self.fixed(time, scope)?)),
            ProcessKind::Use(resource, time) => {
                self.most_of_use(resource, time, process.span, scope)
            }
            ProcessKind::Hold(resource, body) => {
                let again = matches!(place, Place::Top)
                    && self.is_asked_for_again(resource, body, scope)?;
                if again {
                    let within = Place::Within(Rc::default());
                    let inside = self.most_of(body, scope, &within)?;
                    let mut most = self.most_of_hold(resource, inside, process.span, scope)?;
                    most.wants.clear();
                    return Ok(most);
                }
                let inside = self.most_of(body, scope, place)?;
                self.most_of_hold(resource, inside, process.span, scope)
            }
            ProcessKind::Call(name, arguments) => {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                self.most_of(process, &inner, place)
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                self.most_of_choice(process, scope, place)
            }
            ProcessKind::Graph(graph) => {
                let mut most = self.most_of_graph(graph, process.span, scope, place)?;
                if let Place::Top = place {
                    most.wants.clear();
                    if let Some(time) = self.order_free_time(process, scope) {
                        most.fcfs = time;
                    }
                }
                Ok(most)
            }
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => {
                let Some(composed) = Composed::of(process) else {
                    return Ok(AtMost::of(Number::zero()));
                };
                let span = process.span;
                match (composed.composition, place) {
                    (Composition::Sequence, _) => {
                        let branches = self.branches_of(composed, scope)?;
                        let parts = self.most_of_parts(&branches, place)?;
                        self.most_of_sequence(&parts, span)
                    }
                    (_, Place::Top) => {
                        let mut most = self.most_of_components(composed, span, scope)?;
                        if let Some(time) = self.order_free_time(process, scope) {
                            most.fcfs = time;
                        }
                        Ok(most)
                    }
                    (_, Place::Within(_)) => {
                        let branches = self.branches_of(composed, scope)?;
                        self.most_of_branches(composed, &branches, span, scope, place)
                    }
                }
            }
        }
    }

    fn most_of_use(
        &mut self,
        resource: &'m Expr,
        time: &'m Expr,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let resource = self.resource(resource, scope)?;
        let servers = self.servers_at_work(&resource);
        let time = self.fixed(time, scope)?;
        let work = at(time.divide(&servers), span)?;
        let single = resource.multiplicity.is_one();
        let own = Wants {
            servers,
            work: work.clone(),
            visits: Number::one(),
            together: work.clone(),
            number: Number::one(),
        };
        Ok(AtMost {
            path: at(time.subtract(&work), span)?,
            outside: if single { Number::zero() } else { time.clone() },
            work,
            wants: BTreeMap::from([((resource.array, resource.index), own)]),
            ..AtMost::of(time)
        })
    }

    /// Number of servers that work while a process waits: possibly one, for resources held in a circle.
    fn servers_at_work(&self, resource: &Resource<'m>) -> Number {
        if self.model.holding().is_in_circle(resource.array) {
            Number::one()
        } else {
            resource.multiplicity.clone()
        }
    }

    /// The time of the process inside, plus a visit. Whoever waits for the visit waits for the work inside outside
    /// single servers, and for the waits of the holder.
    fn most_of_hold(
        &mut self,
        resource: &'m Expr,
        mut inside: AtMost<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let resource = self.resource(resource, scope)?;
        let servers = self.servers_at_work(&resource);
        let work = at(inside.outside.divide(&servers), span)?;
        inside.path = at(inside.path.subtract(&work), span)?;
        inside.work = at(inside.work.add(&work), span)?;
        if resource.multiplicity.is_one() {
            inside.outside = Number::zero();
        }
        let none = Wants {
            servers,
            work: Number::zero(),
            visits: Number::zero(),
            together: Number::zero(),
            number: Number::zero(),
        };
        let element = (resource.array, resource.index);
        let own = inside.wants.entry(element).or_insert(none);
        own.work = at(own.work.add(&work), span)?;
        own.together = at(own.together.add(&work), span)?;
        own.visits = at(own.visits.add(&Number::one()), span)?;
        own.number = at(own.number.add(&Number::one()), span)?;
        Ok(inside)
    }

    /// The chain of the task that ended last runs, or waits while others work.
    fn most_of_graph(
        &mut self,
        graph: &'m Graph<Process>,
        span: Span,
        scope: &Scope<'m>,
        place: &Place<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let instances = self.instances(graph, span, scope)?;
        let within = match place {
            Place::Top => Place::Within(Rc::default()),
            within => within.clone(),
        };
        let mut parts = Vec::with_capacity(instances.tasks.len());
        for instance in &instances.tasks {
            parts.push(self.most_of(instance.task(), &instance.scope, &within)?);
        }
        let mut whole = AtMost::of(Number::zero());
        for part in &parts {
            whole.work = at(whole.work.add(&part.work), span)?;
            for (element, wants) in &part.wants {
                self.step(span, 1)?;
                let Some(known) = whole.wants.get_mut(element) else {
                    whole.wants.insert(element.clone(), wants.clone());
                    continue;
                };
                known.work = at(known.work.add(&wants.work), span)?;
                known.visits = at(known.visits.add(&wants.visits), span)?;
                known.together = at(known.together.add(&wants.together), span)?;
                known.number = at(known.number.add(&wants.number), span)?;
            }
        }
        let times: Vec<Number> = parts.iter().map(|part| part.path.clone()).collect();
        whole.path = self.last_end(&instances, &times, span)?;
        let times: Vec<Number> = parts.iter().map(|part| part.outside.clone()).collect();
        whole.outside = self.last_end(&instances, &times, span)?;
        whole.fcfs = at(whole.path.add(&whole.work), span)?;
        whole.unordered = whole.fcfs.clone();
        Ok(whole)
    }

    fn most_of_parts(
        &mut self,
        branches: &[Branch<'m>],
        place: &Place<'m>,
    ) -> Evaluated<Vec<AtMost<'m>>> {
        let mut parts = Vec::new();
        for (part, inner) in branches {
            let most = self.most_of(part, inner, place)?;
            self.step(part.span, most.wants.len() as u64)?;
            parts.push(most);
        }
        Ok(parts)
    }

    fn most_of_sequence(&mut self, parts: &[AtMost<'m>], span: Span) -> Evaluated<AtMost<'m>> {
        let mut whole = AtMost::of(Number::zero());
        for part in parts {
            whole.path = at(whole.path.add(&part.path), span)?;
            whole.outside = at(whole.outside.add(&part.outside), span)?;
            whole.work = at(whole.work.add(&part.work), span)?;
            whole.fcfs = at(whole.fcfs.add(&part.fcfs), span)?;
            whole.unordered = at(whole.unordered.add(&part.unordered), span)?;
            for (element, wants) in &part.wants {
                let Some(known) = whole.wants.get_mut(element) else {
                    whole.wants.insert(element.clone(), wants.clone());
                    continue;
                };
                known.work = at(known.work.add(&wants.work), span)?;
                known.visits = at(known.visits.add(&wants.visits), span)?;
                known.together = known.together.clone().max(wants.together.clone());
                known.number = known.number.clone().max(wants.number.clone());
            }
        }
        Ok(whole)
    }

    /// The outermost section: branches that share nothing do not wait for each other.
    fn most_of_components(
        &mut self,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let components = match composed.composition {
            Composition::Parallel => self.components_of(composed, scope)?,
            _ => {
                let branches = self.branches_of(composed, scope)?;
                return self.most_of_section(composed, &branches, span, scope);
            }
        };
        let mut whole = AtMost::of(Number::zero());
        for component in components {
            let most = match &component[..] {
                [(part, inner)] => self.most_of(part, inner, &Place::Top)?,
                _ => self.most_of_section(composed, &component, span, scope)?,
            };
            whole.path = whole.path.max(most.path);
            whole.work = at(whole.work.add(&most.work), span)?;
            whole.outside = whole.outside.max(most.outside);
            whole.fcfs = whole.fcfs.max(most.fcfs);
            whole.unordered = whole.unordered.max(most.unordered);
        }
        Ok(whole)
    }

    /// The outermost section: nobody waits where there is a server for each.
    fn most_of_section(
        &mut self,
        composed: Composed<'m>,
        branches: &[Branch<'m>],
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let crowded = Place::Within(Rc::default());
        let mut most = self.most_of_branches(composed, branches, span, scope, &crowded)?;
        let mut idle = Vec::new();
        for (element, wants) in &most.wants {
            let enough = at(wants.number.compare(&wants.servers), span)?.is_le();
            idle.extend((enough && !wants.servers.is_one()).then(|| element.clone()));
        }
        if !idle.is_empty() {
            let place = Place::Within(Rc::new(idle));
            most = self.most_of_branches(composed, branches, span, scope, &place)?;
        }
        most.wants.clear();
        Ok(most)
    }

    fn most_of_branches(
        &mut self,
        composed: Composed<'m>,
        branches: &[Branch<'m>],
        span: Span,
        scope: &Scope<'m>,
        place: &Place<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let parts = self.most_of_parts(branches, place)?;
        let wants = together(&parts, span)?;
        let (mut fcfs, mut unordered) = (Vec::new(), Vec::new());
        for part in &parts {
            let (mut first, mut second) = (part.fcfs.clone(), part.unordered.clone());
            let holders: BTreeSet<&str> = part
                .wants
                .keys()
                .flat_map(|(array, _)| self.model.holding().inside(array))
                .collect();
            for (element, all) in &wants {
                let own = part.wants.get(element);
                let through_holders = holders.contains(element.0);
                let is_idle = matches!(place, Place::Within(idle) if idle.contains(element));
                if is_idle || own.is_none() && !through_holders {
                    continue;
                }
                let own_work = own.map_or_else(Number::zero, |own| own.work.clone());
                let work = at(all.work.subtract(&own_work), span)?;
                second = at(second.add(&work), span)?;
                let waiting = match own {
                    // The number of simultaneous requests at resources that holders wait for is not known.
                    Some(own) if !through_holders => {
                        let others = at(all.together.subtract(&own.together), span)?;
                        work.min(at(own.visits.multiply(&others), span)?)
                    }
                    _ => work,
                };
                first = at(first.add(&waiting), span)?;
            }
            fcfs.push(first);
            unordered.push(second);
        }
        let paths = parts.iter().map(|part| part.path.clone()).collect();
        let outside = parts.iter().map(|part| part.outside.clone()).collect();
        let mut work = Number::zero();
        for part in &parts {
            work = at(work.add(&part.work), span)?;
        }
        Ok(AtMost {
            path: self.end_of(composed, paths, scope)?,
            outside: self.end_of(composed, outside, scope)?,
            work,
            fcfs: self.end_of(composed, fcfs, scope)?,
            unordered: self.end_of(composed, unordered, scope)?,
            wants,
        })
    }

    /// When branches that end at these times have ended as far as they must.
    pub(super) fn end_of(
        &mut self,
        composed: Composed<'m>,
        times: Vec<Number>,
        scope: &Scope<'m>,
    ) -> Evaluated<Number> {
        let zero = Number::zero;
        match (composed.composition, composed.range()) {
            (Composition::Any, Some(range)) => self.quorum(range, times, scope),
            (Composition::Any, None) => {
                Ok(times.into_iter().reduce(Number::min).unwrap_or_else(zero))
            }
            _ => Ok(times.into_iter().reduce(Number::max).unwrap_or_else(zero)),
        }
    }

    /// On top the mean of the alternatives, in a parallel section of each the most.
    fn most_of_choice(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        place: &Place<'m>,
    ) -> Evaluated<AtMost<'m>> {
        let span = process.span;
        let mut whole = AtMost::of(Number::zero());
        for (weight, part) in self.alternatives(process, scope)? {
            let most = self.most_of(part, scope, place)?;
            if weight.is_one() {
                return Ok(most);
            }
            let top = matches!(place, Place::Top);
            let joined = |known: &Number, own: &Number| {
                if top {
                    at(own.multiply(&weight).and_then(|own| known.add(&own)), span)
                } else {
                    Ok(known.clone().max(own.clone()))
                }
            };
            whole.path = joined(&whole.path, &most.path)?;
            whole.outside = joined(&whole.outside, &most.outside)?;
            whole.work = joined(&whole.work, &most.work)?;
            whole.fcfs = joined(&whole.fcfs, &most.fcfs)?;
            whole.unordered = joined(&whole.unordered, &most.unordered)?;
            for (element, wants) in most.wants {
                let known = whole.wants.entry(element).or_insert_with(|| wants.clone());
                known.work = known.work.clone().max(wants.work);
                known.visits = known.visits.clone().max(wants.visits);
                known.together = known.together.clone().max(wants.together);
                known.number = known.number.clone().max(wants.number);
            }
        }
        Ok(whole)
    }
}

/// The demands of processes that run in parallel.
fn together<'m>(parts: &[AtMost<'m>], span: Span) -> Evaluated<BTreeMap<Element<'m>, Wants>> {
    let mut all: BTreeMap<Element<'m>, Wants> = BTreeMap::new();
    for (element, wants) in parts.iter().flat_map(|part| &part.wants) {
        let Some(known) = all.get_mut(element) else {
            all.insert(element.clone(), wants.clone());
            continue;
        };
        known.work = at(known.work.add(&wants.work), span)?;
        known.visits = known.visits.clone().max(wants.visits.clone());
        known.together = at(known.together.add(&wants.together), span)?;
        known.number = at(known.number.add(&wants.number), span)?;
    }
    Ok(all)
}
