//! Sums of logarithms of rational functions of the index.

use crate::expr::{ExprId, Function, Node, ReduceKind};
use crate::ring::{Polynomial, Rational};

use super::Loop;
use super::linear::{Family, families, is_below_zero, quotient};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

/// `sum (i = a, b) { log(i + t) } = lgamma(b + t + 1) - lgamma(a + t)` for the linear factors of the operand, if each
/// is positive. Factors that differ by a whole number cancel except at the ends.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    close(scope, &parts).into_iter().collect()
}

fn close(scope: &mut Scope, parts: &Loop) -> Option<Candidate> {
    let Node::Apply(Function::Log, operand) =
        *scope.terms.arena.node(expr_of(parts.body.as_atom()?))
    else {
        return None;
    };
    let operand = scope.terms.polynomial(operand);
    let found = quotient(&mut scope.terms, parts, &operand)?;
    let mut leading = found.leading;
    let guards = parts.sum_guards(&mut scope.terms);
    let one = Polynomial::one();
    let mut sum = Vec::new();
    for family in families(found.factors)? {
        let first = &parts.lower + &family.shift;
        let last = &(&parts.upper + &family.shift) + &Polynomial::from(family.span());
        let below = is_below_zero(scope, &first, &last);
        let total: i64 = family.members.iter().map(|(_, power)| power).sum();
        if below && total % 2 != 0 {
            leading = -leading;
        }
        let terms = &mut scope.terms;
        telescope(terms, parts, &family, below, &mut sum);
        let (first, last) = (&parts.lower + &family.shift, &parts.upper + &family.shift);
        let (from, to) = if below {
            (-last, -first)
        } else {
            (first, last)
        };
        if total != 0 {
            sum.push(scaled(terms, Function::LogGamma, &(&to + &one), total));
            sum.push(scaled(terms, Function::LogGamma, &from, -total));
        }
    }
    if leading != one {
        let count = &(&parts.upper - &parts.lower) + &one;
        let count = scope.terms.expression(&count);
        let logarithm = scaled(&mut scope.terms, Function::Log, &leading, 1);
        sum.push(scope.terms.arena.mul(&[count, logarithm]));
    }
    Some(Candidate {
        right: scope.terms.arena.add(&sum),
        guards,
    })
}

/// Difference between a sum of the members and the sum of equally many first members.
fn telescope(
    terms: &mut Terms,
    parts: &Loop,
    family: &Family<i64>,
    below: bool,
    sum: &mut Vec<ExprId>,
) {
    for step in 0..family.span() {
        let beyond = family.members.iter().filter(|(d, _)| *d > step);
        let power: i64 = beyond.map(|(_, power)| power).sum();
        let step = &family.shift + &Polynomial::from(step);
        let after = &(&parts.upper + &step) + &Polynomial::one();
        for (at, sign) in [(after, 1), (&parts.lower + &step, -1)] {
            let at = if below { -at } else { at };
            sum.push(scaled(terms, Function::Log, &at, sign * power));
        }
    }
}

fn scaled(terms: &mut Terms, function: Function, operand: &Polynomial, factor: i64) -> ExprId {
    let operand = terms.expression(operand);
    let value = terms.arena.apply(function, operand);
    let factor = terms.arena.number(Rational::from(factor));
    terms.arena.mul(&[factor, value])
}
