//! How terms move with an index.

use crate::expr::{ExprId, Node, Relation, Symbol};
use crate::ring::{Polynomial, Rational};

use super::super::builtins::monotone::{self, Direction};
use super::super::pattern::Value;
use super::super::scope::Scope;
use super::super::terms::{Terms, expr_of};
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

/// What changes its sign along the index, and the term where that is at most 0, and elsewhere: for each comparison with
/// the index, in a conditional or as a truth value, that is linear in it.
pub fn cut(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((body, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let atoms = terms.polynomial(body).atoms();
    let mut found = Vec::new();
    for part in atoms.into_iter().map(expr_of) {
        let (condition, sides) = match *terms.arena.node(part) {
            Node::If(condition, yes, no) => (condition, [yes, no]),
            _ => (part, [1, 0].map(|value| terms.arena.number(value))),
        };
        let Some((difference, turned)) = at_most_0(terms, condition, index) else {
            continue;
        };
        let [mut low, mut high] = sides.map(|value| {
            let arena = &mut terms.arena;
            let whole = arena.replace(body, &|_, id| (id == part).then_some(value));
            terms.canonical(whole)
        });
        if turned {
            (low, high) = (high, low);
        }
        found.push([difference, low, high].map(Value::Term).to_vec());
    }
    found
}

/// What is at most 0 where the condition holds, or, turned, where it fails.
fn at_most_0(terms: &mut Terms, condition: ExprId, index: Symbol) -> Option<(ExprId, bool)> {
    let Node::Compare(relation, left, right) = *terms.arena.node(condition) else {
        return None;
    };
    let (difference, turned) = match relation {
        Relation::LessEqual => (terms.arena.subtract(left, right), false),
        Relation::Less => (terms.arena.subtract(right, left), true),
        Relation::Equal => return None,
    };
    terms
        .mentions(difference, index)
        .then(|| (terms.canonical(difference), turned))
}
