//! Conditions that say several things at once.

use crate::expr::{ExprId, Node, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::facts::Prover;
use super::simplify::Simplifier;
use super::terms::Terms;

impl Simplifier {
    /// What holds where `condition` does, and only there: a product of factors that are never negative is above 0
    /// where each of them is. All are truth values over the closed forms.
    pub(super) fn conjuncts(&mut self, condition: ExprId) -> Vec<ExprId> {
        if !matches!(
            self.results.node(condition),
            Node::Compare(Relation::Less, ..)
        ) {
            return vec![condition];
        }
        let facts = self.facts_in_results();
        let mut terms = Terms::new(std::mem::take(&mut self.results));
        let facts = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let parts = factors(&mut terms, &Prover::new(facts), condition);
        self.results = terms.arena;
        parts.unwrap_or_else(|| vec![condition])
    }
}

fn factors(terms: &mut Terms, prover: &Prover, condition: ExprId) -> Option<Vec<ExprId>> {
    let Node::Compare(_, left, right) = *terms.arena.node(condition) else {
        return None;
    };
    let (left, right) = (terms.polynomial(left), terms.polynomial(right));
    let difference = &*right - &*left;
    let content = difference.monomial_content();
    let rest = difference.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let mut parts = vec![rest];
    for &(atom, exponent) in content.powers() {
        // Below 0, an even power is above 0, too.
        let base = Polynomial::atom(atom);
        let part = match prover.nonnegative(terms, &base) {
            true => base,
            false => Polynomial::term(Monomial::power(atom, exponent), Rational::ONE),
        };
        parts.push(part);
    }
    let never_negative = |part: &Polynomial| prover.nonnegative(terms, part);
    if !parts.iter().all(never_negative) {
        return None;
    }
    parts.retain(|part| !prover.positive(terms, part));
    let above_zero = |part: &Polynomial| {
        let (zero, side) = (terms.arena.number(0), terms.expression(part));
        let relation = terms.arena.relate(Relation::Less, zero, side);
        terms.canonical(relation)
    };
    Some(parts.iter().map(above_zero).collect())
}
