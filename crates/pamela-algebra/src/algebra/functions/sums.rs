//! Terms of the bodies of sums, and antidifferences.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{ExprId, Node, Relation, Symbol};
use crate::ring::{self, Atom, Monomial, Polynomial, Rational};

use super::{one, term_and_index, terms_of};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// A body of more kinds of terms is not taken apart term by term.
const MOST_APART: usize = 6;

/// A range of more numbers is not written out.
const MOST_NUMBERS: i64 = 64;

/// The terms of a body: index-free factors, and their cofactors.
///
/// Terms that are polynomials in the index alone stay together, since they close in one step. Pairs of terms that
/// cancel each other partly also stay together.
pub fn apart(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(taken_apart(&mut scope.terms, values))
}

fn taken_apart(terms: &mut Terms, values: &[Value]) -> Option<Vec<Value>> {
    let (body, index) = term_and_index(&terms.arena, values)?;
    let body = terms.polynomial(body);
    let mut groups: BTreeMap<Monomial, Vec<_>> = BTreeMap::new();
    for (monomial, coefficient) in body.terms() {
        let (inside, outside) = split_monomial(terms, index, monomial);
        let group = groups.entry(inside).or_default();
        group.push((outside, coefficient.clone()));
    }
    if groups.len() > MOST_APART {
        return together(terms, index, &body);
    }
    let (mut factors, mut bodies) = (Vec::new(), Vec::new());
    while let Some((inside, outside)) = groups.pop_first() {
        let factor = Polynomial::from_terms(outside);
        let (factor, body) = if inside.is_one() {
            (Polynomial::one(), factor)
        } else {
            let body = Polynomial::term(inside, Rational::ONE);
            let mut opposite = groups.iter();
            let next = opposite.find_map(|(other, outside)| {
                let is_opposite = Polynomial::from_terms(outside.clone()) == -&factor;
                let pair = &body - &Polynomial::term(other.clone(), Rational::ONE);
                (is_opposite && change(terms, index, &pair).is_some())
                    .then(|| (other.clone(), pair))
            });
            match next {
                Some((other, pair)) => {
                    groups.remove(&other);
                    (factor, pair)
                }
                None => (factor, body),
            }
        };
        factors.push(factor);
        bodies.push(body);
    }
    if matches!(&factors[..], [factor] if *factor == Polynomial::one()) {
        return None;
    }
    let mut written =
        |all: Vec<Polynomial>| Value::list(all.iter().map(|one| terms.expression(one)));
    Some(vec![written(factors), written(bodies)])
}

/// Terms of a body, each as its monomial and coefficient.
type Members = Vec<(Monomial, Rational)>;

/// In a body of many terms, terms that share more than powers of the index stay together, so their common part is
/// taken apart once.
fn together(terms: &mut Terms, index: Symbol, body: &Polynomial) -> Option<Vec<Value>> {
    let own = index_atom(terms, index);
    let mut groups: Vec<(BTreeSet<Atom>, Members)> = Vec::new();
    for (monomial, coefficient) in body.terms() {
        let mut atoms: BTreeSet<Atom> = monomial
            .powers()
            .iter()
            .map(|&(atom, _)| atom)
            .filter(|&atom| atom != own && terms.mentions(expr_of(atom), index))
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
    let one = terms.arena.number(1);
    let factors = vec![one; groups.len()];
    let bodies: Vec<ExprId> = groups
        .into_iter()
        .map(|(_, members)| terms.expression(&Polynomial::from_terms(members)))
        .collect();
    Some(vec![Value::list(factors), Value::list(bodies)])
}

fn index_atom(terms: &mut Terms, index: Symbol) -> Atom {
    atom_of(terms.arena.symbol(index))
}

/// `(what stays inside the sum, what moves outside)`; for a power of the index alone, nothing stays.
fn split_monomial(terms: &mut Terms, index: Symbol, monomial: &Monomial) -> (Monomial, Monomial) {
    let own = index_atom(terms, index);
    let (mut inside, mut outside) = (Monomial::one(), Monomial::one());
    for &(atom, exponent) in monomial.powers() {
        let power = Monomial::power(atom, exponent);
        let side = if terms.mentions(expr_of(atom), index) {
            &mut inside
        } else {
            &mut outside
        };
        // Exponents of one monomial over other atoms never overflow.
        *side = side.checked_mul(&power).unwrap_or_else(Monomial::one);
    }
    let mut powers = inside.powers().iter();
    if powers.all(|&(atom, exponent)| atom == own && exponent > 0) {
        (Monomial::one(), monomial.clone())
    } else {
        (inside, outside)
    }
}

/// Faulhaber: the antidifference of a polynomial in the index.
pub fn antidifference(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((body, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let (body, own) = (terms.polynomial(body), index_atom(terms, index));
    let mut atoms = body.atoms().into_iter();
    if atoms.any(|atom| atom != own && terms.mentions(expr_of(atom), index)) {
        return Vec::new();
    }
    let found = ring::antidifference(&body, own, MAX_TERMS);
    one(found.map(|found| vec![Value::Term(terms.expression(&found))]))
}

/// All numbers from the first to the last, both given as numbers.
pub fn numbers(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let arena = &mut scope.terms.arena;
    let found = terms_of(values).and_then(|bounds| {
        let [first, last] = *bounds.as_slice() else {
            return None;
        };
        let (first, last) = (arena.as_number(first)?.clone(), arena.as_number(last)?);
        let steps = (last - &first).floor().to_i64()?;
        let few = (0..MOST_NUMBERS).contains(&steps);
        few.then(|| {
            let number = |step| arena.number(&first + &Rational::from(step));
            vec![Value::list((0..=steps).map(number).collect::<Vec<_>>())]
        })
    });
    one(found)
}

/// `s` and `t` of `s * i + t`, both without the index; `s` is not 0.
pub fn linear(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let parts = linear_parts(&mut scope.terms, values);
    one(parts.map(|parts| parts.map(Value::Term).to_vec()))
}

/// Like `linear`, for a term and an index.
pub(super) fn linear_parts(terms: &mut Terms, values: &[Value]) -> Option<[ExprId; 2]> {
    let (term, index) = term_and_index(&terms.arena, values)?;
    let (polynomial, own) = (terms.polynomial(term), index_atom(terms, index));
    let mut by_power = polynomial.coefficients_in(own);
    let slope = by_power.remove(&1)?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, index);
    let linear = by_power.is_empty() && free(&slope) && free(&offset);
    linear.then(|| [slope, offset].map(|part| terms.expression(&part)))
}

/// `p`, `q` and `r` of `p * i^2 + q * i + r`, all without the index; `p` is not 0.
pub fn quadratic(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((term, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let (polynomial, own) = (terms.polynomial(term), index_atom(terms, index));
    let mut by_power = polynomial.coefficients_in(own);
    let Some(bend) = by_power.remove(&2) else {
        return Vec::new();
    };
    let [slope, height] = [1, 0].map(|power| by_power.remove(&power).unwrap_or_default());
    let parts = [bend, slope, height];
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, index);
    if !by_power.is_empty() || !parts.iter().all(free) {
        return Vec::new();
    }
    vec![
        parts
            .map(|part| Value::Term(terms.expression(&part)))
            .to_vec(),
    ]
}

/// The index selected by an equality in a body, and the body in both cases.
pub fn equality(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some((body, index)) = term_and_index(&terms.arena, values) else {
        return Vec::new();
    };
    let mut atoms = terms.polynomial(body).atoms().into_iter().map(expr_of);
    let found = atoms.find_map(|part| Some((part, asked(terms, index, part)?)));
    one(found.map(|(part, at)| {
        let sides = [1, 0].map(|value| {
            let value = terms.arena.number(value);
            let arena = &mut terms.arena;
            arena.replace(body, &|_, id| (id == part).then_some(value))
        });
        let at = terms.expression(&at);
        [at, sides[0], sides[1]].map(Value::Term).to_vec()
    }))
}

/// The value of the index that an equality asks for.
pub(in crate::algebra) fn asked(
    terms: &mut Terms,
    index: Symbol,
    condition: ExprId,
) -> Option<Polynomial> {
    let Node::Compare(Relation::Equal, left, right) = *terms.arena.node(condition) else {
        return None;
    };
    let difference = terms.arena.subtract(left, right);
    let symbol = terms.arena.symbol(index);
    let [slope, offset] = linear_parts(terms, &[difference, symbol].map(Value::Term))?;
    let inverse = terms.arena.as_number(slope)?.recip()?;
    Some(-&terms.polynomial(offset).scale(&inverse))
}

/// The expression whose change from the previous index is the body, if the positive and the negative terms of the
/// body are one expression at neighbouring indices.
pub fn telescoped(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let found = term_and_index(&terms.arena, values).and_then(|(body, index)| {
        let body = terms.polynomial(body);
        change(terms, index, &body)
    });
    one(found.map(|whole| vec![Value::Term(whole)]))
}

/// The expression whose change from the previous index is the body of a sum.
fn change(terms: &mut Terms, index: Symbol, body: &Polynomial) -> Option<ExprId> {
    if body.len() < 2 || !body.len().is_multiple_of(2) {
        return None;
    }
    let side = |positive: bool| {
        let own = body.terms().filter(|(_, c)| c.is_positive() == positive);
        Polynomial::from_terms(own.map(|(m, c)| (m.clone(), c.clone())).collect())
    };
    let (above, below) = (side(true), -&side(false));
    if above.len() != below.len() {
        return None;
    }
    let symbol = terms.arena.symbol(index);
    let one = terms.arena.number(1);
    let earlier = terms.arena.subtract(symbol, one);
    let mut moved = |of: &Polynomial| {
        let of = terms.expression(of);
        let before = terms.arena.substitute(of, index, earlier);
        (of, terms.polynomial(before))
    };
    let (rising, before) = moved(&above);
    if *before == below {
        return Some(rising);
    }
    let (falling, before) = moved(&below);
    (*before == above).then(|| terms.arena.negate(falling))
}
