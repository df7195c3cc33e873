//! Products of independent laws.

use crate::expr::{ExprId, LawKind, LawName, Node};

use super::super::language::Scope;
use super::super::scope::Candidate;

/// `(c * X) * Y = c * (X * Y)`.
pub fn scale(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Law(LawKind::Product, operands) = arena.node(term) else {
        return Vec::new();
    };
    let operands = operands.clone();
    let (mut factors, mut laws) = (Vec::new(), Vec::new());
    for &operand in &operands {
        match *arena.node(operand) {
            Node::Law(LawKind::Scale, ref inner) => {
                factors.push(inner[0]);
                laws.push(inner[1]);
            }
            _ => laws.push(operand),
        }
    }
    if factors.is_empty() {
        return Vec::new();
    }
    let factor = arena.mul(&factors);
    let product = arena.law(LawKind::Product, &laws);
    Candidate::always(arena.scale(factor, product))
}

/// `bernoulli(p) * X = mixture(p, X, 1 - p, 0)`.
pub fn trial(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Law(LawKind::Product, operands) = arena.node(term) else {
        return Vec::new();
    };
    let mut laws = operands.to_vec();
    let trial = |&law: &ExprId| {
        matches!(
            arena.node(law),
            Node::Law(LawKind::Named(LawName::Bernoulli), _)
        )
    };
    let Some(position) = laws.iter().position(trial) else {
        return Vec::new();
    };
    let chance = arena.operands(laws.remove(position))[0];
    let others = arena.law(LawKind::Product, &laws);
    let (rest, zero) = (arena.not(chance), arena.number(0));
    Candidate::always(arena.law(LawKind::Mixture, &[chance, others, rest, zero]))
}
