//! Definitional evaluation of task graphs: every instance with its predecessors, and the longest
//! path by a recurrence.

mod counts;
mod cycle;
mod recorded;

use std::collections::HashMap;

use super::conditions::Condition;
use super::evaluate::{Evaluator, at};
use super::fraction::Fraction;
use super::memory::Duration;
use super::number::Number;
use super::scope::{Local, Scope, find};
use super::value::Vector;
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{Expr, Family, Graph, Process, Range, Reference};

/// Limit of the number of task instances in a graph.
pub const MAX_TASKS: usize = 1_000_000;
/// Limit of the number of precedences in a graph.
pub const MAX_PRECEDENCES: usize = 10_000_000;

pub use counts::GraphCounts;

type Evaluated<T> = Result<T, Diagnostic>;

/// The instances of a graph's tasks in the order of the text and of their indices. No task waits for itself.
pub(super) struct Instances<'m, T> {
    pub(super) tasks: Vec<Instance<'m, T>>,
    /// The predecessors of each task.
    pub(super) before: Vec<Vec<u32>>,
    /// All of them, each after those that it waits for.
    order: Vec<u32>,
}

/// One instance of a task.
pub(super) struct Instance<'m, T> {
    family: &'m Family<T>,
    /// Number of the task in its family.
    pub(super) number: u32,
    /// Its indices are in it.
    pub(super) scope: Scope<'m>,
    /// Name of the task in the file.
    recorded: Option<&'m str>,
}

impl<'m, T> Instance<'m, T> {
    pub(super) fn task(&self) -> &'m T {
        &self.family.task
    }

    /// `label(1, 2)`
    pub(super) fn name(&self) -> String {
        if let Some(name) = self.recorded {
            return name.to_owned();
        }
        let label = &self.family.label.text;
        let indices =
            self.family
                .ranges
                .iter()
                .map(|range| match find(&self.scope, &range.index.text) {
                    Some(Local::Index(index)) => index.to_string(),
                    _ => String::new(),
                });
        let indices: Vec<String> = indices.collect();
        if indices.is_empty() {
            label.clone()
        } else {
            format!("{label}({})", indices.join(", "))
        }
    }
}

/// Callback for each combination of indices.
type Visit<'v, 'm> = &'v mut dyn FnMut(&mut Evaluator<'m>, &Scope<'m>) -> Evaluated<()>;

/// The instances of a family: from which number on, and by their indices.
struct FamilyInstances {
    first: u32,
    count: u32,
    by_indices: HashMap<Vec<Fraction>, u32>,
}

impl<'m> Evaluator<'m> {
    /// The time of a graph: its longest path; in time, at least the largest demand of all tasks.
    pub(super) fn duration_of_graph(
        &mut self,
        duration: Duration,
        graph: &'m Graph<Process>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<Number> {
        let instances = self.instances(graph, span, scope)?;
        let path = self.longest_path(&instances, span, |evaluator, task, inner| {
            evaluator.duration(duration, task, inner)
        })?;
        if duration == Duration::Path {
            return Ok(path);
        }
        let demand = self.demand_of_instances(&instances, span)?;
        if demand == Vector::default() {
            Ok(path)
        } else {
            Ok(path.max(demand.largest()))
        }
    }

    /// The demands of all tasks of a graph together.
    pub(super) fn demand_of_graph(
        &mut self,
        graph: &'m Graph<Process>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<Vector> {
        let instances = self.instances(graph, span, scope)?;
        self.demand_of_instances(&instances, span)
    }

    fn demand_of_instances(
        &mut self,
        instances: &Instances<'m, Process>,
        span: Span,
    ) -> Evaluated<Vector> {
        let mut sum = Halves::default();
        for instance in &instances.tasks {
            let demand = self.demand(instance.task(), &instance.scope)?;
            sum.push(demand, |a, b| self.sum_of_demands(&a, &b, span))?;
        }
        let sum = sum.finish(|a, b| self.sum_of_demands(&a, &b, span))?;
        Ok(sum.unwrap_or_default())
    }

    /// The longest path of a graph of numbers.
    pub(super) fn graph_of_numbers(
        &mut self,
        graph: &'m Graph<Expr>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<Number> {
        let instances = self.instances(graph, span, scope)?;
        self.longest_path(&instances, span, |evaluator, task, inner| {
            evaluator.scalar(task, inner)
        })
    }

    /// When the last of the tasks ends that nothing waits for; each begins when those that it waits for have ended.
    fn longest_path<T>(
        &mut self,
        instances: &Instances<'m, T>,
        span: Span,
        mut time: impl FnMut(&mut Self, &'m T, &Scope<'m>) -> Evaluated<Number>,
    ) -> Evaluated<Number> {
        let mut times = Vec::with_capacity(instances.tasks.len());
        for instance in &instances.tasks {
            times.push(time(self, instance.task(), &instance.scope)?);
        }
        self.last_end(instances, &times, span)
    }

    /// Like `end`, for known times.
    pub(super) fn last_end<T>(
        &mut self,
        instances: &Instances<'m, T>,
        times: &[Number],
        span: Span,
    ) -> Evaluated<Number> {
        let mut ends = vec![Number::zero(); instances.tasks.len()];
        let mut waited_for = vec![false; instances.tasks.len()];
        for &task in &instances.order {
            let task = task as usize;
            let mut begin: Option<Number> = None;
            for &before in &instances.before[task] {
                waited_for[before as usize] = true;
                let end = ends[before as usize].clone();
                begin = Some(match begin.take() {
                    Some(latest) => latest.max(end),
                    None => end,
                });
            }
            let begin = begin.unwrap_or_else(Number::zero);
            let end = at(begin.add(&times[task]), span)?;
            self.step(span, 1 + end.cost())?;
            ends[task] = end;
        }
        let last = ends.into_iter().zip(waited_for);
        let last = last.filter_map(|(end, waited_for)| (!waited_for).then_some(end));
        Ok(last.reduce(Number::max).unwrap_or_else(Number::zero))
    }

    /// Lower bounds of the time before each task and after it.
    pub(super) fn heads_and_tails<T>(
        &mut self,
        instances: &Instances<'m, T>,
        times: &[Number],
        span: Span,
    ) -> Evaluated<[Vec<Number>; 2]> {
        let [mut heads, mut tails] = [(), ()].map(|()| vec![Number::zero(); times.len()]);
        for &task in &instances.order {
            let task = task as usize;
            self.step(span, 1 + instances.before[task].len() as u64)?;
            for &before in &instances.before[task] {
                let end = at(heads[before as usize].add(&times[before as usize]), span)?;
                heads[task] = heads[task].clone().max(end);
            }
        }
        for &task in instances.order.iter().rev() {
            let task = task as usize;
            let rest = at(tails[task].add(&times[task]), span)?;
            for &before in &instances.before[task] {
                let known = &mut tails[before as usize];
                *known = known.clone().max(rest.clone());
            }
        }
        Ok([heads, tails])
    }

    /// All instances of a graph's tasks.
    pub(super) fn instances<T>(
        &mut self,
        graph: &'m Graph<T>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Evaluated<Instances<'m, T>> {
        if let (Some(recorded), [family]) = (&graph.recorded, &graph.families[..]) {
            return self.recorded_instances(recorded, family, scope);
        }
        let mut tasks = Vec::new();
        let mut families = Vec::new();
        for (number, family) in (0..).zip(&graph.families) {
            let first = tasks.len() as u32;
            let mut by_indices = HashMap::new();
            self.each_combination(&family.ranges, scope, &mut |evaluator, inner| {
                if tasks.len() >= MAX_TASKS {
                    return Err(too_many("tasks", MAX_TASKS, family.label.span));
                }
                let indices = evaluator.indices_of(family, inner)?;
                by_indices.insert(indices, tasks.len() as u32);
                tasks.push(Instance {
                    family,
                    number,
                    scope: inner.clone(),
                    recorded: None,
                });
                Ok(())
            })?;
            families.push((
                family.label.text.as_str(),
                FamilyInstances {
                    first,
                    count: tasks.len() as u32 - first,
                    by_indices,
                },
            ));
        }
        let families: HashMap<&str, FamilyInstances> = families.into_iter().collect();
        let mut before = Vec::with_capacity(tasks.len());
        let mut left = MAX_PRECEDENCES;
        for instance in &tasks {
            let mut waits = Vec::new();
            for reference in &instance.family.after {
                self.referred(reference, &families, &instance.scope, &mut waits)?;
            }
            waits.sort_unstable();
            waits.dedup();
            left = left.checked_sub(waits.len()).ok_or_else(|| {
                too_many("precedences", MAX_PRECEDENCES, instance.family.label.span)
            })?;
            before.push(waits);
        }
        let order = self.order(&tasks, &before, span)?;
        Ok(Instances {
            tasks,
            before,
            order,
        })
    }

    /// The indices of an instance, by which others name it.
    fn indices_of<T>(&self, family: &'m Family<T>, scope: &Scope<'m>) -> Evaluated<Vec<Fraction>> {
        let ranges = family.ranges.iter();
        let indices = ranges.map(|range| match find(scope, &range.index.text) {
            Some(Local::Index(index)) => exact(index, range.index.span),
            _ => Ok(Fraction::from(0)),
        });
        indices.collect()
    }

    /// Adds the predecessors that a reference names; references outside the ranges are ignored.
    fn referred(
        &mut self,
        reference: &'m Reference,
        families: &HashMap<&str, FamilyInstances>,
        scope: &Scope<'m>,
        waits: &mut Vec<u32>,
    ) -> Evaluated<()> {
        let Some(family) = families.get(reference.label.text.as_str()) else {
            let message = format!("this graph has no task `{}`", reference.label.text);
            return Err(Diagnostic::error(
                message,
                reference.label.span,
                "named here",
            ));
        };
        self.each_combination(&reference.ranges, scope, &mut |evaluator, inner| {
            if let Some(condition) = &reference.condition
                && !evaluator.holds_for_precedence(condition, inner)?
            {
                return Ok(());
            }
            let Some(arguments) = &reference.arguments else {
                let count = family.count;
                evaluator.step(reference.label.span, count.into())?;
                if count as usize + waits.len() > MAX_PRECEDENCES {
                    let place = reference.label.span;
                    return Err(too_many("precedences", MAX_PRECEDENCES, place));
                }
                waits.extend(family.first..family.first + count);
                return Ok(());
            };
            let mut indices = Vec::with_capacity(arguments.len());
            for argument in arguments {
                indices.push(exact(&evaluator.fixed(argument, inner)?, argument.span)?);
            }
            evaluator.step(reference.label.span, 1)?;
            let known = family.by_indices.get(&indices);
            evaluator.outside += u64::from(known.is_none());
            waits.extend(known);
            Ok(())
        })
    }

    fn holds_for_precedence(&mut self, condition: &'m Expr, scope: &Scope<'m>) -> Evaluated<bool> {
        match self.condition(condition, scope)? {
            Condition::Truth(holds) => Ok(holds),
            Condition::Weight(_) => Err(Diagnostic::error(
                "a precedence cannot have a probability",
                condition.span,
                "expected a truth value",
            )
            .hint("write a comparison, for example `i mod 2 == 0`")),
        }
    }

    /// Visits each combination of the indices of ranges, of which each may name those before it.
    fn each_combination(
        &mut self,
        ranges: &'m [Range],
        scope: &Scope<'m>,
        visit: Visit<'_, 'm>,
    ) -> Evaluated<()> {
        let Some((range, rest)) = ranges.split_first() else {
            return visit(self, scope);
        };
        let mut indices = self.indices(range, scope)?;
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            self.each_combination(rest, &inner, visit)?;
        }
        Ok(())
    }
}

fn exact(index: &Number, span: Span) -> Evaluated<Fraction> {
    index.as_exact().cloned().ok_or_else(|| {
        let message = format!("the index of a task is {index}, which is not a fraction");
        Diagnostic::error(message, span, "expected a whole number or a fraction")
    })
}

fn too_many(what: &str, most: usize, span: Span) -> Diagnostic {
    let message = format!("a graph has more than {most} {what}");
    Diagnostic::error(message, span, "too many from here on").hint("use smaller values")
}
