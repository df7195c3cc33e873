//! Common parts of operands, and signs of terms.

use std::collections::BTreeMap;

use crate::expr::{Arena, ExprId, Node, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::{one, term_and_index};
use crate::algebra::facts::Prover;
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::signs::{Signed, signed};
use crate::algebra::terms::{Terms, content, expr_of, with_bases};

/// Common terms of all operands, and common factors that are known to be nonnegative.
pub fn common(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(shared(scope, values))
}

fn shared(scope: &mut Scope, values: &[Value]) -> Option<Vec<Value>> {
    let list = values.first()?.as_list()?;
    let operands: Vec<Polynomial> = list
        .iter()
        .map(|&operand| (*scope.terms.polynomial(operand)).clone())
        .collect();
    let shared = shared_terms(&operands);
    let rest: Vec<Polynomial> = operands.iter().map(|operand| operand - &shared).collect();
    let (number, signed) = shared_factor(scope, &rest)?;
    let factor = signed.factor()?.scale(&number);
    if factor.as_constant().is_some_and(|c| c.is_one()) && shared.is_zero() {
        return None;
    }
    let divided = divided_by(&rest, &factor)?;
    let terms = &mut scope.terms;
    let inner: Vec<ExprId> = divided.iter().map(|p| terms.expression(p)).collect();
    let mut factors = vec![terms.expression(&Polynomial::constant(number))];
    for (base, exponent) in &signed.powers {
        let (base, exponent) = (
            terms.expression(base),
            terms.arena.number(i64::from(*exponent)),
        );
        let power = terms.arena.pow(base, exponent);
        factors.push(terms.canonical(power));
    }
    let shared = terms.expression(&shared);
    Some(vec![
        Value::list(factors),
        Value::Term(shared),
        Value::list(inner),
    ])
}

/// The terms that stand in all operands.
fn shared_terms(operands: &[Polynomial]) -> Polynomial {
    let Some((first, others)) = operands.split_first() else {
        return Polynomial::zero();
    };
    let shared = first
        .terms()
        .filter(|&(m, c)| others.iter().all(|other| other.coefficient(m) == *c));
    Polynomial::from_terms(shared.map(|(m, c)| (m.clone(), c.clone())).collect())
}

/// The greatest whole number and the greatest nonnegative product that divide all operands.
fn shared_factor(scope: &mut Scope, operands: &[Polynomial]) -> Option<(Rational, Signed)> {
    let nonzero = || operands.iter().filter(|p| !p.is_zero());
    let numbers: Vec<Rational> = nonzero().map(Polynomial::content).collect();
    let number = Rational::common_measure(numbers.iter()).abs();
    let number = if number.is_integer() && !number.is_zero() {
        number
    } else {
        Rational::ONE
    };
    let mut divisor =
        Polynomial::term(shared_monomial(&scope.terms.arena, operands), Rational::ONE);
    if nonzero().all(|p| (2..=MOST_TERMS).contains(&p.len())) {
        let sum = nonzero().try_fold(Polynomial::zero(), |sum, p| p.common_divisor(&sum));
        divisor = divisor.checked_mul(&sum?, MOST_TERMS)?;
    }
    // `max(1, A / D)` is read more easily than `max(1 / A, 1 / D)`.
    let left: Vec<Polynomial> = nonzero()
        .map(|p| p.divide_exact(&divisor))
        .collect::<Option<_>>()?;
    let mut exponents = left.iter().flat_map(|p| p.exponents().into_values());
    if divisor.len() > 1
        && exponents.all(|(_, greatest)| greatest < 0)
        && let Some((first, _)) = left.iter().find_map(Polynomial::as_term)
    {
        divisor = divisor.mul_term(first, &Rational::ONE)?;
    }
    let known = Prover::nonnegative;
    let parts = signed(&mut scope.terms, &scope.prover, known, &divisor)?;
    // The parts of `s + x / (n - 1)` have a common denominator that the operands do not have.
    let divides = (parts.factor()).is_some_and(|factor| divided_by(operands, &factor).is_some());
    if !divides && scope.prover.nonnegative(&mut scope.terms, &divisor) {
        let whole = Signed {
            powers: vec![(divisor, 1)],
            rest: Polynomial::one(),
        };
        return Some((number, whole));
    }
    let factor = parts.factor()?;
    let Some((factor, _)) = factor.as_term() else {
        return Some((number, parts));
    };
    // The base of a logarithm of unknown sign stays with it.
    let arena = &scope.terms.arena;
    let kept = nonzero().fold(factor.clone(), |kept, p| with_bases(arena, p, kept));
    if kept == *factor {
        return Some((number, parts));
    }
    let kept = Polynomial::term(kept, Rational::ONE);
    let kept = signed(&mut scope.terms, &scope.prover, known, &kept)?;
    Some((number, kept))
}

fn divided_by(operands: &[Polynomial], factor: &Polynomial) -> Option<Vec<Polynomial>> {
    operands.iter().map(|p| p.divide_exact(factor)).collect()
}

/// The greatest monomial that divides all operands.
fn shared_monomial(arena: &Arena, operands: &[Polynomial]) -> Monomial {
    let nonzero = operands.iter().filter(|p| !p.is_zero());
    let contents: Vec<Monomial> = nonzero.map(|p| content(arena, p)).collect();
    let Some((first, others)) = contents.split_first() else {
        return Monomial::one();
    };
    let mut shared = Monomial::one();
    for &(atom, exponent) in first.powers() {
        let exponents = others.iter().map(|other| other.exponent(atom));
        let power = if exponent > 0 {
            exponents.fold(exponent, i32::min).max(0)
        } else {
            exponents.fold(exponent, i32::max).min(0)
        };
        shared = shared
            .checked_mul(&Monomial::power(atom, power))
            .unwrap_or(shared);
    }
    shared
}

/// An index-free sum that divides all terms, and the quotients.
pub fn free_factor(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let polynomial = scope.terms.polynomial(term);
    let found = without_free_factor(&scope.terms, &polynomial, index).map(|parts| {
        let parts = parts.map(|part| Value::Term(scope.terms.expression(&part)));
        parts.to_vec()
    });
    one(found)
}

fn without_free_factor(terms: &Terms, p: &Polynomial, index: Symbol) -> Option<[Polynomial; 2]> {
    if p.len() > MOST_TERMS || !terms.polynomial_mentions(p, index) {
        return None;
    }
    let mut coefficients: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
    for (monomial, coefficient) in p.terms() {
        let (mut inside, mut free) = (Monomial::one(), Monomial::one());
        for &(atom, exponent) in monomial.powers() {
            let side = if terms.arena.mentions(expr_of(atom), index) {
                &mut inside
            } else {
                &mut free
            };
            *side = side.checked_mul(&Monomial::power(atom, exponent))?;
        }
        let own = coefficients.entry(inside).or_default();
        own.push((free, coefficient.clone()));
    }
    let mut coefficients = coefficients.into_values().map(Polynomial::from_terms);
    let factor = coefficients.try_fold(Polynomial::zero(), |factor, coefficient| {
        factor
            .common_divisor(&coefficient)
            .filter(|factor| factor.len() > 1)
    })?;
    let rest = p.divide_exact(&factor)?;
    Some([factor, rest])
}

/// No common factor is looked for in sums of more terms.
const MOST_TERMS: usize = 60;

/// For each maximum that mentions the index: its operands, its factor, and the remaining terms.
pub fn larger(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    beside(scope, values, |node| match node {
        Node::Max(operands) => Some(operands),
        _ => None,
    })
}

fn beside(
    scope: &mut Scope,
    values: &[Value],
    operands_of: fn(&Node) -> Option<&[ExprId]>,
) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((term, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let polynomial = terms.polynomial(term);
    let mut found = Vec::new();
    for atom in polynomial.atoms() {
        let operand = expr_of(atom);
        let Some(operands) = operands_of(terms.arena.node(operand)).map(<[_]>::to_vec) else {
            continue;
        };
        let mut by_power = polynomial.coefficients_in(atom);
        let (Some(factor), rest) = (by_power.remove(&1), by_power.remove(&0)) else {
            continue;
        };
        if operand == term || !by_power.is_empty() || !terms.mentions(operand, index) {
            continue;
        }
        let [factor, rest] = [factor, rest.unwrap_or_default()].map(|p| terms.expression(&p));
        found.push(vec![
            Value::Term(factor),
            Value::Term(rest),
            Value::list(operands),
        ]);
    }
    found
}

/// The negated operands, if all begin with a minus sign.
pub fn minus(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(list) = values.first().and_then(Value::as_list) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let mirror = |&operand: &ExprId| {
        let polynomial = terms.polynomial(operand);
        let begins_with_minus = terms.leading_sign(&polynomial).is_lt();
        begins_with_minus.then(|| terms.expression(&-&*polynomial))
    };
    let mirrored: Option<Vec<ExprId>> = list.iter().map(mirror).collect();
    one(mirrored.map(|mirrored| vec![Value::list(mirrored)]))
}

/// A factor known to be positive, and the rest, which has the sign of the whole.
pub fn positive(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let product = scope.terms.polynomial(term);
    let found = without_positive_factors(scope, &product).map(|parts| {
        let parts = parts.map(|part| Value::Term(scope.terms.expression(&part)));
        parts.to_vec()
    });
    one(found)
}

fn without_positive_factors(scope: &mut Scope, product: &Polynomial) -> Option<[Polynomial; 2]> {
    let content = content(&scope.terms.arena, product);
    if content.is_one() {
        return None;
    }
    let rest = product.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let (mut open, mut closed) = (Monomial::one(), Monomial::one());
    for &(atom, exponent) in content.powers() {
        let power = Monomial::power(atom, exponent);
        let factor = Polynomial::term(power.clone(), Rational::ONE);
        let side = if scope.prover.positive(&mut scope.terms, &factor) {
            &mut closed
        } else {
            &mut open
        };
        *side = side.checked_mul(&power)?;
    }
    let (sign, factor) = if scope.prover.positive(&mut scope.terms, &rest) {
        (Rational::ONE, rest)
    } else if scope.prover.positive(&mut scope.terms, &-&rest) {
        (-Rational::ONE, -rest)
    } else {
        let side = rest.mul_term(&open, &Rational::ONE)?;
        let factor = Polynomial::term(closed, Rational::ONE);
        return (side != *product).then_some([factor, side]);
    };
    let side = Polynomial::term(open, sign);
    let factor = factor.mul_term(&closed, &Rational::ONE)?;
    (side != *product).then_some([factor, side])
}
