//! The search for assumptions on parameters under which a scope closes.

use super::{ExprId, Node, Prover, Result, Session, Terms, union};
use crate::algebra::graph::Blocked;
use crate::algebra::scope::{Clamping, mentions_index};
use crate::algebra::terms::expr_of;
use crate::expr::{Function, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

/// Assumptions for one scope are looked for this often, and among this many candidates.
const ROUNDS: usize = 6;
const CANDIDATES: usize = 8;
/// No further assumptions are tried in a scope after e-graphs with this many nodes in all.
const NODES_OF_ASSUMPTIONS: usize = 4_000;

impl Session<'_> {
    /// Adds assumptions that rules are blocked for, as long as they reduce what is open.
    pub(super) fn assume(
        &mut self,
        start: Result,
        blocked: Vec<Blocked>,
        clamping: Clamping,
    ) -> Option<Result> {
        let mut state = start;
        let mut blocked = blocked;
        let mut best: Option<Result> = None;
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let mut advanced = None;
            for guards in self.assumable(&blocked) {
                if nodes > NODES_OF_ASSUMPTIONS {
                    break;
                }
                let assumed = union(vec![state.assumed.clone(), guards.clone().into()]);
                let next = Result {
                    assumed,
                    ..state.clone()
                };
                let mut saturation = self.saturate(&next, clamping);
                nodes += saturation.nodes;
                let adopted = self.adopt(&next, &mut saturation);
                let reference = best.as_ref().map_or(state.expr, |best| best.expr);
                let (before, after) = (self.terms.cost(reference), self.terms.cost(adopted.expr));
                let progress = (after.depth, after.open) < (before.depth, before.open);
                let unblocked = saturation.blocked.iter().any(|b| !blocked.contains(b));
                if progress || (unblocked && advanced.is_none()) {
                    advanced = Some((next, saturation.blocked, adopted));
                    if progress {
                        break;
                    }
                }
            }
            let (next, next_blocked, adopted) = advanced?;
            if !self.is_open(adopted.expr) {
                return Some(adopted);
            }
            best = Some(adopted);
            state = next;
            blocked = next_blocked;
        }
        best
    }

    /// Sets of guards that speak of parameters only, smallest first.
    fn assumable(&mut self, blocked: &[Blocked]) -> Vec<Vec<ExprId>> {
        let mut sets: Vec<Vec<ExprId>> = Vec::new();
        let prover = Prover::new(self.facts.clone());
        for entry in blocked {
            let mut guards = entry.guards.iter();
            let parametric = guards.all(|&guard| {
                !mentions_index(&self.terms, guard)
                    && !is_vacuous(&mut self.terms, &prover, guard)
                    && !is_of_measures(&mut self.terms, &self.facts, &prover, guard)
            });
            if parametric && !sets.contains(&entry.guards) {
                sets.push(entry.guards.clone());
            }
        }
        sets.truncate(CANDIDATES);
        sets
    }
}

/// True if a guard leaves but single values of a parameter: what closes only there is better left open.
///
/// `0 <= p` where the facts have `p <= 0`, and `integer(1 / B)`, of which only divisors of 1 are left.
fn is_vacuous(terms: &mut Terms, prover: &Prover, guard: ExprId) -> bool {
    match *terms.arena.node(guard) {
        Node::Compare(Relation::LessEqual, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            prover.nonnegative(terms, &(&*left - &*right))
        }
        Node::Apply(Function::Integer, operand) => {
            let p = terms.polynomial(operand);
            let fades = |monomial: &Monomial| {
                let powers = monomial.powers();
                !powers.is_empty() && powers.iter().all(|&(_, exponent)| exponent < 0)
            };
            let mut whole = |monomial: &Monomial| {
                let inverse = monomial.checked_pow(-1);
                let inverse = inverse.map(|m| Polynomial::term(m, Rational::ONE));
                inverse.is_some_and(|inverse| prover.integer(terms, &inverse))
            };
            !p.is_zero()
                && p.terms()
                    .all(|(monomial, _)| fades(monomial) && whole(monomial))
        }
        _ => false,
    }
}

/// True if a guard requires a quotient of parameters to be whole, although both have declarations but neither is
/// declared whole: for times and sizes this holds only at single values.
fn is_of_measures(terms: &mut Terms, facts: &[ExprId], prover: &Prover, guard: ExprId) -> bool {
    let Node::Apply(Function::Integer, operand) = *terms.arena.node(guard) else {
        return false;
    };
    let quotient = terms.polynomial(operand);
    let Some((monomial, _)) = quotient.as_term() else {
        return false;
    };
    let mut measure = |atom| {
        let Node::Symbol(symbol) = *terms.arena.node(expr_of(atom)) else {
            return false;
        };
        let declared = facts.iter().any(|&fact| terms.mentions(fact, symbol));
        declared && !prover.integer(terms, &Polynomial::atom(atom))
    };
    monomial.powers().iter().any(|&(_, power)| power < 0)
        && monomial.powers().len() > 1
        && monomial.powers().iter().all(|&(atom, _)| measure(atom))
}
