//! Sums over ranges that may be empty.

use crate::expr::{ExprId, Function, ReduceKind};
use crate::ring::Polynomial;

use super::{Loop, at_most, integral};
use crate::algebra::guards::settled;
use crate::algebra::scope::{Candidate, Scope, clamps};

/// Makes a range regular that may be empty or end between two values of the index.
pub fn clamp(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let before = &parts.lower - &Polynomial::one();
    let mut upper = parts.upper.clone();
    let whole = integral(&mut scope.terms, &(&parts.upper - &parts.lower));
    if is_clamped(scope, whole) {
        let steps = scope.terms.expression(&(&parts.upper - &parts.lower));
        let steps = scope.terms.arena.apply(Function::Floor, steps);
        upper = &parts.lower + &*scope.terms.polynomial(steps);
    }
    let regular = at_most(&mut scope.terms, &before, &parts.upper);
    if is_clamped(scope, regular) {
        let operands = [
            scope.terms.expression(&upper),
            scope.terms.expression(&before),
        ];
        let clamped = scope.terms.arena.max(&operands);
        upper = (*scope.terms.polynomial(clamped)).clone();
    }
    if upper == parts.upper {
        return Vec::new();
    }
    let right = parts.over(&mut scope.terms, &parts.lower, &upper, parts.reduction.body);
    Candidate::always(right)
}

/// True if a guard is not proved, and met by changing the bound.
fn is_clamped(scope: &mut Scope, guard: ExprId) -> bool {
    settled(scope, guard)
        .into_iter()
        .any(|open| clamps(scope, open))
}
