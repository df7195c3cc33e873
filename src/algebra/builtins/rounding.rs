//! Floors, ceilings, remainders and comparisons of what is partly known.

use crate::expr::{ExprId, Function, Node};
use crate::ring::{Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;

/// Whole parts leave a floor: `floor(x + n) = floor(x) + n`.
pub fn floor_shift(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    shift(scope, term, Function::Floor)
}

/// Whole parts leave a ceiling: `ceil(x + n) = ceil(x) + n`.
pub fn ceil_shift(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    shift(scope, term, Function::Ceil)
}

fn shift(scope: &mut Scope, term: ExprId, function: Function) -> Vec<Candidate> {
    let Node::Apply(found, operand) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    if found != function {
        return Vec::new();
    }
    let operand = scope.terms.polynomial(operand);
    let (whole, rest) = whole_part(scope, &operand);
    if whole.is_zero() {
        return Vec::new();
    }
    let terms = &mut scope.terms;
    let (whole, rest) = (terms.expression(&whole), terms.expression(&rest));
    let rounded = terms.arena.apply(function, rest);
    vec![Candidate {
        right: terms.arena.add(&[whole, rounded]),
        guards: Vec::new(),
    }]
}

/// The terms that are proved to be integers, alone or all together, and the others.
fn whole_part(scope: &mut Scope, p: &Polynomial) -> (Polynomial, Polynomial) {
    if scope.prover.integer(&mut scope.terms, p) {
        return (p.clone(), Polynomial::zero());
    }
    let mut whole = Polynomial::zero();
    for (monomial, coefficient) in p.terms() {
        let term = Polynomial::term(monomial.clone(), coefficient.clone());
        if scope.prover.integer(&mut scope.terms, &term) {
            whole = &whole + &term;
        }
    }
    let rest = p - &whole;
    (whole, rest)
}

/// Multiples of the modulus leave a remainder: `(a + n*b) mod b = a mod b`.
pub fn mod_shift(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Mod(dividend, modulus) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let divisor = scope.terms.polynomial(modulus);
    if !scope.prover.positive(&mut scope.terms, &divisor) {
        return Vec::new();
    }
    let quotient = scope.terms.arena.divide(dividend, modulus);
    let quotient = scope.terms.polynomial(quotient);
    let (whole, rest) = whole_part(scope, &quotient);
    if whole.is_zero() {
        return Vec::new();
    }
    let terms = &mut scope.terms;
    let Some(rest) = terms.multiply(&rest, &divisor) else {
        return Vec::new();
    };
    let rest = terms.expression(&rest);
    vec![Candidate {
        right: terms.arena.modulo(rest, modulus),
        guards: Vec::new(),
    }]
}

/// A comparison that is proved to hold, or not to hold.
pub fn compare_decided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Compare(..) = scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let complement = scope.terms.arena.not(term);
    let complement = scope.terms.canonical(complement);
    let value = match (scope.holds(term), scope.holds(complement)) {
        (true, _) => 1,
        (_, true) => 0,
        _ => return Vec::new(),
    };
    vec![Candidate {
        right: scope.terms.arena.number(value),
        guards: Vec::new(),
    }]
}

/// `integer(x)` of what is proved to be an integer, or one and a fraction.
pub fn integer_decided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Apply(Function::Integer, operand) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let operand = scope.terms.polynomial(operand);
    let fraction = operand.coefficient(&crate::ring::Monomial::one()).fract();
    let rest = &*operand - &Polynomial::constant(fraction.clone());
    if !scope.prover.integer(&mut scope.terms, &rest) {
        return Vec::new();
    }
    let value = i64::from(fraction == Rational::ZERO);
    vec![Candidate {
        right: scope.terms.arena.number(value),
        guards: Vec::new(),
    }]
}
