//! Case distinctions: values of a polynomial in each case of one of its atoms.

use crate::expr::{ExprId, Function, Node};
use crate::ring::Polynomial;

use super::statement::{Statement, negation, statement};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// A polynomial in one case, and the statements that hold in this case.
pub type Case = (Polynomial, Vec<Statement>);

/// The cases of one atom, made one by one: a proof ends at the first case that fails, and each case of a `max` is as
/// large as all its operands.
pub type Cases = Box<dyn Iterator<Item = Option<Case>>>;

/// The cases of the first atom in `p` that has some; `None` in place of a case that has too many terms.
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
    let first = candidates
        .into_iter()
        .min_by(|&a, &b| terms.arena.compare(a, b))?;
    let (p, atom) = (p.clone(), atom_of(first));
    let case = move |(value, holds): Case| Some((p.substitute(atom, &value, MAX_TERMS)?, holds));
    Some(Box::new(values_of(terms, first)?.map(case)))
}

/// Values of the atom `id` in its cases, and the statements that hold in each.
fn values_of(terms: &mut Terms, id: ExprId) -> Option<Box<dyn Iterator<Item = Case>>> {
    match terms.arena.node(id).clone() {
        Node::Compare(..) => {
            let (yes, no) = (statement(terms, id), negation(terms, id));
            let cases = [
                (Polynomial::one(), vec![yes]),
                (Polynomial::zero(), vec![no]),
            ];
            Some(Box::new(cases.into_iter()))
        }
        Node::If(condition, then, otherwise) => {
            let (yes, no) = (statement(terms, condition), negation(terms, condition));
            let (then, otherwise) = (terms.polynomial(then), terms.polynomial(otherwise));
            let cases = [
                ((*then).clone(), vec![yes]),
                ((*otherwise).clone(), vec![no]),
            ];
            Some(Box::new(cases.into_iter()))
        }
        Node::Apply(Function::Abs, operand) => {
            let operand = (*terms.polynomial(operand)).clone();
            let values = [operand.clone(), -&operand].into_iter();
            let case = |value: Polynomial| (value.clone(), vec![Statement::NonNegative(value)]);
            Some(Box::new(values.map(case)))
        }
        Node::Max(list) | Node::Min(list) => {
            let largest = matches!(terms.arena.node(id), Node::Max(_));
            let operands: Vec<_> = list
                .iter()
                .map(|&operand| terms.polynomial(operand))
                .collect();
            let case = move |chosen: usize| {
                let others = operands.iter().enumerate().filter(|&(k, _)| k != chosen);
                let statements = others.map(|(_, other)| {
                    let lead = &*operands[chosen] - &**other;
                    Statement::NonNegative(if largest { lead } else { -&lead })
                });
                ((*operands[chosen]).clone(), statements.collect())
            };
            Some(Box::new((0..list.len()).map(case)))
        }
        _ => None,
    }
}
