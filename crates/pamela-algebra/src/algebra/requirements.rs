//! Conditions that follow from facts, proved without a search.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Node, ReduceKind, Relation};
use crate::ring::{Monomial, Polynomial, Rational};
use crate::with_stack;

use super::facts::{PROOF, Prover};
use super::terms::{Terms, expr_of};

/// Work of proofs for one condition before it is simplified.
const WORK_BY_FORM: u64 = 20 * PROOF;

/// Conditions under one list of facts.
pub struct Requirements {
    terms: Terms,
    prover: Prover,
    given: FxHashSet<ExprId>,
    /// Expressions of the source arena, copied, and the answers for those that were asked.
    copied: FxHashMap<ExprId, ExprId>,
    answers: FxHashMap<ExprId, bool>,
}

impl Requirements {
    /// Starts with `facts` of an arena.
    pub fn new(arena: Arena, facts: &[ExprId], copied: FxHashMap<ExprId, ExprId>) -> Requirements {
        let mut terms = Terms::new(arena);
        let facts: Vec<ExprId> = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        Requirements {
            terms,
            given: facts.iter().copied().collect(),
            prover: Prover::new(facts),
            copied,
            answers: FxHashMap::default(),
        }
    }

    /// True if a condition of the arena `source` is proved; asked again, the answer is known.
    pub fn follows(&mut self, source: &Arena, condition: ExprId) -> bool {
        if let Some(&known) = self.answers.get(&condition) {
            return known;
        }
        let own = self.terms.arena.import(source, condition, &mut self.copied);
        let canonical = self.terms.canonical(own);
        self.prover.allow(WORK_BY_FORM);
        let follows =
            self.is_known(canonical) || holds_by_form(&mut self.terms, &mut self.prover, canonical);
        self.answers.insert(condition, follows);
        follows
    }

    /// True if a condition of the own arena is given, or proved as it stands.
    pub fn holds(&mut self, condition: ExprId) -> bool {
        let canonical = self.terms.canonical(condition);
        self.is_known(canonical) || self.prover.holds(&mut self.terms, canonical)
    }

    fn is_known(&self, canonical: ExprId) -> bool {
        let number = self.terms.arena.as_number(canonical);
        number.is_some_and(Rational::is_one) || self.given.contains(&canonical)
    }
}

/// True if a condition is proved: where it counts failures, in each iteration, and where it says that several truth values
/// do not hold together, one of them under the others. The simplification of the condition takes much longer.
fn holds_by_form(terms: &mut Terms, prover: &mut Prover, condition: ExprId) -> bool {
    if let Some(failure) = failure_in_each(terms, condition) {
        let never = if terms.arena.is_boolean(failure) {
            terms.arena.not(failure)
        } else {
            let zero = terms.arena.number(0);
            terms.arena.relate(Relation::Equal, failure, zero)
        };
        let never = terms.canonical(never);
        return with_stack(|| holds_by_form(terms, prover, never));
    }
    let by_one = excluded(terms, condition).is_some_and(|together| {
        // The condition itself usually comes after those under which it must hold.
        together.len() > 1
            && (0..together.len()).rev().any(|own| {
                let mut others = together.clone();
                let opposite = terms.arena.not(others.remove(own));
                let opposite = terms.canonical(opposite);
                let mut under = prover.with(&others);
                under.allow(prover.left());
                let holds = with_stack(|| holds_by_form(terms, &mut under, opposite));
                prover.charge(under.work());
                holds
            })
    });
    by_one || prover.holds(terms, condition)
}

/// The failure of a condition that asks for a sum of failures to be 0.
fn failure_in_each(terms: &Terms, condition: ExprId) -> Option<ExprId> {
    let Node::Compare(Relation::Equal, a, b) = *terms.arena.node(condition) else {
        return None;
    };
    let is_zero = |id| terms.arena.as_number(id).is_some_and(Rational::is_zero);
    let counted = if is_zero(a) { b } else { a };
    match *terms.arena.node(counted) {
        Node::Reduce(r) if r.kind == ReduceKind::Sum && (is_zero(a) || is_zero(b)) => Some(r.body),
        _ => None,
    }
}

/// The truth values that a condition says do not all hold: `a`, `b` of `a * b == 0`, or of `1 - a * b`; `x != 0` and
/// the opposite of `b` of `x == x * b`.
pub fn excluded(terms: &mut Terms, condition: ExprId) -> Option<Vec<ExprId>> {
    let product = match *terms.arena.node(condition) {
        Node::Compare(Relation::Equal, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            &*left - &*right
        }
        _ => &Polynomial::one() - &*terms.polynomial(condition),
    };
    let content = product.monomial_content();
    let rest = product.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let mut truths = Vec::new();
    for &(atom, _) in content.powers() {
        let atom = expr_of(atom);
        let holds = if terms.arena.is_boolean(atom) {
            atom
        } else {
            terms.arena.nonzero(atom)
        };
        truths.push(terms.canonical(holds));
    }
    if let Some((monomial, coefficient)) = rest.as_term() {
        let alone = monomial.powers().is_empty() && coefficient.abs().is_one();
        return (alone && !truths.is_empty()).then_some(truths);
    }
    // `b - 1` is 0 where `1 - b` is.
    let one = rest.coefficient(&Monomial::one());
    let opposite = terms.expression(&rest.scale(&one.recip()?));
    let truth = &Polynomial::one() - &*terms.polynomial(opposite);
    let (monomial, coefficient) = truth.as_term()?;
    let [(atom, 1)] = *monomial.powers() else {
        return None;
    };
    if !coefficient.is_one() || !terms.arena.is_boolean(expr_of(atom)) {
        return None;
    }
    let fails = terms.arena.not(expr_of(atom));
    truths.push(terms.canonical(fails));
    Some(truths)
}
