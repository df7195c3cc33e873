//! Longest paths of graphs with known task times.

#[cfg(test)]
mod tests;

use crate::shape::Graph;

/// Slack below this part of the longest path is rounding.
const ROUNDING: f64 = 1e-12;

/// The longest path of a graph, and the slack of each task.
#[derive(Clone, Debug)]
pub struct Paths {
    weights: Vec<f64>,
    heads: Vec<f64>,
    tails: Vec<f64>,
    length: f64,
}

impl Paths {
    /// Longest paths of a graph with these task times, which are at least 0. Time and memory are linear in tasks and
    /// precedences.
    ///
    /// # Panics
    /// Fails unless there is one time for each task.
    pub fn new(graph: &Graph, weights: &[f64]) -> Paths {
        assert_eq!(
            weights.len(),
            graph.tasks(),
            "there is one time for each task"
        );
        let heads = starts(graph.order().iter(), |task| graph.before(task), weights);
        let tails = starts(
            graph.order().iter().rev(),
            |task| graph.after(task),
            weights,
        );
        let ends = weights
            .iter()
            .zip(&heads)
            .map(|(weight, head)| head + weight);
        let length = ends.fold(0.0, f64::max);
        Paths {
            weights: weights.to_vec(),
            heads,
            tails,
            length,
        }
    }

    /// The time of the whole graph, without a limit on the number of tasks that run at once.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The earliest begin of each task: the longest path before it.
    pub fn heads(&self) -> &[f64] {
        &self.heads
    }

    /// The longest path after each task.
    pub fn tails(&self) -> &[f64] {
        &self.tails
    }

    /// The slack of a task: the delay that does not delay the whole graph; 0, up to rounding, on a longest path.
    pub fn slack(&self, task: u32) -> f64 {
        let task = task as usize;
        let slack = self.length - (self.heads[task] + self.weights[task] + self.tails[task]);
        if slack <= ROUNDING * self.length {
            0.0
        } else {
            slack
        }
    }

    /// All tasks without slack, in increasing order.
    pub fn critical(&self) -> Vec<u32> {
        let tasks = 0..self.weights.len() as u32;
        tasks.filter(|&task| self.slack(task) == 0.0).collect()
    }

    /// One longest path, from its first task to its last. Among several, the path with the least task numbers,
    /// compared from the end.
    pub fn longest(&self, graph: &Graph) -> Vec<u32> {
        let end = |task: u32| self.heads[task as usize] + self.weights[task as usize];
        let latest = |tasks: &mut dyn Iterator<Item = u32>| {
            tasks.reduce(|best, task| if end(task) > end(best) { task } else { best })
        };
        let mut path: Vec<u32> = Vec::new();
        let mut last = latest(&mut (0..self.weights.len() as u32));
        while let Some(task) = last {
            path.push(task);
            last = latest(&mut graph.before(task).iter().copied());
        }
        path.reverse();
        path
    }
}

/// When each task begins, in an order in which what it waits for comes first.
fn starts<'a>(
    order: impl Iterator<Item = &'a u32>,
    before: impl Fn(u32) -> &'a [u32],
    weights: &[f64],
) -> Vec<f64> {
    let mut starts = vec![0.0; weights.len()];
    for &task in order {
        let ends = before(task)
            .iter()
            .map(|&u| starts[u as usize] + weights[u as usize]);
        starts[task as usize] = ends.fold(0.0, f64::max);
    }
    starts
}
