//! Prints graphs of tasks.

use super::{Builder, number};
use crate::expr::ExprId;
use crate::formula::graphs::{label, range, reference};
use crate::ring::Rational;
use crate::syntax::rewrite::{self, node};
use crate::syntax::tree::{Expr, ExprKind, Family, Graph, Range, Reference};

impl Builder<'_> {
    /// Builds `graph { a (i = 1, n): t after a(i - 1); .. }`.
    pub(super) fn graph(&mut self, graph: ExprId, families: &[ExprId]) -> Expr {
        let families = families.iter().enumerate();
        let families = families.map(|(number, &family)| self.family(graph, number, family));
        node(ExprKind::Graph(Box::new(Graph {
            families: families.collect(),
            recorded: None,
        })))
    }

    fn family(&mut self, graph: ExprId, place: usize, family: ExprId) -> Family<Expr> {
        let (task, ranges) = self.index_ranges(family);
        let operands = self.arena.operands(task);
        let (task, after) = match operands.split_first() {
            Some((&weight, after)) => (self.tree(weight), after),
            None => (number(0), &[][..]),
        };
        let after = after
            .iter()
            .filter_map(|&part| self.reference(graph, part))
            .collect();
        ranges.iter().for_each(|_| self.names.leave());
        Family {
            label: rewrite::label(&label(self.arena, graph, place)),
            ranges,
            task,
            after,
        }
    }

    fn reference(&mut self, graph: ExprId, part: ExprId) -> Option<Reference> {
        let (inner, ranges) = self.index_ranges(part);
        let found = reference(self.arena, inner).map(|(family, operands)| {
            let (condition, indices) = (operands[0], &operands[1..]);
            let always = self
                .arena
                .as_number(condition)
                .is_some_and(Rational::is_one);
            let label = label(self.arena, graph, family as usize);
            (
                rewrite::label(&label),
                (!indices.is_empty()).then(|| self.trees(indices)),
                (!always).then(|| self.condition(condition)),
            )
        });
        ranges.iter().for_each(|_| self.names.leave());
        let (label, arguments, condition) = found?;
        Some(Reference {
            label,
            arguments,
            ranges,
            condition,
        })
    }

    /// The body inside nested ranges, and these ranges, whose scopes are open.
    fn index_ranges(&mut self, mut part: ExprId) -> (ExprId, Vec<Range>) {
        let mut ranges = Vec::new();
        while let Some(reduction) = range(self.arena, part) {
            ranges.push(self.enter(&reduction));
            part = reduction.body;
        }
        (part, ranges)
    }
}
