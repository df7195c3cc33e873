//! Cases: what a polynomial is, where one of its atoms is decided.

use crate::expr::{ExprId, Function, Node};
use crate::ring::Polynomial;

use super::super::terms::{MAX_TERMS, Terms, atom_of, expr_of};
use super::statement::{Statement, negation, statement};

/// In each case, the polynomial as it is there, and what holds there.
pub type Cases = Vec<(Polynomial, Vec<Statement>)>;

/// The cases of the first atom in `p` that has some: each with `p` as it is there, and what holds there.
pub fn first_cases(terms: &mut Terms, p: &Polynomial) -> Option<Cases> {
    let mut candidates: Vec<ExprId> = p
        .atoms()
        .into_iter()
        .filter(|a| a.0 <= u32::MAX / 2)
        .map(expr_of)
        .collect();
    candidates.retain(|&id| {
        terms.arena.is_boolean(id) && matches!(terms.arena.node(id), Node::Compare(..))
            || matches!(
                terms.arena.node(id),
                Node::Max(_) | Node::Min(_) | Node::If(..)
            )
            || matches!(terms.arena.node(id), Node::Apply(Function::Abs, _))
    });
    candidates.sort_by(|&a, &b| terms.arena.compare(a, b));
    candidates.into_iter().find_map(|id| cases_of(terms, p, id))
}

fn cases_of(terms: &mut Terms, p: &Polynomial, id: ExprId) -> Option<Cases> {
    let at = |value: &Polynomial| p.substitute(atom_of(id), value, MAX_TERMS);
    match terms.arena.node(id).clone() {
        Node::Compare(..) => {
            let (yes, no) = (statement(terms, id), negation(terms, id));
            Some(vec![
                (at(&Polynomial::one())?, vec![yes]),
                (at(&Polynomial::zero())?, vec![no]),
            ])
        }
        Node::If(condition, then, otherwise) => {
            let (yes, no) = (statement(terms, condition), negation(terms, condition));
            let (then, otherwise) = (terms.polynomial(then), terms.polynomial(otherwise));
            Some(vec![(at(&then)?, vec![yes]), (at(&otherwise)?, vec![no])])
        }
        Node::Apply(Function::Abs, operand) => {
            let operand = terms.polynomial(operand);
            let mirrored = -&*operand;
            Some(vec![
                (
                    at(&operand)?,
                    vec![Statement::NonNegative((*operand).clone())],
                ),
                (
                    at(&mirrored)?,
                    vec![Statement::NonNegative(mirrored.clone())],
                ),
            ])
        }
        Node::Max(list) | Node::Min(list) => {
            let largest = matches!(terms.arena.node(id), Node::Max(_));
            let operands: Vec<_> = list
                .iter()
                .map(|&operand| terms.polynomial(operand))
                .collect();
            let case = |chosen: usize| {
                let others = operands.iter().enumerate().filter(|&(k, _)| k != chosen);
                let statements = others.map(|(_, other)| {
                    let lead = &*operands[chosen] - &**other;
                    Statement::NonNegative(if largest { lead } else { -&lead })
                });
                Some((at(&operands[chosen])?, statements.collect()))
            };
            (0..operands.len()).map(case).collect()
        }
        _ => None,
    }
}
