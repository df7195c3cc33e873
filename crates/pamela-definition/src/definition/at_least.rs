//! Definitional evaluation of lower bounds, by windows of visits.

use std::collections::BTreeMap;

use super::evaluate::{Evaluator, at};
use super::number::Number;
use super::parts::Composed;
use super::resources::Element;
use super::scope::Scope;
use super::value::Vector;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Composition, Expr, Graph, Process, ProcessKind};

type Evaluated<T> = Result<T, Diagnostic>;

/// Lower bound of the time of a process.
#[derive(Clone, Debug)]
pub(super) struct AtLeast<'m> {
    pub(super) time: Number,
    demand: Vector,
    windows: Windows<'m>,
    /// True if no probability has a part in it.
    certain: bool,
}

/// Windows of each resource: all visits, some first visits, some last visits.
type Windows<'m> = BTreeMap<Element<'m>, [Window; 3]>;

/// Visits to a resource.
#[derive(Clone, Debug)]
struct Window {
    /// Time before which none of the visits begins.
    head: Number,
    /// Total work of the visits, divided by the number of servers.
    work: Number,
    /// Time that follows each of the visits at least.
    tail: Number,
    /// Service times, longest first, with their multiplicities.
    services: Vec<(Number, i64)>,
    servers: Number,
}

impl Window {
    /// One visit.
    fn of(time: &Number, servers: &Number, span: Span) -> Evaluated<Window> {
        Ok(Window {
            head: Number::zero(),
            work: at(time.divide(servers), span)?,
            tail: Number::zero(),
            services: vec![(time.clone(), 1)],
            servers: servers.clone(),
        })
    }

    fn placed(&self, before: &Number, after: &Number, span: Span) -> Evaluated<Window> {
        Ok(Window {
            head: at(before.add(&self.head), span)?,
            tail: at(self.tail.add(after), span)?,
            ..self.clone()
        })
    }

    /// With the visits of another window of the resource.
    fn add_visits(&mut self, other: &Window, span: Span) -> Evaluated<()> {
        self.work = at(self.work.add(&other.work), span)?;
        for (time, count) in &other.services {
            let place = self
                .services
                .binary_search_by(|(known, _)| time.order(known));
            match place {
                Ok(place) => self.services[place].1 += count,
                Err(place) => self.services.insert(place, (time.clone(), *count)),
            }
        }
        Ok(())
    }

    /// Length of the window. Of the visits that take at least some time, one server has as many as there are waves.
    fn length(&self, span: Span) -> Evaluated<Number> {
        let (mut busy, mut count) = (self.work.clone(), 0_i64);
        for (time, own) in &self.services {
            count += own;
            let waves = at(Number::from(count).divide(&self.servers), span)?;
            let waves = at(waves.ceil(), span)?;
            busy = busy.max(at(waves.multiply(time), span)?);
        }
        let sum = at(self.head.add(&busy), span)?;
        at(sum.add(&self.tail), span)
    }
}

impl<'m> AtLeast<'m> {
    fn of(time: Number) -> AtLeast<'m> {
        AtLeast {
            time,
            demand: Vector::default(),
            windows: BTreeMap::new(),
            certain: true,
        }
    }
}

impl AtLeast<'_> {
    /// Number of entries examined when its windows are joined with others.
    fn size(&self) -> u64 {
        let services = |windows: &[Window; 3]| windows[0].services.len() as u64;
        self.windows.values().map(services).sum()
    }
}

impl<'m> Evaluator<'m> {
    /// The bound of a process without arguments.
    pub(super) fn at_least(&mut self, position: usize) -> Evaluated<AtLeast<'m>> {
        let process = self.process_at(position)?;
        self.least_of(process, &None, true)
    }

    /// `alone`: nothing runs beside it.
    pub(super) fn least_of(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        alone: bool,
    ) -> Evaluated<AtLeast<'m>> {
        self.step(process.span, 1)?;
        with_stack(|| self.least_here(process, scope, alone))
    }

    fn least_here(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        alone: bool,
    ) -> Evaluated<AtLeast<'m>> {
        match &process.kind {
            ProcessKind::Delay(time) => Ok(AtLeast::of(self.fixed(time, scope)?)),
            ProcessKind::Use(resource, time) => {
                self.least_of_use(resource, time, process.span, scope)
            }
            ProcessKind::Hold(resource, body) => {
                let alone = alone && !self.is_asked_for_again(resource, body, scope)?;
                let inside = self.least_of(body, scope, alone)?;
                self.least_of_hold(resource, inside, process.span, scope)
            }
            ProcessKind::Call(name, arguments) => {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                self.least_of(process, &inner, alone)
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                self.least_of_choice(process, scope, alone)
            }
            ProcessKind::Graph(graph) => self.least_of_graph(graph, process.span, scope),
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => {
                let Some(composed) = Composed::of(process) else {
                    return Ok(AtLeast::of(Number::zero()));
                };
                let in_order = composed.composition == Composition::Sequence;
                if alone && !in_order {
                    if let Some(time) = self.order_free_time(process, scope) {
                        return Ok(AtLeast::of(time));
                    }
                    if composed.composition == Composition::Parallel {
                        return self.least_of_components(composed, process.span, scope);
                    }
                }
                let mut parts = Vec::new();
                self.each_part(composed, scope, &mut |evaluator, part, inner| {
                    let least = evaluator.least_of(part, inner, alone && in_order)?;
                    evaluator.step(part.span, least.size())?;
                    parts.push(least);
                    Ok(())
                })?;
                match composed.composition {
                    Composition::Sequence => self.least_of_sequence(&parts, process.span),
                    Composition::Parallel => self.least_of_branches(&parts, process.span),
                    Composition::Any => self.least_of_any(composed, &parts, scope),
                }
            }
        }
    }

    /// A section that nothing runs beside.
    fn least_of_components(
        &mut self,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtLeast<'m>> {
        let mut whole = AtLeast::of(Number::zero());
        for component in self.components_of(composed, scope)? {
            let alone = component.len() == 1;
            let mut parts = Vec::new();
            for (part, inner) in &component {
                let least = self.least_of(part, inner, alone)?;
                self.step(part.span, least.size())?;
                parts.push(least);
            }
            let least = self.least_of_branches(&parts, span)?;
            whole.time = whole.time.max(least.time);
            whole.certain &= least.certain;
        }
        Ok(whole)
    }

    /// A visit that lasts as long as the process inside; other visits inside stay.
    fn least_of_hold(
        &mut self,
        resource: &'m Expr,
        mut inside: AtLeast<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtLeast<'m>> {
        let resource = self.resource(resource, scope)?;
        let work = at(inside.time.divide(&resource.multiplicity), span)?;
        let unit = Vector::unit(resource.array, resource.index.clone());
        let held = at(unit.map(|x| x.multiply(&work)), span)?;
        inside.demand = at(inside.demand.combine(&held, Number::add), span)?;
        let window = Window::of(&inside.time, &resource.multiplicity, span)?;
        let windows = [window.clone(), window.clone(), window];
        let element = (resource.array, resource.index);
        inside.windows.insert(element, windows);
        Ok(inside)
    }

    fn least_of_use(
        &mut self,
        resource: &'m Expr,
        time: &'m Expr,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtLeast<'m>> {
        let resource = self.resource(resource, scope)?;
        let time = self.fixed(time, scope)?;
        let work = at(time.divide(&resource.multiplicity), span)?;
        let unit = Vector::unit(resource.array, resource.index.clone());
        let window = Window::of(&time, &resource.multiplicity, span)?;
        let windows = [window.clone(), window.clone(), window];
        Ok(AtLeast {
            demand: at(unit.map(|x| x.multiply(&work)), span)?,
            windows: BTreeMap::from([((resource.array, resource.index), windows)]),
            ..AtLeast::of(time)
        })
    }

    fn least_of_sequence(&mut self, parts: &[AtLeast<'m>], span: Span) -> Evaluated<AtLeast<'m>> {
        let mut whole = AtLeast::of(Number::zero());
        // The time that follows the visits of earlier parts grows.
        for part in parts {
            let begun = whole.time.clone();
            for [all, first, last] in whole.windows.values_mut() {
                for window in [all, first, last] {
                    window.tail = at(window.tail.add(&part.time), span)?;
                }
            }
            for (element, [all, first, last]) in &part.windows {
                let zero = Number::zero();
                let [all, first, last] = [
                    all.placed(&begun, &zero, span)?,
                    first.placed(&begun, &zero, span)?,
                    last.placed(&begun, &zero, span)?,
                ];
                let Some(known) = whole.windows.get_mut(element) else {
                    whole.windows.insert(element.clone(), [all, first, last]);
                    continue;
                };
                known[0].add_visits(&all, span)?;
                known[0].tail = all.tail;
                known[2] = last;
            }
            whole.time = at(begun.add(&part.time), span)?;
            whole.demand = at(whole.demand.combine(&part.demand, Number::add), span)?;
            whole.certain &= part.certain;
        }
        Ok(whole)
    }

    /// The longest chain of tasks, the largest total demand, and windows: the time before some visits to a resource,
    /// their work, and the time after each of them.
    fn least_of_graph(
        &mut self,
        graph: &'m Graph<Process>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<AtLeast<'m>> {
        let instances = self.instances(graph, span, scope)?;
        let mut parts = Vec::with_capacity(instances.tasks.len());
        let mut whole = AtLeast::of(Number::zero());
        for instance in &instances.tasks {
            let part = self.least_of(instance.task(), &instance.scope, false)?;
            whole.demand = at(whole.demand.combine(&part.demand, Number::add), span)?;
            whole.certain &= part.certain;
            parts.push(part);
        }
        let times: Vec<Number> = parts.iter().map(|part| part.time.clone()).collect();
        whole.time = self.last_end(&instances, &times, span)?;
        whole.time = whole.time.max(whole.demand.largest());
        if !whole.certain {
            return Ok(whole);
        }
        let [heads, tails] = self.heads_and_tails(&instances, &times, span)?;
        let mut visits: BTreeMap<&Element<'m>, Vec<Window>> = BTreeMap::new();
        for (task, part) in parts.iter().enumerate() {
            for (element, windows) in &part.windows {
                let window = windows[0].placed(&heads[task], &tails[task], span)?;
                visits.entry(element).or_default().push(window);
            }
        }
        for (element, mut windows) in visits {
            whole.time = whole.time.max(self.longest_window(&mut windows, span)?);
            let all: Vec<&Window> = windows.iter().collect();
            if let Some(all) = window_of(&all, span)? {
                let windows = [all.clone(), all.clone(), all];
                whole.windows.insert(element.clone(), windows);
            }
        }
        Ok(whole)
    }

    /// The longest that those of many windows make that begin late and end early; of very many heads, some.
    fn longest_window(&mut self, windows: &mut [Window], span: Span) -> Evaluated<Number> {
        const MOST_HEADS: usize = 200;
        let mut heads: Vec<Number> = windows.iter().map(|w| w.head.clone()).collect();
        heads.sort_by(Number::order);
        heads.dedup_by(|a, b| a.order(b).is_eq());
        let step = heads.len().div_ceil(MOST_HEADS).max(1);
        windows.sort_by(|a, b| b.tail.order(&a.tail));
        let mut longest = Number::zero();
        for head in heads.iter().step_by(step) {
            self.step(span, windows.len() as u64)?;
            let mut work = Number::zero();
            for window in windows.iter().filter(|w| w.head.order(head).is_ge()) {
                work = at(work.add(&window.work), span)?;
                let end = at(head.add(&work), span)?;
                longest = longest.max(at(end.add(&window.tail), span)?);
            }
        }
        Ok(longest)
    }

    fn least_of_branches(&mut self, parts: &[AtLeast<'m>], span: Span) -> Evaluated<AtLeast<'m>> {
        let mut whole = AtLeast::of(Number::zero());
        let mut visits: BTreeMap<&Element<'m>, Vec<&[Window; 3]>> = BTreeMap::new();
        for part in parts {
            whole.time = whole.time.max(part.time.clone());
            whole.demand = at(whole.demand.combine(&part.demand, Number::add), span)?;
            whole.certain &= part.certain;
            for (element, windows) in &part.windows {
                visits.entry(element).or_default().push(windows);
            }
        }
        whole.time = whole.time.max(whole.demand.largest());
        if !whole.certain {
            return Ok(whole);
        }
        for (element, branches) in visits {
            let kinds = [0, 1, 2].map(|kind| branches.iter().map(|b| &b[kind]).collect());
            let mut joined = Vec::with_capacity(3);
            for kind in kinds {
                let kind: Vec<&Window> = kind;
                whole.time = whole.time.max(self.longest_set(&kind, span)?);
                joined.extend(window_of(&kind, span)?);
            }
            if let Ok(joined) = <[Window; 3]>::try_from(joined) {
                whole.windows.insert(element.clone(), joined);
            }
        }
        Ok(whole)
    }

    /// The longest that any set of windows makes: of those with late heads, and long tails.
    fn longest_set(&mut self, windows: &[&Window], span: Span) -> Evaluated<Number> {
        let distinct = |of: fn(&Window) -> &Number| {
            let mut values: Vec<Number> = windows.iter().map(|w| of(w).clone()).collect();
            values.sort_by(Number::order);
            values.dedup_by(|a, b| a.order(b).is_eq());
            values
        };
        let (heads, tails) = (distinct(|w| &w.head), distinct(|w| &w.tail));
        let mut longest = Number::zero();
        for head in &heads {
            for tail in &tails {
                self.step(span, windows.len() as u64)?;
                let chosen = windows
                    .iter()
                    .filter(|w| w.head.order(head).is_ge() && w.tail.order(tail).is_ge());
                let chosen: Vec<&Window> = chosen.copied().collect();
                if let Some(w) = window_of(&chosen, span)? {
                    longest = longest.max(w.length(span)?);
                }
            }
        }
        Ok(longest)
    }

    /// A section that stops its losers has no certain demand; the minimum of means is not a bound.
    fn least_of_any(
        &mut self,
        composed: Composed<'m>,
        parts: &[AtLeast<'m>],
        scope: &Scope<'m>,
    ) -> Evaluated<AtLeast<'m>> {
        let times = parts.iter().map(|part| part.time.clone()).collect();
        let certain = parts.iter().all(|part| part.certain);
        let time = self.end_of(composed, times, scope)?;
        let time = if certain { time } else { Number::zero() };
        Ok(AtLeast {
            certain,
            ..AtLeast::of(time)
        })
    }

    fn least_of_choice(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
        alone: bool,
    ) -> Evaluated<AtLeast<'m>> {
        let span = process.span;
        let mut whole = AtLeast::of(Number::zero());
        for (weight, part) in self.alternatives(process, scope)? {
            let least = self.least_of(part, scope, alone)?;
            if weight.is_one() {
                return Ok(least);
            }
            whole.certain = false;
            let share = at(least.time.multiply(&weight), span)?;
            whole.time = at(whole.time.add(&share), span)?;
            let share = at(least.demand.map(|x| x.multiply(&weight)), span)?;
            whole.demand = at(whole.demand.combine(&share, Number::add), span)?;
        }
        Ok(whole)
    }
}

/// Windows as one; `None` of none.
fn window_of(windows: &[&Window], span: Span) -> Evaluated<Option<Window>> {
    let Some((first, rest)) = windows.split_first() else {
        return Ok(None);
    };
    let mut joined = Window::clone(first);
    for window in rest {
        joined.head = joined.head.min(window.head.clone());
        joined.add_visits(window, span)?;
        joined.tail = joined.tail.min(window.tail.clone());
    }
    Ok(Some(joined))
}
