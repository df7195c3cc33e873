//! Sums over the parts of all smaller sizes, as in quicksort's recurrence: `T(n) = 2 / n * sum (i = 0, n - 1) { T(i) } + n - 1`.

use super::Unsolved;
use crate::diagnostic::Span;
use crate::model::build::{Head, literal, mentions_call};
use crate::ring::Rational;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp, ReduceKind, Reduction};

/// `factor * sum (i = first, n - 1) { T(i) }`
pub struct History {
    pub factor: Expr,
    pub first: i64,
}

/// A sum of parts as it stands in a recurrence.
pub struct Parts {
    /// How often each size occurs.
    pub count: Rational,
    pub first: i64,
}

/// `in_n * n + in_index * i + rest`
type Plane = (Rational, Rational, Rational);

/// Reads an expression that is linear in the size and in an index together.
fn plane(expr: &Expr, n: &str, index: &str) -> Option<Plane> {
    let constant = |value: Rational| (Rational::ZERO, Rational::ZERO, value);
    let scaled = |(a, b, c): Plane, by: &Rational| (&a * by, &b * by, &c * by);
    let as_constant = |(a, b, c): &Plane| (a.is_zero() && b.is_zero()).then(|| c.clone());
    match &expr.kind {
        ExprKind::Number(value) => Some(constant(value.clone())),
        ExprKind::Name(name) if name == n => Some((Rational::ONE, Rational::ZERO, Rational::ZERO)),
        ExprKind::Name(name) if name == index => {
            Some((Rational::ZERO, Rational::ONE, Rational::ZERO))
        }
        ExprKind::Negate(e) => Some(scaled(plane(e, n, index)?, &Rational::from(-1))),
        ExprKind::Sum(first, rest) => {
            rest.iter()
                .try_fold(plane(first, n, index)?, |sum, (op, e)| {
                    let sign = Rational::from(if *op == AddOp::Add { 1 } else { -1 });
                    let (a, b, c) = scaled(plane(e, n, index)?, &sign);
                    Some((&sum.0 + &a, &sum.1 + &b, &sum.2 + &c))
                })
        }
        ExprKind::Product(first, rest) => {
            rest.iter()
                .try_fold(plane(first, n, index)?, |product, (op, e)| {
                    let factor = plane(e, n, index)?;
                    match (op, as_constant(&factor), as_constant(&product)) {
                        (MulOp::Multiply, Some(by), _) => Some(scaled(product, &by)),
                        (MulOp::Multiply, None, Some(by)) => Some(scaled(factor, &by)),
                        (MulOp::Divide, Some(by), _) => Some(scaled(product, &by.recip()?)),
                        _ => None,
                    }
                })
        }
        _ => None,
    }
}

/// Reads a sum whose body calls the recurrence.
///
/// # Errors
/// Fails if it is not a sum of parts of all sizes from a number to `n - 1`.
pub fn read(head: &Head, reduction: &Reduction, span: Span) -> Result<Parts, Unsolved> {
    let wrong = || {
        let n = head.n;
        let label = format!(
            "expected a sum of all smaller parts, such as `sum (i = 0, {n} - 1) {{ {}(i) }}`",
            head.name
        );
        Unsolved::new(span, label)
    };
    let range = &reduction.range;
    if reduction.kind != ReduceKind::Sum || range.step.is_some() || range.index.text == head.n {
        return Err(wrong());
    }
    let index = range.index.text.as_str();
    let n = head.n;
    let bound = |e: &Expr| plane(e, n, index).filter(|(_, i, _)| i.is_zero());
    let (lower, upper) = (
        bound(&range.lower).ok_or_else(wrong)?,
        bound(&range.upper).ok_or_else(wrong)?,
    );
    let mut calls = Vec::new();
    terms(&reduction.body, head.name, &Rational::ONE, &mut calls).ok_or_else(wrong)?;
    let mut parts: Option<Parts> = None;
    for (count, arguments) in calls {
        let at = head.formals.iter().position(|formal| *formal == n);
        let argument = at.and_then(|at| arguments.get(at)).ok_or_else(wrong)?;
        let (in_n, in_index, rest) = plane(argument, n, index).ok_or_else(wrong)?;
        let end =
            |(slope, _, at): &Plane| (&in_n + &(&in_index * slope), &rest + &(&in_index * at));
        let (first, last) = match in_index.to_i64() {
            Some(1) => (end(&lower), end(&upper)),
            Some(-1) => (end(&upper), end(&lower)),
            _ => return Err(wrong()),
        };
        let first = first.0.is_zero().then(|| first.1.to_i64()).flatten();
        let first = first
            .filter(|_| last == (Rational::ONE, Rational::from(-1)))
            .ok_or_else(wrong)?;
        match &mut parts {
            None => parts = Some(Parts { count, first }),
            Some(own) if own.first == first => own.count = &own.count + &count,
            Some(_) => return Err(wrong()),
        }
    }
    parts.ok_or_else(wrong)
}

/// The calls of a linear expression of calls, with their factors; nothing if it has other terms.
fn terms<'e>(
    expr: &'e Expr,
    name: &str,
    factor: &Rational,
    found: &mut Vec<(Rational, &'e [Expr])>,
) -> Option<()> {
    match &expr.kind {
        ExprKind::Call(own, arguments) if own.text == name => {
            found.push((factor.clone(), arguments));
            Some(())
        }
        ExprKind::Sum(first, rest) => {
            terms(first, name, factor, found)?;
            rest.iter().try_for_each(|(op, e)| match op {
                AddOp::Add => terms(e, name, factor, found),
                AddOp::Subtract => terms(e, name, &-factor, found),
            })
        }
        ExprKind::Product(first, rest) => {
            let (mut call, mut factor) = (None, factor.clone());
            for (op, e) in std::iter::once((MulOp::Multiply, &**first))
                .chain(rest.iter().map(|(op, e)| (*op, e)))
            {
                match (op, literal(e)) {
                    (MulOp::Multiply, Some(by)) => factor = &factor * by,
                    (MulOp::Divide, Some(by)) => factor = factor.checked_div(by)?,
                    (MulOp::Multiply, None) if call.is_none() && mentions_call(e, name) => {
                        call = Some(e)
                    }
                    _ => return None,
                }
            }
            terms(call?, name, &factor, found)
        }
        _ => None,
    }
}
