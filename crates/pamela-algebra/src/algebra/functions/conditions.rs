//! Conditions that what they choose does not need.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Monomial, Polynomial};

use super::super::pattern::Value;
use super::super::scope::Scope;
use super::super::terms::expr_of;
use super::one;

/// Sums of more terms are not looked at.
const MOST_TERMS: usize = 16;

/// In sums of more terms, roundings are not looked at.
const MOST_ROUNDED: usize = 6;

/// A sum without a truth value whose factor is 0 wherever the truth value decides: `(D > 1) * (D - 1)` is `D - 1` from
/// `D = 1` on.
pub fn idle(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let term = values.first().and_then(Value::as_term);
    let found = term.and_then(|term| without_condition(scope, term));
    one(found.map(|sum| vec![Value::Term(sum)]))
}

fn without_condition(scope: &mut Scope, term: ExprId) -> Option<ExprId> {
    let sum = scope.terms.polynomial(term);
    if sum.len() > MOST_TERMS {
        return None;
    }
    for atom in sum.atoms() {
        let Node::Compare(relation, left, right) = *scope.terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let mut by_power = sum.coefficients_in(atom);
        let rest = by_power.remove(&0).unwrap_or_default();
        let Some(chosen) = by_power.remove(&1).filter(|_| by_power.is_empty()) else {
            continue;
        };
        let difference = {
            let [left, right] = [left, right].map(|side| scope.terms.polynomial(side));
            &*right - &*left
        };
        for truth in [false, true] {
            if is_zero_where(scope, truth, relation, &difference, &chosen) {
                let sum = match truth {
                    false => &rest + &chosen,
                    true => rest,
                };
                return Some(scope.terms.expression(&sum));
            }
        }
    }
    None
}

/// Whether a term is 0 wherever a comparison of 0 with a difference is false, or true.
fn is_zero_where(
    scope: &mut Scope,
    truth: bool,
    relation: Relation,
    difference: &Polynomial,
    chosen: &Polynomial,
) -> bool {
    let one = Polynomial::one();
    // It is so where this is 0 alone if this is never below 0; of some only where the difference is whole.
    let (boundary, whole) = match (relation, truth) {
        (Relation::Less, false) => (difference.clone(), false),
        (Relation::LessEqual, false) => (difference + &one, true),
        (Relation::Less, true) => (&one - difference, true),
        (Relation::LessEqual, true) => (-difference, false),
        (Relation::Equal, true) => return vanishes(scope, chosen, difference),
        (Relation::Equal, false) => return false,
    };
    vanishes(scope, chosen, &boundary)
        && (!whole || scope.prover.integer(&mut scope.terms, difference))
        && scope.prover.nonnegative(&mut scope.terms, &boundary)
}

/// Whether a term is 0 wherever the boundary is: as a multiple of it, or with a symbol solved for.
fn vanishes(scope: &mut Scope, chosen: &Polynomial, boundary: &Polynomial) -> bool {
    if boundary.as_constant().is_some() {
        return false;
    }
    if let Some(quotient) = chosen.divide_exact(boundary) {
        // A monomial divides everything; what it leaves must be defined where it is 0.
        let atoms = boundary.atoms();
        if atoms
            .into_iter()
            .all(|atom| quotient.min_degree_in(atom) >= 0)
        {
            return true;
        }
    }
    for (monomial, coefficient) in boundary.terms() {
        let terms = &mut scope.terms;
        let [(atom, 1)] = *monomial.powers() else {
            continue;
        };
        let Node::Symbol(symbol) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let own = Polynomial::term(Monomial::power(atom, 1), coefficient.clone());
        let others = &own - boundary;
        let Some(value) = coefficient.recip().map(|inverse| others.scale(&inverse)) else {
            continue;
        };
        if terms.polynomial_mentions(&value, symbol) {
            continue;
        }
        let (chosen, value) = (terms.expression(chosen), terms.expression(&value));
        let there = terms.arena.substitute(chosen, symbol, value);
        let there = terms.polynomial(there);
        if there.is_zero()
            || there.len() <= MOST_ROUNDED && without_idle_roundings(scope, &there).is_zero()
        {
            return true;
        }
    }
    false
}

/// A sum where each rounding of a whole number is that number.
fn without_idle_roundings(scope: &mut Scope, sum: &Polynomial) -> Polynomial {
    let mut result = sum.clone();
    for atom in sum.atoms() {
        let Node::Apply(Function::Floor | Function::Ceil, operand) =
            *scope.terms.arena.node(expr_of(atom))
        else {
            continue;
        };
        let operand = scope.terms.polynomial(operand);
        if scope.prover.integer(&mut scope.terms, &operand)
            && let Some(replaced) = result.substitute(atom, &operand, MOST_TERMS)
            && let Some(replaced) = scope.terms.tidy(replaced)
        {
            result = replaced;
        }
    }
    result
}
