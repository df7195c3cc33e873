//! Monotonicity of terms along an index, and where they hold.

use crate::expr::{ExprId, Function, Node, Relation, Symbol};
use crate::ring::{Polynomial, Rational};

use super::term_and_index;
use crate::algebra::builtins::monotone::{self, Direction};
use crate::algebra::builtins::vectors::{linear, reciprocal};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::expr_of;

/// Returns 1 if the term never falls from one index to the next, -1 if it never rises, and 0 otherwise.
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

/// The numerator, which has the sign of the term, and the denominators, which are known to be positive.
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

/// For a comparison of the index that is a factor of a product: the other factors, and the part of the range where
/// the comparison holds. If the comparison never holds, that part of the range is empty.
pub fn limited(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let bounds = [2, 3].map(|place| values.get(place).and_then(Value::as_term));
    let [Some(lower), Some(upper)] = bounds else {
        return Vec::new();
    };
    let p = scope.terms.polynomial(term);
    let content = p.monomial_content();
    let factors = content.powers().iter().filter(|&&(_, power)| power > 0);
    let parts = factors.filter_map(|&(atom, _)| {
        let [first, last] = where_it_holds(scope, expr_of(atom), index, [lower, upper])?;
        let mut by_truth = p.coefficients_in(atom);
        let rest = by_truth.remove(&1).filter(|_| by_truth.is_empty())?;
        let rest = scope.terms.expression(&rest);
        Some([rest, first, last].map(Value::Term).to_vec())
    });
    parts.collect()
}

/// The first and the last whole index of a range where a comparison holds that is linear in it.
fn where_it_holds(
    scope: &mut Scope,
    condition: ExprId,
    index: Symbol,
    [lower, upper]: [ExprId; 2],
) -> Option<[ExprId; 2]> {
    let Node::Compare(relation, left, right) = *scope.terms.arena.node(condition) else {
        return None;
    };
    let difference = scope.terms.arena.subtract(right, left);
    let (slope, offset) = linear(&mut scope.terms, difference, index)?;
    let inverse = reciprocal(&mut scope.terms, &slope)?;
    let root = scope.terms.multiply(&-&offset, &inverse)?;
    let root = scope.terms.expression(&root);
    let rises = scope.prover.positive(&mut scope.terms, &slope);
    if !rises && !scope.prover.positive(&mut scope.terms, &-&slope) {
        return None;
    }
    let arena = &mut scope.terms.arena;
    let one = arena.number(1);
    // The first index at which the comparison is another one than before.
    let turn = match (relation, rises) {
        (Relation::LessEqual, true) | (Relation::Less, false) => arena.apply(Function::Ceil, root),
        (Relation::Less, true) | (Relation::LessEqual, false) => {
            let below = arena.apply(Function::Floor, root);
            arena.add(&[below, one])
        }
        (Relation::Equal, _) => return None,
    };
    Some(if rises {
        let (turn, after) = (arena.max(&[lower, turn]), arena.add(&[upper, one]));
        [arena.min(&[after, turn]), upper]
    } else {
        let [last, before] = [turn, lower].map(|index| arena.subtract(index, one));
        let last = arena.min(&[upper, last]);
        [lower, arena.max(&[before, last])]
    })
}
