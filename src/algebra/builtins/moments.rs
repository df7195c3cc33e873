//! Cumulants of laws: what becomes of sums, copies, factors, mixtures, random sums and conditions.
//!
//! Among the operands of a cumulant, `n * X` are n copies of X, and one copy times c is a scale.

use crate::expr::{ExprId, LawKind, Node, ReduceKind};
use crate::ring::{Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, expr_of};

/// A cumulant with the law that it is of.
struct Cumulant {
    order: u8,
    law: ExprId,
}

impl Cumulant {
    fn of(terms: &Terms, term: ExprId) -> Option<Cumulant> {
        match *terms.arena.node(term) {
            Node::Cumulant(order, law) => Some(Cumulant { order, law }),
            _ => None,
        }
    }
}

/// The monomials of a law, each with its law atom; `None` for the scalar part.
fn parts(terms: &mut Terms, law: ExprId) -> Vec<(Polynomial, Option<ExprId>)> {
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

/// `K(X + Y) = K(X) + K(Y)`; a scalar only shifts the mean.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    let parts = parts(terms, of.law);
    if parts.len() < 2 {
        return Vec::new();
    }
    let cumulants: Vec<ExprId> = parts
        .into_iter()
        .map(|(count, law)| {
            let count = terms.expression(&count);
            let part = law.map_or(count, |law| terms.arena.mul(&[count, law]));
            terms.arena.cumulant(of.order, part)
        })
        .collect();
    Candidate::always(terms.arena.add(&cumulants))
}

/// `K(n copies of X) = n * K(X)`.
pub fn copies(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    match parts(terms, of.law).as_slice() {
        [(count, Some(law))] if *count != Polynomial::one() => {
            let count = terms.expression(count);
            let cumulant = terms.arena.cumulant(of.order, *law);
            Candidate::always(terms.arena.mul(&[count, cumulant]))
        }
        _ => Vec::new(),
    }
}

/// `K(sum (i = a, b) { X }) = sum (i = a, b) { K(X) }`.
pub fn series(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Cumulant(order, law) = *arena.node(term) else {
        return Vec::new();
    };
    match *arena.node(law) {
        Node::Reduce(r) if r.kind == ReduceKind::Sum => {
            let body = arena.cumulant(order, r.body);
            Candidate::always(arena.reduce(ReduceKind::Sum, r.index, r.lower, r.upper, body))
        }
        _ => Vec::new(),
    }
}

/// `K(if (c) X else Y) = if (c) K(X) else K(Y)`, for a truth value c.
pub fn decided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Cumulant(order, law) = *arena.node(term) else {
        return Vec::new();
    };
    match *arena.node(law) {
        Node::If(condition, then, otherwise) => {
            let then = arena.cumulant(order, then);
            let otherwise = arena.cumulant(order, otherwise);
            Candidate::always(arena.if_else(condition, then, otherwise))
        }
        _ => Vec::new(),
    }
}

/// `K_r(c * X) = c^r * K_r(X)`.
pub fn scale(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Cumulant(order, law) = *arena.node(term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Scale, ref operands) = *arena.node(law) else {
        return Vec::new();
    };
    let (factor, law) = (operands[0], operands[1]);
    let power = arena.number(i64::from(order));
    let power = arena.pow(factor, power);
    let cumulant = arena.cumulant(order, law);
    Candidate::always(arena.mul(&[power, cumulant]))
}

/// The cumulants of orders 1 to 4 of an operand, as polynomials.
fn cumulants(terms: &mut Terms, law: ExprId) -> [Polynomial; 4] {
    [1, 2, 3, 4].map(|order| {
        let cumulant = terms.arena.cumulant(order, law);
        (*terms.polynomial(cumulant)).clone()
    })
}

fn number(value: i64) -> Polynomial {
    Polynomial::constant(Rational::from(value))
}

/// A sum of products of a whole coefficient and factors.
fn combine(terms: &mut Terms, products: &[(i64, &[&Polynomial])]) -> Option<ExprId> {
    let mut sum = Polynomial::zero();
    for (coefficient, factors) in products {
        let mut product = number(*coefficient);
        for factor in *factors {
            product = terms.multiply(&product, factor)?;
        }
        sum = &sum + &product;
    }
    Some(terms.expression(&sum))
}

fn candidate(right: Option<ExprId>) -> Vec<Candidate> {
    right.map_or_else(Vec::new, Candidate::always)
}

/// The cumulants of a sum of N copies of X (thesis 3.45, errata).
pub fn random_sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::RandomSum, operands) = terms.arena.node(of.law) else {
        return Vec::new();
    };
    let (count, law) = (operands[0], operands[1]);
    let [n, n2, n3, n4] = cumulants(terms, count);
    let [x, x2, x3, x4] = cumulants(terms, law);
    candidate(match of.order {
        1 => combine(terms, &[(1, &[&n, &x])]),
        2 => combine(terms, &[(1, &[&n, &x2]), (1, &[&n2, &x, &x])]),
        3 => combine(
            terms,
            &[
                (1, &[&n, &x3]),
                (3, &[&n2, &x, &x2]),
                (1, &[&n3, &x, &x, &x]),
            ],
        ),
        _ => combine(
            terms,
            &[
                (1, &[&n, &x4]),
                (4, &[&n2, &x, &x3]),
                (3, &[&n2, &x2, &x2]),
                (6, &[&n3, &x, &x, &x2]),
                (1, &[&n4, &x, &x, &x, &x]),
            ],
        ),
    })
}

/// The cumulants of `(m + U) * (n + V)`, the first factor and the product of the others.
pub fn product(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Product, operands) = terms.arena.node(of.law) else {
        return Vec::new();
    };
    let (first, others) = (operands[0], operands[1..].to_vec());
    let others = terms.arena.law(LawKind::Product, &others);
    let [m, u2, u3, u4] = &cumulants(terms, first);
    let [n, v2, v3, v4] = &cumulants(terms, others);
    candidate(match of.order {
        1 => combine(terms, &[(1, &[m, n])]),
        2 => combine(terms, &[(1, &[n, n, u2]), (1, &[m, m, v2]), (1, &[u2, v2])]),
        3 => combine(
            terms,
            &[
                (1, &[n, n, n, u3]),
                (1, &[m, m, m, v3]),
                (1, &[u3, v3]),
                (3, &[n, u3, v2]),
                (3, &[m, u2, v3]),
                (6, &[m, n, u2, v2]),
            ],
        ),
        _ => fourth_of_product(terms, [m, u2, u3, u4], [n, v2, v3, v4]),
    })
}

/// The fourth cumulant: from the fourth central moments, `u4 + 3 u2^2` and `v4 + 3 v2^2`.
fn fourth_of_product(
    terms: &mut Terms,
    [m, u2, u3, u4]: [&Polynomial; 4],
    [n, v2, v3, v4]: [&Polynomial; 4],
) -> Option<ExprId> {
    let three = &number(3);
    let square = |terms: &mut Terms, x: &Polynomial| {
        let square = terms.multiply(x, x)?;
        terms.multiply(three, &square)
    };
    let u4 = &(u4 + &square(terms, u2)?);
    let v4 = &(v4 + &square(terms, v2)?);
    combine(
        terms,
        &[
            (1, &[n, n, n, n, u4]),
            (1, &[m, m, m, m, v4]),
            (1, &[u4, v4]),
            (4, &[n, u4, v3]),
            (4, &[m, u3, v4]),
            (6, &[n, n, u4, v2]),
            (6, &[m, m, u2, v4]),
            (12, &[n, n, m, u3, v2]),
            (12, &[n, m, m, u2, v3]),
            (12, &[n, m, u3, v3]),
            // Three times the square of the variance is taken off.
            (-3, &[n, n, n, n, u2, u2]),
            (-3, &[m, m, m, m, v2, v2]),
            (-3, &[u2, u2, v2, v2]),
            (-6, &[n, n, u2, u2, v2]),
            (-6, &[m, m, u2, v2, v2]),
        ],
    )
}

/// The cumulants of a condition in product form (errata, *Conditional composition*).
pub fn choice(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Choice, operands) = terms.arena.node(of.law) else {
        return Vec::new();
    };
    let (condition, then, otherwise) = (operands[0], operands[1], operands[2]);
    let p = cumulants(terms, condition);
    let (x, y) = (cumulants(terms, then), cumulants(terms, otherwise));
    let [d1, d2, d3, _] = [0, 1, 2, 3].map(|r| &x[r] - &y[r]);
    let rest = &Polynomial::one() - &p[0];
    let r = usize::from(of.order - 1);
    let (then, otherwise): (&[&Polynomial], &[&Polynomial]) = (&[&p[0], &x[r]], &[&rest, &y[r]]);
    candidate(match of.order {
        1 => combine(terms, &[(1, then), (1, otherwise)]),
        2 => combine(terms, &[(1, then), (1, otherwise), (1, &[&p[1], &d1, &d1])]),
        3 => combine(
            terms,
            &[
                (1, then),
                (1, otherwise),
                (3, &[&p[1], &d1, &d2]),
                (1, &[&p[2], &d1, &d1, &d1]),
            ],
        ),
        _ => combine(
            terms,
            &[
                (1, then),
                (1, otherwise),
                (4, &[&p[1], &d1, &d3]),
                (3, &[&p[1], &d2, &d2]),
                (6, &[&p[2], &d1, &d1, &d2]),
                (1, &[&p[3], &d1, &d1, &d1, &d1]),
            ],
        ),
    })
}

/// The cumulants of a mixture, by those of its parts and the distances of their means.
pub fn mixture(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(of) = Cumulant::of(terms, term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Mixture, operands) = terms.arena.node(of.law) else {
        return Vec::new();
    };
    let operands = operands.clone();
    candidate(mixed(terms, of.order, &operands))
}

fn mixed(terms: &mut Terms, order: u8, operands: &[ExprId]) -> Option<ExprId> {
    let mut mean = Polynomial::zero();
    let mut parts = Vec::new();
    for pair in operands.chunks_exact(2) {
        let weight = (*terms.polynomial(pair[0])).clone();
        let x = cumulants(terms, pair[1]);
        mean = &mean + &terms.multiply(&weight, &x[0])?;
        parts.push((weight, x));
    }
    if order == 1 {
        return Some(terms.expression(&mean));
    }
    let [mut second, mut third, mut fourth] = [(); 3].map(|()| Polynomial::zero());
    let add = |terms: &mut Terms, sum: &mut Polynomial, c: i64, list: &[&Polynomial]| {
        let mut product = number(c);
        for factor in list {
            product = terms.multiply(&product, factor)?;
        }
        *sum = &*sum + &product;
        Some(())
    };
    for (w, [x, x2, x3, x4]) in &parts {
        let d = &(x - &mean);
        add(terms, &mut second, 1, &[w, x2])?;
        add(terms, &mut second, 1, &[w, d, d])?;
        if order == 3 {
            add(terms, &mut third, 1, &[w, x3])?;
            add(terms, &mut third, 3, &[w, d, x2])?;
            add(terms, &mut third, 1, &[w, d, d, d])?;
        }
        if order == 4 {
            add(terms, &mut fourth, 1, &[w, x4])?;
            add(terms, &mut fourth, 3, &[w, x2, x2])?;
            add(terms, &mut fourth, 4, &[w, d, x3])?;
            add(terms, &mut fourth, 6, &[w, d, d, x2])?;
            add(terms, &mut fourth, 1, &[w, d, d, d, d])?;
        }
    }
    let result = match order {
        2 => second,
        3 => third,
        _ => {
            let square = second.clone();
            add(terms, &mut fourth, -3, &[&second, &square])?;
            fourth
        }
    };
    Some(terms.expression(&result))
}
