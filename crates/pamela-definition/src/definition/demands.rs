//! Definitional evaluation of demands: for each resource, the time that a process holds it, divided
//! by its multiplicity.

use super::evaluate::{Evaluator, at};
use super::memory::{Duration, Quantity};
use super::number::Number;
use super::parts::Composed;
use super::scope::Scope;
use super::value::{Value, Vector};
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{Composition, Expr, Process, ProcessKind};

impl<'m> Evaluator<'m> {
    /// The demand of the process at `position`, which has no arguments.
    pub(super) fn demand_of(&mut self, position: usize) -> Result<Vector, Diagnostic> {
        if let Some(demand) = self.demands.get(&position) {
            return Ok(demand.clone());
        }
        if let Some((_, demand)) = self.open_at(position) {
            return match self.value_of(demand)? {
                Value::Vector(demand) => Ok(demand),
                Value::Scalar(_) => Ok(Vector::default()),
            };
        }
        let process = self.process_at(position)?;
        let (demand, drawn) = self.drawing(|e| e.demand(process, &None))?;
        if !drawn {
            self.demands.insert(position, demand.clone());
        }
        Ok(demand)
    }

    pub(super) fn demand(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Vector, Diagnostic> {
        self.step(process.span, 1)?;
        with_stack(|| self.demand_here(process, scope))
    }

    fn demand_here(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Vector, Diagnostic> {
        match &process.kind {
            ProcessKind::Delay(_) => Ok(Vector::default()),
            ProcessKind::Use(resource, time) => {
                let time = self.scalar(time, scope)?;
                self.demand_at(resource, &time, process.span, scope)
            }
            ProcessKind::Hold(resource, body) => {
                let time = self.duration(Duration::Time, body, scope)?;
                let held = self.demand_at(resource, &time, process.span, scope)?;
                let inner = self.demand(body, scope)?;
                self.sum_of_demands(&inner, &held, process.span)
            }
            ProcessKind::Call(name, arguments) => {
                let (process, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                let Some(position) = self.called_process(&name.text, scope) else {
                    return self.demand(process, &inner);
                };
                self.call_of(
                    (Quantity::Demand, position, &inner),
                    |calls| &mut calls.demands,
                    |evaluator| evaluator.demand(process, &inner),
                )
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                let mut sum = Vector::default();
                for (weight, part) in self.alternatives(process, scope)? {
                    let demand = self.shared(&weight, part.span, |e| e.demand(part, scope))?;
                    let demand = at(demand.map(|x| x.multiply(&weight)), process.span)?;
                    sum = at(sum.combine(&demand, Number::add), process.span)?;
                }
                Ok(sum)
            }
            ProcessKind::Graph(graph) => self.demand_of_graph(graph, process.span, scope),
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => match Composed::of(process) {
                // The demand of losers before they are stopped is at least zero.
                Some(composed) if composed.composition != Composition::Any => {
                    self.total_demand(composed, process.span, scope)
                }
                _ => Ok(Vector::default()),
            },
        }
    }

    /// The sum of the demands of all parts.
    pub(super) fn total_demand(
        &mut self,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Vector, Diagnostic> {
        let mut sum = Halves::default();
        self.each_part(composed, scope, &mut |evaluator, part, inner| {
            let demand = evaluator.demand(part, inner)?;
            sum.push(demand, |a, b| evaluator.sum_of_demands(&a, &b, span))
        })?;
        let sum = sum.finish(|a, b| self.sum_of_demands(&a, &b, span))?;
        Ok(sum.unwrap_or_default())
    }

    pub(super) fn sum_of_demands(
        &mut self,
        a: &Vector,
        b: &Vector,
        span: Span,
    ) -> Result<Vector, Diagnostic> {
        let sum = at(a.combine(b, Number::add), span)?;
        self.step(span, sum.cost())?;
        Ok(sum)
    }

    /// A resource that is held for a time.
    fn demand_at(
        &mut self,
        resource: &'m Expr,
        time: &Number,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Vector, Diagnostic> {
        let resource = self.resource(resource, scope)?;
        let demand = at(time.divide(&resource.multiplicity), span)?;
        let unit = Vector::unit(resource.array, resource.index);
        at(unit.map(|x| x.multiply(&demand)), span)
    }
}
