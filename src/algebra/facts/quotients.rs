//! Quotients that are known to be integers.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Atom, Polynomial, Rational};

use super::super::terms::{Terms, expr_of};

/// `N/P` of the facts `integer(N/P)` and `N mod P == 0`.
pub fn whole_quotient(terms: &mut Terms, fact: ExprId) -> Option<Polynomial> {
    match *terms.arena.node(fact) {
        Node::Apply(Function::Integer, operand) => Some((*terms.polynomial(operand)).clone()),
        Node::Compare(Relation::Equal, left, right) => {
            let (zero, other) = match terms.arena.as_number(left) {
                Some(_) => (left, right),
                None => (right, left),
            };
            let Node::Mod(dividend, modulus) = *terms.arena.node(other) else {
                return None;
            };
            if !terms.arena.as_number(zero).is_some_and(Rational::is_zero) {
                return None;
            }
            let quotient = terms.arena.divide(dividend, modulus);
            Some((*terms.polynomial(quotient)).clone())
        }
        _ => None,
    }
}

/// Solves `quotient = whole` for a parameter that occurs once, in a numerator.
pub fn solve(terms: &Terms, quotient: &Polynomial, whole: Atom) -> Option<(Atom, Polynomial)> {
    for (monomial, coefficient) in quotient.terms() {
        for &(atom, exponent) in monomial.powers() {
            let single = exponent == 1
                && quotient
                    .coefficients_in(atom)
                    .keys()
                    .all(|&e| e == 0 || e == 1);
            let alone = quotient
                .terms()
                .filter(|(m, _)| m.exponent(atom) != 0)
                .count()
                == 1;
            let parameter = matches!(terms.arena.node(expr_of(atom)), Node::Symbol(_));
            if !(single && alone && parameter) || quotient.as_atom().is_some() {
                continue;
            }
            let rest = quotient - &Polynomial::term(monomial.clone(), coefficient.clone());
            let divisor = monomial.without(atom).checked_pow(-1)?;
            let numerator = &Polynomial::atom(whole) - &rest;
            return Some((atom, numerator.mul_term(&divisor, &coefficient.recip()?)?));
        }
    }
    None
}

