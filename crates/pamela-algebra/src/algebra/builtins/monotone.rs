//! Monotonicity of a term in an index.

use crate::expr::{ExprId, Function, Node, Symbol};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, expr_of};
use crate::syntax::tree;

/// The direction in which a term moves as the index grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Constant,
    /// Never falls.
    Rising,
    /// Never rises.
    Falling,
}

impl Direction {
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Constant => Direction::Constant,
            Direction::Rising => Direction::Falling,
            Direction::Falling => Direction::Rising,
        }
    }

    /// Direction of a sum, a maximum or a minimum of two terms.
    fn with(self, other: Direction) -> Option<Direction> {
        match (self, other) {
            (Direction::Constant, other) | (other, Direction::Constant) => Some(other),
            (a, b) => (a == b).then_some(a),
        }
    }
}

/// Direction of `id` in `index`, if known: from the difference of neighbouring indices, else from its structure.
pub fn direction(scope: &mut Scope, id: ExprId, index: Symbol) -> Option<Direction> {
    let polynomial = scope.terms.polynomial(id);
    direction_of(scope, &polynomial, index)
}

fn direction_of(scope: &mut Scope, p: &Polynomial, index: Symbol) -> Option<Direction> {
    if !scope.terms.polynomial_mentions(p, index) {
        return Some(Direction::Constant);
    }
    by_difference(scope, p, index)
        .or_else(|| by_structure(scope, p, index))
        .or_else(|| by_operands(scope, p, index))
}

/// `k * max(f, g) + h` is the maximum or the minimum of `k * f + h` and `k * g + h`, as the sign of `k` says: where
/// both move one way, so does it.
fn by_operands(scope: &mut Scope, p: &Polynomial, index: Symbol) -> Option<Direction> {
    let moving = |scope: &Scope, id| {
        let extremum = matches!(scope.terms.arena.node(id), Node::Max(_) | Node::Min(_));
        extremum && scope.terms.mentions(id, index)
    };
    let atom = p
        .atoms()
        .into_iter()
        .find(|&atom| moving(scope, expr_of(atom)))?;
    let mut by_power = p.coefficients_in(atom);
    let factor = by_power.remove(&1)?;
    let rest = by_power.remove(&0).unwrap_or_default();
    if !by_power.is_empty() || scope.terms.polynomial_mentions(&factor, index) {
        return None;
    }
    let (Node::Max(list) | Node::Min(list)) = scope.terms.arena.node(expr_of(atom)).clone() else {
        return None;
    };
    let mut total = Direction::Constant;
    for &operand in list.iter() {
        let operand = (*scope.terms.polynomial(operand)).clone();
        let whole = &scope.terms.multiply(&factor, &operand)? + &rest;
        total = total.with(direction_of(scope, &whole, index)?)?;
    }
    Some(total)
}

fn by_difference(scope: &mut Scope, p: &Polynomial, index: Symbol) -> Option<Direction> {
    let term = scope.terms.expression(p);
    let difference = step(scope, term, index);
    let difference = scope.terms.polynomial(difference);
    let (difference, _) = over_common_denominator(scope, &difference);
    if scope.prover.nonnegative(&mut scope.terms, &difference) {
        return Some(Direction::Rising);
    }
    scope
        .prover
        .nonnegative(&mut scope.terms, &-&difference)
        .then_some(Direction::Falling)
}

/// The numerator, which has the sign of the whole, and the denominator: what is proved to be positive of it.
pub(in crate::algebra) fn over_common_denominator(
    scope: &mut Scope,
    p: &Polynomial,
) -> (Polynomial, Monomial) {
    let mut numerator = p.clone();
    let mut common = Monomial::one();
    let mut multiplied = Vec::new();
    for atom in p.atoms() {
        let exponent = p.min_degree_in(atom);
        let positive = exponent < 0
            && scope
                .prover
                .positive(&mut scope.terms, &Polynomial::atom(atom));
        let denominator = Monomial::power(atom, exponent.saturating_neg());
        if positive
            && let Some(scaled) = numerator.mul_term(&denominator, &Rational::ONE)
            && let Some(product) = common.checked_mul(&denominator)
        {
            numerator = scaled;
            common = product;
            multiplied.push(atom);
        }
    }
    // Sums that no longer stand in a denominator are multiplied out.
    for atom in multiplied {
        if let Node::Add(list) = scope.terms.arena.node(expr_of(atom)).clone() {
            let sum = scope.terms.sum(&list);
            numerator = numerator
                .substitute(atom, &sum, MAX_TERMS)
                .unwrap_or(numerator);
        }
    }
    (numerator, common)
}

/// `f(i + 1) - f(i)`
pub fn step(scope: &mut Scope, f: ExprId, index: Symbol) -> ExprId {
    let arena = &mut scope.terms.arena;
    let (symbol, one) = (arena.symbol(index), arena.number(1));
    let next = arena.add(&[symbol, one]);
    let moved = arena.substitute(f, index, next);
    let difference = arena.subtract(moved, f);
    scope.terms.canonical(difference)
}

fn by_structure(scope: &mut Scope, p: &Polynomial, index: Symbol) -> Option<Direction> {
    let mut total = Direction::Constant;
    for (monomial, coefficient) in p.terms() {
        let mut of_term = Direction::Constant;
        // A product is monotone like its factors only if no factor is negative.
        let single = matches!(monomial.powers(), [(_, 1)]);
        for &(atom, exponent) in monomial.powers() {
            let factor = direction_of_atom(scope, atom, index)?;
            let signed = single
                || scope
                    .prover
                    .nonnegative(&mut scope.terms, &Polynomial::atom(atom));
            if !signed
                && scope
                    .terms
                    .polynomial_mentions(&Polynomial::term(monomial.clone(), Rational::ONE), index)
            {
                return None;
            }
            of_term = of_term.with(if exponent < 0 {
                factor.reversed()
            } else {
                factor
            })?;
        }
        total = total.with(if coefficient.is_negative() {
            of_term.reversed()
        } else {
            of_term
        })?;
    }
    Some(total)
}

fn direction_of_atom(scope: &mut Scope, atom: Atom, index: Symbol) -> Option<Direction> {
    let id = expr_of(atom);
    if !scope.terms.mentions(id, index) {
        return Some(Direction::Constant);
    }
    match scope.terms.arena.node(id).clone() {
        Node::Symbol(_) => Some(Direction::Rising),
        Node::Apply(
            Function::Floor
            | Function::Ceil
            | Function::Sqrt
            | Function::Log
            | Function::Exp
            | Function::Harmonic(_)
            | Function::Factorial,
            operand,
        ) => direction(scope, operand, index),
        Node::Max(list) | Node::Min(list) => {
            let mut total = Direction::Constant;
            for &operand in list.iter() {
                total = total.with(direction(scope, operand, index)?)?;
            }
            Some(total)
        }
        Node::Compare(
            crate::expr::Relation::Less | crate::expr::Relation::LessEqual,
            left,
            right,
        ) => {
            let gap = scope.terms.arena.subtract(right, left);
            direction(scope, gap, index)
        }
        Node::Call(function, arguments) => {
            let declared = scope.terms.arena.defined(function)?.directions.clone();
            let mut total = Direction::Constant;
            for (number, &argument) in arguments.iter().enumerate() {
                let moves = direction(scope, argument, index)?;
                let moves = match declared.get(number).copied().flatten() {
                    _ if moves == Direction::Constant => continue,
                    Some(tree::Direction::Increasing) => moves,
                    Some(tree::Direction::Decreasing) => moves.reversed(),
                    None => return None,
                };
                total = total.with(moves)?;
            }
            Some(total)
        }
        _ => None,
    }
}
