//! Tasks by name, with what they wait for and how long they took: a graph as it is written, its order not yet checked.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use crate::error::Error;

/// A graph has at most so many tasks.
pub const MAX_TASKS: usize = 1_000_000;

/// A graph has at most so many precedences.
pub const MAX_PRECEDENCES: usize = 10_000_000;

/// Tasks in the order in which they were added, numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    tasks: IndexMap<Box<str>, Task, RandomState>,
    precedences: Vec<(u32, u32)>,
    runs: usize,
}

#[derive(Clone, Debug, Default)]
struct Task {
    place: Box<str>,
    first: Option<f64>,
    /// Times after the first.
    others: Vec<f64>,
    resource: Option<Box<str>>,
    /// How many tasks were to have the same name.
    namesakes: u32,
}

impl Tasks {
    /// No tasks.
    pub fn new() -> Tasks {
        Tasks::default()
    }

    /// Adds a task under a name that no other has; `place` says where it is written, or is empty.
    ///
    /// # Errors
    /// The name is given already, or there are too many tasks.
    pub fn add(&mut self, name: &str, place: &str) -> Result<u32, Error> {
        if let Some((_, _, other)) = self.tasks.get_full(name) {
            let before = match other.place.is_empty() {
                true => String::new(),
                false => format!(", first at {}", other.place),
            };
            return Err(Error::at(
                place,
                format!(
                    "the task `{name}` stands here for a second time{before}: each task needs a name of its own"
                ),
            ));
        }
        self.add_unknown(name, place)
    }

    /// The same of a name that is known to be new.
    pub(crate) fn add_unknown(&mut self, name: &str, place: &str) -> Result<u32, Error> {
        if self.tasks.len() >= MAX_TASKS {
            return Err(Error::at(
                place,
                format!("there are more than {MAX_TASKS} tasks, and no graph may have so many"),
            ));
        }
        let task = Task {
            place: place.into(),
            ..Task::default()
        };
        Ok(self.tasks.insert_full(name.into(), task).0 as u32)
    }

    /// `task` begins when `before` has ended.
    ///
    /// # Errors
    /// There are too many precedences.
    pub fn precede(&mut self, before: u32, task: u32) -> Result<(), Error> {
        if self.precedences.len() >= MAX_PRECEDENCES {
            return Err(Error::at(
                self.place(task),
                format!(
                    "there are more than {MAX_PRECEDENCES} precedences, and no graph may have so many"
                ),
            ));
        }
        self.precedences.push((before, task));
        Ok(())
    }

    /// Adds the time of one run of a task.
    ///
    /// # Errors
    /// The time is negative or no finite number; there are too many times.
    pub fn took(&mut self, task: u32, time: f64) -> Result<(), Error> {
        let wrong = match () {
            () if !(time >= 0.0 && time.is_finite()) => {
                format!(
                    "the time of `{}` is {time}, but must be a number of at least 0",
                    self.name(task)
                )
            }
            () if self.runs >= MAX_PRECEDENCES => {
                format!(
                    "there are more than {MAX_PRECEDENCES} times of tasks, and no graph may have so many"
                )
            }
            () => String::new(),
        };
        if !wrong.is_empty() {
            return Err(Error::at(self.place(task), wrong));
        }
        self.runs += 1;
        if let Some((_, known)) = self.tasks.get_index_mut(task as usize) {
            match known.first {
                None => known.first = Some(time),
                Some(_) => known.others.push(time),
            }
        }
        Ok(())
    }

    /// Says on which resource a task is done.
    pub fn bind(&mut self, task: u32, resource: &str) {
        if let Some((_, task)) = self.tasks.get_index_mut(task as usize) {
            task.resource = Some(resource.into());
        }
    }

    /// The resource on which a task is done, where that is known.
    pub fn resource(&self, task: u32) -> Option<&str> {
        self.tasks.get_index(task as usize)?.1.resource.as_deref()
    }

    /// How many tasks were to have this name, with one more.
    pub(crate) fn count_again(&mut self, name: &str) -> u32 {
        self.tasks.get_mut(name).map_or(1, |task| {
            task.namesakes += 1;
            task.namesakes + 1
        })
    }

    /// The number of a task, by its name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.tasks.get_index_of(name).map(|number| number as u32)
    }

    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The name of a task.
    pub fn name(&self, task: u32) -> &str {
        self.tasks
            .get_index(task as usize)
            .map_or("", |(name, _)| name)
    }

    /// Where a task is written; empty where that is not known.
    pub fn place(&self, task: u32) -> &str {
        self.tasks
            .get_index(task as usize)
            .map_or("", |(_, task)| &task.place)
    }

    /// The times of a task, one for each run; none where they are missing.
    pub fn times(&self, task: u32) -> impl Iterator<Item = f64> {
        let task = self.tasks.get_index(task as usize).map(|(_, task)| task);
        task.into_iter()
            .flat_map(|task| task.first.into_iter().chain(task.others.iter().copied()))
    }

    /// Pairs of tasks of which the second waits for the first, in the order in which they were added.
    pub fn precedences(&self) -> &[(u32, u32)] {
        &self.precedences
    }
}
