//! A recurrence over all smaller sizes becomes one with one part: the difference of the recurrence at `n` and at `n - 1`.

use super::Unsolved;
use super::history::History;
use super::read::{End, Recurrence};
use super::sizes::Size;
use crate::model::build::{Builder, literal, unused, with};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, MulOp, ReduceKind, Relation};

/// The same recurrence with one part, of the size `n - 1`.
///
/// # Errors
/// Fails if it also has other parts, or ends below the first of all sizes.
pub fn with_one_part<'e>(
    mut own: Recurrence<'e>,
    history: History,
) -> Result<Recurrence<'e>, Unsolved> {
    let (build, n, span) = (own.build, own.head.n, own.value.span);
    if !own.parts.is_empty() {
        return Err(Unsolved::new(
            span,
            "this has single parts beside the sum of all parts",
        ));
    }
    let last = own
        .end
        .last_whole()
        .filter(|last| *last >= history.first - 1);
    let Some(next) = last.and_then(|last| last.checked_add(1)) else {
        return Err(Unsolved::new(
            span,
            format!("this must end at {} or later", history.first - 1),
        ));
    };
    let one_less = build.subtract(build.name(n), build.whole(1));
    let before = |e: &Expr| with(e, n, &one_less);
    let (factor, work) = (&history.factor, &own.work);
    // T(n) = factor(n) * S(n - 1) + work(n), so S(n - 1) = (T(n - 1) - work(n - 1)) / factor(n - 1) + T(n - 1).
    let change = match divisor(factor, build) {
        // Both factors have the same numerator.
        Some(divisor) => build.over(before(&divisor), divisor),
        None => build.over(factor.clone(), before(factor)),
    };
    let part = build.add(factor.clone(), change.clone());
    let rest = build.subtract(work.clone(), build.times(change, before(work)));
    let index = unused("size", own.value, &own.head.formals);
    let ended = with(&own.base, n, &build.name(&index));
    let bounds = (build.whole(history.first), build.whole(next - 1));
    let sum = build.reduce(ReduceKind::Sum, &index, bounds, ended);
    let first = build.add(build.times(factor.clone(), sum), work.clone());
    let has_ended = build.compare(build.name(n), Relation::LessEqual, build.whole(next - 1));
    own.base = build.choice(has_ended, own.base, first);
    own.end = End {
        at: build.whole(next),
        is_strict: false,
    };
    own.parts = vec![(part, Size::Minus(Rational::ONE))];
    own.work = rest;
    own.is_whole = true;
    Ok(own)
}

/// `d`, if a factor is a number divided by `d`.
fn divisor(factor: &Expr, build: Builder) -> Option<Expr> {
    let ExprKind::Product(first, rest) = &factor.kind else {
        return None;
    };
    literal(first)?;
    let divisors = rest
        .iter()
        .map(|(op, e)| (*op == MulOp::Divide).then(|| e.clone()));
    divisors
        .collect::<Option<Vec<Expr>>>()?
        .into_iter()
        .reduce(|a, b| build.times(a, b))
}
