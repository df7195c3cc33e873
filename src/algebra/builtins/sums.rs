//! Sums: linearity, powers of the index, and ranges that may be empty.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{ExprId, Function, LawKind, Node, ReduceKind};
use crate::ring::{self, Atom, Monomial, Polynomial, Rational};

use super::super::guards::settled;
use super::super::language::Scope;
use super::super::scope::{Candidate, Clamping, clamps};
use super::super::terms::{MAX_TERMS, Terms, expr_of};
use super::{Loop, at_most, integral};

/// Each term of the body by itself, its factors without the index outside.
///
/// Terms that are polynomials in the index alone stay together: they close in one step.
pub fn linear(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let mut groups: BTreeMap<Monomial, Vec<_>> = BTreeMap::new();
    for (monomial, coefficient) in parts.body.terms() {
        let (inside, outside) = split_monomial(scope, &parts, monomial);
        groups
            .entry(inside)
            .or_default()
            .push((outside, coefficient.clone()));
    }
    let terms = &mut scope.terms;
    if groups.len() > MOST_APART {
        return together(terms, &parts).into_iter().collect();
    }
    let mut sum = Vec::new();
    let alone = groups.len() == 1;
    for (inside, outside) in groups {
        let factor = Polynomial::from_terms(outside);
        let pure = inside.is_one();
        if alone && (pure || factor == Polynomial::one()) {
            return Vec::new();
        }
        let (factor, body) = match pure {
            true => (Polynomial::one(), factor),
            false => (factor, Polynomial::term(inside, Rational::ONE)),
        };
        let body = terms.expression(&body);
        let inner = parts.over(terms, &parts.lower, &parts.upper, body);
        let factor = terms.expression(&factor);
        sum.push(terms.arena.mul(&[factor, inner]));
    }
    Candidate::always(terms.arena.add(&sum))
}

/// Terms of a body, each as its monomial and coefficient.
type Members = Vec<(Monomial, Rational)>;

/// A body of many terms: those that share something other than powers of the index stay together, so
/// that what is common to them is taken apart once.
fn together(terms: &mut Terms, parts: &Loop) -> Option<Candidate> {
    let mut groups: Vec<(BTreeSet<Atom>, Members)> = Vec::new();
    for (monomial, coefficient) in parts.body.terms() {
        let mut atoms: BTreeSet<Atom> = monomial
            .powers()
            .iter()
            .map(|&(atom, _)| atom)
            .filter(|&atom| atom != parts.index && parts.depends(&terms.arena, expr_of(atom)))
            .collect();
        let mut group = vec![(monomial.clone(), coefficient.clone())];
        let (related, others): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(known, _)| !known.is_disjoint(&atoms));
        groups = others;
        for (known, members) in related {
            atoms.extend(known);
            group.extend(members);
        }
        groups.push((atoms, group));
    }
    let (plain, mut groups): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|(atoms, _)| atoms.is_empty());
    if !plain.is_empty() {
        let members = plain.into_iter().flat_map(|(_, members)| members).collect();
        groups.push((BTreeSet::new(), members));
    }
    if groups.len() == 1 {
        return None;
    }
    let sums: Vec<ExprId> = groups
        .into_iter()
        .map(|(_, members)| {
            let body = terms.expression(&Polynomial::from_terms(members));
            parts.over(terms, &parts.lower, &parts.upper, body)
        })
        .collect();
    Some(Candidate {
        right: terms.arena.add(&sums),
        guards: Vec::new(),
    })
}

/// A body of more kinds of terms is not taken apart term by term.
const MOST_APART: usize = 6;

/// `(what stays inside the sum, what moves outside)`; for a power of the index alone, nothing stays.
fn split_monomial(scope: &Scope, parts: &Loop, monomial: &Monomial) -> (Monomial, Monomial) {
    let mut inside = Monomial::one();
    let mut outside = Monomial::one();
    for &(atom, exponent) in monomial.powers() {
        let power = Monomial::power(atom, exponent);
        let side = match parts.depends(&scope.terms.arena, expr_of(atom)) {
            true => &mut inside,
            false => &mut outside,
        };
        // Exponents of one monomial over other atoms never overflow.
        *side = side.checked_mul(&power).unwrap_or_else(Monomial::one);
    }
    let only_index = inside
        .powers()
        .iter()
        .all(|&(atom, exponent)| atom == parts.index && exponent > 0);
    if only_index {
        (Monomial::one(), monomial.clone())
    } else {
        (inside, outside)
    }
}

/// Faulhaber: a body that is a polynomial in the index.
pub fn polynomial(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let symbol = parts.reduction.index;
    let foreign = parts
        .body
        .atoms()
        .into_iter()
        .any(|atom| atom != parts.index && terms.arena.mentions(expr_of(atom), symbol));
    if foreign {
        return Vec::new();
    }
    let closed = ring::sum_polynomial(
        &parts.body,
        parts.index,
        &parts.lower,
        &parts.upper,
        MAX_TERMS,
    );
    let Some(closed) = closed else {
        return Vec::new();
    };
    let guards = parts.sum_guards(terms);
    vec![Candidate {
        right: terms.expression(&closed),
        guards,
    }]
}

/// A range that may be empty or end between two values of the index, made regular.
pub fn clamp(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let before = &parts.lower - &Polynomial::one();
    let mut upper = parts.upper.clone();
    let whole = integral(&mut scope.terms, &(&parts.upper - &parts.lower));
    if is_clamped(scope, whole) {
        let steps = scope.terms.expression(&(&parts.upper - &parts.lower));
        let steps = scope.terms.arena.apply(Function::Floor, steps);
        upper = &parts.lower + &*scope.terms.polynomial(steps);
    }
    let regular = at_most(&mut scope.terms, &before, &parts.upper);
    if is_clamped(scope, regular) {
        let operands = [
            scope.terms.expression(&upper),
            scope.terms.expression(&before),
        ];
        let clamped = scope.terms.arena.max(&operands);
        upper = (*scope.terms.polynomial(clamped)).clone();
    }
    if upper == parts.upper {
        return Vec::new();
    }
    let right = parts.over(&mut scope.terms, &parts.lower, &upper, parts.reduction.body);
    Candidate::always(right)
}

/// Whether a guard is not proved, and met by changing the bound.
fn is_clamped(scope: &mut Scope, guard: ExprId) -> bool {
    settled(scope, guard)
        .into_iter()
        .any(|open| clamps(scope, open))
}

/// A range with numeric bounds is written out, as the last resort.
pub fn unroll(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Node::Reduce(r) = *terms.arena.node(term) else {
        return Vec::new();
    };
    let bounds = (
        terms.arena.as_number(r.lower),
        terms.arena.as_number(r.upper),
    );
    let (Some(lower), Some(upper)) = bounds else {
        return Vec::new();
    };
    let (lower, steps) = (lower.clone(), (upper - lower).floor().to_i64());
    let Some(steps) = steps.filter(|&steps| (0..MOST_UNROLLED).contains(&steps)) else {
        return Vec::new();
    };
    if scope.clamping == Clamping::Off {
        return Vec::new();
    }
    let parts: Vec<ExprId> = (0..=steps)
        .map(|step| {
            let index = terms.arena.number(&lower + &Rational::from(step));
            terms.arena.substitute(r.body, r.index, index)
        })
        .collect();
    let right = match r.kind {
        ReduceKind::Sum => terms.arena.add(&parts),
        ReduceKind::Product => terms.arena.mul(&parts),
        ReduceKind::Max => terms.arena.max(&parts),
        ReduceKind::Min => terms.arena.min(&parts),
        ReduceKind::LawMax => terms.arena.law(LawKind::Max, &parts),
        ReduceKind::LawMin => terms.arena.law(LawKind::Min, &parts),
        ReduceKind::Kth(_) | ReduceKind::LawKth(_) => return Vec::new(),
    };
    Candidate::always(right)
}

/// A range of more steps is not written out.
const MOST_UNROLLED: i64 = 64;
