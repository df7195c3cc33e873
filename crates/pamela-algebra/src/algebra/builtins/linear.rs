//! Linear factors of the index, grouped by shifts that differ by whole numbers.

use crate::expr::{ExprId, Node};
use crate::ring::{Monomial, Polynomial, Rational};

use super::Loop;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, expr_of};

/// Shifts further apart are not joined.
const MAX_DISTANCE: i64 = 64;

/// Linear factors `i + t + d` for whole `d >= 0`, each with its weight (a coefficient or a power).
pub struct Family<W> {
    /// The least of the shifts, `t`.
    pub shift: Polynomial,
    /// The distances `d`, with the weights.
    pub members: Vec<(i64, W)>,
}

impl<W> Family<W> {
    /// The greatest of the distances.
    pub fn span(&self) -> i64 {
        self.members.iter().map(|(d, _)| *d).max().unwrap_or(0)
    }
}

/// Groups of shifts that differ by whole numbers; `None` if some differ by too much.
pub fn families<W>(shifts: Vec<(Polynomial, W)>) -> Option<Vec<Family<W>>> {
    let mut families: Vec<Family<W>> = Vec::new();
    for (shift, weight) in shifts {
        let distance = |family: &Family<W>| {
            let distance = (&shift - &family.shift).as_constant()?;
            distance.is_integer().then_some(distance)
        };
        let found = families
            .iter_mut()
            .find_map(|family| distance(family).map(|distance| (family, distance)));
        let Some((family, distance)) = found else {
            families.push(Family {
                shift,
                members: vec![(0, weight)],
            });
            continue;
        };
        let distance = distance.to_i64()?;
        if distance < 0 {
            family.shift = shift;
            family.members.iter_mut().for_each(|(d, _)| *d -= distance);
        }
        family.members.push((distance.max(0), weight));
        if family.span() > MAX_DISTANCE {
            return None;
        }
    }
    Some(families)
}

/// `(s, [(t, k), ...])` of `s * (i + t)^k * ...`, with a number `s`.
pub fn linear_factors(
    terms: &mut Terms,
    parts: &Loop,
    id: ExprId,
) -> Option<(Rational, Vec<(Polynomial, u32)>)> {
    let polynomial = match terms.arena.node(id).clone() {
        Node::Add(list) => terms.sum(&list),
        _ => (*terms.polynomial(id)).clone(),
    };
    let found = polynomial.linear_factors(parts.index, MAX_TERMS)?;
    let free = found
        .factors
        .iter()
        .all(|(shift, _)| !terms.polynomial_mentions(shift, parts.reduction.index));
    let scale = found.leading.as_constant().filter(|_| free)?;
    Some((scale, found.factors))
}

/// `leading * (i + t)^k * ...`, where `k` may be negative.
pub struct Quotient {
    /// Free of the index.
    pub leading: Polynomial,
    pub factors: Vec<(Polynomial, i64)>,
}

/// Recognises a quotient of products of linear factors of the index.
pub fn quotient(terms: &mut Terms, parts: &Loop, p: &Polynomial) -> Option<Quotient> {
    let mut numerator = p.clone();
    let mut leading = Polynomial::one();
    let mut factors: Vec<(Polynomial, i64)> = Vec::new();
    for atom in p.atoms() {
        let exponent = p.min_degree_in(atom);
        let id = expr_of(atom);
        if exponent >= 0 || !parts.depends(&terms.arena, id) {
            continue;
        }
        numerator = numerator.mul_term(&Monomial::power(atom, -exponent), &Rational::ONE)?;
        let (scale, own) = linear_factors(terms, parts, id)?;
        leading = leading.scale(&scale.pow(exponent.into())?);
        let powers = own.into_iter();
        factors.extend(powers.map(|(t, k)| (t, i64::from(k) * i64::from(exponent))));
    }
    let content = numerator.monomial_content().without(parts.index);
    numerator = numerator.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let found = numerator.linear_factors(parts.index, MAX_TERMS)?;
    factors.extend(found.factors.into_iter().map(|(t, k)| (t, i64::from(k))));
    leading = leading.checked_mul(&found.leading, MAX_TERMS)?;
    leading = leading.mul_term(&content, &Rational::ONE)?;
    let mentions = |p: &Polynomial| terms.polynomial_mentions(p, parts.reduction.index);
    let free = !mentions(&leading) && !factors.iter().any(|(t, _)| mentions(t));
    free.then_some(Quotient { leading, factors })
}

/// True if `i + t` counts as negative over its range from `first` to `last`: it is known to be negative, or looks so
/// (`i - N`) and is not known to be positive.
pub fn is_below_zero(scope: &mut Scope, first: &Polynomial, last: &Polynomial) -> bool {
    if scope.prover.positive(&mut scope.terms, first) {
        return false;
    }
    let falls = |(monomial, c): (&Monomial, &Rational)| c.is_negative() || monomial.is_one();
    scope.prover.positive(&mut scope.terms, &-last)
        || first.as_constant().is_none() && first.terms().all(falls)
}
