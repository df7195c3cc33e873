//! Graphs of tasks.

use super::{Expr, Name, Range};

/// `graph { label (ranges): task after references ; .. }`; at least one family.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph<T> {
    pub families: Vec<Family<T>>,
    /// For `graph (w in "file") task`, whose one family has all recorded tasks.
    pub recorded: Option<Recorded>,
}

/// `(w in "file", .., default = e, tracks = order)`
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Name of a task's time.
    pub time: Name,
    /// Names of files; at least one.
    pub files: Vec<Name>,
    /// Time of a task without a recorded one.
    pub default: Option<Expr>,
    pub tracks: Option<Tracks>,
}

/// Meaning of the order of slices on a track of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracks {
    /// Each slice waits for the one before it.
    Order,
    /// The order was chosen by a scheduler.
    Free,
}

/// Tasks that differ in their indices: one for each combination of the values of its ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Family<T> {
    pub label: Name,
    /// Ranges without steps and quorums; bounds may use the indices of earlier ranges.
    pub ranges: Vec<Range>,
    pub task: T,
    pub after: Vec<Reference>,
}

/// `label(e, ..) for (ranges) if (condition)`: existing instances that a task waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub label: Name,
    /// `None` for all instances of the family.
    pub arguments: Option<Vec<Expr>>,
    /// One reference for each combination of their values.
    pub ranges: Vec<Range>,
    pub condition: Option<Expr>,
}

/// A direct part of a graph.
#[derive(Clone, Copy, Debug)]
pub enum GraphPart<'t, T> {
    Expr(&'t Expr),
    Task(&'t T),
}

/// A mutable direct part of a graph.
#[derive(Debug)]
pub enum GraphPartMut<'t, T> {
    Expr(&'t mut Expr),
    Task(&'t mut T),
}

impl<T> Graph<T> {
    /// Visits bounds, arguments, conditions and tasks, each with the indices in scope.
    pub fn parts<'t>(&'t self, visit: &mut dyn FnMut(GraphPart<'t, T>, &[&'t str])) {
        let recorded = self.recorded.iter();
        recorded
            .clone()
            .flat_map(|recorded| &recorded.default)
            .for_each(|default| visit(GraphPart::Expr(default), &[]));
        for family in &self.families {
            let mut indices = Vec::new();
            indices.extend(recorded.clone().map(|recorded| recorded.time.text.as_str()));
            visit_ranges(&family.ranges, &mut indices, visit);
            visit(GraphPart::Task(&family.task), &indices);
            for reference in &family.after {
                let outer = indices.len();
                visit_ranges(&reference.ranges, &mut indices, visit);
                let arguments = reference.arguments.iter().flatten();
                for part in arguments.chain(&reference.condition) {
                    visit(GraphPart::Expr(part), &indices);
                }
                indices.truncate(outer);
            }
        }
    }

    /// Like [`Graph::parts`], with mutable parts.
    pub fn parts_mut(&mut self, visit: &mut dyn FnMut(GraphPartMut<'_, T>, &[String])) {
        let mut times = Vec::new();
        if let Some(recorded) = &mut self.recorded {
            if let Some(default) = &mut recorded.default {
                visit(GraphPartMut::Expr(default), &[]);
            }
            times.push(recorded.time.text.clone());
        }
        for family in &mut self.families {
            let mut indices = times.clone();
            visit_ranges_mut(&mut family.ranges, &mut indices, visit);
            visit(GraphPartMut::Task(&mut family.task), &indices);
            for reference in &mut family.after {
                let outer = indices.len();
                visit_ranges_mut(&mut reference.ranges, &mut indices, visit);
                let arguments = reference.arguments.iter_mut().flatten();
                for part in arguments.chain(&mut reference.condition) {
                    visit(GraphPartMut::Expr(part), &indices);
                }
                indices.truncate(outer);
            }
        }
    }

    /// Visits all names outside its parts: labels, indices, files.
    pub fn names_mut(&mut self, mut visit: impl FnMut(&mut Name)) {
        if let Some(recorded) = &mut self.recorded {
            visit(&mut recorded.time);
            recorded.files.iter_mut().for_each(&mut visit);
        }
        for family in &mut self.families {
            visit(&mut family.label);
            let ranges = family.ranges.iter_mut();
            ranges.for_each(|range| visit(&mut range.index));
            for reference in &mut family.after {
                visit(&mut reference.label);
                let ranges = reference.ranges.iter_mut();
                ranges.for_each(|range| visit(&mut range.index));
            }
        }
    }

    /// All indices that it binds.
    pub fn indices(&self) -> impl Iterator<Item = &str> {
        let ranges = self.families.iter().flat_map(|family| {
            let others = family.after.iter().flat_map(|reference| &reference.ranges);
            family.ranges.iter().chain(others)
        });
        let times = self.recorded.iter().map(|recorded| &recorded.time);
        let names = ranges.map(|range| &range.index).chain(times);
        names.map(|name| name.text.as_str())
    }
}

fn visit_ranges_mut<T>(
    ranges: &mut [Range],
    indices: &mut Vec<String>,
    visit: &mut dyn FnMut(GraphPartMut<'_, T>, &[String]),
) {
    for range in ranges {
        visit(GraphPartMut::Expr(&mut range.lower), indices);
        visit(GraphPartMut::Expr(&mut range.upper), indices);
        indices.push(range.index.text.clone());
    }
}

/// Visits the bounds of ranges, and adds their indices to those in scope.
fn visit_ranges<'t, T>(
    ranges: &'t [Range],
    indices: &mut Vec<&'t str>,
    visit: &mut dyn FnMut(GraphPart<'t, T>, &[&'t str]),
) {
    for range in ranges {
        visit(GraphPart::Expr(&range.lower), indices);
        visit(GraphPart::Expr(&range.upper), indices);
        indices.push(&range.index.text);
    }
}
