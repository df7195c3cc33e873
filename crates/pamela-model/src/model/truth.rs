//! Decides which expressions are truth values by their form.
//!
//! `if (c) a else b` takes one branch if `c` is a truth value, and is `c*a + (1-c)*b` if it is a
//! probability. The form of `c` after substitution decides. Truth values are comparisons,
//! `integer(x)`, the numbers 0 and 1, and combinations of truth values by `!`, `&&`, `||`, `if` and
//! `switch`. A parameter is a probability.

use std::cell::RefCell;

use super::Model;
use super::walk::with_stack;
use crate::syntax::tree::{Expr, ExprKind, Type, Value as Definition};

/// When the right-hand side of an equation is a truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    Never,
    /// True if the arguments at these positions are truth values; always true if there are no positions.
    WithArguments(Vec<usize>),
}

impl Truth {
    /// True if it is a truth value; `argument` tells which arguments are.
    pub fn holds(&self, argument: impl FnMut(usize) -> bool) -> bool {
        match self {
            Truth::Never => false,
            Truth::WithArguments(needed) => needed.iter().copied().all(argument),
        }
    }
}

/// The truth of every equation; `order` lists each after those that it mentions.
pub(super) fn of_equations(model: &Model, order: &[usize]) -> Vec<Truth> {
    let mut truths = vec![Truth::Never; model.equations.len()];
    let replaced = super::replaced::targets(model);
    for &position in order {
        let equation = &model.equations[position];
        let Some(Definition::Numeric(value)) = &equation.value else {
            continue;
        };
        if equation.parameter || replaced.contains(&position) {
            continue;
        }
        let needed = RefCell::new(Vec::new());
        let formal = |name: &str| {
            let formal = equation.formals.iter().position(|f| f.text == name)?;
            needed.borrow_mut().push(formal);
            Some(true)
        };
        if is_truth_value(model, &truths, value, &formal) {
            truths[position] = Truth::WithArguments(needed.into_inner());
        }
    }
    truths
}

impl Model {
    /// True if `expr` is a truth value by its form; `local` decides for names that are not the model's.
    pub fn is_truth_value(&self, expr: &Expr, local: &dyn Fn(&str) -> Option<bool>) -> bool {
        is_truth_value(self, &self.truths, expr, local)
    }
}

fn is_truth_value(
    model: &Model,
    truths: &[Truth],
    expr: &Expr,
    local: &dyn Fn(&str) -> Option<bool>,
) -> bool {
    let of = |e: &Expr| with_stack(|| is_truth_value(model, truths, e, local));
    match &expr.kind {
        ExprKind::Number(value) => value.is_zero() || value.is_one(),
        ExprKind::Compare(..) => true,
        ExprKind::Not(e) => of(e),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().all(of),
        ExprKind::If(_, a, b) => of(a) && of(b),
        ExprKind::Switch(cases) => cases.iter().all(|(_, e)| of(e)),
        ExprKind::Name(name) => local(name)
            .unwrap_or_else(|| of_call(model, truths, name, model.position(name), &[], &of)),
        ExprKind::Call(name, arguments) => match local(&name.text) {
            Some(_) => false,
            None => of_call(
                model,
                truths,
                &name.text,
                model.callee(&name.text),
                arguments,
                &of,
            ),
        },
        _ => false,
    }
}

fn of_call(
    model: &Model,
    truths: &[Truth],
    name: &str,
    position: Option<usize>,
    arguments: &[Expr],
    of: &dyn Fn(&Expr) -> bool,
) -> bool {
    match position {
        Some(position) if model.equations[position].kind == Type::Numeric => {
            truths[position].holds(|argument| arguments.get(argument).is_some_and(of))
        }
        Some(_) => false,
        None => name == "integer",
    }
}
