//! The structure of a graph: its precedences and a topological order.

mod cycle;
mod dominators;
mod links;
mod reduction;
mod series_parallel;
#[cfg(test)]
pub(crate) mod tests;
mod tree;

use std::fmt;

use crate::error::Error;
use crate::tasks::{MAX_PRECEDENCES, MAX_TASKS, Tasks};

pub use dominators::Dominators;
pub use links::Links;
pub use series_parallel::{Core, series_parallel};
pub use tree::{Node, Tree};

/// Tasks, numbered from 0, and their acyclic precedences.
#[derive(Clone, Debug)]
pub struct Graph {
    before: Links,
    after: Links,
    order: Vec<u32>,
}

/// Reason why tasks and precedences do not form a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There are more tasks than [`MAX_TASKS`].
    Tasks(usize),
    /// There are more precedences than [`MAX_PRECEDENCES`].
    Precedences(usize),
    /// A precedence names a task that does not exist.
    Unknown {
        /// The task that it names.
        task: u32,
        /// Number of tasks.
        tasks: usize,
    },
    /// Each task waits for the one before it, and the first for the last.
    Cycle(Vec<u32>),
}

impl Graph {
    /// The graph of tasks `0..tasks` and pairs of tasks: the second of a pair begins when the first has ended. Pairs
    /// may repeat.
    ///
    /// # Errors
    /// Fails if there are too many tasks or precedences, if a task does not exist, or if there is a cycle. The error
    /// names the shortest cycle, unless finding it takes more than 2^26 steps.
    pub fn new(tasks: usize, precedences: &[(u32, u32)]) -> Result<Graph, Fault> {
        if tasks > MAX_TASKS {
            return Err(Fault::Tasks(tasks));
        }
        if precedences.len() > MAX_PRECEDENCES {
            return Err(Fault::Precedences(precedences.len()));
        }
        let ends = precedences.iter().flat_map(|&(u, v)| [u, v]);
        if let Some(task) = ends.max().filter(|&task| task as usize >= tasks) {
            return Err(Fault::Unknown { task, tasks });
        }
        let after = Links::new(tasks, precedences.iter().copied());
        // Turned twice, the links of each task are in increasing order.
        let before = after.reversed();
        Graph::of_links(before.without_repetitions())
    }

    /// The graph of the predecessors of each task, in increasing order without repetitions.
    ///
    /// # Errors
    /// Fails if there is a cycle; see [`Graph::new`].
    ///
    /// # Panics
    /// A task is named that does not exist.
    pub fn of_links(before: Links) -> Result<Graph, Fault> {
        let after = before.reversed();
        let order = order(&before, &after);
        if order.len() == before.len() {
            Ok(Graph {
                before,
                after,
                order,
            })
        } else {
            Err(Fault::Cycle(cycle::shortest(&before, &after, &order)))
        }
    }

    /// The graph of named tasks.
    ///
    /// # Errors
    /// Fails if there is a cycle; the error names its tasks.
    pub fn of(tasks: &Tasks) -> Result<Graph, Error> {
        Graph::new(tasks.len(), tasks.precedences()).map_err(|fault| match fault {
            Fault::Cycle(round) => {
                let names = shown(&round, |task| format!("`{}`", tasks.name(task)));
                Error::at(tasks.place(round[0]), fault_of_cycle(&names))
            }
            fault => Error::at("", fault.to_string()),
        })
    }

    /// Number of tasks.
    pub fn tasks(&self) -> usize {
        self.order.len()
    }

    /// Number of precedences, each pair counted once.
    pub fn precedences(&self) -> usize {
        self.before.count()
    }

    /// Predecessors of a task, in increasing order.
    pub fn before(&self, task: u32) -> &[u32] {
        self.before.of(task)
    }

    /// Successors of a task, in increasing order.
    pub fn after(&self, task: u32) -> &[u32] {
        self.after.of(task)
    }

    /// Predecessors of all tasks.
    pub fn into_before(self) -> Links {
        self.before
    }

    /// All tasks, each after its predecessors.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The graph with every precedence reversed.
    pub fn reversed(&self) -> Graph {
        Graph {
            before: self.after.clone(),
            after: self.before.clone(),
            order: self.order.iter().rev().copied().collect(),
        }
    }

    /// The graph without precedences that follow from others. `None` if finding these takes too many steps, which
    /// never happens for graphs of up to 20,000 tasks and 100,000 precedences.
    pub fn reduced(&self) -> Option<Graph> {
        let before = reduction::reduced(self)?;
        let after = before.reversed();
        let order = self.order.clone();
        Some(Graph {
            before,
            after,
            order,
        })
    }

    /// The dominators: tasks that lie on every path to a task.
    pub fn dominators(&self) -> Dominators {
        Dominators::of(self)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Tasks(count) => {
                write!(
                    f,
                    "there are {count} tasks, but a graph has at most {MAX_TASKS}"
                )
            }
            Fault::Precedences(count) => {
                write!(
                    f,
                    "there are {count} precedences, but a graph has at most {MAX_PRECEDENCES}"
                )
            }
            Fault::Unknown { task, tasks } => {
                write!(
                    f,
                    "a precedence names the task {task}, but the last of the {tasks} tasks is {}",
                    *tasks as i64 - 1
                )
            }
            Fault::Cycle(round) => {
                f.write_str(&fault_of_cycle(&shown(round, |task| task.to_string())))
            }
        }
    }
}

fn fault_of_cycle(names: &str) -> String {
    format!(
        "tasks wait for each other in a cycle, so none can begin: {names}; remove one of these precedences"
    )
}

/// A round as a text: `a, b, a`; of a long one, both ends.
fn shown(round: &[u32], name: impl Fn(u32) -> String) -> String {
    const SHOWN: usize = 12;
    let mut names: Vec<String> = round
        .iter()
        .chain(&round[..1])
        .map(|&task| name(task))
        .collect();
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.splice(SHOWN - 2..names.len() - 2, [format!("({more} more)")]);
    }
    names.join(" before ")
}

/// Tasks in a topological order; of the tasks that can begin, the one with the lowest number comes first. Tasks on or
/// after a cycle are left out. `before` has the predecessors of each task, `after` the successors.
pub fn order(before: &Links, after: &Links) -> Vec<u32> {
    let tasks = before.len() as u32;
    let mut missing: Vec<u32> = (0..tasks)
        .map(|task| before.of(task).len() as u32)
        .collect();
    let mut order: Vec<u32> = Vec::with_capacity(tasks as usize);
    order.extend((0..tasks).filter(|&task| missing[task as usize] == 0));
    let mut next = 0;
    while let Some(&task) = order.get(next) {
        next += 1;
        for &waiting in after.of(task) {
            missing[waiting as usize] -= 1;
            if missing[waiting as usize] == 0 {
                order.push(waiting);
            }
        }
    }
    order
}
