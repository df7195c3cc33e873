//! Variables that statements may assign.

use std::collections::BTreeSet;

use super::endings::{Outcome, ending};
use super::mpi::{keeps_requests, only_reads};
use super::state::Binding;
use super::walker::Walker;
use crate::source::tree::*;

/// Names of the variables that statements, and the functions that they call, may assign.
pub fn assigned_in<'a>(
    walker: &Walker,
    statements: impl Iterator<Item = &'a Statement>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in statements {
        let mut kept = Vec::new();
        statement.walk_expressions(&mut |expression| {
            if let ExpressionKind::Call(function, arguments) = &expression.kind
                && function.name().is_some_and(keeps_requests)
            {
                kept.extend(arguments.iter().map(|argument| argument.span));
            }
        });
        statement.walk_expressions(&mut |expression| {
            if !kept.contains(&expression.span) {
                assigned(walker, expression, &mut names);
            }
        });
    }
    names
}

/// Like [`assigned_in`], for one expression with its parts.
pub fn assigned_by(walker: &Walker, expression: &Expression) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    expression.walk(&mut |part| assigned(walker, part, &mut names));
    names
}

fn assigned(walker: &Walker, expression: &Expression, names: &mut BTreeSet<String>) {
    match &expression.kind {
        ExpressionKind::Assign(_, place, _) | ExpressionKind::Update { place, .. } => {
            names.extend(place.member().map(|name| format!("->{name}")));
            if walker.whole.holds_members(walker.function, place) {
                names.insert("->".to_string());
            }
            match (place.place(), place.array()) {
                (Some(name), _) => {
                    names.extend(walker.values.get(&name).and_then(structure));
                    names.insert(name);
                }
                (None, Some(array)) => names.extend(walker.values.elements(array)),
                (None, None) => {}
            }
        }
        ExpressionKind::Unary(operator, inner) if operator == "&" => {
            names.extend(inner.name().map(String::from));
            if let Some(array) = inner.array() {
                names.extend(walker.values.elements(array));
            }
            names.extend(inner.member().map(|name| format!("->{name}")));
        }
        ExpressionKind::Call(function, _) => {
            let callee = function
                .name()
                .and_then(|name| walker.whole.function(name, walker.function));
            if let Some(callee) = callee {
                let globals = walker.whole.globals_assigned(callee).iter();
                let is_global = |name: &&String| {
                    let variable = name.split('[').next().unwrap_or(name);
                    name.starts_with("->") || walker.values.globals.contains_key(variable)
                };
                let globals = globals.filter(is_global);
                for name in globals {
                    names.extend(walker.values.globals.get(name).and_then(structure));
                    names.insert(name.to_string());
                }
            } else {
                names.extend(walker.whole.written_outside(walker.function, expression));
            }
            for array in passed(expression) {
                names.extend(walker.values.elements(array));
            }
        }
        _ => {}
    }
}

/// The name of all members of a structure that is assigned as a whole.
fn structure(variable: &Binding) -> Option<String> {
    let is_structure = variable.kind == Kind::Other && !variable.is_pointer;
    let object = variable.object.as_ref().filter(|_| is_structure)?;
    Some(format!("->#{object}"))
}

/// The arrays that a call may write to: `f(a)`, `f(&a[0])`.
pub fn passed(call: &Expression) -> Vec<&str> {
    let ExpressionKind::Call(function, arguments) = &call.kind else {
        return Vec::new();
    };
    if function
        .name()
        .is_some_and(|name| only_reads(name) || keeps_requests(name))
    {
        return Vec::new();
    }
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

/// True if an expression has another value when these are written.
pub fn varies(expression: &Expression, changed: &BTreeSet<String>) -> bool {
    let mut varies = false;
    expression.walk(&mut |part| {
        varies |= part.name().is_some_and(|name| changed.contains(name));
        if let Some(array) = part.array() {
            let is_element = |name: &String| {
                name.strip_prefix(array)
                    .is_some_and(|rest| rest.starts_with('['))
            };
            varies |= changed.iter().any(is_element);
        }
        if part.member().is_some() {
            let path = |name: &String| name.starts_with("->=") || name.starts_with("->#");
            varies |= changed.contains("->") || changed.iter().any(path);
            let own = part.member().map(|name| format!("->{name}"));
            varies |= own.is_some_and(|name| changed.contains(&name));
        }
    });
    varies
}

/// True if a loop's body may end the loop: by `break`, by `return`, or by `goto` to a place outside of it.
pub fn leaves_early(body: &Statement) -> bool {
    leaves(body, true, &labels_in(body)) || may_end(body)
}

/// True if the program may end with success in a statement; the cases of a `switch` are those of options.
fn may_end(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Expression(expression) => ending(expression) == Some(Outcome::Success),
        StatementKind::Switch { .. } => false,
        _ => statement.inner().into_iter().any(may_end),
    }
}

/// The labels in a statement.
pub fn labels_in(statement: &Statement) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    statement.walk(&mut |inner| {
        if let StatementKind::Label(label) = &inner.kind {
            labels.insert(label.clone());
        }
    });
    labels
}

fn leaves(statement: &Statement, breaks: bool, labels: &BTreeSet<String>) -> bool {
    let breaks_inside = match &statement.kind {
        StatementKind::Break => return breaks,
        StatementKind::Return(_) => return true,
        StatementKind::Goto(label) => return !labels.contains(label.as_str()),
        StatementKind::For { .. }
        | StatementKind::While { .. }
        | StatementKind::DoWhile { .. }
        | StatementKind::Switch { .. } => false,
        _ => breaks,
    };
    let mut inner = statement.inner().into_iter();
    inner.any(|inner| leaves(inner, breaks_inside, labels))
}
