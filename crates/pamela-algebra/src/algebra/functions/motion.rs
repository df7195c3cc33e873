//! How terms move with an index.

use crate::ring::{Polynomial, Rational};

use super::super::builtins::monotone::{self, Direction};
use super::super::pattern::Value;
use super::super::scope::Scope;
use super::term_and_index;

/// 1 where the term never falls from one index to the next, -1 where it never rises, 0 where it does neither.
pub fn direction(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let sign = match monotone::direction(scope, term, index) {
        Some(Direction::Rising) => 1,
        Some(Direction::Falling) => -1,
        Some(Direction::Constant) => 0,
        None => return Vec::new(),
    };
    vec![vec![Value::Term(scope.terms.arena.number(sign))]]
}

/// What has the sign of the term, without the denominators that are known to be positive, and these.
pub fn numerator(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let whole = scope.terms.polynomial(term);
    let (numerator, denominator) = monotone::over_common_denominator(scope, &whole);
    let denominator = Polynomial::term(denominator, Rational::ONE);
    let parts = [numerator, denominator].map(|part| Value::Term(scope.terms.expression(&part)));
    vec![parts.to_vec()]
}
