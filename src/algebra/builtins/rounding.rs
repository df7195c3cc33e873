//! Floors, ceilings, remainders and comparisons of what is partly known.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{MAX_TERMS, expr_of};

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
    Candidate::always(terms.arena.add(&[whole, rounded]))
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
    Candidate::always(terms.arena.modulo(rest, modulus))
}

/// Whole parts are no matter: `integer(x + n) = integer(x)`.
pub fn integer_shift(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Apply(Function::Integer, operand) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let operand = scope.terms.polynomial(operand);
    let (whole, rest) = whole_part(scope, &operand);
    if whole.is_zero() {
        return Vec::new();
    }
    let rest = scope.terms.expression(&rest);
    Candidate::always(scope.terms.arena.apply(Function::Integer, rest))
}

/// `integer(x)` of what is proved to be an integer, or one and a fraction.
pub fn integer_decided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Apply(Function::Integer, operand) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let operand = scope.terms.polynomial(operand);
    let fraction = operand.coefficient(&Monomial::one()).fract();
    let rest = &*operand - &Polynomial::constant(fraction.clone());
    if !scope.prover.integer(&mut scope.terms, &rest) {
        return Vec::new();
    }
    let value = i64::from(fraction == Rational::ZERO);
    Candidate::always(scope.terms.arena.number(value))
}

/// A remainder beside its quotient: `a mod b = a - b*(a div b)`, where that saves something.
pub fn quotient_and_remainder(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let polynomial = terms.polynomial(term);
    let mut candidates = Vec::new();
    for atom in polynomial.atoms() {
        let Node::Mod(dividend, modulus) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let quotient = terms.arena.floor_divide(dividend, modulus);
        let quotient = terms.polynomial(quotient);
        if !quotient
            .atoms()
            .iter()
            .any(|&other| polynomial.contains(other))
        {
            continue;
        }
        let (dividend, modulus) = (terms.polynomial(dividend), terms.polynomial(modulus));
        let Some(blocks) = modulus.checked_mul(&quotient, MAX_TERMS) else {
            continue;
        };
        let remainder = &*dividend - &blocks;
        if let Some(whole) = polynomial.substitute(atom, &remainder, MAX_TERMS) {
            candidates.push(Candidate {
                right: terms.expression(&whole),
                guards: Vec::new(),
            });
        }
    }
    candidates
}

/// `(x - y mod b) div b = x div b - (x mod b < y mod b)`
pub fn floor_of_remainder(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let right = without_remainder(scope, term);
    right
        .into_iter()
        .map(|right| Candidate {
            right,
            guards: Vec::new(),
        })
        .collect()
}

/// A floor or ceiling of `(x - y mod b) / b` by the quotient of x and the comparison of remainders.
pub fn without_remainder(scope: &mut Scope, term: ExprId) -> Option<ExprId> {
    let Node::Apply(function @ (Function::Floor | Function::Ceil), operand) =
        *scope.terms.arena.node(term)
    else {
        return None;
    };
    let operand = scope.terms.polynomial(operand);
    let (monomial, remainder, modulus) = operand.terms().find_map(|(monomial, coefficient)| {
        let (remainder, modulus) = remainder_over_modulus(scope, monomial)?;
        (*coefficient == Rational::from(-1)).then_some((monomial.clone(), remainder, modulus))
    })?;
    let terms = &mut scope.terms;
    let rest = &*operand + &Polynomial::term(monomial, Rational::ONE);
    let divisor = terms.polynomial(modulus);
    let dividend = terms.multiply(&rest, &divisor)?;
    let dividend = scope.terms.expression(&dividend);
    let arena = &mut scope.terms.arena;
    let quotient = arena.floor_divide(dividend, modulus);
    let own = arena.modulo(dividend, modulus);
    let right = match function {
        Function::Floor => {
            let borrow = arena.relate(Relation::Less, own, remainder);
            arena.subtract(quotient, borrow)
        }
        _ => {
            let carry = arena.relate(Relation::Less, remainder, own);
            arena.add(&[quotient, carry])
        }
    };
    Some(scope.terms.canonical(right))
}

/// `y mod b` and `b` of `(y mod b) / b`.
fn remainder_over_modulus(scope: &Scope, monomial: &Monomial) -> Option<(ExprId, ExprId)> {
    let [first, second] = *monomial.powers() else {
        return None;
    };
    let pairs = [(first, second), (second, first)];
    pairs
        .into_iter()
        .find_map(|((remainder, power), (modulus, inverse))| {
            let Node::Mod(_, expected) = *scope.terms.arena.node(expr_of(remainder)) else {
                return None;
            };
            let over = power == 1 && inverse == -1 && expr_of(modulus) == expected;
            over.then_some((expr_of(remainder), expected))
        })
}
