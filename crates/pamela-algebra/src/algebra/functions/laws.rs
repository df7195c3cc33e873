//! Laws taken apart: sums, copies, mixtures and products.

use crate::expr::{ExprId, LawKind, Node};
use crate::ring::Polynomial;
use pamela_law::Least;

use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

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

/// A number below which a law never lies, from its form.
pub fn least(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let law = values.first().and_then(Value::as_term);
    let least = law.and_then(|law| least_of(scope, law));
    least
        .map(|least| vec![vec![Value::Term(least)]])
        .unwrap_or_default()
}

fn least_of(scope: &mut Scope, law: ExprId) -> Option<ExprId> {
    if !scope.terms.arena.is_law(law) {
        return Some(law);
    }
    let zero = scope.terms.arena.number(0);
    let is_nonnegative = |least: &ExprId| *least == zero;
    match *scope.terms.arena.node(law) {
        Node::Add(ref list) => {
            let least = all_least(scope, &list.clone())?;
            Some(scope.terms.arena.add(&least))
        }
        // A sum of copies, however many.
        Node::Mul(ref factors) => {
            let laws = factors.clone();
            let law = laws.iter().find(|&&f| scope.terms.arena.is_law(f))?;
            least_of(scope, *law).filter(is_nonnegative)
        }
        Node::Reduce(r) => least_of(scope, r.body).filter(is_nonnegative),
        Node::If(condition, then, otherwise) => {
            let least = all_least(scope, &[then, otherwise])?;
            Some(scope.terms.arena.if_else(condition, least[0], least[1]))
        }
        Node::Law(kind, ref operands) => {
            let operands = operands.clone();
            least_of_operator(scope, kind, &operands)
        }
        _ => None,
    }
}

fn least_of_operator(scope: &mut Scope, kind: LawKind, operands: &[ExprId]) -> Option<ExprId> {
    let zero = scope.terms.arena.number(0);
    Some(match (kind, operands) {
        (LawKind::Named(law), list) => match law.row().least? {
            Least::Number(number) => scope.terms.arena.number(number),
            Least::Argument(position) => list[position],
        },
        (LawKind::Parameter(_), _) => return None,
        (LawKind::Scale, &[factor, law]) => {
            let amount = scope.terms.polynomial(factor);
            if !scope.prover.nonnegative(&mut scope.terms, &amount) {
                return None;
            }
            let least = least_of(scope, law)?;
            scope.terms.arena.mul(&[factor, least])
        }
        (LawKind::Truncated, &[_, lower, ..]) => lower,
        (LawKind::Max, list) => {
            let least = all_least(scope, list)?;
            scope.terms.arena.max(&least)
        }
        (LawKind::Min, list) => {
            let least = all_least(scope, list)?;
            scope.terms.arena.min(&least)
        }
        (LawKind::Mixture, list) => {
            let parts: Vec<ExprId> = list.iter().skip(1).step_by(2).copied().collect();
            let least = all_least(scope, &parts)?;
            scope.terms.arena.min(&least)
        }
        (LawKind::RandomSum, &[_, law]) => least_of(scope, law).filter(|&least| least == zero)?,
        _ => return None,
    })
}

fn all_least(scope: &mut Scope, laws: &[ExprId]) -> Option<Vec<ExprId>> {
    laws.iter().map(|&law| least_of(scope, law)).collect()
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
