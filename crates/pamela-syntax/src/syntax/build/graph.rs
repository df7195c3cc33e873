//! Graphs of tasks, of processes and of numbers.

use super::parts::Parts;
use super::{Built, Rule};
use crate::syntax::tree::{Expr, Family, Graph, Range, Reference};

impl<'i> Parts<'i> {
    /// The families of a graph, whose tasks are read by `task`.
    pub(super) fn graph<T>(&mut self, task: fn(Parts<'i>) -> Built<T>) -> Built<Graph<T>> {
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
        Ok(Graph { families })
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
