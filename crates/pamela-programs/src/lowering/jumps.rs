//! Jumps: `goto`, and jumps out of a loop.

use super::walker::{Flow, List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// `goto` forward in the same list; any other `goto` leaves.
    pub fn jump(
        &mut self,
        statement: &Statement,
        label: &str,
        rest: &[Statement],
        list: &mut List,
    ) -> Result<Flow, Problem> {
        match rest.iter().position(|s| is_label(s, label)) {
            Some(place) => self.list(&rest[place..], list),
            None if self.loops > 0 || self.ahead.iter().any(|known| known == label) => {
                Ok(Flow::Leaves(None))
            }
            None => {
                let problem = Problem::new("a jump out of a block is not modelled")
                    .at(self.place(statement.span))
                    .hint("give the cost of the statement around it: #pragma pamela cost(a * n)");
                let part = self.opaque(statement.span, problem);
                list.parts.push(part);
                Ok(Flow::Leaves(None))
            }
        }
    }

    /// True if a statement ends the loop that it is in.
    pub fn is_exit(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Break => !self.in_switch,
            StatementKind::Goto(label) => self.loops > 0 && !self.labels.contains(label),
            StatementKind::Return(_) => self.loops > 0,
            StatementKind::Block(list) => list.last().is_some_and(|last| self.is_exit(last)),
            _ => false,
        }
    }
}

/// True if a statement has the label that another one jumps to.
pub fn is_target(from: &Statement, next: &Statement) -> bool {
    let mut found = false;
    from.walk(&mut |statement| {
        if let StatementKind::Goto(label) = &statement.kind {
            found |= is_label(next, label);
        }
    });
    found
}

pub fn is_label(statement: &Statement, label: &str) -> bool {
    label_of(statement) == Some(label)
}

pub fn label_of(statement: &Statement) -> Option<&str> {
    match &statement.kind {
        StatementKind::Label(name) => Some(name),
        StatementKind::Block(list) => match &list.first()?.kind {
            StatementKind::Label(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
