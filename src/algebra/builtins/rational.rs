//! Sums of rational functions of the index: partial fractions, telescoping, harmonic numbers.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{self, Fraction, Monomial, PartialFractions, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{MAX_TERMS, Terms, expr_of};
use super::{Loop, at_most, compare, integral};
use crate::special::MAX_ORDER;

/// Denominators of a higher degree are left alone.
const MAX_DEGREE: u32 = 16;
/// Poles further apart are not joined.
const MAX_DISTANCE: i64 = 64;

/// A body that is a rational function of the index with linear denominators.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let mut guards = parts.sum_guards(&mut scope.terms);
    let right = decompose(&mut scope.terms, &parts, &mut guards)
        .filter(|fractions| !fractions.fractions.is_empty())
        .and_then(|fractions| close(scope, &parts, fractions, &mut guards));
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// The body in partial fractions; that poles differ is added to the guards.
fn decompose(
    terms: &mut Terms,
    parts: &Loop,
    guards: &mut Vec<ExprId>,
) -> Option<PartialFractions> {
    let mut total = PartialFractions::of_polynomial(Polynomial::zero(), parts.index, MAX_TERMS)?;
    for (monomial, coefficient) in parts.body.terms() {
        let mut numerator = Polynomial::constant(coefficient.clone());
        let mut poles: Vec<(Polynomial, u32)> = Vec::new();
        for &(atom, exponent) in monomial.powers() {
            let outside = !parts.depends(&terms.arena, expr_of(atom));
            if outside || (atom == parts.index && exponent > 0) {
                numerator = numerator.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            } else if exponent < 0 {
                let (scale, shift) = linear(terms, parts, expr_of(atom))?;
                numerator = numerator.scale(&scale.pow(exponent.into())?);
                poles.push((shift, exponent.unsigned_abs()));
            } else {
                return None;
            }
        }
        if poles.iter().map(|(_, power)| power).sum::<u32>() > MAX_DEGREE {
            return None;
        }
        let mut own = PartialFractions::of_polynomial(numerator, parts.index, MAX_TERMS)?;
        for (shift, power) in &poles {
            for _ in 0..*power {
                own = own.divide(shift, &mut |difference| {
                    Some(reciprocal(terms, difference, guards))
                })?;
            }
        }
        total = total.plus(&own);
    }
    Some(total)
}

/// `(s, t)` of `s * (i + t)`, with a number `s`.
fn linear(terms: &mut Terms, parts: &Loop, id: ExprId) -> Option<(Rational, Polynomial)> {
    let polynomial = match terms.arena.node(id).clone() {
        Node::Add(list) => terms.sum(&list),
        _ => (*terms.polynomial(id)).clone(),
    };
    let mut by_power = polynomial.coefficients_in(parts.index);
    let scale = by_power.remove(&1)?.as_constant()?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = by_power.is_empty() && !terms.polynomial_mentions(&offset, parts.reduction.index);
    free.then_some((scale.clone(), offset.scale(&scale.recip()?)))
}

/// `1 / difference`, guarded by `difference != 0` where it is not a number.
fn reciprocal(terms: &mut Terms, difference: &Polynomial, guards: &mut Vec<ExprId>) -> Polynomial {
    if difference.as_constant().is_none() {
        let equal = compare(terms, Relation::Equal, difference, &Polynomial::zero());
        guards.push(terms.arena.not(equal));
    }
    let difference = terms.expression(difference);
    let inverse = terms.arena.reciprocal(difference);
    (*terms.polynomial(inverse)).clone()
}

/// Fractions of one power whose poles are whole numbers apart.
struct Family {
    power: u32,
    /// The least of their shifts.
    shift: Polynomial,
    /// How far the shift of each lies above the least, and its coefficient.
    members: Vec<(u32, Polynomial)>,
}

fn families(fractions: Vec<Fraction>) -> Option<Vec<Family>> {
    let mut families: Vec<Family> = Vec::new();
    for Fraction {
        shift,
        power,
        coefficient,
    } in fractions
    {
        let distance = |family: &Family| {
            let distance = (&shift - &family.shift).as_constant()?;
            (family.power == power && distance.is_integer()).then_some(distance)
        };
        let found = families
            .iter_mut()
            .find_map(|family| distance(family).map(|distance| (family, distance)));
        let Some((family, distance)) = found else {
            families.push(Family {
                power,
                shift,
                members: vec![(0, coefficient)],
            });
            continue;
        };
        let distance = distance.to_i64().filter(|d| d.abs() <= MAX_DISTANCE)?;
        if distance < 0 {
            family.shift = shift;
            for member in &mut family.members {
                member.0 += distance.unsigned_abs() as u32;
            }
            family.members.push((0, coefficient));
        } else {
            family.members.push((distance as u32, coefficient));
        }
    }
    Some(families)
}

fn close(
    scope: &mut Scope,
    parts: &Loop,
    fractions: PartialFractions,
    guards: &mut Vec<ExprId>,
) -> Option<ExprId> {
    let polynomial = ring::sum_polynomial(
        &fractions.polynomial,
        parts.index,
        &parts.lower,
        &parts.upper,
        MAX_TERMS,
    )?;
    let mut sum = vec![scope.terms.expression(&polynomial)];
    for family in families(fractions.fractions)? {
        telescope(&mut scope.terms, parts, &family, &mut sum);
        let total: Polynomial = family.members.iter().map(|(_, c)| c.clone()).sum();
        if !total.is_zero() {
            let harmonic = harmonic(scope, parts, &family, guards)?;
            let total = scope.terms.expression(&total);
            sum.push(scope.terms.arena.mul(&[total, harmonic]));
        }
    }
    Some(scope.terms.arena.add(&sum))
}

/// What the sum of the members differs by from that of as many of the first of them:
/// `1/(i+t+d)` runs from `1/(a+t+d)` to `1/(b+t+d)`, where `1/(i+t)` runs from `1/(a+t)` to `1/(b+t)`.
fn telescope(terms: &mut Terms, parts: &Loop, family: &Family, sum: &mut Vec<ExprId>) {
    let last = family.members.iter().map(|(d, _)| *d).max().unwrap_or(0);
    for step in 0..last {
        let beyond = family.members.iter().filter(|(d, _)| *d > step);
        let coefficient: Polynomial = beyond.map(|(_, c)| c.clone()).sum();
        let step = &family.shift + &Polynomial::from(i64::from(step));
        let after = &(&parts.upper + &step) + &Polynomial::one();
        let before = &parts.lower + &step;
        for (at, sign) in [(after, 1), (before, -1)] {
            let coefficient = coefficient.scale(&Rational::from(sign));
            let coefficient = terms.expression(&coefficient);
            let at = terms.expression(&at);
            let power = terms.arena.number(-i64::from(family.power));
            let fraction = terms.arena.pow(at, power);
            sum.push(terms.arena.mul(&[coefficient, fraction]));
        }
    }
}

/// `sum (i = a, b) { 1 / (i + t)^k }` by harmonic numbers: `i + t` is whole and above 0, or below 0.
fn harmonic(
    scope: &mut Scope,
    parts: &Loop,
    family: &Family,
    guards: &mut Vec<ExprId>,
) -> Option<ExprId> {
    if family.power > MAX_ORDER {
        return None;
    }
    let first = &parts.lower + &family.shift;
    let last = &parts.upper + &family.shift;
    guards.push(integral(&mut scope.terms, &first));
    let one = Polynomial::one();
    let below = is_below_zero(scope, &first, &last);
    let (from, to) = if below {
        (-&last, -&first)
    } else {
        (first, last)
    };
    guards.push(at_most(&mut scope.terms, &one, &from));
    let sign = if below && family.power % 2 == 1 {
        -1
    } else {
        1
    };
    let terms = &mut scope.terms;
    let order = Function::Harmonic(family.power);
    let mut of = |n: &Polynomial, sign: i64| {
        let n = terms.expression(n);
        let value = terms.arena.apply(order, n);
        let sign = terms.arena.number(sign);
        terms.arena.mul(&[sign, value])
    };
    let both = [of(&to, sign), of(&(&from - &one), -sign)];
    Some(scope.terms.arena.add(&both))
}

/// Whether the range of `i + t` lies below 0, as far as that is known; it is guarded in any case.
fn is_below_zero(scope: &mut Scope, first: &Polynomial, last: &Polynomial) -> bool {
    let one = Polynomial::one();
    if scope.prover.nonnegative(&mut scope.terms, &(first - &one)) {
        return false;
    }
    let below = &-last - &one;
    scope.prover.nonnegative(&mut scope.terms, &below)
        || first
            .terms()
            .all(|(monomial, c)| c.is_negative() || monomial.is_one())
            && first.as_constant().is_none()
}
