//! Makes expressions, without locations.

use crate::ring::Rational;
use crate::syntax::rewrite::{label, node};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Process, ProcessKind, Range, ReduceKind, Reduction,
};

pub(super) use crate::syntax::rewrite::name;

pub(super) fn number(value: i64) -> Expr {
    node(ExprKind::Number(Rational::from(value)))
}

/// The number, if the expression is one.
pub(super) fn as_number(expr: &Expr) -> Option<&Rational> {
    match &expr.kind {
        ExprKind::Number(value) => Some(value),
        _ => None,
    }
}

fn is(expr: &Expr, value: i64) -> bool {
    as_number(expr).is_some_and(|own| *own == Rational::from(value))
}

pub(super) fn call(function: &str, arguments: Vec<Expr>) -> Expr {
    node(ExprKind::Call(label(function), arguments))
}

pub(super) fn sum(terms: Vec<Expr>) -> Expr {
    let mut terms = terms.into_iter().filter(|term| !is(term, 0));
    let Some(first) = terms.next() else {
        return number(0);
    };
    let rest: Vec<_> = terms.map(|term| (AddOp::Add, term)).collect();
    if rest.is_empty() {
        return first;
    }
    node(ExprKind::Sum(Box::new(first), rest))
}

pub(super) fn minus(a: Expr, b: Expr) -> Expr {
    if is(&b, 0) {
        return a;
    }
    node(ExprKind::Sum(Box::new(a), vec![(AddOp::Subtract, b)]))
}

pub(super) fn times(a: Expr, b: Expr) -> Expr {
    match (is(&a, 1), is(&b, 1)) {
        (true, _) => b,
        (_, true) => a,
        _ => node(ExprKind::Product(Box::new(a), vec![(MulOp::Multiply, b)])),
    }
}

pub(super) fn over(a: Expr, b: Expr) -> Expr {
    if is(&b, 1) {
        return a;
    }
    node(ExprKind::Product(Box::new(a), vec![(MulOp::Divide, b)]))
}

pub(super) fn power(base: Expr, exponent: i64) -> Expr {
    node(ExprKind::Power(Box::new(base), Box::new(number(exponent))))
}

pub(super) fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    node(ExprKind::If(
        Box::new(condition),
        Box::new(then),
        Box::new(otherwise),
    ))
}

/// `sum (range) { body }`, or another reduction.
pub(super) fn reduce(kind: ReduceKind, range: Range, body: Expr) -> Expr {
    node(ExprKind::Reduce(Box::new(Reduction { kind, range, body })))
}

/// `index = 1, upper`
pub(super) fn up_to(index: &str, upper: Expr) -> Range {
    Range {
        quorum: None,
        index: label(index),
        lower: number(1),
        upper,
        step: None,
    }
}

pub(super) fn mean(law: &Expr) -> Expr {
    call("E", vec![law.clone()])
}

/// `E(X^order)`, for an order of 1, 2 or 3.
pub(super) fn moment(law: &Expr, order: u32) -> Expr {
    let variance = || call("Var", vec![law.clone()]);
    match order {
        1 => mean(law),
        2 => sum(vec![variance(), power(mean(law), 2)]),
        _ => sum(vec![
            call("K3", vec![law.clone()]),
            times(number(3), times(mean(law), variance())),
            power(mean(law), 3),
        ]),
    }
}

pub(super) fn delay(time: Expr) -> Process {
    let span = time.span;
    Process {
        kind: ProcessKind::Delay(time),
        span,
        label: None,
    }
}

pub(super) fn sequence(parts: Vec<Process>) -> Process {
    Process {
        kind: ProcessKind::Sequence(parts),
        span: Default::default(),
        label: None,
    }
}
