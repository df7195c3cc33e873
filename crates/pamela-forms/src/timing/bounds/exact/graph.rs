//! Graphs of tasks that nothing disturbs.

use std::rc::Rc;

use crate::syntax::tree::{Graph, Process};
use crate::timing::bounds::graphs::Tasks;
use crate::timing::bounds::places::insert;
use crate::timing::bounds::sides::{Exact, Spot};
use crate::timing::bounds::{Lowered, Lowering};

impl Lowering<'_, '_> {
    /// The time of a graph; it is the longest chain if no task visits a resource.
    pub(super) fn exact_graph(&mut self, graph: &Graph<Process>) -> Lowered<Exact> {
        let tasks: Tasks<Exact> = self.tasks_of(graph)?;
        let places = tasks.sides().flat_map(|exact| exact.places.iter());
        let mut all: Vec<Spot> = Vec::new();
        places.for_each(|(array, _)| insert(&mut all, (*array, None)));
        let known = tasks.sides().all(|exact| exact.time.is_some());
        if !all.is_empty() || !known {
            return Ok(Exact::unknown(all.into()));
        }
        let zero = self.arena.number(0);
        let time = self.longest(&tasks, |exact| exact.time.unwrap_or(zero));
        let applications = tasks
            .sides()
            .flat_map(|exact| exact.applications.iter().cloned());
        Ok(Exact {
            time: Some(time),
            applications: Rc::new(applications.collect()),
            ..Exact::unknown([].into())
        })
    }
}
