//! Products of rational functions of the index: telescoping, factorials; and of several factors.

use crate::expr::{ExprId, Function, ReduceKind, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

use super::linear::{Family, families, is_below_zero, quotient};
use super::{Loop, compare};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::Terms;

/// Powers of a product are written out up to this exponent.
const MAX_POWER: i64 = 16;

/// A body that is a quotient of linear factors of the index: factors that differ by a whole number cancel except at
/// the ends, others become quotients of factorials.
pub fn rational(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Product) else {
        return Vec::new();
    };
    let mut found = closed(scope, &parts);
    if let Some(found) = &mut found {
        found.guards.extend(parts.sum_guards(&mut scope.terms));
    }
    found.into_iter().collect()
}

/// Like `rational`, for a range that is known to be regular.
pub(super) fn closed(scope: &mut Scope, parts: &Loop) -> Option<Candidate> {
    // `1 - 1 / i` is one quotient, too.
    let (scale, common, sum) = scope.terms.primitive(&parts.body)?;
    let body = sum.mul_term(&common, &scale)?;
    let found = quotient(&mut scope.terms, parts, &body)?;
    if found.factors.is_empty() {
        return None;
    }
    let mut leading = found.leading;
    let mut guards = Vec::new();
    let mut product = Vec::new();
    for family in families(found.factors)? {
        telescope(&mut scope.terms, parts, &family, &mut product, &mut guards)?;
        let total: i64 = family.members.iter().map(|(_, power)| power).sum();
        if total != 0 {
            let (ends, negative) = factorials(scope, parts, &family)?;
            if negative && total % 2 != 0 {
                leading = -leading;
            }
            for (n, sign) in ends {
                product.push(power(&mut scope.terms, n, sign * total));
            }
        }
    }
    if leading != Polynomial::one() {
        let count = &(&parts.upper - &parts.lower) + &Polynomial::one();
        let (base, count) = (
            scope.terms.expression(&leading),
            scope.terms.expression(&count),
        );
        product.push(scope.terms.arena.pow(base, count));
    }
    Some(Candidate {
        right: scope.terms.arena.mul(&product),
        guards,
    })
}

fn power(terms: &mut Terms, base: ExprId, exponent: i64) -> ExprId {
    let exponent = terms.arena.number(exponent);
    terms.arena.pow(base, exponent)
}

/// Difference between a sum of the members and the sum of equally many first members: `i + t + d` runs from
/// `a + t + d` to `b + t + d` while `i + t` runs from `a + t` to `b + t`.
fn telescope(
    terms: &mut Terms,
    parts: &Loop,
    family: &Family<i64>,
    product: &mut Vec<ExprId>,
    guards: &mut Vec<ExprId>,
) -> Option<()> {
    for step in 0..family.span() {
        let beyond = family.members.iter().filter(|(d, _)| *d > step);
        let exponent: i64 = beyond.map(|(_, power)| power).sum();
        if exponent.abs() > MAX_POWER {
            return None;
        }
        let step = &family.shift + &Polynomial::from(step);
        let after = &(&parts.upper + &step) + &Polynomial::one();
        for (at, sign) in [(after, 1), (&parts.lower + &step, -1)] {
            if sign * exponent < 0 {
                // A factor 0 above would hide it.
                let pole = compare(terms, Relation::Equal, &at, &Polynomial::zero());
                guards.push(terms.arena.not(pole));
            }
            let at = terms.expression(&at);
            product.push(power(terms, at, sign * exponent));
        }
    }
    Some(())
}

/// `prod (i = a, b) { i + t }` as factorials and a power of 4, with their exponents, and whether each factor is
/// negative. If the product is 0, or its factors are neither whole nor half-integers, some factorials are undefined.
/// `None` if a factorial has a negative numeric argument: a quotient of two such factorials would be simplified to a
/// number.
fn factorials(
    scope: &mut Scope,
    parts: &Loop,
    family: &Family<i64>,
) -> Option<(Vec<(ExprId, i64)>, bool)> {
    let first = &parts.lower + &family.shift;
    let last = &parts.upper + &family.shift;
    let negative = is_below_zero(scope, &first, &last);
    let (from, to) = if negative {
        (-&last, -&first)
    } else {
        (first, last)
    };
    let one = Polynomial::one();
    let terms = &mut scope.terms;
    let mut factorial = |n: &Polynomial| {
        let n = terms.expression(n);
        terms.arena.apply(Function::Factorial, n)
    };
    let two = Rational::from(2);
    let is_negative = |n: &Polynomial| n.as_constant().is_some_and(|n| n.is_negative());
    let constant = family.shift.coefficient(&Monomial::one());
    if constant.is_integer() || !(&constant * &two).is_integer() {
        let before = &from - &one;
        let ends = [(factorial(&to), 1), (factorial(&before), -1)];
        return (!is_negative(&before)).then(|| (ends.into(), negative));
    }
    // prod (m = 0, n) { m + 1/2 } = (2 n + 2)! / (4^(n + 1) (n + 1)!)
    let half = Polynomial::constant(constant.clone() - constant.floor());
    let mut ends = Vec::new();
    let bounds = [(&(&to - &half) + &one, 1), (&from - &half, -1)];
    if is_negative(&bounds[1].0) {
        return None;
    }
    for (n, sign) in &bounds {
        ends.push((factorial(&n.scale(&two)), *sign));
        ends.push((factorial(n), -sign));
    }
    let count = terms.expression(&(&bounds[0].0 - &bounds[1].0));
    let four = terms.arena.number(4);
    ends.push((terms.arena.pow(four, count), -1));
    Some((ends, negative))
}
