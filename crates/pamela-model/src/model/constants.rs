//! Finds divisions by a constant zero, and constants outside of the domain of a law or a condition,
//! before evaluation.

use super::fraction::{Fraction, literal};
use num_traits::{One, Zero};

use super::Model;
use super::laws::misuse;
use super::walk::{Part, parts_of_expr, parts_of_process, with_stack};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Process, ProcessKind, Value as Definition,
};

/// Bits past which a constant is not followed: to be 0 it would have to cancel.
const MAX_BITS: u64 = 4096;

/// Finds divisions by an expression that is always 0.
///
/// A divisor that is 0 by the values of names counts only if it is certainly evaluated: not in a
/// branch, and not in a loop, which may be empty.
pub(super) fn check(model: &Model, order: &[usize]) -> Vec<Diagnostic> {
    let mut constants = Constants {
        model,
        values: vec![None; model.equations.len()],
        diagnostics: Vec::new(),
    };
    for &position in order {
        let equation = &model.equations[position];
        let certain = equation.formals.is_empty() && !equation.parameter;
        match &equation.value {
            Some(Definition::Numeric(value) | Definition::Resource(value)) => {
                constants.divisions_in_expr(value, certain);
                if certain {
                    constants.values[position] = constants.value(value, true);
                }
            }
            Some(Definition::Process(process)) => constants.divisions_in_process(process, certain),
            None => {}
        }
    }
    constants.diagnostics
}

impl Model {
    /// The value of sums and products of numbers and of constant equations.
    pub fn constant(&self, expr: &Expr) -> Option<Fraction> {
        value_of(expr, &|name| {
            let equation = self.lookup(name).filter(|own| own.formals.is_empty())?;
            match &equation.value {
                Some(Definition::Numeric(value)) => self.constant(value),
                _ => None,
            }
        })
    }
}

struct Constants<'m> {
    model: &'m Model,
    values: Vec<Option<Fraction>>,
    diagnostics: Vec<Diagnostic>,
}

impl Constants<'_> {
    /// The value of sums and products of numbers and, with `names`, of constant equations.
    fn value(&self, expr: &Expr, names: bool) -> Option<Fraction> {
        value_of(expr, &|name| {
            if names {
                self.values[self.model.position(name)?].clone()
            } else {
                None
            }
        })
    }

    fn divisions_in_expr(&mut self, expr: &Expr, certain: bool) {
        if let ExprKind::Product(_, factors) = &expr.kind {
            for (op, divisor) in factors.iter().filter(|(op, _)| *op != MulOp::Multiply) {
                self.divisor(*op, divisor, certain);
            }
        }
        match &expr.kind {
            ExprKind::Power(base, exponent) => self.power(base, exponent, certain),
            ExprKind::If(condition, ..) => self.condition(condition, certain),
            ExprKind::Switch(cases) => {
                cases
                    .iter()
                    .for_each(|(condition, _)| self.condition(condition, certain));
            }
            ExprKind::Call(name, arguments) if self.model.callee(&name.text).is_none() => {
                self.law(&name.text, arguments, certain);
            }
            _ => {}
        }
        let lazy = matches!(
            expr.kind,
            ExprKind::If(..)
                | ExprKind::Switch(_)
                | ExprKind::And(_)
                | ExprKind::Or(_)
                | ExprKind::Call(..)
        );
        parts_of_expr(expr, &mut |part, indices| {
            if let Part::Expr(e) = part {
                with_stack(|| self.divisions_in_expr(e, certain && !lazy && indices.is_empty()));
            }
        });
    }

    fn divisions_in_process(&mut self, process: &Process, certain: bool) {
        let lazy = matches!(
            process.kind,
            ProcessKind::If(..) | ProcessKind::Switch(_) | ProcessKind::Call(..)
        );
        match &process.kind {
            ProcessKind::If(condition, ..) => self.condition(condition, certain),
            ProcessKind::Switch(cases) => {
                cases
                    .iter()
                    .for_each(|(condition, _)| self.condition(condition, certain));
            }
            _ => {}
        }
        parts_of_process(process, &mut |part, indices| {
            let certain = certain && !lazy && indices.is_empty();
            with_stack(|| match part {
                Part::Expr(e) => self.divisions_in_expr(e, certain),
                Part::Process(p) => self.divisions_in_process(p, certain),
            });
        });
    }

    /// A condition that is a number is a truth value or a probability.
    fn condition(&mut self, condition: &Expr, names: bool) {
        let outside = |value: &Fraction| value.is_negative() || *value > Fraction::one();
        if let Some(value) = self.value(condition, names).filter(outside) {
            let message = format!(
                "a condition is {value}, expected a truth value or a probability from 0 to 1"
            );
            self.diagnostics.push(
                Diagnostic::error(message, condition.span, "not from 0 to 1")
                    .hint("to test a number write a comparison, for example `x != 0`"),
            );
        }
    }

    /// Arguments of laws, and weights of mixtures, as far as they are constants.
    fn law(&mut self, name: &str, arguments: &[Expr], names: bool) {
        let known = arguments.iter().map(|argument| self.value(argument, names));
        let known: Vec<Option<Fraction>> = known.collect();
        if let Some((position, message)) = misuse(name, &known) {
            let place = arguments[position].span;
            let label = "outside of the domain of the law";
            self.diagnostics
                .push(Diagnostic::error(message, place, label));
        }
        if name != "mixture" {
            return;
        }
        for (weight, argument) in known.iter().zip(arguments).step_by(2) {
            if let Some(value) = weight.as_ref().filter(|value| value.is_negative()) {
                let message =
                    format!("a weight of the `mixture` is {value}, expected a number from 0 to 1");
                self.diagnostics
                    .push(Diagnostic::error(message, argument.span, "below 0"));
            }
        }
    }

    /// A negative power divides by its base.
    fn power(&mut self, base: &Expr, exponent: &Expr, names: bool) {
        let negative = self
            .value(exponent, names)
            .is_some_and(|value| value.is_negative());
        if negative && self.value(base, names).is_some_and(|value| value.is_zero()) {
            self.diagnostics.push(
                Diagnostic::error("0 to a negative power", base.span, "this is always 0")
                    .hint("a negative power is a quotient, only defined for a base other than 0"),
            );
        }
    }

    fn divisor(&mut self, op: MulOp, divisor: &Expr, names: bool) {
        if !self
            .value(divisor, names)
            .is_some_and(|value| value.is_zero())
        {
            return;
        }
        let what = if op == MulOp::Modulo {
            "`mod` by zero"
        } else {
            "division by zero"
        };
        self.diagnostics.push(
            Diagnostic::error(what, divisor.span, "this is always 0")
                .hint("a quotient is only defined for a divisor other than 0"),
        );
    }
}

/// The value of sums and products of numbers and of names with a value.
pub(super) fn value_of(expr: &Expr, named: &dyn Fn(&str) -> Option<Fraction>) -> Option<Fraction> {
    with_stack(|| match &expr.kind {
        ExprKind::Number(value) => short(literal(value)),
        ExprKind::Quantity(quantity) => short(literal(&quantity.value())),
        ExprKind::Name(name) => named(name),
        ExprKind::Negate(e) => Some(-value_of(e, named)?),
        ExprKind::Sum(first, rest) => {
            rest.iter()
                .try_fold(value_of(first, named)?, |sum, (op, e)| {
                    let term = value_of(e, named)?;
                    short(if *op == AddOp::Add {
                        sum + term
                    } else {
                        sum - term
                    })
                })
        }
        ExprKind::Product(first, rest) => {
            rest.iter()
                .try_fold(value_of(first, named)?, |product, (op, e)| {
                    let factor = value_of(e, named)?;
                    match op {
                        MulOp::Multiply => short(product * factor),
                        MulOp::Divide if !factor.is_zero() => short(product / factor),
                        _ => None,
                    }
                })
        }
        _ => None,
    })
}

fn short(value: Fraction) -> Option<Fraction> {
    let (numer, denom) = value.bits();
    (numer + denom <= MAX_BITS).then_some(value)
}
