//! The time of a process by running it.
//!
//! Servers are first come, first served. Simultaneous requests are served in the order in which
//! they arise: the order of the text and of the indices. This is the definition of `time(L)`. It
//! shares no code with the simulator, which is tested against it.

mod waits;

use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap, HashMap, VecDeque};

use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::parts::Composed;
use super::resources::Element;
use super::scope::Scope;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Composition, Expr, Process, ProcessKind};
use waits::Waits;

type Evaluated<T> = Result<T, Diagnostic>;

/// The position of an activity in [`Activities`].
pub(super) type Id = usize;

/// The activities of a process, with each repetition expanded.
pub(super) struct Activities<'m> {
    all: Vec<Activity>,
    resources: Vec<(Element<'m>, u64)>,
    known: HashMap<Element<'m>, usize>,
    span: Span,
}

struct Activity {
    kind: Kind,
    parent: Option<Id>,
}

pub(super) enum Kind {
    Delay(Number),
    /// Holds a server of a resource for as long as another activity takes.
    Use(usize, Id),
    Sequence(Vec<Id>),
    /// Ends when this many of its branches have ended.
    Branches(Vec<Id>, usize),
    /// Each begins when those that it waits for have ended.
    Graph(Waits),
}

impl Activities<'_> {
    pub(super) fn kind(&self, id: Id) -> &Kind {
        &self.all[id].kind
    }

    pub(super) fn servers(&self, resource: usize) -> u64 {
        self.resources[resource].1
    }
}

impl<'m> Activities<'m> {
    /// The resources that an activity visits.
    pub(super) fn elements(&self, id: Id) -> BTreeSet<Element<'m>> {
        let mut visited = BTreeSet::new();
        self.visited(id, &mut visited);
        let elements = visited.into_iter().map(|r| self.resources[r].0.clone());
        elements.collect()
    }
}

impl<'m> Evaluator<'m> {
    /// The time of a process that runs alone.
    pub(super) fn run_time(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Evaluated<Number> {
        let (activities, root) = self.activities(process, scope)?;
        self.run(&activities, root)
    }

    /// The activities of a process, and the activity of the whole process.
    pub(super) fn activities(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Evaluated<(Activities<'m>, Id)> {
        let mut activities = Activities {
            all: Vec::new(),
            resources: Vec::new(),
            known: HashMap::new(),
            span: process.span,
        };
        let root = self.activity(process, scope, &mut activities)?;
        for id in 0..activities.all.len() {
            for part in parts(&activities.all[id].kind) {
                activities.all[part].parent = Some(id);
            }
        }
        Ok((activities, root))
    }

    fn activity(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        into: &mut Activities<'m>,
    ) -> Evaluated<Id> {
        self.step(process.span, 1)?;
        let kind = with_stack(|| self.kind_of(process, scope, into))?;
        into.all.push(Activity { kind, parent: None });
        Ok(into.all.len() - 1)
    }

    fn kind_of(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        into: &mut Activities<'m>,
    ) -> Evaluated<Kind> {
        match &process.kind {
            ProcessKind::Delay(time) => Ok(Kind::Delay(self.duration_at(time, scope)?)),
            ProcessKind::Use(resource, time) => {
                let resource = self.resource_in(resource, scope, into)?;
                let kind = Kind::Delay(self.duration_at(time, scope)?);
                into.all.push(Activity { kind, parent: None });
                Ok(Kind::Use(resource, into.all.len() - 1))
            }
            ProcessKind::Hold(resource, body) => {
                let resource = self.resource_in(resource, scope, into)?;
                Ok(Kind::Use(resource, self.activity(body, scope, into)?))
            }
            ProcessKind::Call(name, arguments) => {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                Ok(Kind::Sequence(vec![self.activity(process, &inner, into)?]))
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                match &self.alternatives(process, scope)?[..] {
                    [] => Ok(Kind::Sequence(Vec::new())),
                    [(weight, part)] if weight.is_one() => {
                        Ok(Kind::Sequence(vec![self.activity(part, scope, into)?]))
                    }
                    _ => Err(by_chance(process.span)),
                }
            }
            ProcessKind::Graph(graph) => {
                let instances = self.instances(graph, process.span, scope)?;
                let mut parts = Vec::new();
                for instance in &instances.tasks {
                    parts.push(self.activity(instance.task(), &instance.scope, into)?);
                }
                let before = instances.before.into_iter();
                let before = before.map(|waits| waits.into_iter().map(|u| u as usize).collect());
                Ok(Kind::Graph(Waits::new(parts, before.collect())))
            }
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => {
                let Some(composed) = Composed::of(process) else {
                    return Ok(Kind::Sequence(Vec::new()));
                };
                let mut parts = Vec::new();
                self.each_part(composed, scope, &mut |evaluator, part, inner| {
                    parts.push(evaluator.activity(part, inner, into)?);
                    Ok(())
                })?;
                Ok(match composed.composition {
                    Composition::Sequence => Kind::Sequence(parts),
                    Composition::Parallel => {
                        let enough = parts.len();
                        Kind::Branches(parts, enough)
                    }
                    Composition::Any => {
                        let numbers = (1..=parts.len()).map(|k| number(k as u64));
                        let enough = self.end_of(composed, numbers.collect(), scope)?;
                        Kind::Branches(parts, whole(&enough).unwrap_or(1) as usize)
                    }
                })
            }
        }
    }

    fn duration_at(&mut self, time: &'m Expr, scope: &Scope<'m>) -> Evaluated<Number> {
        let value = self.fixed(time, scope)?;
        if value.order(&Number::zero()).is_lt() {
            let message = format!("a time is negative: {value}");
            Err(Diagnostic::error(
                message,
                time.span,
                "times are at least 0",
            ))
        } else {
            Ok(value)
        }
    }

    fn resource_in(
        &mut self,
        expr: &'m Expr,
        scope: &Scope<'m>,
        into: &mut Activities<'m>,
    ) -> Evaluated<usize> {
        let resource = self.resource(expr, scope)?;
        let Some(servers) = whole(&resource.multiplicity).filter(|servers| *servers > 0) else {
            let message = format!(
                "{} servers are not a positive whole number",
                resource.multiplicity
            );
            return Err(Diagnostic::error(
                message,
                expr.span,
                "expected a positive whole number",
            ));
        };
        let element = (resource.array, resource.index);
        if let Some(&known) = into.known.get(&element) {
            return Ok(known);
        }
        into.resources.push((element.clone(), servers));
        into.known.insert(element, into.resources.len() - 1);
        Ok(into.resources.len() - 1)
    }

    pub(super) fn run(&mut self, activities: &Activities<'m>, root: Id) -> Evaluated<Number> {
        let mut run = Run {
            activities,
            evaluator: self,
            states: vec![State::Before; activities.all.len()],
            ended: vec![0; activities.all.len()],
            missing: vec![0; activities.all.len()],
            ends: BinaryHeap::new(),
            requests: VecDeque::new(),
            queues: activities
                .resources
                .iter()
                .map(|_| Queue::default())
                .collect(),
            begun: 0,
            now: Number::zero(),
        };
        run.complete(root)?;
        Ok(run.now)
    }
}

/// The error for a random process, which has no single time.
fn by_chance(span: Span) -> Diagnostic {
    let label = "is random";
    Diagnostic::error("a random run has no single time", span, label).hint("use `pamela simulate`")
}

fn number(value: u64) -> Number {
    Number::from(value as i64)
}

fn whole(number: &Number) -> Option<u64> {
    let exact = number.as_exact().filter(|exact| exact.is_integer())?;
    exact.to_u64()
}

fn parts(kind: &Kind) -> Vec<Id> {
    match kind {
        Kind::Delay(_) => Vec::new(),
        Kind::Use(_, body) => vec![*body],
        Kind::Sequence(parts) | Kind::Branches(parts, _) => parts.clone(),
        Kind::Graph(waits) => waits.parts().to_vec(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    /// Waits for a server that it requested.
    Waits,
    Runs,
    Over,
}

#[derive(Default)]
struct Queue {
    busy: u64,
    waiting: VecDeque<Id>,
}

struct Run<'r, 'm> {
    activities: &'r Activities<'m>,
    evaluator: &'r mut Evaluator<'m>,
    states: Vec<State>,
    /// Number of parts of an activity that have ended.
    ended: Vec<usize>,
    /// For how many others each task of a graph still waits.
    missing: Vec<usize>,
    ends: BinaryHeap<End>,
    requests: VecDeque<Id>,
    queues: Vec<Queue>,
    begun: u64,
    now: Number,
}

/// The end of a delay; the greatest is the next.
struct End {
    time: Number,
    /// Of simultaneous ends, the activity begun first ends first.
    begun: u64,
    id: Id,
}

impl Ord for End {
    fn cmp(&self, other: &End) -> Ordering {
        let key = |end: &End| end.begun;
        other
            .time
            .order(&self.time)
            .then(key(other).cmp(&key(self)))
    }
}

impl PartialOrd for End {
    fn partial_cmp(&self, other: &End) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for End {
    fn eq(&self, other: &End) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for End {}

impl Run<'_, '_> {
    /// At one time first all that ends, then what asks for a server.
    fn complete(&mut self, root: Id) -> Evaluated<()> {
        self.start(root)?;
        loop {
            let ends_now = self
                .ends
                .peek()
                .is_some_and(|end| end.time.order(&self.now).is_eq());
            if !ends_now && let Some(id) = self.requests.pop_front() {
                self.arrive(id)?;
                continue;
            }
            let Some(end) = self.ends.pop() else {
                break;
            };
            if self.states[end.id] == State::Runs {
                self.now = end.time;
                self.evaluator.step(self.activities.span, 1)?;
                self.finish(end.id)?;
            }
        }
        match self.states[root] {
            State::Over => Ok(()),
            _ => Err(Diagnostic::error(
                "deadlock: each part of the process waits for another one",
                self.activities.span,
                "a deadlock",
            )),
        }
    }

    fn start(&mut self, id: Id) -> Evaluated<()> {
        with_stack(|| self.start_here(id))
    }

    fn start_here(&mut self, id: Id) -> Evaluated<()> {
        self.states[id] = State::Runs;
        let activities = self.activities;
        match activities.kind(id) {
            Kind::Delay(time) => {
                let time = at(self.now.add(time), activities.span)?;
                self.begun += 1;
                let begun = self.begun;
                self.ends.push(End { time, begun, id });
                Ok(())
            }
            Kind::Use(..) => {
                self.states[id] = State::Waits;
                self.requests.push_back(id);
                Ok(())
            }
            Kind::Sequence(parts) => match parts.first() {
                Some(&first) => self.start(first),
                None => self.finish(id),
            },
            Kind::Graph(waits) => self.start_graph(id, waits),
            Kind::Branches(parts, enough) => {
                for &part in parts {
                    if self.states[id] == State::Runs {
                        self.start(part)?;
                    }
                }
                if parts.is_empty() || *enough == 0 {
                    self.finish(id)
                } else {
                    Ok(())
                }
            }
        }
    }

    fn arrive(&mut self, id: Id) -> Evaluated<()> {
        let Kind::Use(resource, body) = self.activities.kind(id) else {
            return Ok(());
        };
        if self.states[id] != State::Waits {
            return Ok(());
        }
        let queue = &mut self.queues[*resource];
        if queue.busy == self.activities.servers(*resource) {
            queue.waiting.push_back(id);
            return Ok(());
        }
        queue.busy += 1;
        self.states[id] = State::Runs;
        self.start(*body)
    }

    /// Gives a server back; who waits first takes it.
    fn release(&mut self, resource: usize) -> Evaluated<()> {
        while let Some(next) = self.queues[resource].waiting.pop_front() {
            if self.states[next] == State::Waits
                && let Kind::Use(_, body) = self.activities.kind(next)
            {
                self.states[next] = State::Runs;
                return self.start(*body);
            }
        }
        self.queues[resource].busy -= 1;
        Ok(())
    }

    fn finish(&mut self, id: Id) -> Evaluated<()> {
        with_stack(|| self.finish_here(id))
    }

    fn finish_here(&mut self, id: Id) -> Evaluated<()> {
        self.states[id] = State::Over;
        let activities = self.activities;
        let Some(parent) = activities.all[id].parent else {
            return Ok(());
        };
        self.ended[parent] += 1;
        let ended = self.ended[parent];
        match activities.kind(parent) {
            Kind::Delay(_) => Ok(()),
            Kind::Use(resource, _) => {
                self.release(*resource)?;
                self.finish(parent)
            }
            Kind::Sequence(parts) => match parts.get(ended) {
                Some(&next) => self.start(next),
                None => self.finish(parent),
            },
            Kind::Graph(waits) => self.task_ended(parent, (id, ended), waits),
            Kind::Branches(parts, enough) if ended == *enough => {
                for &part in parts {
                    self.stop(part)?;
                }
                self.finish(parent)
            }
            Kind::Branches(..) => Ok(()),
        }
    }

    /// Stops an activity and releases its resources.
    fn stop(&mut self, id: Id) -> Evaluated<()> {
        let state = std::mem::replace(&mut self.states[id], State::Over);
        if state != State::Runs {
            return Ok(());
        }
        let activities = self.activities;
        for part in parts(activities.kind(id)) {
            with_stack(|| self.stop(part))?;
        }
        match activities.kind(id) {
            Kind::Use(resource, _) => self.release(*resource),
            _ => Ok(()),
        }
    }
}
