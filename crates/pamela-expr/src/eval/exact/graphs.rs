//! Longest paths of graphs of tasks: lists each task with its predecessors, then visits them in
//! order.

mod family;
mod references;

use pamela_graph::shape::{self, Links};

use super::{Evaluator, larger};
use crate::eval::EvalError;
use crate::eval::Number;
use crate::eval::longest::longest_path;
use crate::expr::{ExprId, GraphPart, Node, ReduceKind, Symbol};
use crate::ring::Rational;
use family::{Family, Indices};
use references::Reference;

/// Maximum number of tasks of a graph.
const MAX_TASKS: usize = 1_000_000;
/// Maximum number of precedences of a graph.
const MAX_PRECEDENCES: usize = 10_000_000;
/// Number of operations on whole numbers that cost one step.
const WHOLE_NUMBERS: u64 = 8;

/// Callback for each task and its indices.
type Visit<'v, 'a> =
    &'v mut dyn FnMut(&mut Evaluator<'a>, ExprId, &[Rational]) -> Result<(), EvalError>;

impl<'a> Evaluator<'a> {
    /// The time at which the last task ends; 0 without tasks.
    pub(super) fn longest_path(&mut self, families: &[ExprId]) -> Result<Number, EvalError> {
        let mut weights = Vec::new();
        let before = self.tasks(families, &mut |this, weight| {
            weights.push(this.number(weight)?);
            Ok(())
        })?;
        self.last_end(&weights, &before)
    }

    /// The predecessors of each task; calls `visit` with the time of each.
    pub(in crate::eval) fn tasks(
        &mut self,
        families: &[ExprId],
        visit: &mut dyn FnMut(&mut Self, ExprId) -> Result<(), EvalError>,
    ) -> Result<Links, EvalError> {
        let (mut count, mut known) = (0, Vec::with_capacity(families.len()));
        let mut all_indices = Vec::with_capacity(families.len());
        for &family in families {
            let first = count;
            let mut indices = Indices::new();
            self.each_task(family, &mut Vec::new(), &mut |this, task, own| {
                if count as usize >= MAX_TASKS {
                    return Err(too_many("tasks", MAX_TASKS));
                }
                indices.push(own);
                count += 1;
                visit(this, this.arena.operands(task)[0])
            })?;
            known.push(Family::new(first, count - first, &indices));
            all_indices.push(indices);
        }
        let mut before = Links::default();
        for ((&family, own), indices) in families.iter().zip(&known).zip(&all_indices) {
            if self.waits_in_whole_numbers(family, own, indices, &known, &mut before)? {
                continue;
            }
            self.each_task(family, &mut Vec::new(), &mut |this, task, _| {
                let mut waits = Vec::new();
                for &reference in &this.arena.operands(task)[1..] {
                    this.each_reference(reference, &known, &mut waits)?;
                }
                push_waits(&mut before, &mut waits)
            })?;
        }
        Ok(before)
    }

    /// Adds the predecessors of the tasks in a family, if all of them are given by whole numbers.
    fn waits_in_whole_numbers(
        &mut self,
        family: ExprId,
        own: &Family,
        indices: &Indices,
        known: &[Family],
        before: &mut Links,
    ) -> Result<bool, EvalError> {
        let Indices::Whole(all) = indices else {
            return Ok(false);
        };
        let arena = self.arena;
        let (mut symbols, mut task): (Vec<Symbol>, ExprId) = (Vec::new(), family);
        while let Node::Reduce(r) = arena.node(task) {
            symbols.push(r.index);
            task = r.body;
        }
        if own.count == 0 || all.len() != symbols.len() * own.count as usize {
            return Ok(own.count == 0);
        }
        let operands = arena.operands(task);
        let references = operands[1..]
            .iter()
            .map(|&reference| self.reference(reference, &mut symbols));
        let Some(references) = references.collect::<Option<Vec<Reference>>>() else {
            return Ok(false);
        };
        let (width, mut row, mut waits) = (symbols.len(), Vec::new(), Vec::new());
        let mut done = 0;
        for task in 0..own.count as usize {
            row.clear();
            row.extend_from_slice(&all[task * width..(task + 1) * width]);
            for reference in &references {
                let most = MAX_PRECEDENCES as u64;
                let steps = reference.add(&mut row, known, &mut waits, most);
                let steps = steps.ok_or(EvalError::TooManySteps(self.limits.steps))?;
                done += steps;
            }
            self.charge_steps(done / WHOLE_NUMBERS)?;
            done %= WHOLE_NUMBERS;
            push_waits(before, &mut waits)?;
        }
        Ok(true)
    }

    /// Visits the tasks of a family, or the rest of it within some of its ranges.
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

    /// Adds the existing tasks that a reference names.
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
                waits.extend(family.find_any(&indices));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn last_end(&mut self, weights: &[Number], before: &Links) -> Result<Number, EvalError> {
        let steps = (weights.len() + before.count()) as u64;
        self.charge_steps(steps / WHOLE_NUMBERS)?;
        let order = shape::order(before, &before.reversed());
        if order.len() < weights.len() {
            return Err(EvalError::Undefined(
                "tasks of a graph that wait for each other in a cycle".into(),
            ));
        }
        let exact = weights.iter().map(|weight| weight.as_exact().cloned());
        if let Some(exact) = exact.collect::<Option<Vec<Rational>>>() {
            return Ok(Number::Exact(longest_path(&exact, &order, |task| {
                before.of(task)
            })));
        }
        self.charge_steps(steps)?;
        let zero = Number::Exact(Rational::ZERO);
        let mut ends = vec![zero.clone(); weights.len()];
        let mut is_last = vec![true; weights.len()];
        for &task in &order {
            let mut begin: Option<Number> = None;
            for &u in before.of(task) {
                is_last[u as usize] = false;
                begin = Some(match begin {
                    Some(begin) => larger(&begin, &ends[u as usize])?,
                    None => ends[u as usize].clone(),
                });
            }
            let end = begin
                .as_ref()
                .unwrap_or(&zero)
                .add(&weights[task as usize])?;
            ends[task as usize] = end;
        }
        let mut last: Option<Number> = None;
        for (end, _) in ends
            .into_iter()
            .zip(is_last)
            .filter(|(_, is_last)| *is_last)
        {
            last = Some(match last {
                Some(last) => larger(&last, &end)?,
                None => end,
            });
        }
        Ok(last.unwrap_or(zero))
    }
}

/// Adds what the next task waits for, and leaves nothing in the list.
fn push_waits(before: &mut Links, waits: &mut Vec<u32>) -> Result<(), EvalError> {
    waits.sort_unstable();
    waits.dedup();
    if before.count() + waits.len() > MAX_PRECEDENCES {
        return Err(too_many("precedences", MAX_PRECEDENCES));
    }
    before.push(waits);
    waits.clear();
    Ok(())
}

fn exact(index: &Number) -> Result<Rational, EvalError> {
    let undefined = || EvalError::Undefined("an index of a task that has no exact value".into());
    index.as_exact().cloned().ok_or_else(undefined)
}

fn too_many(what: &str, most: usize) -> EvalError {
    EvalError::Undefined(format!("a graph of more than {most} {what}"))
}
