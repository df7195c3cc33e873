//! Conditions of closed forms: requirements of the model that the closed form lost, without repetitions, one by one.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node, Relation};
use crate::ring::{Polynomial, Rational};

use super::closed::Closed;
use super::facts::{Prover, contradiction, factors_of};
use super::requirements::{Requirements, excluded};
use super::signs::{Signed, signed};
use super::simplify::Simplifier;
use super::terms::Terms;

/// Maximum number of conditions of one equation that are simplified. Further conditions are stated unchanged.
const MOST_SIMPLIFIED: usize = 100;

impl Simplifier {
    /// Adds the requirements of the model to the assumptions of a closed form, unless they are proved or the closed
    /// form implies them. `asked` holds truth values of the source arena. Returns `false` if the requirements
    /// contradict each other.
    pub fn require_all(&mut self, asked: &[ExprId], closed: &mut Closed) -> bool {
        let missing = self.missing(asked, closed);
        if missing.is_empty() {
            return true;
        }
        let mut stated = Vec::new();
        for (position, &condition) in missing.iter().enumerate() {
            if position < MOST_SIMPLIFIED {
                stated.extend(self.require(condition, closed));
            } else {
                stated.extend(self.results.import_all(
                    &self.source,
                    &[condition],
                    &mut FxHashMap::default(),
                ));
            }
        }
        // Simplified, a condition may turn out to be one that the closed form has no value without.
        let own = self.own_domain(closed.expr);
        if !own.is_empty() {
            let facts = self.facts_in_results();
            let mut terms = Terms::new(std::mem::take(&mut self.results));
            let known = facts.iter().chain(&own);
            let known: Vec<ExprId> = known.map(|&fact| terms.canonical(fact)).collect();
            let left = stated.into_iter().filter_map(|condition| {
                let condition = terms.canonical(condition);
                remains(&mut terms, &known, condition)
            });
            stated = left.collect();
            self.results = terms.arena;
        }
        closed.assumptions.extend(stated);
        closed
            .assumptions
            .sort_by(|&a, &b| self.results.compare(a, b));
        closed.assumptions.dedup();
        self.essential(&mut closed.assumptions, &[])
    }

    /// The requirements in `asked` that follow neither from facts and assumptions nor from the closed form being
    /// defined.
    fn missing(&mut self, asked: &[ExprId], closed: &Closed) -> Vec<ExprId> {
        let mut asked = asked.to_vec();
        let requirements = self.requirements.get_or_insert_with(|| {
            let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
            let facts = arena.import_all(&self.source, &self.facts, &mut copied);
            Requirements::new(arena, &facts, copied)
        });
        asked.retain(|&asked| !requirements.follows(&self.source, asked));
        if asked.is_empty() {
            return Vec::new();
        }
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let mut known = arena.import_all(&self.source, &self.facts, &mut copied);
        let wanted = arena.import_all(&self.source, &asked, &mut copied);
        let mut copied = FxHashMap::default();
        let root = arena.import(&self.results, closed.expr, &mut copied);
        known.extend(arena.import_all(&self.results, &closed.assumptions, &mut copied));
        known.extend(arena.domain(root));
        let mut own = Requirements::new(arena, &known, FxHashMap::default());
        let pairs = asked.into_iter().zip(wanted);
        let missing = pairs.filter(|&(_, wanted)| !own.holds(wanted));
        missing.map(|(asked, _)| asked).collect()
    }

    /// The conditions without which an expression has no value. Empty if it never has a value, since anything would
    /// follow.
    pub(super) fn own_domain(&mut self, expr: ExprId) -> Vec<ExprId> {
        let own = self.results.domain(expr);
        let never = |&id: &ExprId| self.results.as_number(id).is_some_and(Rational::is_zero);
        if own.iter().any(never) {
            Vec::new()
        } else {
            own
        }
    }

    /// Removes conditions that follow from the facts, from `beside`, or from the other conditions. Returns `false` if
    /// they contradict each other.
    pub(super) fn essential(&mut self, conditions: &mut Vec<ExprId>, beside: &[ExprId]) -> bool {
        let mut facts = self.facts_in_results();
        facts.extend(beside);
        let mut terms = Terms::new(std::mem::take(&mut self.results));
        let facts: Vec<ExprId> = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let mut kept: Vec<ExprId> = Vec::new();
        for &condition in conditions.iter() {
            let condition = terms.canonical(condition);
            kept.extend(nonzero_factors(&mut terms, condition).unwrap_or_else(|| vec![condition]));
        }
        kept.sort_by(|&a, &b| terms.arena.compare(a, b));
        kept.dedup();
        for position in (0..kept.len()).rev() {
            let others = kept.iter().enumerate().filter(|&(k, _)| k != position);
            let others = others.map(|(_, &condition)| condition);
            let known: Vec<ExprId> = facts.iter().copied().chain(others).collect();
            let left = remains(&mut terms, &known, kept[position]);
            kept.splice(position..=position, left);
        }
        let never = |&c: &ExprId| terms.arena.as_number(c).is_some_and(Rational::is_zero);
        let mut possible = !kept.iter().any(never);
        if possible {
            let all: Vec<ExprId> = facts.iter().chain(&kept).copied().collect();
            possible = contradiction(&mut terms, &all).is_none();
        }
        kept.sort_by(|&a, &b| terms.arena.compare(a, b));
        kept.dedup();
        *conditions = kept;
        self.results = terms.arena;
        possible
    }
}

impl Simplifier {
    /// Splits a condition into equivalent conditions: a product of nonnegative factors is positive if and only if
    /// each factor is. All are truth values over the closed forms.
    pub(super) fn conjuncts(&mut self, condition: ExprId) -> Vec<ExprId> {
        if let Some(parts) = self.of_branches(condition) {
            return parts;
        }
        if !matches!(
            self.results.node(condition),
            Node::Compare(Relation::Less, ..)
        ) {
            let mut terms = Terms::new(std::mem::take(&mut self.results));
            let parts = nonzero_factors(&mut terms, condition);
            self.results = terms.arena;
            return parts.unwrap_or_else(|| vec![condition]);
        }
        let facts = self.facts_in_results();
        let mut terms = Terms::new(std::mem::take(&mut self.results));
        let facts = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let parts = factors(&mut terms, &Prover::new(facts), condition);
        self.results = terms.arena;
        parts.unwrap_or_else(|| vec![condition])
    }

    /// `if (c) a else b` asks for `a` where `c` holds, and for `b` elsewhere.
    fn of_branches(&mut self, condition: ExprId) -> Option<Vec<ExprId>> {
        let Node::If(chosen, then, otherwise) = *self.results.node(condition) else {
            return None;
        };
        let arena = &mut self.results;
        if ![chosen, then, otherwise]
            .iter()
            .all(|&part| arena.is_total(part))
        {
            return None;
        }
        let rejected = arena.not(chosen);
        let parts = [(chosen, then), (rejected, otherwise)].map(|(c, a)| arena.asked_where(c, a));
        let open = |&part: &ExprId| !arena.as_number(part).is_some_and(Rational::is_one);
        Some(parts.into_iter().filter(open).collect())
    }
}

/// The part of a condition that remains if others hold; empty if it follows from them. A condition that several truth
/// values do not hold together is met if one of them fails, and need not mention those that hold.
fn remains(terms: &mut Terms, known: &[ExprId], condition: ExprId) -> Option<ExprId> {
    let mut prover = Prover::new(known.to_vec());
    if prover.holds(terms, condition) {
        return None;
    }
    if let Some(fewer) = without_nonzero_factors(terms, known, condition) {
        return remains(terms, known, fewer);
    }
    let Some(together) = excluded(terms, condition) else {
        return Some(condition);
    };
    let mut open = Vec::new();
    for truth in together {
        let opposite = terms.arena.not(truth);
        let opposite = terms.canonical(opposite);
        if prover.holds(terms, opposite) {
            return None;
        }
        if !prover.holds(terms, truth) {
            open.push(truth);
        }
    }
    if open.len() > 1 {
        let together: Vec<ExprId> = known.iter().chain(&open).copied().collect();
        if contradiction(terms, &together).is_some() {
            return None;
        }
    }
    let all = terms.arena.mul(&open);
    let none = terms.arena.not(all);
    Some(terms.canonical(none))
}

/// `x != 0` without the factors that are known to be nonzero; `None` if there are no such factors.
fn without_nonzero_factors(
    terms: &mut Terms,
    known: &[ExprId],
    condition: ExprId,
) -> Option<ExprId> {
    let whole = unequal(terms, condition)?;
    let mut rest = whole.clone();
    for &fact in known {
        let Some(nonzero) = unequal(terms, fact) else {
            continue;
        };
        let (_, sum) = factors_of(&nonzero);
        while sum.len() > 1
            && let Some(quotient) = rest.divide_exact(&sum)
        {
            rest = quotient;
        }
    }
    if rest == whole || rest.as_constant().is_some() {
        return None;
    }
    let rest = terms.expression(&rest);
    let condition = terms.arena.nonzero(rest);
    Some(terms.canonical(condition))
}

/// `x - y` of a condition `x != y`.
fn unequal(terms: &mut Terms, condition: ExprId) -> Option<Polynomial> {
    let equal = terms.complement(condition)?;
    let Node::Compare(Relation::Equal, left, right) = *terms.arena.node(equal) else {
        return None;
    };
    let (left, right) = (terms.polynomial(left), terms.polynomial(right));
    Some(&*left - &*right)
}

/// The atoms and the sums that a polynomial is a product of.
pub(super) fn parts_of_product(terms: &mut Terms, p: &Polynomial) -> Option<Vec<Polynomial>> {
    let product = terms.product_of_sums(p)?;
    let atoms = product.monomial.powers().iter();
    let atoms = atoms.map(|&(atom, _)| Polynomial::atom(atom));
    let sums = product.sums.into_iter().map(|(sum, _)| sum);
    Some(atoms.chain(sums).collect())
}

/// A product is not 0 where none of its factors is; `None` where it has but one.
fn nonzero_factors(terms: &mut Terms, condition: ExprId) -> Option<Vec<ExprId>> {
    let difference = unequal(terms, condition)?;
    let parts = parts_of_product(terms, &difference)?;
    let mut nonzero = |part: &Polynomial| {
        let part = terms.expression(part);
        let condition = terms.arena.nonzero(part);
        terms.canonical(condition)
    };
    (parts.len() > 1).then(|| parts.iter().map(&mut nonzero).collect())
}

fn factors(terms: &mut Terms, prover: &Prover, condition: ExprId) -> Option<Vec<ExprId>> {
    let Node::Compare(_, left, right) = *terms.arena.node(condition) else {
        return None;
    };
    let (left, right) = (terms.polynomial(left), terms.polynomial(right));
    let difference = &*right - &*left;
    let Signed { powers, rest } = signed(terms, prover, Prover::nonnegative, &difference)?;
    if !rest.as_constant()?.is_positive() {
        return None;
    }
    let mut parts: Vec<Polynomial> = powers.into_iter().map(|(base, _)| base).collect();
    parts.retain(|part| !prover.positive(terms, part));
    let above_zero = |part: &Polynomial| {
        let (zero, side) = (terms.arena.number(0), terms.expression(part));
        let relation = terms.arena.relate(Relation::Less, zero, side);
        terms.canonical(relation)
    };
    Some(parts.iter().map(above_zero).collect())
}
