//! Sums with powers of a number and rounding: levels of logarithms, rounded powers.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Atom, Monomial, Polynomial, Rational, sum_polynomial};

use super::geometric::linear_in;
use super::periods::roundings;
use super::{Loop, at_most, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// `sum { p(i) * floor(log_r(i + c)) }` level by level: each power of r up to the index contributes 1.
pub fn levels(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_levels(&mut scope.terms, term).into_iter().collect()
}

fn by_levels(terms: &mut Terms, term: ExprId) -> Option<Candidate> {
    let parts = Loop::of(terms, term, ReduceKind::Sum)?;
    let moving: Vec<Atom> = (parts.body.atoms().into_iter())
        .filter(|&atom| atom != parts.index && parts.depends(&terms.arena, expr_of(atom)))
        .collect();
    let [level] = *moving.as_slice() else {
        return None;
    };
    let mut by_power = parts.body.coefficients_in(level);
    let weight = by_power.remove(&1).filter(|_| by_power.is_empty())?;
    if weight.min_degree_in(parts.index) < 0 {
        return None;
    }
    let (base, shift) = logarithm(terms, &parts, expr_of(level))?;
    let one = Polynomial::one();
    let before = &parts.lower - &one;
    let mut sums = Vec::new();
    for last in [&parts.upper, &before] {
        sums.push(up_to(terms, &parts, &weight, &base, &shift, last)?);
    }
    let right = terms.arena.subtract(sums[0], sums[1]);
    let start = &parts.lower + &shift;
    let mut guards = parts.sum_guards(terms);
    guards.push(integral(terms, &start));
    guards.push(at_most(terms, &one, &start));
    Some(Candidate { right, guards })
}

/// `(r, c)` of `floor(log(i + c)/log(r))` for a whole number r above 1.
fn logarithm(terms: &mut Terms, parts: &Loop, level: ExprId) -> Option<(Rational, Polynomial)> {
    let Node::Apply(Function::Floor, quotient) = *terms.arena.node(level) else {
        return None;
    };
    let quotient = terms.polynomial(quotient);
    let (monomial, coefficient) = quotient.as_term()?;
    let [(a, m), (b, n)] = *monomial.powers() else {
        return None;
    };
    let (above, below) = match (m, n) {
        (1, -1) => (a, b),
        (-1, 1) => (b, a),
        _ => return None,
    };
    let log = |terms: &Terms, atom| match *terms.arena.node(expr_of(atom)) {
        Node::Apply(Function::Log, operand) => Some(operand),
        _ => None,
    };
    let (argument, base) = (log(terms, above)?, log(terms, below)?);
    let base = terms.arena.as_number(base)?.clone();
    let (slope, shift) = linear_in(terms, parts, argument)?;
    let whole = base.is_integer() && base > Rational::ONE;
    (whole && coefficient.is_one() && slope == Polynomial::one()).then_some((base, shift))
}

/// `sum (k = 1, l) { sum (i = r^k - c, last) { p(i) } }`, `l` the level of `last + c + 1`: what begins one level too
/// high is empty.
fn up_to(
    terms: &mut Terms,
    parts: &Loop,
    weight: &Polynomial,
    base: &Rational,
    shift: &Polynomial,
    last: &Polynomial,
) -> Option<ExprId> {
    let power = atom_of(terms.arena.fresh_index_term());
    let first = &Polynomial::atom(power) - shift;
    let of_level = sum_polynomial(weight, parts.index, &first, last, MAX_TERMS)?;
    let next = terms.expression(&(&(last + shift) + &Polynomial::one()));
    let base_term = terms.arena.number(base.clone());
    let level = terms.arena.log_to(next, base_term);
    let level = terms.arena.apply(Function::Floor, level);
    let highest = terms.arena.pow(base_term, level);
    let (level, highest) = (terms.polynomial(level), terms.polynomial(highest));
    let mut total = Polynomial::zero();
    let mut ratio = Rational::ONE;
    let by_power = of_level.coefficients_in(power);
    let degree = by_power.keys().last().copied().unwrap_or(0);
    let mut highest_power = Polynomial::one();
    for exponent in 0..=degree {
        let coefficient = by_power.get(&exponent).cloned().unwrap_or_default();
        // The sum of r^(exponent*k): the level itself, or a geometric series.
        let sum = if exponent == 0 {
            (*level).clone()
        } else {
            ratio = &ratio * base;
            highest_power = terms.multiply(&highest_power, &highest)?;
            let less = (&ratio - &Rational::ONE).recip()?;
            (&highest_power - &Polynomial::one()).scale(&(&ratio * &less))
        };
        total = &total + &terms.multiply(&coefficient, &sum)?;
    }
    Some(terms.expression(&total))
}

/// `ceil(r^(e - c))` is a power for `e >= c`, and 1 otherwise. Sums are cut at this index.
pub fn rounded(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    told_apart(scope, term).into_iter().collect()
}

fn told_apart(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let parts = Loop::of(&mut scope.terms, term, ReduceKind::Sum)?;
    let mut body = parts.reduction.body;
    for part in roundings(&scope.terms, &parts) {
        if let Some(value) = by_sign(scope, part) {
            let arena = &mut scope.terms.arena;
            body = arena.replace(body, &|_, id| (id == part).then_some(value));
        }
    }
    if body == parts.reduction.body {
        return None;
    }
    let body = scope.terms.canonical(body);
    let right = parts.over(&mut scope.terms, &parts.lower, &parts.upper, body);
    let guards = Vec::new();
    Some(Candidate { right, guards })
}

fn by_sign(scope: &mut Scope, part: ExprId) -> Option<ExprId> {
    let Node::Apply(function @ (Function::Floor | Function::Ceil), operand) =
        *scope.terms.arena.node(part)
    else {
        return None;
    };
    let operand = scope.terms.polynomial(operand);
    let (monomial, coefficient) = operand.as_term()?;
    let [(atom, 1)] = *monomial.powers() else {
        return None;
    };
    let Node::Pow(base, exponent) = *scope.terms.arena.node(expr_of(atom)) else {
        return None;
    };
    let ratio = scope.terms.arena.as_number(base)?.clone();
    let below = logarithm_of(&coefficient.recip()?, &ratio)?;
    let whole = (*scope.terms.polynomial(exponent)).clone();
    let whole = integral(&mut scope.terms, &whole);
    let whole = scope.terms.canonical(whole);
    if !scope.holds(whole) {
        return None;
    }
    let arena = &mut scope.terms.arena;
    let small = arena.number(i64::from(function == Function::Ceil));
    let below = arena.number(below);
    let left = arena.subtract(exponent, below);
    let power = arena.pow(base, left);
    let large = arena.relate(Relation::LessEqual, below, exponent);
    Some(arena.if_else(large, power, small))
}

/// Powers of a number beyond this are not looked for.
const LARGEST_POWER: i64 = 64;

/// `k >= 1` with `ratio^k = value`, for a whole ratio above 1.
fn logarithm_of(value: &Rational, ratio: &Rational) -> Option<i64> {
    if !ratio.is_integer() || *ratio <= Rational::ONE {
        return None;
    }
    let mut power = Rational::ONE;
    (1..=LARGEST_POWER).find(|_| {
        power = &power * ratio;
        power == *value
    })
}

/// A line with the same sign as a difference of powers: `2 * i - 2 * d` for `4^i - 4^d`, and `2 * i - log2(P + 1)`
/// for `4^i - P - 1`.
pub(super) fn line_of_powers(scope: &mut Scope, difference: ExprId) -> Option<ExprId> {
    let difference = scope.terms.polynomial(difference);
    let terms = &mut scope.terms;
    let base = (difference.terms()).find_map(|(monomial, _)| base_of(terms, monomial))?;
    let (with, without): (Vec<_>, Vec<_>) = (difference.terms())
        .map(|(monomial, number)| (monomial.clone(), number.clone()))
        .partition(|(monomial, _)| base_of(terms, monomial).is_some());
    let sides = match (&with[..], &without[..]) {
        ([first, second], []) => {
            [first, second].map(|side| Polynomial::from_terms(vec![side.clone()]))
        }
        ([first], [_, ..]) => [vec![first.clone()], without.clone()].map(Polynomial::from_terms),
        _ => return None,
    };
    // Treats `first + second`, where `first` is positive.
    let negative = with[0].1.is_negative();
    let [first, second] = if negative {
        sides.map(|side| -&side)
    } else {
        sides
    };
    let (mut own, other) = (
        taken(terms, &base, &first)?,
        taken(terms, &base, &-&second)?,
    );
    if !scope.prover.positive(&mut scope.terms, &own.1) {
        return None;
    }
    let terms = &mut scope.terms;
    let inverse = terms.expression(&own.1);
    let inverse = terms.integer_power(inverse, -1)?;
    let ratio = terms.multiply(&other.1, &inverse)?;
    own.0 = &own.0 - &other.0;
    if ratio != Polynomial::one() {
        if !scope.prover.positive(&mut scope.terms, &ratio) {
            return None;
        }
        let (ratio, base) = (
            scope.terms.expression(&ratio),
            scope.terms.arena.number(base),
        );
        let logarithm = scope.terms.arena.log_to(ratio, base);
        own.0 = &own.0 - &*scope.terms.polynomial(logarithm);
    }
    let line = if negative { -&own.0 } else { own.0 };
    Some(scope.terms.expression(&line))
}

/// The exponent of a power of a number in a term, and the other factors. A sum has none.
fn taken(
    terms: &mut Terms,
    base: &Rational,
    side: &Polynomial,
) -> Option<(Polynomial, Polynomial)> {
    let Some((monomial, number)) = side.as_term() else {
        return Some((Polynomial::zero(), side.clone()));
    };
    let (mut total, mut rest) = (Polynomial::zero(), Monomial::one());
    for &(atom, power) in monomial.powers() {
        match exponent(terms, base, atom) {
            Some(exponent) => {
                let own = Rational::from(i64::from(power));
                total = &total + &terms.polynomial(exponent).scale(&own);
            }
            None => rest = rest.checked_mul(&Monomial::power(atom, power))?,
        }
    }
    Some((total, Polynomial::term(rest, number.clone())))
}

/// The number above 1 of which a product has a power with an open exponent.
fn base_of(terms: &Terms, monomial: &Monomial) -> Option<Rational> {
    monomial.powers().iter().find_map(|&(atom, _)| {
        let Node::Pow(base, _) = *terms.arena.node(expr_of(atom)) else {
            return None;
        };
        let number = terms.arena.as_number(base)?;
        (*number > Rational::ONE).then(|| number.clone())
    })
}

/// The exponent of a power of a number.
fn exponent(terms: &Terms, base: &Rational, atom: Atom) -> Option<ExprId> {
    match *terms.arena.node(expr_of(atom)) {
        Node::Pow(own, exponent) if terms.arena.as_number(own) == Some(base) => Some(exponent),
        _ => None,
    }
}
