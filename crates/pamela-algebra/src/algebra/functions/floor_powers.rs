//! Powers of an index and of a rounded quotient of it, which Euclid's algorithm sums.

use crate::expr::{ExprId, Function, Node, Symbol};
use crate::ring::{Atom, Polynomial, Rational};

use super::{index, one};
use crate::algebra::builtins::shares;
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// Limit on the sum of the powers of the index and of the quotient.
const MOST_POWERS: i32 = 6;
/// Sums of more of them are no shorter than a loop.
const MOST_TERMS: usize = 8;

/// Decomposes a body that is a polynomial in the index and in one floor of the index, from `a` on. Returns the
/// coefficients with the powers of `i - a` and of `floor((s * (i - a) + d) / m)`, and m, s and d. A ceiling is the
/// floor of the negative, negated.
pub fn floor_powers(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(found(&mut scope.terms, values))
}

fn found(terms: &mut Terms, values: &[Value]) -> Option<Vec<Value>> {
    let [body, own, first] = values else {
        return None;
    };
    let (body, own, first) = (body.as_term()?, index(&terms.arena, own)?, first.as_term()?);
    let symbol = terms.arena.symbol(own);
    let first = terms.polynomial(first);
    let moved = &Polynomial::atom(atom_of(symbol)) + &*first;
    let body = without_remainders(terms, body, own)?;
    let rounded = rounded(terms, &body, own)?;
    let (inner, sign) = match *terms.arena.node(expr_of(rounded)) {
        Node::Apply(Function::Floor, inner) => (inner, 1),
        Node::Apply(_, inner) => (inner, -1),
        _ => return None,
    };
    let inner = terms.polynomial(inner).scale(&Rational::from(sign));
    let inner = inner.substitute(atom_of(symbol), &moved, MAX_TERMS)?;
    let m = shares::denominator(&inner);
    let scaled = inner.checked_mul(&m, MAX_TERMS)?;
    let by_power = scaled.coefficients_in(atom_of(symbol));
    let slope = by_power.get(&1)?.clone();
    let offset = by_power.get(&0).cloned().unwrap_or_default();
    if by_power.keys().any(|power| ![0, 1].contains(power)) {
        return None;
    }
    let (mut factors, mut powers) = (Vec::new(), Vec::new());
    for (power, rest) in body.coefficients_in(rounded) {
        let rest = rest.substitute(atom_of(symbol), &moved, MAX_TERMS)?;
        let turned = Rational::from(sign).pow(power.into())?;
        for (of_index, factor) in rest.coefficients_in(atom_of(symbol)) {
            if of_index < 0 || power < 1 || of_index + power > MOST_POWERS {
                return None;
            }
            factors.push(factor.scale(&turned));
            powers.push([of_index, power]);
        }
    }
    let free = |terms: &Terms, p: &Polynomial| !terms.polynomial_mentions(p, own);
    let mut all = factors.iter().chain([&m, &slope, &offset]);
    if factors.len() > MOST_TERMS || !all.all(|p| free(terms, p)) {
        return None;
    }
    let factors: Vec<ExprId> = factors.iter().map(|p| terms.expression(p)).collect();
    let [of_index, of_floor] = [0, 1].map(|place| {
        let numbers = powers.iter().map(|power| power[place].into());
        Value::list(numbers.map(|power: i64| terms.arena.number(power)))
    });
    let [m, slope, offset] = [&m, &slope, &offset].map(|p| Value::Term(terms.expression(p)));
    Some(vec![
        Value::list(factors),
        of_index,
        of_floor,
        m,
        slope,
        offset,
    ])
}

/// Each remainder of the index by its quotient.
fn without_remainders(terms: &mut Terms, body: ExprId, own: Symbol) -> Option<Polynomial> {
    let mut body = (*terms.polynomial(body)).clone();
    for atom in body.atoms() {
        let Node::Mod(dividend, modulus) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        if terms.mentions(dividend, own) {
            let quotient = terms.arena.floor_divide(dividend, modulus);
            let taken = terms.arena.mul(&[modulus, quotient]);
            let remainder = terms.arena.subtract(dividend, taken);
            let remainder = terms.canonical(remainder);
            let remainder = terms.polynomial(remainder);
            body = body.substitute(atom, &remainder, MAX_TERMS)?;
        }
    }
    Some(body)
}

/// The only part with the index beside the index itself.
fn rounded(terms: &Terms, body: &Polynomial, own: Symbol) -> Option<Atom> {
    match *parts_with(terms, body, own).as_slice() {
        [part] if is_rounding(terms, part) => Some(part),
        _ => None,
    }
}

fn parts_with(terms: &Terms, body: &Polynomial, own: Symbol) -> Vec<Atom> {
    let is_index =
        |atom: Atom| matches!(terms.arena.node(expr_of(atom)), Node::Symbol(s) if *s == own);
    let atoms = body.atoms().into_iter();
    let mentioned = |&atom: &Atom| !is_index(atom) && terms.mentions(expr_of(atom), own);
    atoms.filter(mentioned).collect()
}

fn is_rounding(terms: &Terms, part: Atom) -> bool {
    matches!(
        terms.arena.node(expr_of(part)),
        Node::Apply(Function::Floor | Function::Ceil, _)
    )
}
