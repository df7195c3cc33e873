//! Calls that end the program.

use super::literals::literal;
use crate::source::tree::*;

/// Functions that end the program.
pub const ENDINGS: [&str; 10] = [
    "exit",
    "MPI_Abort",
    "abort",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__builtin_unreachable",
    "__builtin_trap",
    "err",
];

/// Outcome with which a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Success,
    /// The program ends with a computed status.
    Unknown,
    Failure,
}

/// The outcome if an expression ends the program: `exit(0)`, `abort()`.
pub fn ending(expression: &Expression) -> Option<Outcome> {
    const WITH_STATUS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];
    let ExpressionKind::Call(function, arguments) = &expression.kind else {
        return None;
    };
    let name = function.name().filter(|name| ENDINGS.contains(name))?;
    let status = arguments.first().filter(|_| WITH_STATUS.contains(&name));
    let Some(status) = status else {
        return Some(Outcome::Failure);
    };
    Some(match &status.kind {
        ExpressionKind::Number(text) => match literal(text).number.and_then(|n| n.as_constant()) {
            Some(0) => Outcome::Success,
            Some(_) => Outcome::Failure,
            None => Outcome::Unknown,
        },
        ExpressionKind::Unary(operator, inner)
            if operator == "-" && matches!(inner.kind, ExpressionKind::Number(_)) =>
        {
            Outcome::Failure
        }
        _ => Outcome::Unknown,
    })
}
