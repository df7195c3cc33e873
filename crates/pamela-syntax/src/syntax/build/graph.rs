//! Builds graphs of tasks, of processes and of numbers.

use super::parts::Parts;
use super::{Built, Rule, quoted};
use crate::syntax::tree::{Expr, Family, Graph, Range, Recorded, Reference, Tracks};

impl<'i> Parts<'i> {
    /// Builds the families of a graph; `task` reads a task.
    pub(super) fn graph<T>(&mut self, task: fn(Parts<'i>) -> Built<T>) -> Built<Graph<T>> {
        if let Some(recorded) = self.take_if(Rule::recorded) {
            return self.recorded(recorded, task);
        }
        let mut families = Vec::new();
        while let Some(mut family) = self.next() {
            families.push(Family {
                label: family.take()?.name(),
                ranges: family.index_ranges()?,
                task: task(family.take()?)?,
                after: match family.next() {
                    Some(after) => after.references()?,
                    None => Vec::new(),
                },
            });
        }
        Ok(Graph {
            families,
            recorded: None,
        })
    }

    /// The graph of `(w in "file") task`: its one family is labelled by the name of its times.
    fn recorded<T>(
        &mut self,
        mut parts: Parts<'i>,
        task: fn(Parts<'i>) -> Built<T>,
    ) -> Built<Graph<T>> {
        let time = parts.take()?.name();
        let mut files = Vec::new();
        while let Some(file) = parts.take_if(Rule::text) {
            files.push(quoted(&file));
        }
        let default = match parts.take_if(Rule::default_clause) {
            Some(mut clause) => Some(clause.take()?.expression()?),
            None => None,
        };
        let tracks = match parts.take_if(Rule::tracks_clause) {
            Some(mut clause) => Some(match clause.take()?.text() {
                "order" => Tracks::Order,
                _ => Tracks::Free,
            }),
            None => None,
        };
        let family = Family {
            label: time.clone(),
            ranges: Vec::new(),
            task: task(self.take()?)?,
            after: Vec::new(),
        };
        Ok(Graph {
            families: vec![family],
            recorded: Some(Recorded {
                time,
                files,
                default,
                tracks,
            }),
        })
    }

    /// `(i = a, b; j = c, d)`, if it comes next.
    fn index_ranges(&mut self) -> Built<Vec<Range>> {
        let mut ranges = Vec::new();
        if let Some(mut list) = self.take_if(Rule::index_ranges) {
            while let Some(mut range) = list.next() {
                ranges.push(Range {
                    quorum: None,
                    index: range.take()?.name(),
                    lower: range.take()?.expression()?,
                    upper: range.take()?.expression()?,
                    step: None,
                });
            }
        }
        Ok(ranges)
    }

    fn references(mut self) -> Built<Vec<Reference>> {
        let mut references = Vec::new();
        while let Some(mut reference) = self.next() {
            references.push(Reference {
                label: reference.take()?.name(),
                arguments: match reference.take_if(Rule::arguments) {
                    Some(arguments) => Some(arguments.expressions()?),
                    None => None,
                },
                ranges: match reference.take_if(Rule::for_clause) {
                    Some(mut clause) => clause.index_ranges()?,
                    None => Vec::new(),
                },
                condition: reference.condition()?,
            });
        }
        Ok(references)
    }

    fn condition(&mut self) -> Built<Option<Expr>> {
        match self.take_if(Rule::if_clause) {
            Some(mut clause) => Ok(Some(clause.take()?.take()?.expression()?)),
            None => Ok(None),
        }
    }
}
