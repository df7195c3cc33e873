//! Named tasks with their predecessors and times: a graph as written, whose order is not yet checked.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use crate::error::Error;

/// Maximum number of tasks of a graph.
pub const MAX_TASKS: usize = 1_000_000;

/// Maximum number of precedences of a graph.
pub const MAX_PRECEDENCES: usize = 10_000_000;

/// Tasks in the order in which they were added, numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    names: IndexSet<Box<str>, RandomState>,
    tasks: Vec<Task>,
    precedences: Vec<(u32, u32)>,
    runs: usize,
    /// The file that contains the tasks; empty if there is none.
    file: Box<str>,
    /// The list of the file of which they are entries; empty of formats without lists.
    list: &'static str,
    resources: HashMap<u32, Box<str>>,
    /// Number of tasks that were given the name of an earlier task, by task.
    namesakes: HashMap<u32, u32>,
}

/// Location of a task; the default stands for an unknown location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line number from 1; 0 if unknown.
    pub line: u32,
    /// The entry of the list of tasks, from 0 on.
    pub entry: Option<u32>,
}

#[derive(Clone, Debug)]
struct Task {
    place: Place,
    first: Option<f64>,
    /// Times after the first.
    others: Vec<f64>,
}

impl Place {
    /// A line, counted from 1.
    pub fn line(line: usize) -> Place {
        Place {
            line: u32::try_from(line).unwrap_or(0),
            entry: None,
        }
    }
}

impl Tasks {
    /// No tasks.
    pub fn new() -> Tasks {
        Tasks::default()
    }

    /// No tasks, of which more are in a file, perhaps as entries of a list.
    pub(crate) fn of_file(file: &str, list: &'static str) -> Tasks {
        Tasks {
            file: file.into(),
            list,
            ..Tasks::default()
        }
    }

    /// Reserves memory for this many more tasks.
    pub(crate) fn reserve(&mut self, tasks: usize) {
        let tasks = tasks.min(MAX_TASKS);
        self.names.reserve(tasks);
        self.tasks.reserve(tasks);
        self.precedences.reserve(tasks);
    }

    /// Adds a task under a name that no other has.
    ///
    /// # Errors
    /// Fails if the name is already used, or if there are too many tasks.
    pub fn add(&mut self, name: &str, place: Place) -> Result<u32, Error> {
        let (task, is_new) = self.find_or_add(name, place)?;
        if is_new {
            return Ok(task);
        }
        let before = match self.place(task) {
            unknown if unknown.is_empty() => String::new(),
            known => format!(", first at {known}"),
        };
        Err(Error::at(
            self.shown(place),
            format!("the task `{name}` occurs twice{before}: each task needs its own name"),
        ))
    }

    /// The task of a name, and whether it is new.
    pub(crate) fn find_or_add(&mut self, name: &str, place: Place) -> Result<(u32, bool), Error> {
        let (task, is_new) = self.names.insert_full(name.into());
        if is_new {
            if task >= MAX_TASKS {
                return Err(Error::at(
                    self.shown(place),
                    format!("there are more than {MAX_TASKS} tasks, the limit of a graph"),
                ));
            }
            self.tasks.push(Task {
                place,
                first: None,
                others: Vec::new(),
            });
        }
        Ok((task as u32, is_new))
    }

    /// `task` begins when `before` has ended.
    ///
    /// # Errors
    /// Fails if there are too many precedences.
    pub fn precede(&mut self, before: u32, task: u32) -> Result<(), Error> {
        if self.precedences.len() >= MAX_PRECEDENCES {
            return Err(Error::at(
                self.place(task),
                format!("there are more than {MAX_PRECEDENCES} precedences, the limit of a graph"),
            ));
        }
        self.precedences.push((before, task));
        Ok(())
    }

    /// Adds the time of one run of a task.
    ///
    /// # Errors
    /// Fails if the time is negative or not finite, or if there are too many times.
    pub fn took(&mut self, task: u32, time: f64) -> Result<(), Error> {
        if !(time >= 0.0 && time.is_finite()) {
            let name = self.name(task);
            let message =
                format!("the time of `{name}` is {time}, but must be a number of at least 0");
            return Err(Error::at(self.place(task), message));
        }
        if self.runs >= MAX_PRECEDENCES {
            let message = format!(
                "there are more than {MAX_PRECEDENCES} times of tasks, the limit of a graph"
            );
            return Err(Error::at(self.place(task), message));
        }
        self.runs += 1;
        if let Some(known) = self.tasks.get_mut(task as usize) {
            match known.first {
                None => known.first = Some(time),
                Some(_) => known.others.push(time),
            }
        }
        Ok(())
    }

    /// Sets the resource of a task.
    pub fn bind(&mut self, task: u32, resource: &str) {
        self.resources.insert(task, resource.into());
    }

    /// The resource of a task, if known.
    pub fn resource(&self, task: u32) -> Option<&str> {
        self.resources.get(&task).map(AsRef::as_ref)
    }

    /// Counts one more task of this name, and returns their number.
    pub(crate) fn count_again(&mut self, task: u32) -> u32 {
        let count = self.namesakes.entry(task).or_insert(1);
        *count += 1;
        *count
    }

    /// The number of a task, by its name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.names.get_index_of(name).map(|number| number as u32)
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// True if there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The name of a task.
    pub fn name(&self, task: u32) -> &str {
        self.names
            .get_index(task as usize)
            .map_or("", AsRef::as_ref)
    }

    /// Location of a task, `build.csv:7` or `flow.json:12: workflow.specification.tasks[3]`; empty if unknown.
    pub fn place(&self, task: u32) -> String {
        let place = self.tasks.get(task as usize).map(|task| task.place);
        self.shown(place.unwrap_or_default())
    }

    pub(crate) fn shown(&self, place: Place) -> String {
        shown(&self.file, self.list, place)
    }

    /// The times of a task, one for each run; empty if they are missing.
    pub fn times(&self, task: u32) -> impl Iterator<Item = f64> {
        let task = self.tasks.get(task as usize);
        task.into_iter()
            .flat_map(|task| task.first.into_iter().chain(task.others.iter().copied()))
    }

    /// Pairs of tasks in the order of their addition; the second waits for the first.
    pub fn precedences(&self) -> &[(u32, u32)] {
        &self.precedences
    }

    /// The names of all tasks.
    pub fn into_names(self) -> Vec<Box<str>> {
        self.names.into_iter().collect()
    }
}

/// A place in a file, of which a list has the tasks.
pub(crate) fn shown(file: &str, list: &str, place: Place) -> String {
    match place {
        Place { line: 0, .. } => file.to_owned(),
        Place { line, entry: None } => format!("{file}:{line}"),
        Place {
            line,
            entry: Some(entry),
        } => format!("{file}:{line}: {list}[{entry}]"),
    }
}
