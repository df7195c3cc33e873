//! Task graphs: a task starts when its predecessors have ended.

use super::{Halt, Machine};
use crate::model::Tasks;
use crate::simulate::chance::mix;
use crate::simulate::frames::State;
use crate::simulate::time::Time;

/// A graph that a frame runs; the frame's children are its tasks.
pub struct Running<'m, T> {
    tasks: Tasks<'m>,
    /// For each task, the number of predecessors that have not ended.
    missing: Vec<u32>,
    /// Start of each task.
    began: Vec<T>,
    /// Key of the random numbers of its tasks.
    stream: u64,
    /// Number of its first task among those of all graphs.
    first: u64,
    graph: u32,
}

impl<'m, T: Time> Machine<'_, 'm, T> {
    /// Starts the tasks that wait for nothing; whether there is a task to wait for.
    pub(super) fn begin_graph(&mut self, frame: u32, graph: u32) -> Result<bool, Halt> {
        let code = self.code;
        let known = &code.graphs[graph as usize];
        let names = self.names(frame, known.scope);
        let named = self.trace.is_some();
        let tasks = self
            .evaluator
            .tasks_of(known.graph, known.span, &names, named)?;
        if tasks.before.is_empty() {
            return Ok(false);
        }
        let missing: Vec<u32> = tasks
            .before
            .iter()
            .map(|waits| waits.len() as u32)
            .collect();
        let count = missing.len();
        self.frames[frame].state = State::Joins(count as u32);
        let stream = self.draw(frame);
        let first = self.tasks;
        self.tasks += count as u64;
        let ready: Vec<u32> = (0..count as u32)
            .filter(|&task| missing[task as usize] == 0)
            .collect();
        let running = Running {
            tasks,
            missing,
            began: vec![T::ZERO; count],
            stream,
            first,
            graph,
        };
        self.graphs.insert(frame, running);
        let started = self.start_tasks(frame, &ready)?;
        self.run_next(started.into_iter());
        Ok(true)
    }

    fn start_tasks(&mut self, frame: u32, tasks: &[u32]) -> Result<Vec<u32>, Halt> {
        let code = self.code;
        let mut started = Vec::with_capacity(tasks.len());
        for &task in tasks {
            self.count_turn()?;
            let Some(running) = self.graphs.get_mut(&frame) else {
                break;
            };
            running.began[task as usize] = self.now;
            let stream = mix(running.stream, task.into());
            let (family, names) = running.tasks.instances[task as usize].clone();
            let entry = code.graphs[running.graph as usize].entries[family as usize];
            let child = self.start(entry, frame, task.into(), stream)?;
            self.frames[child].arguments = Some(names);
            started.push(child);
        }
        Ok(started)
    }

    /// Records the end of a task in the graph of a frame; returns the frames of tasks that begin now.
    pub(super) fn task_ended(&mut self, frame: u32, task: i64) -> Result<Vec<u32>, Halt> {
        let Some(running) = self.graphs.get_mut(&frame) else {
            return Ok(Vec::new());
        };
        let task = task as usize;
        let mut ready = Vec::new();
        for &next in &running.tasks.after[task] {
            let missing = &mut running.missing[next as usize];
            *missing -= 1;
            if *missing == 0 {
                ready.push(next);
            }
        }
        if let Some(trace) = &mut self.trace {
            let rate = self.clock.rate();
            let (began, now) = (
                running.began[task].to_f64() / rate,
                self.now.to_f64() / rate,
            );
            let name = &running.tasks.names[task];
            trace.task(running.first + task as u64, name, began, now);
            for &before in &running.tasks.before[task] {
                trace.precedence(
                    running.first + u64::from(before),
                    running.first + task as u64,
                );
            }
        }
        self.start_tasks(frame, &ready)
    }

    /// A frame no longer runs a graph.
    pub(super) fn forget_graph(&mut self, frame: u32) {
        self.graphs.remove(&frame);
    }
}
