//! Graphs that files record.

use std::collections::HashMap;

use pamela_graph::{Graph, series_parallel};

use super::{Lowered, OfTask, as_number};
use crate::expr::{ExprId, GraphPart};
use crate::model::{RecordedTasks, not_supported};
use crate::ring::Rational;
use crate::syntax::tree::Recorded;
use crate::timing::process::{Cost, Notes};
use crate::timing::scope::{Argument, Lowering};
use crate::words::RESERVED;

/// Of more tasks no sums and maxima are written out.
const MOST_WRITTEN_OUT: usize = 500;

impl<'m> Lowering<'m, '_> {
    /// The cost of the tasks that files record: sums and maxima, a number, or else a family for each task.
    pub(super) fn recorded<'t, T>(
        &mut self,
        recorded: &Recorded,
        task: &'t T,
        of_task: OfTask<'t, T>,
    ) -> Lowered<Cost> {
        let (model, place) = (self.model, recorded.time.span);
        let tasks = model.recording(recorded);
        let tasks = tasks.ok_or_else(|| not_supported("a file that was not read", place))?;
        let costs = self.of_recorded(recorded, tasks, &mut |inner| of_task(inner, task))?;
        if costs.len() <= MOST_WRITTEN_OUT
            && let Ok(graph) = Graph::new(costs.len(), &precedences(tasks))
            && let Ok(tree) = series_parallel(&graph)
        {
            return self.cost_of_tree(&tree, &costs);
        }
        let demands: Vec<ExprId> = costs.iter().map(|cost| cost.delta).collect();
        let notes = costs.iter().map(|cost| cost.notes);
        let notes = notes.reduce(Notes::and).unwrap_or_default();
        let paths = [|cost: &Cost| cost.phi, |cost: &Cost| cost.time].map(|weight| {
            let weights: Vec<ExprId> = costs.iter().map(weight).collect();
            self.longest_recorded_path(&weights, tasks)
        });
        self.cost_of_paths(paths, &demands, notes)
    }

    /// What there is of each task; of those that take as long, the same.
    pub(in crate::timing) fn of_recorded<R: Clone>(
        &mut self,
        recorded: &Recorded,
        tasks: &RecordedTasks,
        of_task: &mut dyn FnMut(&mut Self) -> Lowered<R>,
    ) -> Lowered<Vec<R>> {
        let default = recorded.default.as_ref();
        let default = default.map(|default| self.argument(default)).transpose()?;
        let mut known: HashMap<Argument, R> = HashMap::new();
        let mut all = Vec::with_capacity(tasks.times.len());
        for time in &tasks.times {
            let time = match (time, &default) {
                (Some(time), _) => self.argument(time)?,
                (None, Some(default)) => default.clone(),
                (None, None) => {
                    let place = recorded.time.span;
                    return Err(not_supported("a task without a time", place));
                }
            };
            let found = match known.get(&time) {
                Some(found) => found.clone(),
                None => {
                    let name = &recorded.time.text;
                    let found = self.under_argument(name, time.clone(), &mut *of_task)?;
                    known.insert(time, found.clone());
                    found
                }
            };
            all.push(found);
        }
        Ok(all)
    }

    pub(in crate::timing) fn longest_recorded_path(
        &mut self,
        weights: &[ExprId],
        tasks: &RecordedTasks,
    ) -> ExprId {
        let before = &tasks.before;
        let numbers = weights.iter().map(|&weight| as_number(self, weight));
        if let Some(numbers) = numbers.collect::<Option<Vec<Rational>>>() {
            let length = longest_path(&numbers, before);
            return self.arena.number(length);
        }
        let always = self.arena.number(1);
        let mut families = Vec::with_capacity(weights.len());
        for (&weight, waits) in weights.iter().zip(before) {
            let mut parts = vec![weight];
            let after = |&u: &u32| self.arena.graph(GraphPart::After(u), &[always]);
            parts.extend(waits.iter().map(after));
            families.push(self.arena.graph(GraphPart::Task, &parts));
        }
        let names: Vec<&str> = tasks.names.iter().map(AsRef::as_ref).collect();
        let reserved = names.iter().any(|name| RESERVED.contains(name));
        let labels = (!reserved).then(|| self.arena.labels(&names)).flatten();
        self.arena.graph(GraphPart::LongestPath(labels), &families)
    }
}

fn precedences(tasks: &RecordedTasks) -> Vec<(u32, u32)> {
    let waits = (0..).zip(&tasks.before);
    let pairs = waits.flat_map(|(task, waits)| waits.iter().map(move |&u| (u, task)));
    pairs.collect()
}

/// When the last task ends of those that no other waits for; recorded tasks never wait for each other in a round.
fn longest_path(weights: &[Rational], before: &[Vec<u32>]) -> Rational {
    let mut after = vec![Vec::new(); weights.len()];
    let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
    for (task, waits) in before.iter().enumerate() {
        waits.iter().for_each(|&u| after[u as usize].push(task));
    }
    let mut ready: Vec<usize> = (0..weights.len())
        .filter(|&task| missing[task] == 0)
        .collect();
    let mut begins: Vec<Option<Rational>> = vec![None; weights.len()];
    let mut last: Option<Rational> = None;
    let later = |known: Option<Rational>, end: &Rational| match known {
        Some(known) if known >= *end => known,
        _ => end.clone(),
    };
    while let Some(task) = ready.pop() {
        let end = &begins[task].take().unwrap_or(Rational::ZERO) + &weights[task];
        if after[task].is_empty() {
            last = Some(later(last.take(), &end));
        }
        for &next in &after[task] {
            begins[next] = Some(later(begins[next].take(), &end));
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(next);
            }
        }
    }
    last.unwrap_or(Rational::ZERO)
}
