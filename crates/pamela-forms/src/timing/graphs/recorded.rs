//! Graphs recorded in files.

use pamela_graph::shape::{self, Links};
use pamela_graph::{Graph, series_parallel};
use rustc_hash::FxHashMap;

use super::{Lowered, TaskCost, as_number};
use crate::eval::longest_path;
use crate::expr::{ExprId, GraphPart};
use crate::model::{RecordedTasks, not_supported};
use crate::ring::Rational;
use crate::syntax::tree::{ExprKind, Recorded};
use crate::timing::argument::Argument;
use crate::timing::cost::{Cost, Notes};
use crate::timing::scope::Lowering;
use crate::words::RESERVED;

/// Graphs with more tasks are not expanded into sums and maxima.
const MOST_WRITTEN_OUT: usize = 500;

impl<'m> Lowering<'m, '_> {
    /// The cost of recorded tasks: sums and maxima, a number, or else a family for each task.
    pub(super) fn recorded<'t, T>(
        &mut self,
        recorded: &Recorded,
        task: &'t T,
        of_task: TaskCost<'t, T>,
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
        let [phis, times] = [|cost: &Cost| cost.phi, |cost: &Cost| cost.time]
            .map(|weight| costs.iter().map(weight).collect::<Vec<ExprId>>());
        let phi = self.longest_recorded_path(&phis, tasks);
        let time = if phis == times {
            phi
        } else {
            self.longest_recorded_path(&times, tasks)
        };
        let paths = [phi, time];
        self.cost_of_paths(paths, &demands, notes)
    }

    /// Lowers a value for each task; tasks of equal time share it.
    pub(in crate::timing) fn of_recorded<R: Clone>(
        &mut self,
        recorded: &Recorded,
        tasks: &RecordedTasks,
        of_task: &mut dyn FnMut(&mut Self) -> Lowered<R>,
    ) -> Lowered<Vec<R>> {
        let default = recorded.default.as_ref();
        let default = default.map(|default| self.argument(default)).transpose()?;
        let mut known: FxHashMap<Argument, R> = FxHashMap::default();
        // Most times are numbers, of which the same ones come often.
        let mut numbers: FxHashMap<&Rational, R> = FxHashMap::default();
        let mut all = Vec::with_capacity(tasks.times.len());
        for time in &tasks.times {
            let number = match time.as_ref().map(|time| &time.kind) {
                Some(ExprKind::Number(number)) => Some(number),
                _ => None,
            };
            if let Some(found) = number.and_then(|number| numbers.get(number)) {
                all.push(found.clone());
                continue;
            }
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
            if let Some(number) = number {
                numbers.insert(number, found.clone());
            }
            all.push(found);
        }
        Ok(all)
    }

    pub(in crate::timing) fn longest_recorded_path(
        &mut self,
        weights: &[ExprId],
        tasks: &RecordedTasks,
    ) -> ExprId {
        let numbers = weights.iter().map(|&weight| as_number(self, weight));
        if let Some(numbers) = numbers.collect::<Option<Vec<Rational>>>() {
            let before = |task: u32| tasks.before(task as usize);
            let length = longest_path(&numbers, &order(tasks), before);
            return self.arena.number(length);
        }
        let always = self.arena.number(1);
        let mut families = Vec::with_capacity(weights.len());
        for (task, &weight) in weights.iter().enumerate() {
            let mut parts = vec![weight];
            let after = |&u: &u32| self.arena.graph(GraphPart::After(u), &[always]);
            parts.extend(tasks.before(task).iter().map(after));
            families.push(self.arena.graph(GraphPart::Task, &parts));
        }
        let names: Vec<&str> = tasks.names.iter().map(AsRef::as_ref).collect();
        let reserved = names.iter().any(|name| RESERVED.contains(name));
        let labels = (!reserved).then(|| self.arena.labels(&names)).flatten();
        self.arena.graph(GraphPart::LongestPath(labels), &families)
    }
}

fn precedences(tasks: &RecordedTasks) -> Vec<(u32, u32)> {
    let waits = |task: usize| tasks.before(task).iter().map(move |&u| (u, task as u32));
    (0..tasks.names.len()).flat_map(waits).collect()
}

/// All tasks, each after those that it waits for.
fn order(tasks: &RecordedTasks) -> Vec<u32> {
    let all = || 0..tasks.names.len() as u32;
    let waits = |task: u32| tasks.before(task as usize);
    if all().all(|task| waits(task).iter().all(|&u| u < task)) {
        return all().collect();
    }
    let before = Links::of_lists(all().map(waits));
    shape::order(&before, &before.reversed())
}
