//! Statements about polynomials that truth values make.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Polynomial, Rational};

use super::witness::Witness;
use crate::algebra::terms::Terms;

/// The statement that a truth value makes about a polynomial.
#[derive(Clone, Debug)]
pub enum Statement {
    NonNegative(Polynomial),
    Positive(Polynomial),
    Zero(Polynomial),
    NonZero(Polynomial),
    Integer(Polynomial),
    Never,
    Always,
    Unknown,
}

impl Statement {
    /// The polynomial of the statement.
    pub fn polynomial(&self) -> Option<&Polynomial> {
        match self {
            Statement::NonNegative(p)
            | Statement::Positive(p)
            | Statement::Zero(p)
            | Statement::NonZero(p)
            | Statement::Integer(p) => Some(p),
            Statement::Never | Statement::Always | Statement::Unknown => None,
        }
    }

    /// True if it is known to hold at a point.
    pub fn holds_at(&self, terms: &Terms, witness: &mut Witness) -> bool {
        let (p, holds): (_, fn(&Rational) -> bool) = match self {
            Statement::NonNegative(p) => (p, |value| !value.is_negative()),
            Statement::Positive(p) => (p, Rational::is_positive),
            Statement::Zero(p) => (p, Rational::is_zero),
            Statement::NonZero(p) => (p, |value| !value.is_zero()),
            Statement::Integer(p) => (p, Rational::is_integer),
            Statement::Always => return true,
            Statement::Never | Statement::Unknown => return false,
        };
        witness
            .evaluate(terms, p)
            .is_some_and(|value| holds(&value))
    }
}

/// The statement that a truth value makes.
pub fn statement(terms: &mut Terms, guard: ExprId) -> Statement {
    let guard = terms.canonical(guard);
    if let Some(value) = terms.arena.as_number(guard) {
        return if value.is_zero() {
            Statement::Never
        } else {
            Statement::Always
        };
    }
    match *terms.arena.node(guard) {
        Node::Compare(relation, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            let difference = &*right - &*left;
            match relation {
                Relation::LessEqual => Statement::NonNegative(difference),
                Relation::Less => Statement::Positive(difference),
                Relation::Equal => Statement::Zero(difference),
            }
        }
        Node::Apply(Function::Integer, operand) => {
            Statement::Integer((*terms.polynomial(operand)).clone())
        }
        _ => match terms.complement(guard) {
            Some(inner) => negation(terms, inner),
            None => Statement::Unknown,
        },
    }
}

/// The statement that a truth value is 0.
pub fn negation(terms: &mut Terms, guard: ExprId) -> Statement {
    match *terms.arena.node(guard) {
        Node::Compare(relation, left, right) => {
            let (left, right) = (terms.polynomial(left), terms.polynomial(right));
            let difference = &*left - &*right;
            match relation {
                Relation::LessEqual => Statement::Positive(difference),
                Relation::Less => Statement::NonNegative(difference),
                Relation::Equal => Statement::NonZero(difference),
            }
        }
        _ => Statement::Unknown,
    }
}
