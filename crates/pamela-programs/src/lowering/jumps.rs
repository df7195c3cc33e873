//! Jumps: `goto`, what leaves a loop, and the end of the program.

use super::calls::ENDINGS;
use super::walker::{Flow, List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// `goto` forward, in the same list; elsewhere it leaves.
    pub fn jump(
        &mut self,
        statement: &Statement,
        label: &str,
        rest: &[Statement],
        list: &mut List,
    ) -> Result<Flow, Problem> {
        match rest.iter().position(|s| is_label(s, label)) {
            Some(place) => self.list(&rest[place..], list),
            None if self.loops > 0 => Ok(Flow::Leaves(None)),
            None => {
                let problem = Problem::new("a jump out of a block is not modelled")
                    .at(self.place(statement.span))
                    .hint("give the cost of what is around it: #pragma pamela cost(a * n)");
                let part = self.opaque(statement.span, problem);
                list.parts.push(part);
                Ok(Flow::Leaves(None))
            }
        }
    }

    /// Whether the program ends with this call, and succeeds: `exit(0)`.
    pub fn ends(&self, expression: &Expression) -> Option<bool> {
        let ExpressionKind::Call(function, arguments) = &expression.kind else {
            return None;
        };
        let name = function.name().filter(|name| ENDINGS.contains(name))?;
        if self.whole.function(name, self.function).is_some() {
            return None;
        }
        let succeeds = |argument: &Expression| {
            let status = self.known_number(argument);
            status.and_then(|status| status.as_constant()) == Some(0)
        };
        Some(arguments.len() == 1 && arguments.iter().all(succeeds))
    }

    /// How control goes on where the program ends: as behind the end of the function that is modelled, if it succeeds.
    pub fn ended(&mut self, succeeds: bool, span: Span) -> Flow {
        match (succeeds, self.stack.len()) {
            (true, 1) if self.loops == 0 => Flow::Leaves(None),
            (true, _) => {
                let problem =
                    Problem::new("the program may end here: what it then leaves out is counted");
                self.unsure(problem.at(self.place(span)));
                Flow::Ends
            }
            (false, _) => Flow::Ends,
        }
    }

    /// Whether a statement ends the loop that it is in.
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

/// `if (c) goto l; a; l: b` as `if (c) { } else a; l: b`, with how many statements of the rest it has; and the same where
/// more stands in front of the jump.
pub fn without_jump(statement: &Statement, rest: &[Statement]) -> Option<(Statement, usize)> {
    let StatementKind::If {
        condition,
        then,
        otherwise,
    } = &statement.kind
    else {
        return None;
    };
    let (label, before) = match &then.kind {
        StatementKind::Goto(label) => (label, &[][..]),
        StatementKind::Block(list) => match list.split_last()? {
            (
                Statement {
                    kind: StatementKind::Goto(label),
                    ..
                },
                before,
            ) => (label, before),
            _ => return None,
        },
        _ => return None,
    };
    let behind = rest.iter().position(|next| is_label(next, label))?;
    let block = |list: Vec<Statement>| Statement {
        kind: StatementKind::Block(list),
        pragmas: Vec::new(),
        span: statement.span,
    };
    let otherwise = otherwise.iter().map(|otherwise| (**otherwise).clone());
    let otherwise = otherwise.chain(rest[..behind].iter().cloned());
    let kind = StatementKind::If {
        condition: condition.clone(),
        then: Box::new(block(before.to_vec())),
        otherwise: Some(Box::new(block(otherwise.collect()))),
    };
    Some((
        Statement {
            kind,
            ..statement.clone()
        },
        behind,
    ))
}

/// Whether a statement has the label that another one jumps to.
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
    match &statement.kind {
        StatementKind::Label(name) => name == label,
        StatementKind::Block(list) => list.first().is_some_and(|first| match &first.kind {
            StatementKind::Label(name) => name == label,
            _ => false,
        }),
        _ => false,
    }
}
