//! Conditions under which the form of a law shows that it is never negative.

use crate::expr::{ExprId, LawKind, LawName, Node, Relation};
use crate::ring::Rational;

use crate::algebra::terms::Terms;

/// Conditions that are sufficient for a law or a scalar `expr` to be nonnegative.
///
/// A parameter, a `normal` and a law given by `moments` are taken for times, which are never negative. Their form
/// does not show this, so the result states it as an assumption (`demands`).
pub fn conditions(terms: &mut Terms, expr: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    collect(terms, expr, &mut found);
    let one = terms.arena.number(1);
    found.retain(|&condition| condition != one);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(terms: &mut Terms, expr: ExprId, found: &mut Vec<ExprId>) {
    if !terms.arena.is_law(expr) {
        let zero = terms.arena.number(0);
        found.push(terms.arena.relate(Relation::LessEqual, zero, expr));
        return;
    }
    let operands = match terms.arena.node(expr) {
        Node::Reduce(r) => vec![r.body],
        Node::If(_, then, otherwise) => vec![*then, *otherwise],
        // A number of copies is never negative.
        Node::Mul(factors) => {
            let mut factors = factors.to_vec();
            factors.retain(|&factor| terms.arena.is_law(factor));
            factors
        }
        Node::Law(LawKind::Named(LawName::Uniform), list) => vec![list[0]],
        Node::Law(LawKind::Named(_) | LawKind::Parameter(_), _) => Vec::new(),
        Node::Law(LawKind::Empirical(symbol), _) => {
            let least = terms
                .arena
                .samples(*symbol)
                .map(|samples| samples.ends()[0].clone());
            least
                .map(|least| terms.arena.number(Rational::from(least)))
                .into_iter()
                .collect()
        }
        Node::Law(LawKind::Mixture, list) => list.iter().skip(1).step_by(2).copied().collect(),
        Node::Law(LawKind::Truncated, list) => match terms.arena.as_number(list[1]) {
            Some(least) if !least.is_negative() => Vec::new(),
            _ => vec![list[0]],
        },
        Node::Law(LawKind::Choice | LawKind::RandomSum, list) => list[1..].to_vec(),
        _ => terms.arena.operands(expr),
    };
    for operand in operands {
        collect(terms, operand, found);
    }
}
