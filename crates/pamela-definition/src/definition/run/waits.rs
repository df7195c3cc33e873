//! Task graphs in a run.

use std::collections::HashMap;

use super::{Evaluated, Id, Run};

/// Activities by position, with the events that they wait for.
pub(in crate::definition) struct Waits {
    parts: Vec<Id>,
    places: HashMap<Id, usize>,
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

impl Waits {
    pub(super) fn new(parts: Vec<Id>, before: Vec<Vec<usize>>) -> Waits {
        let mut after = vec![Vec::new(); parts.len()];
        for (place, waits) in before.iter().enumerate() {
            waits.iter().for_each(|&u| after[u].push(place));
        }
        let places = parts.iter().enumerate().map(|(place, &part)| (part, place));
        Waits {
            places: places.collect(),
            parts,
            before,
            after,
        }
    }

    pub(in crate::definition) fn parts(&self) -> &[Id] {
        &self.parts
    }
}

impl Run<'_, '_> {
    /// Starts the tasks that wait for nothing.
    pub(super) fn start_graph(&mut self, id: Id, waits: &Waits) -> Evaluated<()> {
        for (&part, before) in waits.parts.iter().zip(&waits.before) {
            self.missing[part] = before.len();
        }
        for (&part, before) in waits.parts.iter().zip(&waits.before) {
            if before.is_empty() {
                self.start(part)?;
            }
        }
        if waits.parts.is_empty() {
            self.finish(id)
        } else {
            Ok(())
        }
    }

    /// Records the end of a task, the `ended`-th of its graph: starts the tasks that waited only for it. The graph
    /// ends with its last task.
    pub(super) fn task_ended(
        &mut self,
        graph: Id,
        (task, ended): (Id, usize),
        waits: &Waits,
    ) -> Evaluated<()> {
        if let Some(&place) = waits.places.get(&task) {
            for &next in &waits.after[place] {
                let next = waits.parts[next];
                self.missing[next] -= 1;
                if self.missing[next] == 0 {
                    self.start(next)?;
                }
            }
        }
        if ended == waits.parts.len() {
            self.finish(graph)
        } else {
            Ok(())
        }
    }
}
