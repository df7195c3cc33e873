//! The larger or smaller of two whole numbers that are ordered up to a difference of 1.

use crate::expr::{ExprId, Node, Relation};
use crate::ring::{Atom, Monomial, Polynomial};

use super::one;
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

/// Sums of more terms are not looked at.
const MOST_TERMS: usize = 64;

/// A maximum or minimum in a sum: `usual`, or `other` where that one is 1 beyond it.
struct Adjacent {
    atom: Atom,
    usual: Polynomial,
    other: Polynomial,
    /// Whole and at least -1; `other` is taken where it is -1.
    gap: Polynomial,
}

/// Replaces a maximum or minimum by one of its operands and a condition, if the operands differ by at most 1 where
/// the other is taken and the result has at least a third fewer terms. For example, with `m = max(0, n - 1)` for
/// whole `n >= 0`, `n^3 + n^2 + n - m^3 - m^2 - m` is `3 * n^2 - n + 1 - (n < 1)`.
pub fn adjacent(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let term = values.first().and_then(Value::as_term);
    let found = term.and_then(|term| with_condition(scope, term));
    one(found.map(|sum| vec![Value::Term(sum)]))
}

fn with_condition(scope: &mut Scope, term: ExprId) -> Option<ExprId> {
    let sum = scope.terms.polynomial(term);
    if sum.len() > MOST_TERMS || scope.terms.indices(term) > 0 {
        return None;
    }
    candidates(&mut scope.terms, &sum)
        .into_iter()
        .find_map(|candidate| {
            let (usual, chosen) = by_condition(&sum, &candidate)?;
            let next = &candidate.gap + &Polynomial::one();
            let proved = scope.prover.integer(&mut scope.terms, &candidate.gap)
                && scope.prover.nonnegative(&mut scope.terms, &next);
            proved.then(|| {
                let terms = &mut scope.terms;
                let (gap, zero) = (terms.expression(&candidate.gap), terms.arena.number(0));
                let truth = terms.arena.relate(Relation::Less, gap, zero);
                let parts = [truth, terms.expression(&chosen)];
                let chosen = terms.arena.mul(&parts);
                let usual = terms.expression(&usual);
                terms.arena.add(&[usual, chosen])
            })
        })
}

/// The extremes of two that stand in several terms, each with either operand as the usual one.
fn candidates(terms: &mut Terms, sum: &Polynomial) -> Vec<Adjacent> {
    let mut found = Vec::new();
    for atom in sum.atoms() {
        let (list, largest) = match terms.arena.node(expr_of(atom)) {
            Node::Max(list) => (list.clone(), true),
            Node::Min(list) => (list.clone(), false),
            _ => continue,
        };
        let [x, y] = *list else { continue };
        if terms_with(sum, atom) < 2 || sum.min_degree_in(atom) < 0 {
            continue;
        }
        for (usual, other) in [(x, y), (y, x)] {
            let [usual, other] = [usual, other].map(|operand| terms.polynomial(operand));
            let lead = &*usual - &*other;
            found.push(Adjacent {
                atom,
                gap: if largest { lead } else { -lead },
                usual: (*usual).clone(),
                other: (*other).clone(),
            });
        }
    }
    found
}

/// The sum with the usual operand, and the correction where the other operand is taken. `None` if the result is no
/// simpler.
fn by_condition(sum: &Polynomial, candidate: &Adjacent) -> Option<(Polynomial, Polynomial)> {
    let Adjacent { atom, ref gap, .. } = *candidate;
    let [usual, other] = [&candidate.usual, &candidate.other]
        .map(|operand| sum.substitute(atom, operand, MOST_TERMS));
    let usual = usual?;
    let chosen = &other? - &usual;
    // Where the other operand is taken, the gap is -1.
    let boundary = gap + &Polynomial::one();
    let solutions = boundary.terms().filter_map(|(monomial, slope)| {
        let [(unknown, 1)] = *monomial.powers() else {
            return None;
        };
        let rest = &boundary - &Polynomial::atom(unknown).scale(slope);
        let value = rest.scale(&-slope.recip()?);
        let is_solved = !value.contains(unknown) && chosen.min_degree_in(unknown) >= 0;
        is_solved.then(|| chosen.substitute(unknown, &value, MOST_TERMS))?
    });
    let chosen = solutions.min_by_key(Polynomial::len)?;
    let is_simpler = chosen.len() < terms_with(sum, atom)
        && 3 * (usual.len() + chosen.len()) <= 2 * sum.len()
        && !usual.contains(atom);
    is_simpler.then_some((usual, chosen))
}

fn terms_with(sum: &Polynomial, atom: Atom) -> usize {
    let has = |monomial: &Monomial| monomial.exponent(atom) != 0;
    sum.terms().filter(|(monomial, _)| has(monomial)).count()
}
