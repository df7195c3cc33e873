//! Longest paths of the instances of a problem.

use smallvec::{SmallVec, smallvec};

use super::problem::{Instances, Problem};

/// Multiplicity of each time on a path.
pub type Counts = SmallVec<[i64; 4]>;

/// If more paths are undominated, none of them is kept. (A path is dominated if another has at least as much of every
/// time.)
const MOST_PATHS: usize = 24;

/// The choice among several longest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    First,
    Last,
}

impl Instances {
    /// The end of each task, for these times.
    pub fn ends(&self, problem: &Problem, times: &[i64]) -> Vec<i64> {
        let mut ends = vec![0; self.tasks.len()];
        for &task in &self.order {
            let before = self.before.of(task).iter();
            let begin = before.map(|&u| ends[u as usize]).max().unwrap_or(0);
            ends[task as usize] = begin + self.weight(problem, task, times);
        }
        ends
    }

    /// The earliest end of each task, given the ends of some tasks.
    pub fn earliest(&self, problem: &Problem, times: &[i64], known: &[Option<i64>]) -> Vec<i64> {
        let mut ends = vec![0; self.tasks.len()];
        for &task in &self.order {
            let before = self.before.of(task).iter();
            let begin = before.map(|&u| ends[u as usize]).max().unwrap_or(0);
            let end = begin + self.weight(problem, task, times);
            ends[task as usize] = known[task as usize].unwrap_or(end);
        }
        ends
    }

    /// The latest end of each task, given the end of the whole and the ends of some tasks.
    pub fn latest(
        &self,
        problem: &Problem,
        times: &[i64],
        whole: i64,
        known: &[Option<i64>],
    ) -> Vec<i64> {
        let mut ends = vec![whole; self.tasks.len()];
        for &task in self.order.iter().rev() {
            let end = known[task as usize].unwrap_or(ends[task as usize]);
            ends[task as usize] = end;
            let begin = end - self.weight(problem, task, times);
            for &u in self.before.of(task) {
                let before = &mut ends[u as usize];
                *before = begin.min(*before);
            }
        }
        ends
    }

    /// The longest remaining path from the beginning of each task.
    pub fn tails(&self, problem: &Problem, times: &[i64]) -> Vec<i64> {
        let mut after = vec![0; self.tasks.len()];
        let mut tails = vec![0; self.tasks.len()];
        for &task in self.order.iter().rev() {
            let tail = after[task as usize] + self.weight(problem, task, times);
            tails[task as usize] = tail;
            for &u in self.before.of(task) {
                let after = &mut after[u as usize];
                *after = tail.max(*after);
            }
        }
        tails
    }

    /// Multiplicity of each time on the longest path to each task.
    pub fn counts_of_all(&self, problem: &Problem, times: &[i64]) -> Vec<Counts> {
        let ends = self.ends(problem, times);
        let mut counts = vec![Counts::from_elem(0, problem.times); self.tasks.len()];
        for &task in &self.order {
            let before = self.before.of(task).iter();
            let mut own = match before.max_by_key(|&&u| ends[u as usize]) {
                Some(&before) => counts[before as usize].clone(),
                None => smallvec![0; problem.times],
            };
            let (time, factor) = problem.families[self.tasks[task as usize].0].weight;
            own[time] += factor;
            counts[task as usize] = own;
        }
        counts
    }

    fn weight(&self, problem: &Problem, task: u32, times: &[i64]) -> i64 {
        problem.families[self.tasks[task as usize].0].time(times)
    }

    /// A longest path. Ties are broken by the tasks that end last and the first, or last, references.
    pub fn longest(&self, problem: &Problem, times: &[i64], ties: Ties) -> Vec<u32> {
        let ends = self.ends(problem, times);
        let chosen = |list: &[u32]| {
            list.iter().copied().reduce(|best, task| {
                let (end, known) = (ends[task as usize], ends[best as usize]);
                if end > known || end == known && ties == Ties::Last {
                    task
                } else {
                    best
                }
            })
        };
        let mut path = Vec::new();
        let mut last = chosen(&self.last);
        while let Some(task) = last {
            path.push(task);
            last = chosen(self.before.of(task));
        }
        path.reverse();
        path
    }

    /// Multiplicity of each time on a path.
    pub fn counts(&self, problem: &Problem, path: &[u32]) -> Counts {
        let mut counts: Counts = smallvec![0; problem.times];
        for &task in path {
            let (time, factor) = problem.families[self.tasks[task as usize].0].weight;
            counts[time] += factor;
        }
        counts
    }

    /// The counts of all paths to the last tasks, without dominated ones.
    pub fn all_counts(&self, problem: &Problem) -> Option<Vec<Counts>> {
        let mut known: Vec<Vec<Counts>> = vec![Vec::new(); self.tasks.len()];
        for &task in &self.order {
            let before = self.before.of(task).iter();
            let mut own: Vec<Counts> = before.flat_map(|&u| known[u as usize].clone()).collect();
            if own.is_empty() {
                own.push(smallvec![0; problem.times]);
            }
            let (time, factor) = problem.families[self.tasks[task as usize].0].weight;
            own.iter_mut().for_each(|counts| counts[time] += factor);
            known[task as usize] = without_less(own)?;
        }
        let last = self.last.iter().flat_map(|&t| known[t as usize].clone());
        without_less(last.collect())
    }
}

/// True if each count is at least the corresponding count of the other.
pub fn is_at_least(a: &[i64], b: &[i64]) -> bool {
    a.iter().zip(b).all(|(x, y)| x >= y)
}

fn without_less(mut all: Vec<Counts>) -> Option<Vec<Counts>> {
    all.sort_unstable();
    all.dedup();
    let mut kept: Vec<Counts> = Vec::new();
    for counts in all.into_iter().rev() {
        if !kept.iter().any(|other| is_at_least(other, &counts)) {
            kept.retain(|other| !is_at_least(&counts, other));
            kept.push(counts);
        }
    }
    (kept.len() <= MOST_PATHS).then_some(kept)
}
