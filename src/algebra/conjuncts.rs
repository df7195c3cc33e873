//! Conditions of closed forms: what the model asks for and the closed form no longer does, nothing twice, and each
//! by itself.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Node, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::facts::{Prover, contradiction};
use super::simplify::{Closed, Simplifier, import_all};
use super::terms::Terms;

/// So many conditions of one equation are simplified; more are stated as they are.
const MOST_SIMPLIFIED: usize = 100;

impl Simplifier {
    /// Adds to the assumptions of a closed form what the model asks for, unless it is proved or the closed form asks
    /// for it itself. `asked` are truth values of the source arena. `false`: they hold nowhere.
    pub fn require_all(&mut self, asked: &[ExprId], closed: &mut Closed) -> bool {
        let missing = self.missing(asked, closed);
        if missing.is_empty() {
            return true;
        }
        for (position, &condition) in missing.iter().enumerate() {
            if position < MOST_SIMPLIFIED {
                self.require(condition, &mut closed.assumptions);
            } else {
                let condition = import_all(
                    &mut self.results,
                    &self.source,
                    &[condition],
                    &mut FxHashMap::default(),
                );
                closed.assumptions.extend(condition);
            }
        }
        self.essential(&mut closed.assumptions)
    }

    /// Those of `asked` that neither the facts and assumptions imply nor that the closed form has a value.
    fn missing(&self, asked: &[ExprId], closed: &Closed) -> Vec<ExprId> {
        if asked.is_empty() {
            return Vec::new();
        }
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let mut known = import_all(&mut arena, &self.source, &self.facts, &mut copied);
        let wanted = import_all(&mut arena, &self.source, asked, &mut copied);
        let mut copied = FxHashMap::default();
        let root = arena.import(&self.results, closed.expr, &mut copied);
        known.extend(import_all(
            &mut arena,
            &self.results,
            &closed.assumptions,
            &mut copied,
        ));
        let own = arena.domain(root);
        let mut terms = Terms::new(arena);
        known.extend(own);
        let known: Vec<ExprId> = known.iter().map(|&fact| terms.canonical(fact)).collect();
        let given: FxHashSet<ExprId> = known.iter().copied().collect();
        let mut prover = Prover::new(known);
        let mut missing = |&(_, wanted): &(&ExprId, ExprId)| {
            let wanted = terms.canonical(wanted);
            let certain = terms.arena.as_number(wanted).is_some_and(Rational::is_one);
            !certain && !given.contains(&wanted) && !prover.holds(&mut terms, wanted)
        };
        let pairs = asked.iter().zip(wanted);
        pairs
            .filter(&mut missing)
            .map(|(&asked, _)| asked)
            .collect()
    }

    /// Leaves out conditions that follow from the facts and the others. `false`: they hold nowhere.
    fn essential(&mut self, conditions: &mut Vec<ExprId>) -> bool {
        let facts = self.facts_in_results();
        let mut terms = Terms::new(std::mem::take(&mut self.results));
        let facts: Vec<ExprId> = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let mut kept: Vec<(ExprId, ExprId)> = conditions
            .iter()
            .map(|&condition| (condition, terms.canonical(condition)))
            .collect();
        let never =
            |&(_, c): &(ExprId, ExprId)| terms.arena.as_number(c).is_some_and(Rational::is_zero);
        let mut possible = !kept.iter().any(never);
        for position in (0..kept.len()).rev() {
            let others = kept.iter().enumerate().filter(|&(k, _)| k != position);
            let others = others.map(|(_, &(_, condition))| condition);
            let known: Vec<ExprId> = facts.iter().copied().chain(others).collect();
            if Prover::new(known).holds(&mut terms, kept[position].1) {
                kept.remove(position);
            }
        }
        if possible {
            let all: Vec<ExprId> = facts
                .iter()
                .copied()
                .chain(kept.iter().map(|k| k.1))
                .collect();
            possible = contradiction(&mut terms, &all).is_none();
        }
        *conditions = kept.into_iter().map(|(condition, _)| condition).collect();
        self.results = terms.arena;
        possible
    }

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
