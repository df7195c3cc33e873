//! Longest paths of graphs of tasks: each task and what it waits for, then one after the other in their order.

use std::collections::HashMap;

use super::{Evaluator, larger};
use crate::eval::EvalError;
use crate::eval::value::Number;
use crate::expr::{ExprId, GraphPart, Node, ReduceKind};
use crate::ring::Rational;

/// A graph has at most so many tasks.
const MAX_TASKS: usize = 1_000_000;
/// A graph has at most so many precedences.
const MAX_PRECEDENCES: usize = 10_000_000;

/// What is done with each task, and with the indices that it has.
type Visit<'v, 'a> =
    &'v mut dyn FnMut(&mut Evaluator<'a>, ExprId, &[Rational]) -> Result<(), EvalError>;

/// The tasks of a family, by their indices.
#[derive(Default)]
struct Family {
    first: u32,
    count: u32,
    by_indices: HashMap<Vec<Rational>, u32>,
}

impl<'a> Evaluator<'a> {
    /// When the last task ends that no other waits for; 0 of no tasks.
    pub(super) fn longest_path(&mut self, families: &[ExprId]) -> Result<Number, EvalError> {
        let mut weights = Vec::new();
        let before = self.tasks(families, &mut |this, weight| {
            weights.push(this.number(weight)?);
            Ok(())
        })?;
        self.last_end(&weights, &before)
    }

    /// What each task waits for; `visit` is called with the time of each.
    pub(in crate::eval) fn tasks(
        &mut self,
        families: &[ExprId],
        visit: &mut dyn FnMut(&mut Self, ExprId) -> Result<(), EvalError>,
    ) -> Result<Vec<Vec<u32>>, EvalError> {
        let (mut count, mut known) = (0, Vec::new());
        for &family in families {
            let mut own = Family {
                first: count,
                ..Family::default()
            };
            self.each_task(family, &mut Vec::new(), &mut |this, task, indices| {
                if count as usize >= MAX_TASKS {
                    return Err(too_many("tasks", MAX_TASKS));
                }
                own.by_indices.insert(indices.to_vec(), count);
                count += 1;
                visit(this, this.arena.operands(task)[0])
            })?;
            own.count = count - own.first;
            known.push(own);
        }
        let mut before: Vec<Vec<u32>> = Vec::with_capacity(count as usize);
        let mut precedences = 0;
        for &family in families {
            self.each_task(family, &mut Vec::new(), &mut |this, task, _| {
                let mut waits = Vec::new();
                for &reference in &this.arena.operands(task)[1..] {
                    this.each_reference(reference, &known, &mut waits)?;
                }
                waits.sort_unstable();
                waits.dedup();
                precedences += waits.len();
                if precedences > MAX_PRECEDENCES {
                    return Err(too_many("precedences", MAX_PRECEDENCES));
                }
                before.push(waits);
                Ok(())
            })?;
        }
        Ok(before)
    }

    /// Visits the tasks of a family, or of what is left of it within some of its ranges.
    fn each_task(
        &mut self,
        family: ExprId,
        indices: &mut Vec<Rational>,
        visit: Visit<'_, 'a>,
    ) -> Result<(), EvalError> {
        let arena = self.arena;
        let Node::Reduce(r) = arena.node(family) else {
            return visit(self, family, indices);
        };
        let (lower, count) = self.range(r)?;
        let mut index = exact(&lower)?;
        self.over(r.index, &lower, &count, |this| {
            indices.push(index.clone());
            index += &Rational::ONE;
            this.each_task(r.body, indices, visit)?;
            indices.pop();
            Ok(())
        })
    }

    /// Adds the tasks that a reference names, of those that there are.
    fn each_reference(
        &mut self,
        reference: ExprId,
        known: &[Family],
        waits: &mut Vec<u32>,
    ) -> Result<(), EvalError> {
        let arena = self.arena;
        match arena.node(reference) {
            Node::Reduce(r) if r.kind == ReduceKind::Each => {
                let (lower, count) = self.range(r)?;
                self.over(r.index, &lower, &count, |this| {
                    this.each_reference(r.body, known, waits)
                })
            }
            Node::Graph(part, operands) => {
                let (family, all) = match *part {
                    GraphPart::After(family) => (family, false),
                    GraphPart::AfterAll(family) => (family, true),
                    GraphPart::LongestPath(_) | GraphPart::Task => return Ok(()),
                };
                let Some(family) = known.get(family as usize) else {
                    return Ok(());
                };
                if self.number(operands[0])?.is_zero() {
                    return Ok(());
                }
                if all {
                    self.charge_steps(family.count.into())?;
                    if waits.len() + family.count as usize > MAX_PRECEDENCES {
                        return Err(too_many("precedences", MAX_PRECEDENCES));
                    }
                    waits.extend(family.first..family.first + family.count);
                    return Ok(());
                }
                let mut indices = Vec::with_capacity(operands.len() - 1);
                for &argument in &operands[1..] {
                    indices.push(exact(&self.number(argument)?)?);
                }
                waits.extend(family.by_indices.get(&indices));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn last_end(&mut self, weights: &[Number], before: &[Vec<u32>]) -> Result<Number, EvalError> {
        let mut after = vec![Vec::new(); weights.len()];
        let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
        for (task, waits) in before.iter().enumerate() {
            waits.iter().for_each(|&u| after[u as usize].push(task));
        }
        let mut ready: Vec<usize> = (0..weights.len()).filter(|&t| missing[t] == 0).collect();
        let zero = Number::Exact(Rational::ZERO);
        let mut begins: Vec<Option<Number>> = vec![None; weights.len()];
        let (mut last, mut done) = (None, 0);
        while let Some(task) = ready.pop() {
            done += 1;
            let begin = begins[task].take().unwrap_or_else(|| zero.clone());
            let end = begin.add(&weights[task])?;
            self.charge_steps(1 + after[task].len() as u64)?;
            let later = |known: Option<Number>| match known {
                Some(known) => larger(&known, &end),
                None => Ok(end.clone()),
            };
            if after[task].is_empty() {
                last = Some(later(last)?);
            }
            for &next in &after[task] {
                begins[next] = Some(later(begins[next].take())?);
                missing[next] -= 1;
                if missing[next] == 0 {
                    ready.push(next);
                }
            }
        }
        match done == weights.len() {
            true => Ok(last.unwrap_or(zero)),
            false => Err(EvalError::Undefined(
                "tasks of a graph that wait for each other in a round".into(),
            )),
        }
    }
}

fn exact(index: &Number) -> Result<Rational, EvalError> {
    let undefined = || EvalError::Undefined("an index of a task that has no exact value".into());
    index.as_exact().cloned().ok_or_else(undefined)
}

fn too_many(what: &str, most: usize) -> EvalError {
    EvalError::Undefined(format!("a graph of more than {most} {what}"))
}
