//! Lists of tasks, one for each task, in two arrays.

/// A list of tasks for each task.
#[derive(Clone, Debug)]
pub struct Links {
    /// Start of the list of each task, and end of the last list.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Default for Links {
    fn default() -> Links {
        Links {
            starts: vec![0],
            ends: Vec::new(),
        }
    }
}

impl Links {
    /// Lists of the second tasks of pairs by the first task, in the order of the pairs.
    pub fn new(tasks: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Links {
        let mut starts = vec![0; tasks + 1];
        for (from, _) in pairs.clone() {
            starts[from as usize + 1] += 1;
        }
        for task in 0..tasks {
            starts[task + 1] += starts[task];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; starts[tasks] as usize];
        for (from, to) in pairs {
            let place = &mut next[from as usize];
            ends[*place as usize] = to;
            *place += 1;
        }
        Links { starts, ends }
    }

    /// One list for each task, in the order of the tasks.
    pub fn of_lists<'a>(lists: impl Iterator<Item = &'a [u32]>) -> Links {
        let (mut starts, mut ends) = (vec![0], Vec::new());
        for list in lists {
            ends.extend(list);
            starts.push(ends.len() as u32);
        }
        Links { starts, ends }
    }

    /// Adds the list of the next task.
    pub fn push(&mut self, list: &[u32]) {
        self.ends.extend_from_slice(list);
        self.starts.push(self.ends.len() as u32);
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True if there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Total number of tasks in all lists.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The list of a task.
    pub fn of(&self, task: u32) -> &[u32] {
        let task = task as usize;
        &self.ends[self.starts[task] as usize..self.starts[task + 1] as usize]
    }

    /// Reverses every pair; all lists are in increasing order.
    pub fn reversed(&self) -> Links {
        let pairs =
            (0..self.len() as u32).flat_map(|from| self.of(from).iter().map(move |&to| (to, from)));
        Links::new(self.len(), pairs)
    }

    /// Removes repetitions from lists in increasing order.
    pub fn without_repetitions(mut self) -> Links {
        let (mut kept, mut start) = (0, 0);
        for task in 0..self.len() {
            let end = self.starts[task + 1] as usize;
            let first = kept;
            for place in start..end {
                let to = self.ends[place];
                if kept == first || self.ends[kept - 1] != to {
                    self.ends[kept] = to;
                    kept += 1;
                }
            }
            start = end;
            self.starts[task + 1] = kept as u32;
        }
        self.ends.truncate(kept);
        self
    }
}
