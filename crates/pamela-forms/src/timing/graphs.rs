//! Lowers graphs of tasks.
//!
//! A series-parallel graph with known instances becomes sums and maxima. Any other graph becomes a
//! longest path over its families.

mod instances;
mod recorded;

use super::argument::Binder;
use super::arrays::largest_demand;
use super::cost::{Cost, Notes};
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, GraphPart, ReduceKind, Symbol};
use crate::model::with_stack;
use crate::ring::Rational;
use crate::syntax::tree::{Expr, Graph, Process, Range, Reference};

type Lowered<T> = Result<T, Diagnostic>;

/// Lowers a task to its cost.
type TaskCost<'t, T> = fn(&mut Lowering<'_, '_>, &'t T) -> Lowered<Cost>;

/// The families of a graph, lowered over their indices.
#[derive(Default)]
struct Families {
    phi: Vec<ExprId>,
    time: Vec<ExprId>,
    delta: Vec<ExprId>,
    notes: Notes,
}

impl Lowering<'_, '_> {
    /// The cost of a graph of processes.
    pub(super) fn graph_of_processes(
        &mut self,
        graph: &Graph<Process>,
        span: Span,
    ) -> Lowered<Cost> {
        self.graph(graph, span, |lowering, task| lowering.process(task))
    }

    /// The longest path of a graph of numbers.
    pub(super) fn graph_of_numbers(&mut self, graph: &Graph<Expr>, span: Span) -> Lowered<ExprId> {
        let cost = self.graph(graph, span, |lowering, task| {
            let value = lowering.numeric(task)?;
            Ok(Cost {
                phi: value,
                time: value,
                ..lowering.nothing()
            })
        })?;
        Ok(cost.phi)
    }

    fn graph<'t, T>(
        &mut self,
        graph: &'t Graph<T>,
        span: Span,
        of_task: TaskCost<'t, T>,
    ) -> Lowered<Cost> {
        if let (Some(recorded), [family]) = (&graph.recorded, &graph.families[..]) {
            return self.recorded(recorded, &family.task, of_task);
        }
        if let Some(cost) = self.series_parallel(graph, span, of_task)? {
            return Ok(cost);
        }
        let mut families = Families::default();
        for family in &graph.families {
            with_stack(|| self.family(graph, family, &mut families, of_task))?;
        }
        let labels = self.labels_of(graph);
        let paths = [families.phi, families.time]
            .map(|list| self.arena.graph(GraphPart::LongestPath(labels), &list));
        self.cost_of_paths(paths, &families.delta, families.notes)
    }

    pub(super) fn labels_of<T>(&mut self, graph: &Graph<T>) -> Option<Symbol> {
        let labels = graph.families.iter();
        let labels: Vec<&str> = labels.map(|family| family.label.text.as_str()).collect();
        self.arena.labels(&labels)
    }

    /// The cost of a graph: longest paths by `phi` and by time, and the demands of its tasks.
    fn cost_of_paths(
        &mut self,
        [phi, path]: [ExprId; 2],
        demands: &[ExprId],
        mut notes: Notes,
    ) -> Lowered<Cost> {
        let delta = self.add(demands);
        notes.contention |= delta != self.arena.zero_vector();
        notes.weighed_in_parallel |= notes.weighed;
        notes.sampled |= self.is_law(phi) || self.is_law(path);
        self.cost_of_graph(phi, path, delta, notes)
    }

    /// The time is never below the path, nor below a demand.
    fn cost_of_graph(
        &mut self,
        phi: ExprId,
        path: ExprId,
        delta: ExprId,
        mut notes: Notes,
    ) -> Lowered<Cost> {
        let mut time = path;
        if delta != self.arena.zero_vector() {
            let largest = largest_demand(self.arena, delta);
            notes.independence |=
                self.arena.is_random(delta) && (notes.held_demands || self.is_law(path));
            time = self.extreme(true, &[path, largest]);
        }
        Ok(Cost {
            phi,
            delta,
            time,
            covered: false,
            outlasting: false,
            notes,
        })
    }

    /// Lowers one family within its ranges.
    fn family<'t, T>(
        &mut self,
        graph: &'t Graph<T>,
        family: &'t crate::syntax::tree::Family<T>,
        families: &mut Families,
        of_task: TaskCost<'t, T>,
    ) -> Lowered<()> {
        let mut binders = Vec::new();
        let (cost, after) = self.within_ranges(&family.ranges, &mut binders, &mut |inner, _| {
            let cost = of_task(inner, &family.task)?;
            let mut after = Vec::with_capacity(family.after.len());
            for reference in &family.after {
                after.push(inner.reference(graph, reference)?);
            }
            Ok((cost, after))
        })?;
        for (weight, list) in [
            (cost.phi, &mut families.phi),
            (cost.time, &mut families.time),
        ] {
            let parts: Vec<ExprId> = [weight].into_iter().chain(after.iter().copied()).collect();
            let task = self.arena.graph(GraphPart::Task, &parts);
            let each = self.each(task, &binders);
            list.push(each);
        }
        let mut delta = cost.delta;
        if delta != self.arena.zero_vector() {
            for (binder, range) in binders.iter().zip(&family.ranges).rev() {
                delta = self.reduced(ReduceKind::Sum, *binder, delta, range)?;
            }
        }
        families.delta.push(delta);
        families.notes = families.notes.and(cost.notes);
        Ok(())
    }

    /// Encloses a part in the ranges of its indices.
    pub(super) fn each(&mut self, part: ExprId, binders: &[Binder]) -> ExprId {
        let mut part = part;
        for binder in binders.iter().rev() {
            let (lower, upper) = (binder.lower, binder.upper);
            part = self
                .arena
                .reduce(ReduceKind::Each, binder.index, lower, upper, part);
        }
        part
    }

    /// Lowers a body inside ranges; each range may use the indices of earlier ones.
    pub(super) fn within_ranges<R>(
        &mut self,
        ranges: &[Range],
        binders: &mut Vec<Binder>,
        lower: &mut dyn FnMut(&mut Self, &[Binder]) -> Lowered<R>,
    ) -> Lowered<R> {
        let Some((range, rest)) = ranges.split_first() else {
            return lower(self, binders);
        };
        let binder = self.binder(range)?;
        binders.push(binder);
        self.under_binder(&range.index.text, binder, |inner| {
            inner.within_ranges(rest, binders, lower)
        })
    }

    pub(super) fn reference<T>(
        &mut self,
        graph: &Graph<T>,
        reference: &Reference,
    ) -> Lowered<ExprId> {
        let mut labels = graph.families.iter().map(|family| &family.label.text);
        let Some(number) = labels.position(|label| *label == reference.label.text) else {
            return Err(super::argument::not_a(
                "task of this graph",
                reference.label.span,
            ));
        };
        let family = number as u32;
        let one_by_one = reference.arguments.is_some() || graph.families[number].ranges.is_empty();
        let mut binders = Vec::new();
        let operands = self.within_ranges(&reference.ranges, &mut binders, &mut |inner, _| {
            let mut operands = vec![inner.precedence_condition(reference)?];
            for argument in reference.arguments.iter().flatten() {
                operands.push(inner.numeric(argument)?);
            }
            Ok(operands)
        })?;
        let part = if one_by_one {
            GraphPart::After(family)
        } else {
            GraphPart::AfterAll(family)
        };
        let after = self.arena.graph(part, &operands);
        Ok(self.each(after, &binders))
    }

    /// The condition of a precedence, as a truth value.
    fn precedence_condition(&mut self, reference: &Reference) -> Lowered<ExprId> {
        let Some(condition) = &reference.condition else {
            return Ok(self.arena.number(1));
        };
        let truth = self.is_truth_value(condition);
        let value = self.numeric(condition)?;
        let number = self.arena.as_number(value);
        if !truth && !number.is_some_and(|n| n.is_zero() || n.is_one()) {
            return Err(Diagnostic::error(
                "a precedence cannot have a probability",
                condition.span,
                "expected a truth value",
            )
            .hint("write a comparison, for example `i mod 2 == 0`"));
        }
        Ok(value)
    }
}

/// The number that an index or a bound is, if it is one.
fn as_number(lowering: &Lowering<'_, '_>, expr: ExprId) -> Option<Rational> {
    lowering.arena.as_number(expr).cloned()
}
