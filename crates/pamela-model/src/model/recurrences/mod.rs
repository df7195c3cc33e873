//! Recurrences: `numeric T(n) = if (n <= c) e else a * T(n div b) + f` becomes the sum of the work of all parts, from the
//! whole to those that end the recurrence. The sum has the value of the recurrence, for any `n`.

mod differences;
mod history;
mod paths;
mod read;
mod sizes;
mod solve;

use super::build::mentions_call;
use crate::diagnostic::Span;
use crate::syntax::tree::{Equation, Expr, Type, Value};

/// Reason why a recurrence has no solution.
#[derive(Clone, Debug)]
pub(super) struct Unsolved {
    pub span: Span,
    pub label: String,
}

impl Unsolved {
    fn new(span: Span, label: impl Into<String>) -> Unsolved {
        let label = label.into();
        Unsolved { span, label }
    }
}

/// What a recurrence may look like.
pub(super) const FORMS: &str = "a recurrence is `numeric T(n) = if (n <= c) e else a * T(n div b) + f`: the last branch is linear \
     in the calls, and their sizes are of one kind, `n - c`, `n div b`, `ceil(n / b)` or `n * r`; write other loops with `sum` or `seq`";

/// Solves the recurrences among the equations, and returns their positions with what was written there. Others stay as they are.
pub(super) fn solve(equations: &mut [Equation]) -> Vec<(usize, Value)> {
    let mut solved = Vec::new();
    for (position, equation) in equations.iter_mut().enumerate() {
        if is_recurrence(equation)
            && let Ok(solution) = solution(equation)
        {
            let written = equation.value.replace(Value::Numeric(solution));
            solved.extend(written.map(|written| (position, written)));
        }
    }
    solved
}

/// True if an equation with arguments mentions itself.
pub(super) fn is_recurrence(equation: &Equation) -> bool {
    let calls = |value: &Expr| mentions_call(value, &equation.name.text);
    let is_function = equation.kind == Type::Numeric && !equation.formals.is_empty();
    is_function && matches!(&equation.value, Some(Value::Numeric(value)) if calls(value))
}

/// The value of a recurrence without calls of itself.
///
/// # Errors
/// Fails if it has not one of the forms that are solved.
pub(super) fn solution(equation: &Equation) -> Result<Expr, Unsolved> {
    let recurrence = read::Recurrence::read(equation)?;
    solve::solution(recurrence)
}
