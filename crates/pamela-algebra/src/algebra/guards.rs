//! Guards that are not proved, reduced to the parts that must be assumed.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Polynomial, Rational};

use super::facts::Prover;
use super::scope::Scope;
use super::signs::signed;
use super::terms::{MAX_TERMS, Terms, expr_of};

/// A guard is taken apart at most this deep.
const DEPTH: u32 = 4;

/// Unproved truth values that together imply the guard; empty if it is proved.
///
/// Examples: `0 <= x` for `0 <= c*x` if `c >= 0`; `integer(x)` for `integer(x + n)` if `n` is an integer; both
/// operands of a `max` or `min` separately if that suffices.
pub fn settled(scope: &mut Scope, guard: ExprId) -> Vec<ExprId> {
    let mut open = Vec::new();
    settle(scope, guard, DEPTH, &mut open);
    open
}

fn settle(scope: &mut Scope, guard: ExprId, depth: u32, open: &mut Vec<ExprId>) {
    let guard = scope.terms.canonical(guard);
    if scope.holds(guard) {
        return;
    }
    let guard = match *scope.terms.arena.node(guard) {
        Node::Apply(Function::Integer, operand) => without_whole_terms(scope, operand),
        _ => without_signed_factors(&mut scope.terms, &scope.prover, guard),
    };
    if scope.holds(guard) || open.contains(&guard) {
        return;
    }
    let cases = if depth > 0 {
        operand_by_operand(scope, guard)
    } else {
        None
    };
    match cases {
        Some(cases) => cases
            .into_iter()
            .for_each(|case| settle(scope, case, depth - 1, open)),
        None => open.push(guard),
    }
}

/// `x <= z` and `y <= z` for `max(x, y) <= z`; `integer(x)` and `integer(y)` for `integer(max(x, y))`.
fn operand_by_operand(scope: &mut Scope, guard: ExprId) -> Option<Vec<ExprId>> {
    let (polynomial, relation) = match *scope.terms.arena.node(guard) {
        Node::Apply(Function::Integer, operand) => {
            ((*scope.terms.polynomial(operand)).clone(), None)
        }
        Node::Compare(relation @ (Relation::Less | Relation::LessEqual), left, right) => {
            let (left, right) = (scope.terms.polynomial(left), scope.terms.polynomial(right));
            (&*right - &*left, Some(relation))
        }
        _ => return None,
    };
    let (atom, operands) = deciding_atom(scope, &polynomial, relation)?;
    let case = |operand: &ExprId| {
        let operand = scope.terms.polynomial(*operand);
        let case = polynomial.substitute(atom, &operand, MAX_TERMS)?;
        let case = scope.terms.expression(&case);
        let arena = &mut scope.terms.arena;
        Some(match relation {
            None => arena.apply(Function::Integer, case),
            Some(relation) => {
                let zero = arena.number(0);
                arena.relate(relation, zero, case)
            }
        })
    };
    operands.iter().map(case).collect()
}

/// A `max` or `min` in the polynomial all of whose operands must satisfy the guard in its place.
fn deciding_atom(
    scope: &Scope,
    polynomial: &Polynomial,
    relation: Option<Relation>,
) -> Option<(crate::ring::Atom, Box<[ExprId]>)> {
    polynomial.atoms().into_iter().find_map(|atom| {
        let slope = polynomial.coefficients_in(atom).remove(&1)?.as_constant()?;
        if polynomial.degree_in(atom) != 1 || polynomial.min_degree_in(atom) < 0 {
            return None;
        }
        match scope.terms.arena.node(expr_of(atom)) {
            Node::Max(list) if relation.is_none() || slope.is_negative() => {
                Some((atom, list.clone()))
            }
            Node::Min(list) if relation.is_none() || slope.is_positive() => {
                Some((atom, list.clone()))
            }
            _ => None,
        }
    })
}

fn without_whole_terms(scope: &mut Scope, operand: ExprId) -> ExprId {
    let polynomial = scope.terms.polynomial(operand);
    let mut rest = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let term = Polynomial::term(monomial.clone(), coefficient.clone());
        if !scope.prover.integer(&mut scope.terms, &term) {
            rest.push((monomial.clone(), coefficient.clone()));
        }
    }
    let rest = scope.terms.expression(&Polynomial::from_terms(rest));
    let guard = scope.terms.arena.apply(Function::Integer, rest);
    scope.terms.canonical(guard)
}

/// `x <= y` in place of `c * x <= c * y`, where `c` is a product of positive factors. If one side is 0, nonnegative
/// factors suffice.
pub fn without_signed_factors(terms: &mut Terms, prover: &Prover, guard: ExprId) -> ExprId {
    reduced(terms, prover, guard).unwrap_or(guard)
}

fn reduced(terms: &mut Terms, prover: &Prover, guard: ExprId) -> Option<ExprId> {
    let Node::Compare(Relation::LessEqual, left, right) = *terms.arena.node(guard) else {
        return None;
    };
    let beside_zero = terms.arena.as_number(left).is_some_and(Rational::is_zero);
    let known = if beside_zero {
        Prover::nonnegative
    } else {
        Prover::positive
    };
    let difference = &*terms.polynomial(right) - &*terms.polynomial(left);
    let rest = signed(terms, prover, known, &difference)?.rest;
    let (zero, rest) = (terms.arena.number(0), terms.expression(&rest));
    let reduced = terms.arena.relate(Relation::LessEqual, zero, rest);
    Some(terms.canonical(reduced))
}
