//! The largest demand where positions are digits of two indices, which are dealt out on a grid.
//!
//! All demands are the same here, so that the busiest position is the one that is met most often.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{Polynomial, Rational};

use super::super::scope::{Candidate, Scope};
use super::super::terms::{Terms, expr_of};
use super::vectors::{Demand, demands_of, nonnegative, rebuild, reciprocal};
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
