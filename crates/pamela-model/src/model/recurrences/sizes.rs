//! Sizes of the parts of a recurrence, in terms of its size `n`.

use crate::ring::Rational;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp};

/// The size of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// `n - by`
    Minus(Rational),
    /// `(n + shift) div by`
    Floor { by: i64, shift: i64 },
    /// `n * ratio`, between 0 and `n`
    Share(Rational),
}

/// `slope * n + rest + sign * ((n + shift) div by)`
#[derive(Clone)]
struct Form {
    slope: Rational,
    rest: Rational,
    quotient: Option<(Rational, i64, i64)>,
}

impl Form {
    fn constant(rest: Rational) -> Form {
        Form {
            slope: Rational::ZERO,
            rest,
            quotient: None,
        }
    }

    fn scaled(mut self, by: &Rational) -> Form {
        self.slope = &self.slope * by;
        self.rest = &self.rest * by;
        if let Some((sign, ..)) = &mut self.quotient {
            *sign = &*sign * by;
        }
        self
    }

    fn plus(self, other: Form) -> Option<Form> {
        let quotient = match (self.quotient, other.quotient) {
            (Some((a, b, c)), Some((d, e, f))) => {
                ((b, c) == (e, f)).then(|| (&a + &d, b, c)).map(Some)?
            }
            (a, b) => a.or(b),
        };
        Some(Form {
            slope: &self.slope + &other.slope,
            rest: &self.rest + &other.rest,
            quotient,
        })
    }

    fn as_constant(&self) -> Option<&Rational> {
        let is_constant = self.slope.is_zero() && self.quotient.is_none();
        is_constant.then_some(&self.rest)
    }

    /// The whole part of `self / by`, or its least upper whole number.
    fn rounded(&self, by: &Rational, is_up: bool) -> Option<Form> {
        if self.quotient.is_some() || self.slope.is_zero() {
            return None;
        }
        let divisor = by.checked_div(&self.slope)?;
        let shift = self.rest.checked_div(&self.slope)?;
        let (by, mut shift) = (small(&divisor)?, small(&shift)?);
        if by < 1 {
            return None;
        }
        if is_up {
            shift += by - 1;
        }
        let mut form = Form::constant(Rational::ZERO);
        match by {
            1 => (form.slope, form.rest) = (Rational::ONE, Rational::from(shift)),
            _ => form.quotient = Some((Rational::ONE, by, shift)),
        }
        Some(form)
    }
}

/// Larger numbers in sizes are not read.
const MOST: i64 = 1 << 40;

fn small(number: &Rational) -> Option<i64> {
    let whole = number.is_integer().then(|| number.to_i64()).flatten();
    whole.filter(|whole| whole.abs() <= MOST)
}

/// The form of a size in `n`.
fn form(expr: &Expr, n: &str) -> Option<Form> {
    match &expr.kind {
        ExprKind::Number(number) => Some(Form::constant(number.clone())),
        ExprKind::Name(name) if name == n => Some(Form {
            slope: Rational::ONE,
            ..Form::constant(Rational::ZERO)
        }),
        ExprKind::Negate(e) => Some(form(e, n)?.scaled(&Rational::from(-1))),
        ExprKind::Sum(first, rest) => rest.iter().try_fold(form(first, n)?, |sum, (op, e)| {
            let sign = Rational::from(if *op == AddOp::Add { 1 } else { -1 });
            sum.plus(form(e, n)?.scaled(&sign))
        }),
        ExprKind::Product(first, rest) => {
            rest.iter().try_fold(form(first, n)?, |product, (op, e)| {
                let factor = form(e, n)?;
                let constant = factor.as_constant();
                match (op, constant, product.as_constant()) {
                    (MulOp::Multiply, Some(by), _) => Some(product.scaled(by)),
                    (MulOp::Multiply, None, Some(by)) => {
                        let by = by.clone();
                        Some(factor.scaled(&by))
                    }
                    (MulOp::Divide, Some(by), _) => Some(product.scaled(&by.recip()?)),
                    (MulOp::FloorDivide, Some(by), _) => product.rounded(by, false),
                    _ => None,
                }
            })
        }
        ExprKind::Call(name, arguments) if arguments.len() == 1 => {
            let is_up = match name.text.as_str() {
                "floor" => false,
                "ceil" => true,
                _ => return None,
            };
            form(&arguments[0], n)?.rounded(&Rational::ONE, is_up)
        }
        _ => None,
    }
}

impl Size {
    /// The size of a part; nothing if it is none of the known ones, or not below `n`.
    pub fn of(expr: &Expr, n: &str) -> Option<Size> {
        let found = form(expr, n)?;
        let one = &Rational::ONE;
        match &found.quotient {
            None if &found.slope == one => {
                let by = -&found.rest;
                by.is_positive().then_some(Size::Minus(by))
            }
            None => {
                let is_share =
                    found.rest.is_zero() && found.slope.is_positive() && &found.slope < one;
                is_share.then_some(Size::Share(found.slope))
            }
            Some((sign, by, shift)) => {
                let rest = small(&found.rest)?;
                if sign == one && found.slope.is_zero() {
                    let shift = shift + by.checked_mul(rest)?;
                    return Some(Size::Floor { by: *by, shift });
                }
                // `n - (n + s) div 2` is `(n - s + 1) div 2`.
                let is_rest = *sign == Rational::from(-1) && &found.slope == one && *by == 2;
                is_rest.then_some(Size::Floor {
                    by: 2,
                    shift: 1 - shift + 2 * rest,
                })
            }
        }
    }
}
