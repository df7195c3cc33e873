//! Definitional evaluation of processes: critical path, demand and time, directly from the process.
//!
//! Each is evaluated separately, as its equations say. With random workloads each has its own draws, except for the
//! cases in [`super::standing`].

use super::evaluate::{Evaluator, at};
use super::memory::{Duration, Quantity};
use super::number::Number;
use super::parts::Composed;
use super::scope::Scope;
use super::value::Vector;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{Composition, Expr, Process, ProcessKind};

/// The measures of a process (thesis section 6.1.2, with `errata`).
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Critical path: the time without contention.
    pub phi: Number,
    /// Demand: for each resource, the time that it is held, divided by its multiplicity.
    pub delta: Vector,
    /// The largest demand; at least 0, the demand of an unused resource.
    pub omega: Number,
    /// Lower bound of the execution time.
    pub time: Number,
}

impl<'m> Evaluator<'m> {
    /// The four measures of a process without arguments.
    pub fn process(&mut self, name: &str) -> Result<Timing, Diagnostic> {
        self.restart();
        match self.position_of_process(name) {
            Some(position) => self.timing(position),
            None => Err(Diagnostic::error(
                format!("`{name}` is not a process"),
                Span::default(),
                "asked for",
            )),
        }
    }

    /// The timing of the process at `position`, which has no arguments.
    pub(super) fn timing(&mut self, position: usize) -> Result<Timing, Diagnostic> {
        let delta = self.demand_of(position)?;
        Ok(Timing {
            phi: self.duration_of(Duration::Path, position)?,
            omega: delta.largest(),
            delta,
            time: self.duration_of(Duration::Time, position)?,
        })
    }

    /// The time of the process without arguments at `position`.
    pub(super) fn duration_of(
        &mut self,
        duration: Duration,
        position: usize,
    ) -> Result<Number, Diagnostic> {
        if let Some(known) = self.durations.get(&(position, duration)) {
            return Ok(known.clone());
        }
        if let (Duration::Path, Some((request, _))) = (duration, self.open_at(position)) {
            return self.duration_of(duration, request);
        }
        let process = self.process_at(position)?;
        let (value, drawn) = self.drawing(|e| e.duration(duration, process, &None))?;
        if !drawn {
            self.durations.insert((position, duration), value.clone());
        }
        Ok(value)
    }

    pub(super) fn duration(
        &mut self,
        duration: Duration,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        self.step(process.span, 1)?;
        with_stack(|| self.duration_here(duration, process, scope))
    }

    fn duration_here(
        &mut self,
        duration: Duration,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let span = process.span;
        match &process.kind {
            ProcessKind::Delay(time) => self.time(time, scope),
            ProcessKind::Use(resource, time) => {
                self.resource(resource, scope)?;
                self.time(time, scope)
            }
            ProcessKind::Hold(resource, body) => {
                self.resource(resource, scope)?;
                self.duration(duration, body, scope)
            }
            ProcessKind::Call(name, arguments) => {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                let Some(position) = self.called_process(&name.text, scope) else {
                    return self.duration(duration, process, &inner);
                };
                self.call_of(
                    (Quantity::Duration(duration), position, &inner),
                    |calls| &mut calls.durations,
                    |evaluator| evaluator.duration(duration, process, &inner),
                )
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                let mut sum = Number::zero();
                for (weight, part) in self.alternatives(process, scope)? {
                    let value =
                        self.shared(&weight, part.span, |e| e.duration(duration, part, scope))?;
                    sum = at(
                        value.multiply(&weight).and_then(|value| sum.add(&value)),
                        span,
                    )?;
                }
                Ok(sum)
            }
            ProcessKind::Graph(graph) => self.duration_of_graph(duration, graph, span, scope),
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => {
                let Some(composed) = Composed::of(process) else {
                    return Ok(Number::zero());
                };
                match composed.composition {
                    Composition::Sequence => {
                        self.one_after_the_other(duration, composed, span, scope)
                    }
                    Composition::Parallel => self.until_the_last(duration, composed, span, scope),
                    Composition::Any => self.until_enough(duration, composed, scope),
                }
            }
        }
    }

    /// The time of a `delay` or `use`; the first negative one is recorded.
    fn time(&mut self, time: &'m Expr, scope: &Scope<'m>) -> Result<Number, Diagnostic> {
        let value = self.scalar(time, scope)?;
        if self.negative.is_none() && value.order(&Number::zero()).is_lt() {
            self.negative = Some((value.clone(), time.span));
        }
        Ok(value)
    }

    fn one_after_the_other(
        &mut self,
        duration: Duration,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let mut sum = Halves::default();
        self.each_part(composed, scope, &mut |evaluator, part, inner| {
            let value = evaluator.duration(duration, part, inner)?;
            sum.push(value, |a, b| evaluator.sum_of_durations(&a, &b, span))
        })?;
        let sum = sum.finish(|a, b| self.sum_of_durations(&a, &b, span))?;
        Ok(sum.unwrap_or_else(Number::zero))
    }

    fn sum_of_durations(
        &mut self,
        a: &Number,
        b: &Number,
        span: Span,
    ) -> Result<Number, Diagnostic> {
        let sum = at(a.add(b), span)?;
        self.step(span, sum.cost())?;
        Ok(sum)
    }

    /// The longest part; in time, at least the largest demand of the whole.
    fn until_the_last(
        &mut self,
        duration: Duration,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        if duration == Duration::Time && self.chance.has_draws() {
            return self.drawn_section(composed, span, scope);
        }
        let mut longest: Option<Number> = None;
        self.each_part(composed, scope, &mut |evaluator, part, inner| {
            let value = evaluator.duration(duration, part, inner)?;
            longest = Some(match longest.take() {
                Some(longest) => longest.max(value),
                None => value,
            });
            Ok(())
        })?;
        let Some(longest) = longest else {
            return Ok(Number::zero());
        };
        match duration {
            Duration::Path => Ok(longest),
            Duration::Time => Ok(longest.max(self.total_demand(composed, span, scope)?.largest())),
        }
    }

    /// The shortest part, or the one that completes the quorum.
    fn until_enough(
        &mut self,
        duration: Duration,
        composed: Composed<'m>,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let mut values = Vec::new();
        self.each_part(composed, scope, &mut |evaluator, part, inner| {
            values.push(evaluator.duration(duration, part, inner)?);
            Ok(())
        })?;
        match composed.range() {
            Some(range) => self.quorum(range, values, scope),
            None => Ok(values
                .into_iter()
                .reduce(Number::min)
                .unwrap_or_else(Number::zero)),
        }
    }
}
