//! Statements that give one of two values to a variable.

use crate::source::tree::*;

/// A statement that gives one of two values to a variable: `x = c ? a : b`.
pub struct Choice<'e> {
    pub place: Place<'e>,
    pub condition: &'e Expression,
    pub then: &'e Expression,
    pub otherwise: &'e Expression,
}

/// Where a value is put, with the operator of an assignment.
pub enum Place<'e> {
    Assigned(&'e str, &'e Expression),
    Declared(&'e str),
}

impl<'e> Choice<'e> {
    pub fn of(statement: &'e StatementKind) -> Option<Choice<'e>> {
        let (place, value) = match statement {
            StatementKind::Expression(expression) => match &expression.kind {
                ExpressionKind::Assign(operator, place, value) => {
                    (Place::Assigned(operator, place), &**value)
                }
                _ => return None,
            },
            StatementKind::Declaration(variables) => match &variables[..] {
                [variable] => (Place::Declared(&variable.name), variable.value.as_ref()?),
                _ => return None,
            },
            _ => return None,
        };
        match &value.kind {
            ExpressionKind::Conditional(condition, then, otherwise) => Some(Choice {
                place,
                condition,
                then,
                otherwise,
            }),
            _ => None,
        }
    }
}
