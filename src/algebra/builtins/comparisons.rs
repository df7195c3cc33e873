//! Comparisons: what decides them, and what leaves them as they are.

use crate::expr::{ExprId, Node, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;

/// A comparison that is proved to hold, or not to hold.
pub fn compare_decided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Compare(..) = scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let complement = scope.terms.arena.not(term);
    let complement = scope.terms.canonical(complement);
    let value = match (scope.holds(term), scope.holds(complement)) {
        (true, _) => 1,
        (_, true) => 0,
        _ => return Vec::new(),
    };
    Candidate::always(scope.terms.arena.number(value))
}

/// `a * b > 0` is `b > 0` where `a > 0`.
pub fn compare_factor(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Compare(relation, left, right) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let (left, right) = (scope.terms.polynomial(left), scope.terms.polynomial(right));
    let difference = &*right - &*left;
    match without_positive_factors(scope, &difference) {
        Some(side) => Candidate::always(against_zero(scope, relation, &side)),
        None => Vec::new(),
    }
}

/// What has the sign of the product, without factors that are known to be positive; none where there are none.
fn without_positive_factors(scope: &mut Scope, product: &Polynomial) -> Option<Polynomial> {
    let content = product.monomial_content();
    if content.is_one() {
        return None;
    }
    let rest = product.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let mut open = Monomial::one();
    for &(atom, exponent) in content.powers() {
        let power = Monomial::power(atom, exponent);
        let factor = Polynomial::term(power.clone(), Rational::ONE);
        if !scope.prover.positive(&mut scope.terms, &factor) {
            open = open.checked_mul(&power)?;
        }
    }
    let side = if scope.prover.positive(&mut scope.terms, &rest) {
        Polynomial::term(open, Rational::ONE)
    } else if scope.prover.positive(&mut scope.terms, &-&rest) {
        Polynomial::term(open, -Rational::ONE)
    } else {
        rest.mul_term(&open, &Rational::ONE)?
    };
    (side != *product).then_some(side)
}

fn against_zero(scope: &mut Scope, relation: Relation, side: &Polynomial) -> ExprId {
    let (zero, side) = (scope.terms.arena.number(0), scope.terms.expression(side));
    scope.terms.arena.relate(relation, zero, side)
}
