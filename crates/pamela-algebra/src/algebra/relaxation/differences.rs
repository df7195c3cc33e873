//! Differences of roundings, which have sharper bounds than the single roundings.

use crate::expr::{Function, Node};
use crate::ring::{Atom, Polynomial};

use super::{MOST_TERMS, Relaxation, Side, Sign};
use crate::algebra::terms::expr_of;

impl Relaxation<'_> {
    /// A bound in which no two roundings are a constant apart before they are rounded: `floor(x + d) - floor(x)` is at least
    /// `floor(d)` and at most `ceil(d)`, and so it is of ceilings.
    pub(super) fn without_differences(
        &mut self,
        polynomial: &Polynomial,
        side: Side,
    ) -> Polynomial {
        let mut result = polynomial.clone();
        let atoms = polynomial.atoms().into_iter();
        let roundings: Vec<Atom> = atoms
            .filter(|&atom| self.rounding(atom).is_some())
            .collect();
        for (place, &one) in roundings.iter().enumerate() {
            for &other in &roundings[place + 1..] {
                if let Some(bound) = self.without_difference(&result, one, other, side) {
                    result = bound;
                }
            }
        }
        result
    }

    fn without_difference(
        &mut self,
        polynomial: &Polynomial,
        one: Atom,
        other: Atom,
        side: Side,
    ) -> Option<Polynomial> {
        let (function, x) = self.rounding(one)?;
        let (other_function, y) = self.rounding(other)?;
        if function != other_function {
            return None;
        }
        let distance = self.scope.terms.expression(&(&x - &y));
        if self.scope.terms.indices(distance) > 0 {
            return None;
        }
        let factor = linear_coefficient(polynomial, one)?;
        let opposite = linear_coefficient(polynomial, other)?;
        if !(&factor + &opposite).is_zero() || factor.contains(other) {
            return None;
        }
        let side = match self.sign(&factor)? {
            Sign::NonNegative => side,
            Sign::NonPositive => side.opposite(),
        };
        let terms = &mut self.scope.terms;
        let rounded = match side {
            Side::Lower => Function::Floor,
            Side::Upper => Function::Ceil,
        };
        let bound = terms.arena.apply(rounded, distance);
        let bound = terms.polynomial(bound);
        let difference = &Polynomial::atom(one) - &Polynomial::atom(other);
        let more = factor.checked_mul(&(&*bound - &difference), MOST_TERMS)?;
        Some(polynomial + &more)
    }

    /// The operand of a rounding along an index, and the function.
    fn rounding(&mut self, atom: Atom) -> Option<(Function, Polynomial)> {
        let id = expr_of(atom);
        let Node::Apply(function @ (Function::Floor | Function::Ceil), operand) =
            *self.scope.terms.arena.node(id)
        else {
            return None;
        };
        let moves = self.scope.terms.indices(id) > 0;
        moves.then(|| (function, (*self.scope.terms.polynomial(operand)).clone()))
    }
}

/// The factor of an atom that a polynomial is linear in.
fn linear_coefficient(polynomial: &Polynomial, atom: Atom) -> Option<Polynomial> {
    if polynomial.degree_in(atom) != 1 || polynomial.min_degree_in(atom) < 0 {
        return None;
    }
    polynomial.coefficients_in(atom).remove(&1)
}
