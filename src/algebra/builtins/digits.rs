//! The largest demand where positions are digits of the index: dealt out in blocks and in turn, in strides, in two
//! dimensions, and askew.
//!
//! All demands are the same here, so that the busiest position is the one that is met most often.

use crate::expr::{ExprId, Function, Node, Relation, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, atom_of, expr_of};
use super::vectors::{Demand, demands_of, linear, nonnegative, rebuild, reciprocal};
use super::{at_most, integral};

/// A range by its polynomials.
pub(super) struct Span {
    pub lower: Polynomial,
    pub upper: Polynomial,
    pub count: Polynomial,
}

impl Span {
    pub fn of(terms: &mut Terms, index: Symbol) -> Option<Span> {
        let (lower, upper) = terms.arena.range(index)?;
        let (lower, upper) = (
            (*terms.polynomial(lower)).clone(),
            (*terms.polynomial(upper)).clone(),
        );
        let count = &(&upper - &lower) + &Polynomial::one();
        Some(Span {
            lower,
            upper,
            count,
        })
    }

    /// The number of iterations is whole and not below 0.
    pub fn guards(&self, terms: &mut Terms) -> [ExprId; 2] {
        [
            at_most(terms, &(&self.lower - &Polynomial::one()), &self.upper),
            integral(terms, &(&self.upper - &self.lower)),
        ]
    }
}

/// The only demand, the same in every iteration of these binders.
pub(super) fn alike(
    scope: &mut Scope,
    term: ExprId,
    binders: usize,
) -> Option<(Demand, Vec<Span>)> {
    let [demand] = <[Demand; 1]>::try_from(demands_of(scope, term)?).ok()?;
    let terms = &mut scope.terms;
    let spans: Option<Vec<Span>> = (demand.binders.iter())
        .map(|&index| Span::of(terms, index))
        .collect();
    let spans = spans.filter(|spans| spans.len() == binders)?;
    let rectangular = |span: &Span| {
        let bounds = [&span.lower, &span.count, &demand.amount];
        let free = |p: &&Polynomial| {
            let mentions = |&index: &Symbol| terms.polynomial_mentions(p, index);
            !demand.binders.iter().any(mentions)
        };
        bounds.iter().all(free)
    };
    spans.iter().all(rectangular).then_some((demand, spans))
}

/// `(dividend, modulus)` of a position that is a remainder.
pub(super) fn remainder(terms: &Terms, position: ExprId) -> Option<(ExprId, ExprId)> {
    match *terms.arena.node(position) {
        Node::Mod(dividend, modulus) => Some((dividend, modulus)),
        _ => None,
    }
}

/// Positions `(i + c) div B mod P`: whole rounds, and of what is left the owner of the first block or the next one.
pub fn block_cyclic(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_blocks(scope, term).into_iter().collect()
}

fn by_blocks(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, spans) = alike(scope, term, 1)?;
    let ([index], [span]) = (demand.binders.as_slice(), spans.as_slice()) else {
        return None;
    };
    let terms = &mut scope.terms;
    let (blocks, owners) = remainder(terms, demand.position)?;
    let Node::Apply(Function::Floor, operand) = *terms.arena.node(blocks) else {
        return None;
    };
    let (slope, offset) = linear(terms, operand, *index)?;
    let size = reciprocal(terms, &slope)?;
    if terms.mentions(owners, *index) {
        return None;
    }
    let owners = (*terms.polynomial(owners)).clone();
    let start = terms.multiply(&span.lower, &slope)?;
    let start = terms.multiply(&(&start + &offset), &size)?;
    let round = terms.multiply(&size, &owners)?;
    let aligned = {
        let blocks = terms.multiply(&start, &slope)?;
        let whole = integral(terms, &blocks);
        scope.holds(whole)
    };
    let terms = &mut scope.terms;
    let [n, size_term, start_term, round_term] =
        [&span.count, &size, &start, &round].map(|p| terms.expression(p));
    let arena = &mut terms.arena;
    let rounds = arena.floor_divide(n, round_term);
    let rest = arena.modulo(n, round_term);
    let busiest = if aligned {
        arena.min(&[size_term, rest])
    } else {
        // The first block begins with what comes before it left out.
        let zero = arena.number(0);
        let before = arena.modulo(start_term, size_term);
        let first = arena.subtract(size_term, before);
        let again = arena.subtract(rest, round_term);
        let again = arena.add(&[again, before]);
        let again = arena.max(&[zero, again]);
        let of_first = arena.min(&[rest, first]);
        let of_first = arena.add(&[of_first, again]);
        let after = arena.subtract(rest, first);
        let of_second = arena.min(&[size_term, after]);
        arena.max(&[of_first, of_second])
    };
    let whole = arena.mul(&[size_term, rounds]);
    let met = arena.add(&[whole, busiest]);
    let amount = terms.expression(&demand.amount);
    let right = terms.arena.mul(&[amount, met]);
    let mut guards = span.guards(terms).to_vec();
    guards.push(integral(terms, &start));
    guards.extend([integral(terms, &size), integral(terms, &owners)]);
    guards.push(nonnegative(terms, &demand.amount));
    Some(Candidate { right, guards })
}

/// The greatest common divisor of a number and a whole `P`: `sum over d | s of phi(d) * (P mod d == 0)`.
pub(super) fn common_divisor(terms: &mut Terms, number: i64, other: ExprId) -> ExprId {
    let arena = &mut terms.arena;
    let zero = arena.number(0);
    let mut parts = Vec::new();
    for divisor in (1..=number).filter(|d| number % d == 0) {
        let coprime = (1..=divisor).filter(|&k| num_integer::gcd(k, divisor) == 1);
        let weight = arena.number(coprime.count() as i64);
        if divisor == 1 {
            parts.push(weight);
            continue;
        }
        let divisor = arena.number(divisor);
        let left = arena.modulo(other, divisor);
        let divides = arena.relate(Relation::Equal, left, zero);
        parts.push(arena.mul(&[weight, divides]));
    }
    arena.add(&parts)
}

/// Positions `(i + j + c) mod P` over a rectangle, or with `i - j`.
pub fn skewed(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_diagonals(scope, term).into_iter().collect()
}

fn by_diagonals(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, spans) = alike(scope, term, 2)?;
    let ([outer, inner], [rows, columns]) = (demand.binders.as_slice(), spans.as_slice()) else {
        return None;
    };
    let terms = &mut scope.terms;
    let (dividend, modulus) = remainder(terms, demand.position)?;
    let polynomial = (*terms.polynomial(dividend)).clone();
    let mut rest = polynomial.clone();
    for index in [outer, inner] {
        let symbol = terms.arena.symbol(*index);
        let atom = Polynomial::atom(atom_of(symbol));
        let slope = polynomial.coefficient(&Monomial::power(atom_of(symbol), 1));
        if !slope.abs().is_one() || terms.mentions(modulus, *index) {
            return None;
        }
        rest = &rest - &atom.scale(&slope);
    }
    if [outer, inner]
        .iter()
        .any(|&&index| terms.polynomial_mentions(&rest, index))
    {
        return None;
    }
    let [n, m] = [&rows.count, &columns.count].map(|p| terms.expression(p));
    let arena = &mut terms.arena;
    let [whole_rows, whole_columns] = [n, m].map(|count| arena.floor_divide(count, modulus));
    let [left_rows, left_columns] = [n, m].map(|count| arena.modulo(count, modulus));
    let met = [
        arena.mul(&[whole_rows, m]),
        arena.mul(&[whole_columns, left_rows]),
        arena.min(&[left_rows, left_columns]),
    ];
    let met = arena.add(&met);
    let amount = terms.expression(&demand.amount);
    let right = terms.arena.mul(&[amount, met]);
    let modulus = (*terms.polynomial(modulus)).clone();
    let mut guards = rows.guards(terms).to_vec();
    guards.extend(columns.guards(terms));
    guards.push(integral(terms, &modulus));
    guards.push(nonnegative(terms, &demand.amount));
    Some(Candidate { right, guards })
}

/// Positions `Q*x + y mod Q` where `x` moves with one binder and `y` with the other: the busiest row of the busiest
/// column.
pub fn two_dimensions(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_axes(scope, term).into_iter().collect()
}

fn by_axes(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, _) = alike(scope, term, 2)?;
    let [outer, inner] = *demand.binders.as_slice() else {
        return None;
    };
    let terms = &mut scope.terms;
    let polynomial = (*terms.polynomial(demand.position)).clone();
    let (low, high) = polynomial.atoms().into_iter().find_map(|atom| {
        let (_, modulus) = remainder(terms, expr_of(atom))?;
        let rest = &polynomial - &Polynomial::atom(atom);
        let modulus = (*terms.polynomial(modulus)).clone();
        let inverse = reciprocal(terms, &modulus).filter(|_| !rest.atoms().contains(&atom))?;
        let high = terms.multiply(&rest, &inverse)?;
        Some((expr_of(atom), high))
    })?;
    let high = terms.expression(&high);
    let high_by = |index| terms.mentions(high, index) && !terms.mentions(low, index);
    let (of_high, of_low) = match (high_by(outer), high_by(inner)) {
        (true, false) if !terms.mentions(high, inner) => (outer, inner),
        (false, true) if !terms.mentions(high, outer) => (inner, outer),
        _ => return None,
    };
    let whole = (*terms.polynomial(high)).clone();
    let whole = integral(terms, &whole);
    if !scope.holds(whole) {
        return None;
    }
    let terms = &mut scope.terms;
    let most = [(of_high, high), (of_low, low)].map(|(index, position)| {
        let axis = Demand {
            binders: vec![index],
            array: demand.array,
            position,
            amount: Polynomial::constant(Rational::ONE),
        };
        let vector = rebuild(terms, &[axis]);
        terms.arena.vector_max(vector)
    });
    let amount = terms.expression(&demand.amount);
    let right = terms.arena.mul(&[amount, most[0], most[1]]);
    let guards = vec![nonnegative(terms, &demand.amount)];
    Some(Candidate { right, guards })
}
