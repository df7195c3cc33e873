//! What statements may assign.

use std::collections::BTreeSet;

use super::walker::Walker;
use crate::source::tree::*;

/// The names of the variables that statements, and what they call, may give another value.
pub fn assigned_in<'a>(
    walker: &Walker,
    statements: impl Iterator<Item = &'a Statement>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in statements {
        statement.walk_expressions(&mut |expression| assigned(walker, expression, &mut names));
    }
    names
}

/// The same for one expression with its parts.
pub fn assigned_by(walker: &Walker, expression: &Expression) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    expression.walk(&mut |part| assigned(walker, part, &mut names));
    names
}

fn assigned(walker: &Walker, expression: &Expression, names: &mut BTreeSet<String>) {
    match &expression.kind {
        ExpressionKind::Assign(_, place, _) | ExpressionKind::Update { place, .. } => {
            match (place.place(), place.array()) {
                (Some(name), _) => {
                    names.insert(name);
                }
                (None, Some(array)) => names.extend(walker.values.elements(array)),
                (None, None) => {}
            }
        }
        ExpressionKind::Unary(operator, inner) if operator == "&" => {
            names.extend(inner.name().map(String::from));
        }
        ExpressionKind::Call(function, _) => {
            let callee = function
                .name()
                .and_then(|name| walker.whole.function(name, walker.function));
            if let Some(callee) = callee {
                let globals = walker.whole.globals_assigned(callee).iter();
                names.extend(globals.map(ToString::to_string));
            }
            for array in passed(expression) {
                names.extend(walker.values.elements(array));
            }
        }
        _ => {}
    }
}

/// The arrays that a call may write to: `f(a)`, `f(&a[0])`.
pub fn passed(call: &Expression) -> Vec<&str> {
    let ExpressionKind::Call(_, arguments) = &call.kind else {
        return Vec::new();
    };
    let arrays = arguments
        .iter()
        .filter_map(|argument| match &argument.kind {
            ExpressionKind::Name(name) => Some(name.as_str()),
            ExpressionKind::Unary(operator, inner) if operator == "&" => {
                inner.name().or(inner.array())
            }
            _ => None,
        });
    arrays.collect()
}

/// Whether a loop's body may end the loop: by `break`, `return` or `goto`.
pub fn leaves_early(body: &Statement) -> bool {
    leaves(body, true, true)
}

fn leaves(statement: &Statement, breaks: bool, here: bool) -> bool {
    let _ = here;
    match &statement.kind {
        StatementKind::Break => breaks,
        StatementKind::Return(_) => true,
        StatementKind::Goto(label) => {
            let _ = label;
            true
        }
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. } => leaves(body, false, false),
        StatementKind::Switch { cases, .. } => cases
            .iter()
            .flat_map(|case| &case.body)
            .any(|inner| leaves(inner, false, false)),
        _ => statement
            .inner()
            .into_iter()
            .any(|inner| leaves(inner, breaks, false)),
    }
}
