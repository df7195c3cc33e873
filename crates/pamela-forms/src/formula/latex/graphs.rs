//! Prints graphs of tasks.

use super::{Level, Writer, base_name, name};
use crate::expr::ExprId;
use crate::formula::graphs::{label, range, reference};
use crate::formula::view;
use crate::ring::Rational;

impl Writer<'_> {
    /// Prints `path{ a_i: t after a_{i-1} (1 <= i <= n); .. }`.
    pub(super) fn graph(&mut self, graph: ExprId, families: &[ExprId]) {
        self.out.push_str("\\operatorname{path}\\left\\{");
        for (number, &family) in families.iter().enumerate() {
            self.out.push_str(if number > 0 { ";\\; " } else { "" });
            let (task, ranges, indices) = self.index_ranges(family);
            self.out
                .push_str(&base_name(&label(self.arena, graph, number)));
            if !indices.is_empty() {
                self.out.push_str(&format!("_{{{}}}", indices.join(", ")));
            }
            self.out.push_str("\\colon ");
            let operands = self.arena.operands(task);
            if let Some((&weight, after)) = operands.split_first() {
                self.write(weight, Level::Or);
                for (place, &part) in after.iter().enumerate() {
                    let word = if place == 0 { "\\text{ after } " } else { ", " };
                    self.out.push_str(word);
                    self.reference(graph, part);
                }
            }
            self.out.push_str(&ranges);
            indices.iter().for_each(|_| self.names.leave());
        }
        self.out.push_str("\\right\\}");
    }

    fn reference(&mut self, graph: ExprId, part: ExprId) {
        let (inner, ranges, indices) = self.index_ranges(part);
        if let Some((family, operands)) = reference(self.arena, inner) {
            self.out
                .push_str(&base_name(&label(self.arena, graph, family as usize)));
            let condition = operands[0];
            if operands.len() > 1 {
                self.out.push_str("_{");
                for (place, &index) in operands[1..].iter().enumerate() {
                    self.out.push_str(if place > 0 { ", " } else { "" });
                    self.write(index, Level::Or);
                }
                self.out.push('}');
            }
            self.out.push_str(&ranges);
            if !self
                .arena
                .as_number(condition)
                .is_some_and(Rational::is_one)
            {
                self.out.push_str("\\text{ if } ");
                match view::truth(self.arena, condition) {
                    Some(truth) => self.truth(&truth, Level::Or),
                    None => self.atom(condition),
                }
            }
        }
        indices.iter().for_each(|_| self.names.leave());
    }

    /// Opens the scopes of ranges: what is within them, their text, and the names of the indices.
    fn index_ranges(&mut self, mut part: ExprId) -> (ExprId, String, Vec<String>) {
        let (mut text, mut indices) = (String::new(), Vec::new());
        while let Some(r) = range(self.arena, part) {
            let start = self.out.len();
            self.write(r.lower, Level::Or);
            let lower = self.out.split_off(start);
            self.write(r.upper, Level::Or);
            let upper = self.out.split_off(start);
            let index = name(&self.names.enter(r.index));
            let separator = if indices.is_empty() {
                "\\;\\left("
            } else {
                ",\\; "
            };
            text.push_str(&format!("{separator}{lower} \\le {index} \\le {upper}"));
            indices.push(index);
            part = r.body;
        }
        text.push_str(if indices.is_empty() { "" } else { "\\right)" });
        (part, text, indices)
    }
}
