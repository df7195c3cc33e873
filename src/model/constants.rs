//! Division by a constant zero, found before anything is evaluated.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::Model;
use super::walk::{Part, parts_of_expr, parts_of_process, with_stack};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Process, ProcessKind, Value as Definition,
};

/// Bits past which a constant is not followed: to be 0 it would have to cancel.
const MAX_BITS: u64 = 4096;

/// Divisions by what is 0 whatever the parameters are.
///
/// A divisor that is 0 by the values of names counts only where it is surely evaluated: not in a branch
/// and not in a loop, which may be empty.
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

struct Constants<'m> {
    model: &'m Model,
    values: Vec<Option<BigRational>>,
    diagnostics: Vec<Diagnostic>,
}

impl Constants<'_> {
    /// The value of sums and products of numbers and, with `names`, of constant equations.
    fn value(&self, expr: &Expr, names: bool) -> Option<BigRational> {
        with_stack(|| match &expr.kind {
            ExprKind::Number(value) => short(value.to_big()),
            ExprKind::Name(name) if names => self.values[self.model.position(name)?].clone(),
            ExprKind::Negate(e) => Some(-self.value(e, names)?),
            ExprKind::Sum(first, rest) => {
                rest.iter()
                    .try_fold(self.value(first, names)?, |sum, (op, e)| {
                        let term = self.value(e, names)?;
                        short(if *op == AddOp::Add {
                            sum + term
                        } else {
                            sum - term
                        })
                    })
            }
            ExprKind::Product(first, rest) => {
                rest.iter()
                    .try_fold(self.value(first, names)?, |product, (op, e)| {
                        let factor = self.value(e, names)?;
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

    fn divisions_in_expr(&mut self, expr: &Expr, certain: bool) {
        if let ExprKind::Product(_, factors) = &expr.kind {
            for (op, divisor) in factors.iter().filter(|(op, _)| *op != MulOp::Multiply) {
                self.divisor(*op, divisor, certain);
            }
        }
        if let ExprKind::Power(base, exponent) = &expr.kind {
            self.power(base, exponent, certain);
        }
        let lazy = matches!(
            expr.kind,
            ExprKind::If(..)
                | ExprKind::Switch(_)
                | ExprKind::And(_)
                | ExprKind::Or(_)
                | ExprKind::Call(..)
        );
        parts_of_expr(expr, &mut |part, index| {
            if let Part::Expr(e) = part {
                with_stack(|| self.divisions_in_expr(e, certain && !lazy && index.is_none()));
            }
        });
    }

    fn divisions_in_process(&mut self, process: &Process, certain: bool) {
        let lazy = matches!(
            process.kind,
            ProcessKind::If(..) | ProcessKind::Switch(_) | ProcessKind::Call(..)
        );
        parts_of_process(process, &mut |part, index| {
            let certain = certain && !lazy && index.is_none();
            with_stack(|| match part {
                Part::Expr(e) => self.divisions_in_expr(e, certain),
                Part::Process(p) => self.divisions_in_process(p, certain),
            });
        });
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

fn short(value: BigRational) -> Option<BigRational> {
    (value.numer().bits() + value.denom().bits() <= MAX_BITS).then_some(value)
}
