//! If each modulus divides the next one, the moduli define digits of one number: the remainder by a multiple of B is
//! B times a digit plus the remainder by B.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::Polynomial;

use super::geometric::linear_in;
use super::periods::roundings;
use super::vectors::reciprocal;
use super::{Loop, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::expr_of;

/// `sum { f((c + s*B*i) mod (B*P)) }` by the digit `(c div B + s*i) mod P`, and floors of fractions by those of whole
/// numbers.
pub fn digits(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_digits(scope, term).into_iter().collect()
}

fn by_digits(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let parts = Loop::of(&mut scope.terms, term, ReduceKind::Sum)?;
    let start = scope.terms.expression(&parts.lower);
    if !is_whole(scope, start) {
        return None;
    }
    let mut body = parts.reduction.body;
    for part in roundings(&scope.terms, &parts) {
        let value = match *scope.terms.arena.node(part) {
            Node::Mod(dividend, modulus) => digit(scope, &parts, dividend, modulus),
            Node::Apply(function @ (Function::Floor | Function::Ceil), operand) => {
                of_whole_numbers(scope, &parts, function, operand)
            }
            _ => None,
        };
        if let Some(value) = value {
            body = replaced(scope, body, part, value);
        }
    }
    let body = scope.terms.canonical(body);
    let body = without_minima(scope, &parts, body);
    if body == parts.reduction.body {
        return None;
    }
    let right = parts.over(&mut scope.terms, &parts.lower, &parts.upper, body);
    let guards = Vec::new();
    Some(Candidate { right, guards })
}

fn replaced(scope: &mut Scope, body: ExprId, part: ExprId, value: ExprId) -> ExprId {
    let arena = &mut scope.terms.arena;
    arena.replace(body, &|_, id| (id == part).then_some(value))
}

fn is_whole(scope: &mut Scope, id: ExprId) -> bool {
    let polynomial = scope.terms.polynomial(id);
    let whole = integral(&mut scope.terms, &polynomial);
    let whole = scope.terms.canonical(whole);
    scope.holds(whole)
}

/// `B*((c div B + s*i) mod P) + c mod B` for `(c + s*B*i) mod (B*P)`, `s` 1 or -1.
fn digit(scope: &mut Scope, parts: &Loop, dividend: ExprId, modulus: ExprId) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let (slope, offset) = linear_in(terms, parts, dividend)?;
    if parts.depends(&terms.arena, modulus) || offset.is_zero() {
        return None;
    }
    let (monomial, coefficient) = slope.as_term()?;
    let size = Polynomial::term(monomial.clone(), coefficient.abs());
    let modulus = (*terms.polynomial(modulus)).clone();
    let inverse = reciprocal(terms, &size).filter(|_| size != Polynomial::one())?;
    let owners = terms.multiply(&modulus, &inverse)?;
    let falls = coefficient.is_negative();
    let owners = terms.expression(&owners);
    if !is_whole(scope, owners) || !scope.prover.positive(&mut scope.terms, &size) {
        return None;
    }
    let terms = &mut scope.terms;
    let [size, offset, index] =
        [&size, &offset, &Polynomial::atom(parts.index)].map(|p| terms.expression(p));
    let arena = &mut terms.arena;
    let (blocks, rest) = (arena.floor_divide(offset, size), arena.modulo(offset, size));
    let step = if falls { arena.negate(index) } else { index };
    let place = arena.add(&[blocks, step]);
    let digit = arena.modulo(place, owners);
    let whole = arena.mul(&[size, digit]);
    Some(arena.add(&[whole, rest]))
}

/// `floor((i + floor(c))/D)` for `floor((i + c)/D)`, D whole and above 0.
fn of_whole_numbers(
    scope: &mut Scope,
    parts: &Loop,
    function: Function,
    operand: ExprId,
) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let (slope, offset) = linear_in(terms, parts, operand)?;
    let (_, coefficient) = slope.as_term()?;
    let rising = !coefficient.is_negative();
    let size = reciprocal(terms, &if rising { slope } else { -&slope })?;
    let shift = terms.multiply(&offset, &size)?;
    let (size_term, shift) = (terms.expression(&size), terms.expression(&shift));
    if is_whole(scope, shift)
        || !is_whole(scope, size_term)
        || !scope.prover.positive(&mut scope.terms, &size)
    {
        return None;
    }
    let arena = &mut scope.terms.arena;
    let shift = arena.apply(function, shift);
    let index = expr_of(parts.index);
    let step = if rising { index } else { arena.negate(index) };
    let place = arena.add(&[shift, step]);
    let quotient = arena.divide(place, size_term);
    Some(arena.apply(function, quotient))
}

/// `min(B, B*z + v)` is B but where the digit z is 0.
fn without_minima(scope: &mut Scope, parts: &Loop, body: ExprId) -> ExprId {
    let mut body = body;
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        if !parts.depends(&scope.terms.arena, id) {
            continue;
        }
        if let Node::Min(list) = scope.terms.arena.node(id).clone()
            && let [a, b] = *list.as_ref()
        {
            let value =
                least_at_zero(scope, parts, a, b).or_else(|| least_at_zero(scope, parts, b, a));
            if let Some(value) = value {
                body = replaced(scope, body, id, value);
                continue;
            }
        }
        pending.extend(scope.terms.arena.operands(id));
    }
    scope.terms.canonical(body)
}

fn least_at_zero(scope: &mut Scope, parts: &Loop, bound: ExprId, other: ExprId) -> Option<ExprId> {
    if parts.depends(&scope.terms.arena, bound) {
        return None;
    }
    let bound = (*scope.terms.polynomial(bound)).clone();
    let other = (*scope.terms.polynomial(other)).clone();
    let is_digit = |id| matches!(scope.terms.arena.node(id), Node::Mod(..));
    let moving = |&atom: &crate::ring::Atom| {
        is_digit(expr_of(atom)) && parts.depends(&scope.terms.arena, expr_of(atom))
    };
    let atom = other.atoms().into_iter().find(moving)?;
    let terms = &mut scope.terms;
    let rest = &other - &terms.multiply(&bound, &Polynomial::atom(atom))?;
    if terms.polynomial_mentions(&rest, parts.reduction.index) || !is_whole(scope, expr_of(atom)) {
        return None;
    }
    let gap = &bound - &rest;
    for part in [&rest, &gap] {
        if !scope.prover.nonnegative(&mut scope.terms, part) {
            return None;
        }
    }
    let terms = &mut scope.terms;
    let (bound, gap) = (terms.expression(&bound), terms.expression(&gap));
    let arena = &mut terms.arena;
    let zero = arena.number(0);
    let at_zero = arena.relate(Relation::Equal, expr_of(atom), zero);
    let less = arena.mul(&[gap, at_zero]);
    Some(arena.subtract(bound, less))
}
