//! Laws taken apart: sums, copies, mixtures and products.

use crate::expr::{ExprId, LawKind, Node};
use crate::ring::Polynomial;

use super::super::pattern::Value;
use super::super::scope::Scope;
use super::super::terms::{Terms, expr_of};

/// The monomials of a law, each with its law atom; `None` for the scalar part.
fn monomials(terms: &mut Terms, law: ExprId) -> Vec<(Polynomial, Option<ExprId>)> {
    let polynomial = terms.polynomial(law);
    let mut parts: Vec<(Polynomial, Option<ExprId>)> = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let atoms = monomial.powers().iter().map(|&(atom, _)| atom);
        let law = atoms.clone().find(|&a| terms.arena.is_law(expr_of(a)));
        let count = law.map_or(monomial.clone(), |atom| monomial.without(atom));
        let count = Polynomial::term(count, coefficient.clone());
        let law = law.map(expr_of);
        match parts.iter_mut().find(|(_, known)| *known == law) {
            Some((sum, _)) => *sum = &*sum + &count,
            None => parts.push((count, law)),
        }
    }
    parts
}

/// Splits a sum into its independent laws and its scalar terms.
pub fn parts(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(law) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let parts = monomials(terms, law);
    if parts.len() < 2 {
        return Vec::new();
    }
    let parts: Vec<ExprId> = parts
        .into_iter()
        .map(|(count, law)| {
            let count = terms.expression(&count);
            law.map_or(count, |law| terms.arena.mul(&[count, law]))
        })
        .collect();
    vec![vec![Value::list(parts)]]
}

/// Splits a law into a number that is added to it and the rest.
pub fn located(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(law) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let parts = monomials(terms, law);
    let (numbers, laws): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, law)| law.is_none());
    let [(number, _)] = numbers.as_slice() else {
        return Vec::new();
    };
    if laws.is_empty() {
        return Vec::new();
    }
    let number = terms.expression(number);
    let laws: Vec<ExprId> = laws
        .into_iter()
        .map(|(count, law)| {
            let count = terms.expression(&count);
            law.map_or(count, |law| terms.arena.mul(&[count, law]))
        })
        .collect();
    let law = terms.arena.add(&laws);
    vec![vec![Value::Term(number), Value::Term(law)]]
}

/// The number of copies of one law, and that law.
pub fn copies(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(law) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    match monomials(terms, law).as_slice() {
        [(count, Some(law))] if *count != Polynomial::one() => {
            let count = terms.expression(count);
            vec![vec![Value::Term(count), Value::Term(*law)]]
        }
        _ => Vec::new(),
    }
}

/// The weights and the parts of a mixture.
pub fn mixed(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(law) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Mixture, operands) = scope.terms.arena.node(law) else {
        return Vec::new();
    };
    let weights = operands.iter().step_by(2).copied();
    let parts = operands.iter().skip(1).step_by(2).copied();
    vec![vec![Value::list(weights), Value::list(parts)]]
}

/// The first factor of a product of laws, and the product of the others.
pub fn factored(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some(law) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let arena = &mut scope.terms.arena;
    let Node::Law(LawKind::Product, operands) = arena.node(law) else {
        return Vec::new();
    };
    let (first, others) = (operands[0], operands[1..].to_vec());
    let others = arena.law(LawKind::Product, &others);
    vec![vec![Value::Term(first), Value::Term(others)]]
}

/// Splits a sum into its index-free scalar terms and the rest.
pub fn shifted(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((law, index)) = super::term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let body = terms.polynomial(law);
    let all = body.terms().map(|(m, c)| (m.clone(), c.clone()));
    let (shift, rest): (Vec<_>, Vec<_>) = all.partition(|(monomial, _)| {
        monomial.powers().iter().all(|&(atom, _)| {
            let atom = expr_of(atom);
            !terms.arena.is_law(atom) && !terms.arena.mentions(atom, index)
        })
    });
    if shift.is_empty() || rest.is_empty() {
        return Vec::new();
    }
    let parts = [shift, rest].map(Polynomial::from_terms);
    let parts = parts.map(|part| Value::Term(terms.expression(&part)));
    vec![parts.to_vec()]
}
