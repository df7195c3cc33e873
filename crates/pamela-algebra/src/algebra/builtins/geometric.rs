//! Geometric and arithmetic-geometric sums.

use crate::expr::{ExprId, Node, ReduceKind, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::{Loop, compare};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

/// `(s, t)` of `s*i + t`, with `s` not 0.
pub fn linear_in(terms: &mut Terms, parts: &Loop, id: ExprId) -> Option<(Polynomial, Polynomial)> {
    let polynomial = terms.polynomial(id);
    let mut by_power = polynomial.coefficients_in(parts.index);
    let slope = by_power.remove(&1)?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, parts.reduction.index);
    (by_power.is_empty() && free(&slope) && free(&offset)).then_some((slope, offset))
}

/// A power `base^(slope*i + offset)`, with a whole number as slope.
struct Power {
    base: ExprId,
    slope: Rational,
    exponent: ExprId,
}

/// `sum (i = a, b) { x^(s*i + t) * y^(u - v*i) }` for whole `s, v > 0`, where `x^s` differs from `y^v`:
/// `(x^(s*(b + 1) + t) * y^(u - v*b) - x^(s*a + t) * y^(u - v*(a - 1))) / (x^s - y^v)`.
///
/// The formula contains no ratio, so it also holds for `y = 0`.
pub fn two_ratios(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let guards = parts.sum_guards(terms);
    let right = two_powers(terms, &parts).and_then(|found| between(scope, &parts, found));
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// The rising power, the falling power, and the part that does not depend on the index.
fn two_powers(terms: &mut Terms, parts: &Loop) -> Option<(Power, Power, Polynomial)> {
    let (monomial, coefficient) = parts.body.as_term()?;
    let mut factor = Polynomial::constant(coefficient.clone());
    let mut powers = Vec::new();
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        if !parts.depends(&terms.arena, id) {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            continue;
        }
        let Node::Pow(base, power) = *terms.arena.node(id) else {
            return None;
        };
        let (slope, _) = linear_in(terms, parts, power)?;
        let slope = slope.as_constant().filter(Rational::is_integer)?;
        if exponent != 1 || parts.depends(&terms.arena, base) {
            return None;
        }
        powers.push(Power {
            base,
            slope,
            exponent: power,
        });
    }
    powers.sort_by(|x, y| y.slope.cmp(&x.slope));
    let [rising, falling] = <[Power; 2]>::try_from(powers).ok()?;
    (rising.slope.is_positive() && falling.slope.is_negative()).then_some((rising, falling, factor))
}

fn between(
    scope: &mut Scope,
    parts: &Loop,
    (rising, falling, factor): (Power, Power, Polynomial),
) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let one = Polynomial::one();
    let growth = terms.arena.number(rising.slope.clone());
    let growth = terms.arena.pow(rising.base, growth);
    let decay = terms.arena.number(falling.slope.abs());
    let decay = terms.arena.pow(falling.base, decay);
    let gap = terms.arena.subtract(growth, decay);
    let (gap, growth, decay) = (
        (*terms.polynomial(gap)).clone(),
        (*terms.polynomial(growth)).clone(),
        (*terms.polynomial(decay)).clone(),
    );
    if gap.is_zero() {
        return None;
    }
    let after = &parts.upper + &one;
    let before = &parts.lower - &one;
    let factor = terms.expression(&factor);
    let product = |terms: &mut Terms, up: &Polynomial, down: &Polynomial| {
        let powers = [(&rising, up), (&falling, down)].map(|(power, at)| {
            let at = terms.expression(at);
            let exponent = terms
                .arena
                .substitute(power.exponent, parts.reduction.index, at);
            terms.arena.pow(power.base, exponent)
        });
        terms.arena.mul(&[factor, powers[0], powers[1]])
    };
    let last = product(terms, &after, &parts.upper);
    let first = product(terms, &parts.lower, &before);
    let constant = product(terms, &parts.lower, &parts.lower);
    let terms = &mut scope.terms;
    let numerator = terms.arena.subtract(last, first);
    let divisor = terms.expression(&gap);
    let apart = terms.arena.divide(numerator, divisor);
    let equal = compare(terms, Relation::Equal, &growth, &decay);
    let equal = terms.canonical(equal);
    let other = terms.arena.not(equal);
    if scope.holds(other) {
        return Some(apart);
    }
    // All elements are the same: with bases 0, all are 0 but one alone.
    let terms = &mut scope.terms;
    let constant = parts.over(terms, &parts.lower, &parts.upper, constant);
    Some(terms.arena.if_else(equal, constant, apart))
}
