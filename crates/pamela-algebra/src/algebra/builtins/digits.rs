//! The largest demand if positions are digits of two indices that are distributed on a grid.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::vectors::{Demand, demands_of, nonnegative, rebuild, reciprocal};
use super::{at_most, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

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

/// The only demand, over ranges that do not depend on the indices of each other.
fn rectangle(scope: &mut Scope, term: ExprId, binders: usize) -> Option<(Demand, Vec<Span>)> {
    let [demand] = <[Demand; 1]>::try_from(demands_of(scope, term)?).ok()?;
    let terms = &mut scope.terms;
    let spans: Option<Vec<Span>> = (demand.binders.iter())
        .map(|&index| Span::of(terms, index))
        .collect();
    let spans = spans.filter(|spans| spans.len() == binders)?;
    let rectangular = |span: &Span| {
        let bounds = [&span.lower, &span.count];
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

/// The parts of an amount that mention the first index, and the others; `None` where some mention both.
fn separated(
    terms: &mut Terms,
    amount: &Polynomial,
    [first, second]: [Symbol; 2],
) -> Option<[Polynomial; 2]> {
    let content = amount.monomial_content();
    let rest = amount.mul_term(&content.checked_pow(-1)?, &Rational::ONE)?;
    let mut parts = [Polynomial::one(), Polynomial::one()];
    let factors = content.powers().iter();
    let factors =
        factors.map(|&(atom, power)| Polynomial::term(Monomial::power(atom, power), Rational::ONE));
    for factor in factors.chain([rest]) {
        let mentions = [first, second].map(|index| terms.polynomial_mentions(&factor, index));
        let place = match mentions {
            [true, true] => return None,
            [true, false] => 0,
            _ => 1,
        };
        parts[place] = terms.multiply(&parts[place], &factor)?;
    }
    Some(parts)
}

/// Positions `s*(x mod Q) + c` with constant `s` and `c` are replaced by the positions `x mod Q`.
pub fn moved(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    moved_alike(scope, term).into_iter().collect()
}

fn moved_alike(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let [mut demand] = <[Demand; 1]>::try_from(demands_of(scope, term)?).ok()?;
    let terms = &mut scope.terms;
    let position = (*terms.polynomial(demand.position)).clone();
    let moves = |terms: &mut Terms, p: &Polynomial| {
        let mut binders = demand.binders.iter();
        binders.any(|&index| terms.polynomial_mentions(p, index))
    };
    let moving = (position.atoms().into_iter()).filter(|&a| moves(terms, &Polynomial::atom(a)));
    let [atom] = <[Atom; 1]>::try_from(moving.collect::<Vec<_>>()).ok()?;
    remainder(terms, expr_of(atom))?;
    let mut by_power = position.coefficients_in(atom);
    let scale = by_power.remove(&1)?;
    let still = position == Polynomial::atom(atom);
    if still
        || by_power.keys().any(|&power| power != 0)
        || !scope.prover.nonzero(&mut scope.terms, &scale)
    {
        return None;
    }
    demand.position = expr_of(atom);
    let vector = rebuild(&mut scope.terms, &[demand]);
    Some(Candidate {
        right: scope.terms.arena.vector_max(vector),
        guards: Vec::new(),
    })
}

/// Positions `Q*x + y mod Q` where `x` depends on one index and `y` on the other: the busiest row of the busiest
/// column.
pub fn two_dimensions(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_axes(scope, term).into_iter().collect()
}

fn by_axes(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, _) = rectangle(scope, term, 2)?;
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
    let [by_row, by_column] = separated(terms, &demand.amount, [of_high, of_low])?;
    // If the column factors are nonnegative, factors of empty rows contribute 0 on both sides.
    let guards = vec![nonnegative(terms, &by_column)];
    let axes = [(of_high, high, by_row), (of_low, low, by_column)];
    let most = axes.map(|(index, position, amount)| {
        let axis = Demand {
            binders: vec![index],
            array: demand.array,
            position,
            amount,
        };
        let vector = rebuild(terms, &[axis]);
        terms.arena.vector_max(vector)
    });
    Some(Candidate {
        right: terms.arena.mul(&most),
        guards,
    })
}
