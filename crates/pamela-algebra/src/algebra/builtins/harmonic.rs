//! Sums of polynomials times a harmonic number, by parts.

use crate::expr::{ExprId, Function, Node, ReduceKind};
use crate::ring::{self, Atom, PartialFractions, Polynomial};

use super::Loop;
use super::geometric::linear_in;
use super::rational::sum_fractions;
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{MAX_TERMS, Terms, expr_of};

/// `p(i) * H(i + c, k)`
struct Weighted {
    weight: Polynomial,
    shift: Polynomial,
    order: u32,
}

/// With `Q(i + 1) - Q(i) = p(i)` and `Q(-c) = 0`:
/// `sum (i = a, b) { p(i) * H(i + c, k) } =
/// Q(b + 1) * H(b + 1 + c, k) - Q(a) * H(a + c, k) - sum (i = a, b) { Q(i + 1) / (i + 1 + c)^k }`.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let guards = vec![parts.at_least_empty(&mut scope.terms)];
    let right =
        recognise(&mut scope.terms, &parts).and_then(|found| by_parts(scope, &parts, &found));
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// `Q(i + 1)`, where `Q(i + 1) - Q(i) = p(i)` and `Q(-c) = 0`.
fn antidifference(parts: &Loop, found: &Weighted) -> Option<Polynomial> {
    // A(i) - A(i - 1) = p(i), so Q(i + 1) = A(i) + constant.
    let after = ring::antidifference(&found.weight, parts.index, MAX_TERMS)?;
    let root = &-&found.shift - &Polynomial::one();
    Some(&after - &after.substitute(parts.index, &root, MAX_TERMS)?)
}

/// The body as a polynomial times a harmonic number.
fn recognise(terms: &mut Terms, parts: &Loop) -> Option<Weighted> {
    let (atom, order, operand) = only_harmonic(terms, parts)?;
    let mut by_power = parts.body.coefficients_in(atom);
    let mut weight = by_power.remove(&1)?;
    let others = weight.atoms().into_iter().filter(|&a| a != parts.index);
    let polynomial = weight.min_degree_in(parts.index) >= 0
        && others
            .into_iter()
            .all(|a| !parts.depends(&terms.arena, expr_of(a)));
    if !by_power.is_empty() || !polynomial {
        return None;
    }
    let (slope, mut shift) = linear_in(terms, parts, operand)?;
    if slope == -&Polynomial::one() {
        // The range from its other end: `a + b - i` for `i`.
        let ends = &parts.lower + &parts.upper;
        let reversed = &ends - &Polynomial::atom(parts.index);
        weight = weight.substitute(parts.index, &reversed, MAX_TERMS)?;
        shift = &shift - &ends;
    } else if slope != Polynomial::one() {
        return None;
    }
    Some(Weighted {
        weight,
        shift,
        order,
    })
}

/// The one harmonic number of the body that depends on the index.
fn only_harmonic(terms: &Terms, parts: &Loop) -> Option<(Atom, u32, ExprId)> {
    let harmonic = |atom: Atom| match *terms.arena.node(expr_of(atom)) {
        Node::Apply(Function::Harmonic(order), n) if parts.depends(&terms.arena, n) => {
            Some((atom, order, n))
        }
        _ => None,
    };
    parts.body.atoms().into_iter().find_map(harmonic)
}

fn by_parts(scope: &mut Scope, parts: &Loop, found: &Weighted) -> Option<ExprId> {
    let (index, one) = (parts.index, Polynomial::one());
    let symbol = Polynomial::atom(index);
    let after = antidifference(parts, found)?;
    let before = after.substitute(index, &(&symbol - &one), MAX_TERMS)?;

    let pole = &found.shift + &one;
    let mut rest = PartialFractions::of_polynomial(after.clone(), index, MAX_TERMS)?;
    for _ in 0..found.order {
        // All poles are the same one.
        rest = rest.divide(&pole, &mut |_| None)?;
    }
    let rest = sum_fractions(scope, parts, rest)?;

    let terms = &mut scope.terms;
    let mut at = |coefficient: &Polynomial, i: &Polynomial, n: &Polynomial| {
        let coefficient = coefficient.substitute(index, i, MAX_TERMS)?;
        let coefficient = terms.expression(&coefficient);
        let n = terms.expression(n);
        let harmonic = terms.arena.apply(Function::Harmonic(found.order), n);
        Some(terms.arena.mul(&[coefficient, harmonic]))
    };
    let end = at(&after, &parts.upper, &(&parts.upper + &pole))?;
    let start = at(&before, &parts.lower, &(&parts.lower + &found.shift))?;
    let minus = terms.arena.number(-1);
    let start = terms.arena.mul(&[minus, start]);
    let rest = terms.arena.mul(&[minus, rest]);
    Some(terms.arena.add(&[end, start, rest]))
}
