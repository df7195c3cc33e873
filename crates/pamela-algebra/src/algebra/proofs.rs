//! Proofs that a condition over closed forms holds wherever the facts do.

use crate::expr::{ExprId, Node};
use crate::ring::Rational;

use super::closed::{Closed, Options};
use super::facts::{PROOF, Prover};
use super::regimes::regimes;
use super::saturation::Stop;
use super::simplify::Simplifier;
use super::terms::Terms;

/// Work of the proof of one condition, and of the conditions of its regimes together.
const WORK: u64 = 400 * PROOF;

impl Simplifier {
    /// True if a truth value in the arena of the closed forms is proved to be 1 where the facts and
    /// `further` hold. An answer `false` says nothing.
    pub fn is_proved(&mut self, condition: ExprId, further: &[ExprId]) -> bool {
        let mut facts = self.facts_in_results();
        facts.extend(further);
        let mut terms = Terms::new(std::mem::take(&mut self.results));
        let facts: Vec<ExprId> = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let proved = Proof {
            work: self.options.effort.of(WORK),
            facts,
        }
        .of(&mut terms, condition);
        self.results = terms.arena;
        proved
    }
}

impl Simplifier {
    /// An expression of the closed forms, simplified without assumptions.
    pub fn simplified(&mut self, expr: ExprId) -> Option<ExprId> {
        let closed = Closed {
            expr,
            assumptions: Vec::new(),
            rules: Vec::new(),
            derivation: None,
            stop: Stop::Saturated,
        };
        let (terms, known, expr) = self.reopened(&closed);
        let strict = Options {
            strict: true,
            ..self.options
        };
        let closed = self.close_session(terms.arena, &known, expr, strict)?;
        closed.assumptions.is_empty().then_some(closed.expr)
    }
}

struct Proof {
    facts: Vec<ExprId>,
    /// Work that is left.
    work: u64,
}

impl Proof {
    fn of(&mut self, terms: &mut Terms, condition: ExprId) -> bool {
        let condition = terms.canonical(condition);
        if let Some(value) = terms.arena.as_number(condition) {
            return value.is_one();
        }
        self.follows(terms, condition, &[]) || self.in_each_regime(terms, condition)
    }

    /// True if the prover finds a proof.
    fn follows(&mut self, terms: &mut Terms, condition: ExprId, when: &[ExprId]) -> bool {
        if self.work == 0 {
            return false;
        }
        let mut prover = Prover::new([&self.facts, when].concat());
        prover.allow(self.work);
        let found = prover.holds(terms, condition);
        self.work = prover.left();
        found
    }

    /// True if the difference of a comparison has the right sign in each of its regimes.
    fn in_each_regime(&mut self, terms: &mut Terms, condition: ExprId) -> bool {
        let Node::Compare(relation, left, right) = *terms.arena.node(condition) else {
            return false;
        };
        let difference = terms.arena.subtract(right, left);
        let Ok(Some(found)) = regimes(terms, &self.facts, difference, &[]) else {
            return false;
        };
        let zero = terms.arena.number(0);
        found.regimes.iter().all(|regime| {
            let holds = terms.arena.relate(relation, zero, regime.expr);
            let holds = terms.canonical(holds);
            let known = terms.arena.as_number(holds).map(Rational::is_one);
            known.unwrap_or_else(|| self.follows(terms, holds, &regime.when))
        })
    }
}
