//! Sums of logarithms of rational functions of the index.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, expr_of};
use super::linear::{is_below_zero, quotient};
use super::{Loop, compare};

/// `sum (i = a, b) { log(i + t) } = lgamma(b + t + 1) - lgamma(a + t)` for each linear factor of the
/// operand, as far as each is positive.
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
    let mut guards = parts.sum_guards(&mut scope.terms);
    let (one, zero) = (Polynomial::one(), Polynomial::zero());
    let mut sum = Vec::new();
    for (shift, power) in &found.factors {
        let (first, last) = (&parts.lower + shift, &parts.upper + shift);
        let below = is_below_zero(scope, &first, &last);
        if below && power % 2 != 0 {
            leading = -leading;
        }
        let (from, to) = if below {
            (-&last, -&first)
        } else {
            (first, last)
        };
        guards.push(compare(&mut scope.terms, Relation::Less, &zero, &from));
        for (at, sign) in [(&to + &one, 1), (from, -1)] {
            sum.push(scaled(
                &mut scope.terms,
                Function::LogGamma,
                &at,
                sign * power,
            ));
        }
    }
    if leading != one {
        guards.push(compare(&mut scope.terms, Relation::Less, &zero, &leading));
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

fn scaled(terms: &mut Terms, function: Function, operand: &Polynomial, factor: i64) -> ExprId {
    let operand = terms.expression(operand);
    let value = terms.arena.apply(function, operand);
    let factor = terms.arena.number(Rational::from(factor));
    terms.arena.mul(&[factor, value])
}
