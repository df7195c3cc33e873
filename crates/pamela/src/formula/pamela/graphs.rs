//! Graphs of tasks.

use super::{Level, Writer};
use crate::expr::ExprId;
use crate::formula::graphs::{label, range, reference};
use crate::ring::Rational;

impl Writer<'_> {
    /// `graph { a (i = 1, n): t after a(i - 1); .. }`
    pub(super) fn graph(&mut self, graph: ExprId, families: &[ExprId]) {
        self.out.push_str("graph { ");
        for (number, &family) in families.iter().enumerate() {
            self.out.push_str(if number > 0 { "; " } else { "" });
            self.out.push_str(&label(self.arena, graph, number));
            let (task, ranges) = self.index_ranges(family, " (");
            self.out.push_str(": ");
            let operands = self.arena.operands(task);
            if let Some((&weight, after)) = operands.split_first() {
                self.write(weight, Level::If);
                for (place, &part) in after.iter().enumerate() {
                    self.out.push_str(if place == 0 { " after " } else { ", " });
                    self.reference(graph, part);
                }
            }
            (0..ranges).for_each(|_| self.names.leave());
        }
        self.out.push_str(" }");
    }

    fn reference(&mut self, graph: ExprId, part: ExprId) {
        // The label stands before the ranges whose indices its arguments name.
        let start = self.out.len();
        let (inner, ranges) = self.index_ranges(part, " for (");
        let clause = self.out.split_off(start);
        if let Some((family, operands)) = reference(self.arena, inner) {
            self.out
                .push_str(&label(self.arena, graph, family as usize));
            let (condition, indices) = (operands[0], &operands[1..]);
            if !indices.is_empty() {
                self.call("", indices);
            }
            self.out.push_str(&clause);
            if !self
                .arena
                .as_number(condition)
                .is_some_and(Rational::is_one)
            {
                self.out.push_str(" if (");
                self.condition(condition);
                self.out.push(')');
            }
        }
        (0..ranges).for_each(|_| self.names.leave());
    }

    /// Writes ranges and opens their scopes: what is within them, and how many there are.
    fn index_ranges(&mut self, mut part: ExprId, open: &str) -> (ExprId, usize) {
        let mut count = 0;
        while let Some(r) = range(self.arena, part) {
            self.out.push_str(if count == 0 { open } else { "; " });
            let start = self.out.len();
            self.write(r.lower, Level::If);
            self.out.push_str(", ");
            self.write(r.upper, Level::If);
            let bounds = self.out.split_off(start);
            let index = self.names.enter(r.index);
            self.out.push_str(&format!("{index} = {bounds}"));
            (count, part) = (count + 1, r.body);
        }
        self.out.push_str(if count > 0 { ")" } else { "" });
        (part, count)
    }
}
