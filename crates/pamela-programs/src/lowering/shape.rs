//! The form of loops, and the changes of their variables.

use super::assigned::leaves_early;
use super::number::*;
use super::part::Range;
use crate::source::tree::*;

/// The parts of a loop, for any loop statement.
pub struct Shape<'a> {
    pub statement: &'a Statement,
    pub condition: Option<&'a Expression>,
    pub update: Option<&'a Expression>,
    pub body: &'a Statement,
    /// True if the condition is tested before the first iteration.
    pub tests_first: bool,
    pub span: Span,
}

/// Change of a variable from one iteration to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Plus(Number),
    Times(i64),
    /// Rounded down.
    Over(i64),
}

/// A loop with a known range: its index, and its variable as an expression in the index.
pub struct Induction {
    pub name: String,
    pub range: Range,
    /// Value of the variable at the beginning of an iteration.
    pub value: Number,
    /// Value of the variable after the loop.
    pub last: Option<Number>,
    /// Condition for the first iteration.
    pub guard: Option<Condition>,
    pub change: Change,
}

impl Induction {
    /// Iterations without a variable of their own, from 1 on.
    pub fn numbered(index: Symbol, last: Number) -> Induction {
        Induction {
            name: String::new(),
            range: Range {
                index,
                first: Number::constant(1),
                last,
                step: Number::constant(1),
            },
            value: Number::symbol(index),
            last: None,
            guard: None,
            change: Change::Plus(Number::constant(1)),
        }
    }
}

impl<'a> Shape<'a> {
    pub fn of(statement: &'a Statement) -> Option<Shape<'a>> {
        let span = statement.span;
        Some(match &statement.kind {
            StatementKind::For {
                condition,
                update,
                body,
                ..
            } => Shape {
                statement,
                condition: condition.as_ref(),
                update: update.as_ref(),
                body,
                tests_first: true,
                span,
            },
            StatementKind::While { condition, body } => Shape {
                statement,
                condition: Some(condition),
                update: None,
                body,
                tests_first: true,
                span,
            },
            StatementKind::DoWhile { body, condition } => Shape {
                statement,
                condition: Some(condition),
                update: None,
                body,
                tests_first: false,
                span,
            },
            _ => return None,
        })
    }
}

impl Shape<'_> {
    /// The text before the body, or after the body of a `do`.
    pub fn head(&self) -> Span {
        match (self.tests_first, self.condition) {
            (false, Some(condition)) => condition.span,
            _ => Span {
                start: self.span.start,
                end: self.body.span.start,
            },
        }
    }
}

/// True if an expression is an assignment to this variable.
pub fn changes(expression: &Expression, name: &str) -> bool {
    match &expression.kind {
        ExpressionKind::Assign(_, place, _) | ExpressionKind::Update { place, .. } => {
            place.name() == Some(name)
        }
        _ => false,
    }
}

/// True if an update is a statement of a loop's body that every iteration reaches.
pub fn is_at_top(body: &Statement, update: &Expression) -> bool {
    match &body.kind {
        StatementKind::Block(list) => {
            for statement in list {
                if is_at_top(statement, update) {
                    return true;
                }
                if continues(statement) {
                    return false;
                }
            }
            false
        }
        StatementKind::Expression(expression) => {
            let mut found = false;
            expression.walk(&mut |part| {
                let is_conditional = matches!(part.kind, ExpressionKind::Conditional(..));
                found |= std::ptr::eq(part, update) && !is_conditional;
            });
            found && !has_condition(expression)
        }
        _ => false,
    }
}

fn has_condition(expression: &Expression) -> bool {
    let mut found = false;
    expression.walk(&mut |part| {
        found |= match &part.kind {
            ExpressionKind::Conditional(..) => true,
            ExpressionKind::Binary(operator, ..) => operator == "&&" || operator == "||",
            _ => false,
        };
    });
    found
}

/// True if a statement may end an iteration before its end.
fn continues(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Continue | StatementKind::Goto(_) => true,
        StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::DoWhile { .. } => {
            false
        }
        _ => statement.inner().into_iter().any(continues),
    }
}

/// True if a loop may be left early, to a place outside of it.
pub fn returns(body: &Statement) -> bool {
    let mut found = false;
    body.walk(&mut |statement| {
        found |= matches!(
            statement.kind,
            StatementKind::Return(_) | StatementKind::Goto(_)
        );
    });
    found && leaves_early(body)
}
