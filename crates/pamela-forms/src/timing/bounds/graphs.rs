//! Bounds of task graphs: a bound of each chain of tasks gives a bound of the longest one.
//!
//! Tasks may run beside each other, so they count as branches of a parallel section.

use std::rc::Rc;
use std::sync::Arc;

use super::sides::{Context, Element, Reach, Use};
use super::uses::Together;
use super::{Lowered, Side};
use crate::expr::{ExprId, GraphPart, ReduceKind, Symbol};
use crate::model::{RecordedTasks, not_supported};
use crate::ring::Rational;
use crate::syntax::tree::{Graph, Process, Range};
use crate::timing::argument::Binder;
use crate::timing::scope::Lowering;

/// Windows of more visits are not looked at.
const MOST_VISITS: usize = 2_000;
/// Windows begin at so many times at most.
const MOST_HEADS: usize = 200;

/// One side of the tasks of a graph.
pub(super) struct Tasks<S> {
    families: Vec<Family<S>>,
    /// Tasks from files.
    recorded: Option<Arc<RecordedTasks>>,
    labels: Option<Symbol>,
}

struct Family<S> {
    side: S,
    ranges: Vec<Range>,
    binders: Vec<Binder>,
    after: Vec<ExprId>,
}

impl<S> Tasks<S> {
    pub(super) fn sides(&self) -> impl Iterator<Item = &S> {
        self.families.iter().map(|family| &family.side)
    }
}

impl Lowering<'_, '_> {
    pub(super) fn tasks_of<S: Side>(&mut self, graph: &Graph<Process>) -> Lowered<Tasks<S>> {
        let within = match &self.bounds.context {
            Context::Top | Context::Apart => Context::Within([].into()),
            within => within.clone(),
        };
        self.in_context(within, |inner| {
            match (&graph.recorded, &graph.families[..]) {
                (Some(recorded), [family]) => {
                    let model = inner.model;
                    let tasks = model.recording(recorded);
                    let unread = || not_supported("a file that was not read", recorded.time.span);
                    let tasks = tasks.ok_or_else(unread)?;
                    let mut of_task = |inner: &mut Self| S::of(inner, &family.task);
                    let sides = inner.of_recorded(recorded, tasks, &mut of_task)?;
                    let families = sides.into_iter().map(|side| Family {
                        side,
                        ranges: Vec::new(),
                        binders: Vec::new(),
                        after: Vec::new(),
                    });
                    Ok(Tasks {
                        families: families.collect(),
                        recorded: Some(tasks.clone()),
                        labels: None,
                    })
                }
                _ => {
                    let families = graph.families.iter().map(|family| {
                        let mut binders = Vec::new();
                        let (side, after) = inner.within_ranges(
                            &family.ranges,
                            &mut binders,
                            &mut |inner, around| {
                                let outer = inner.bounds.binders.len();
                                inner.bounds.binders.extend(around);
                                let side = S::of(inner, &family.task);
                                inner.bounds.binders.truncate(outer);
                                let side = side?;
                                let references = family.after.iter();
                                let after =
                                    references.map(|reference| inner.reference(graph, reference));
                                Ok((side, after.collect::<Lowered<Vec<ExprId>>>()?))
                            },
                        )?;
                        Ok(Family {
                            side,
                            ranges: family.ranges.clone(),
                            binders,
                            after,
                        })
                    });
                    Ok(Tasks {
                        families: families.collect::<Lowered<_>>()?,
                        recorded: None,
                        labels: inner.labels_of(graph),
                    })
                }
            }
        })
    }

    /// The longest path, where each task takes the time `of` its side.
    pub(super) fn longest<S>(&mut self, tasks: &Tasks<S>, of: impl Fn(&S) -> ExprId) -> ExprId {
        let weights: Vec<ExprId> = tasks.sides().map(of).collect();
        let zero = self.arena.number(0);
        if weights.iter().all(|&weight| weight == zero) {
            return zero;
        }
        if let Some(recorded) = &tasks.recorded {
            return self.longest_recorded_path(&weights, recorded);
        }
        let mut families = Vec::with_capacity(weights.len());
        for (family, weight) in tasks.families.iter().zip(weights) {
            let parts: Vec<ExprId> = [weight].into_iter().chain(family.after.clone()).collect();
            let task = self.arena.graph(GraphPart::Task, &parts);
            families.push(self.each(task, &family.binders));
        }
        self.arena
            .graph(GraphPart::LongestPath(tasks.labels), &families)
    }

    /// The sum of a value over all tasks.
    pub(super) fn total_of_tasks<S>(
        &mut self,
        tasks: &Tasks<S>,
        of: impl Fn(&S) -> ExprId,
    ) -> Lowered<ExprId> {
        let zero = self.arena.number(0);
        let zeros = [zero, self.arena.zero_vector()];
        let mut all = Vec::with_capacity(tasks.families.len());
        for family in &tasks.families {
            let mut sum = of(&family.side);
            if !zeros.contains(&sum) {
                for (binder, range) in family.binders.iter().zip(&family.ranges).rev() {
                    sum = self.reduced(ReduceKind::Sum, *binder, sum, range)?;
                }
            }
            all.push(sum);
        }
        Ok(self.add(&all))
    }

    /// The sum of the demands of all tasks.
    pub(super) fn total_demand<S>(
        &mut self,
        tasks: &Tasks<S>,
        of: impl Fn(&S) -> ExprId,
    ) -> Lowered<ExprId> {
        if tasks.families.is_empty() {
            Ok(self.arena.zero_vector())
        } else {
            self.total_of_tasks(tasks, of)
        }
    }

    /// The uses of all tasks, in any order.
    pub(super) fn uses_of_tasks<S>(
        &mut self,
        tasks: &Tasks<S>,
        of: impl Fn(&S) -> &Rc<[Use]>,
    ) -> Rc<[Use]> {
        let mut lists: Vec<Rc<[Use]>> = Vec::with_capacity(tasks.families.len());
        for family in &tasks.families {
            let mut uses = of(&family.side).clone();
            for &binder in family.binders.iter().rev() {
                uses = self.uses_of_copies(&uses, binder, Together::Unordered);
            }
            lists.push(uses);
        }
        let shared = self.shared(&lists);
        self.uses_of_all(&shared, Together::Unordered)
    }

    /// The longest window of a graph whose tasks and times are numbers.
    ///
    /// A window has the time before some visits to a resource, their work, and the time after each
    /// of them.
    pub(super) fn window_of_numbers<S>(
        &mut self,
        tasks: &Tasks<S>,
        of: impl Fn(&S) -> (ExprId, Rc<[Reach]>),
    ) -> Option<ExprId> {
        let before = match &tasks.recorded {
            Some(recorded) => (0..recorded.names.len())
                .map(|task| recorded.before(task).to_vec())
                .collect(),
            None => self.single_tasks(tasks)?,
        };
        let parts: Vec<(ExprId, Rc<[Reach]>)> = tasks.sides().map(of).collect();
        let number = |id: ExprId| self.arena.as_number(id).cloned();
        let times = parts.iter().map(|(time, _)| number(*time));
        let times = times.collect::<Option<Vec<Rational>>>()?;
        let pairs = (0..).zip(&before);
        let pairs = pairs.flat_map(|(task, waits)| waits.iter().map(move |&u| (u, task)));
        let graph = pamela_graph::Graph::new(times.len(), &pairs.collect::<Vec<_>>()).ok()?;
        let heads = starts(
            graph.order().iter().copied(),
            |task| graph.before(task),
            &times,
        );
        let order = graph.order().iter().rev().copied();
        let tails = starts(order, |task| graph.after(task), &times);
        let mut resources: Vec<(_, Rational, Vec<[Rational; 3]>)> = Vec::new();
        for (task, (_, reach)) in parts.iter().enumerate() {
            for own in reach.iter() {
                let Element::At(index) = own.place else {
                    continue;
                };
                let window = own.windows[0];
                let (Some(index), Some(head)) = (number(index), number(window.head)) else {
                    continue;
                };
                let (Some(work), Some(tail)) = (number(window.work), number(window.tail)) else {
                    continue;
                };
                if number(own.visits) != Some(Rational::ONE) {
                    continue;
                }
                let visit = [&heads[task] + &head, work, &tail + &tails[task]];
                let known = resources
                    .iter_mut()
                    .find(|known| known.0 == own.array && known.1 == index);
                match known {
                    Some(known) => known.2.push(visit),
                    None => resources.push((own.array, index, vec![visit])),
                }
            }
        }
        let longest = resources
            .iter_mut()
            .map(|(_, _, visits)| longest_window(visits));
        let longest = longest.max()?;
        Some(self.arena.number(longest))
    }

    /// The predecessors of each task, if families are single tasks and all precedences exist.
    fn single_tasks<S>(&self, tasks: &Tasks<S>) -> Option<Vec<Vec<u32>>> {
        let one = tasks.families.iter().map(|family| {
            let after = family.after.iter().map(|&after| {
                let crate::expr::Node::Graph(part, operands) = self.arena.node(after) else {
                    return None;
                };
                let (GraphPart::After(u) | GraphPart::AfterAll(u)) = *part else {
                    return None;
                };
                let always = self.arena.as_number(operands[0])?;
                Some((!always.is_zero()).then_some(u))
            });
            let after: Option<Vec<Option<u32>>> = after.collect();
            let after: Vec<u32> = after?.into_iter().flatten().collect();
            family.binders.is_empty().then_some(after)
        });
        one.collect()
    }
}

/// When each task begins, in an order in which what it waits for comes first.
fn starts<'a>(
    order: impl Iterator<Item = u32>,
    before: impl Fn(u32) -> &'a [u32],
    times: &[Rational],
) -> Vec<Rational> {
    let mut starts = vec![Rational::ZERO; times.len()];
    for task in order {
        let ends = before(task)
            .iter()
            .map(|&u| &starts[u as usize] + &times[u as usize]);
        starts[task as usize] = ends.max().unwrap_or(Rational::ZERO);
    }
    starts
}

/// The longest window of visits, given the time before them, their work and the time after them.
fn longest_window(visits: &mut Vec<[Rational; 3]>) -> Rational {
    visits.truncate(MOST_VISITS);
    let mut heads: Vec<Rational> = visits.iter().map(|[head, _, _]| head.clone()).collect();
    heads.sort();
    heads.dedup();
    let step = heads.len().div_ceil(MOST_HEADS).max(1);
    visits.sort_by(|a, b| b[2].cmp(&a[2]));
    let mut longest = Rational::ZERO;
    for head in heads.iter().step_by(step) {
        let mut work = Rational::ZERO;
        for [_, own, tail] in visits.iter().filter(|[begin, _, _]| begin >= head) {
            work += own;
            longest = longest.max(&(head + &work) + tail);
        }
    }
    longest
}
