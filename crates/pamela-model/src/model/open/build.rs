//! Makes expressions, without locations.

use crate::model::build::Builder;
use crate::ring::Rational;
use crate::syntax::rewrite::{label, node};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, Process, ProcessKind, Range, ReduceKind, Reduction,
};

pub(super) use crate::model::build::literal as as_number;
pub(super) use crate::syntax::rewrite::name;

pub(super) fn number(value: i64) -> Expr {
    Builder::default().whole(value)
}

pub(super) fn call(function: &str, arguments: Vec<Expr>) -> Expr {
    Builder::default().call(function, arguments)
}

pub(super) fn sum(terms: Vec<Expr>) -> Expr {
    let is_zero = |term: &Expr| as_number(term).is_some_and(Rational::is_zero);
    let mut terms = terms.into_iter().filter(|term| !is_zero(term));
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
    Builder::default().subtract(a, b)
}

pub(super) fn times(a: Expr, b: Expr) -> Expr {
    Builder::default().times(a, b)
}

pub(super) fn over(a: Expr, b: Expr) -> Expr {
    Builder::default().over(a, b)
}

pub(super) fn power(base: Expr, exponent: i64) -> Expr {
    Builder::default().power(base, number(exponent))
}

pub(super) fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Builder::default().choice(condition, then, otherwise)
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
