//! Collects a sum by parameters.

use super::present::Presenter;
use super::sum::{Sum, build_sum, build_term};
use crate::expr::{Arena, ExprId, Node, Sort, Symbol};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

/// A sum as `tf * (..) + tm * (..)`, the form of a paper; `None` if none of the parameters is a factor of its terms.
///
/// Parameters within a maximum or a choice stay there.
pub fn collected(
    arena: &mut Arena,
    id: ExprId,
    parameters: &[Symbol],
    presenter: &mut Presenter,
) -> Option<ExprId> {
    if arena.sort(id) != Sort::Scalar {
        return None;
    }
    let polynomial = Sum::read(arena, id)?.polynomial;
    let place = |arena: &Arena, atom: Atom| match arena.node(ExprId::from_index(atom.0)) {
        Node::Symbol(symbol) => parameters.iter().position(|own| own == symbol),
        _ => None,
    };
    // The powers of parameters in a term, in the order of the parameters, with their coefficients.
    type Group = (usize, Monomial, Vec<(Monomial, Rational)>);
    let mut groups: Vec<Group> = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let (mut own, mut rest) = (Monomial::one(), monomial.clone());
        let mut first = usize::MAX;
        for &(atom, exponent) in monomial.powers() {
            if let Some(place) = place(arena, atom) {
                own = own.checked_mul(&Monomial::power(atom, exponent))?;
                rest = rest.without(atom);
                first = first.min(place);
            }
        }
        let term = (rest, coefficient.clone());
        match groups.iter_mut().find(|(_, known, _)| *known == own) {
            Some((.., terms)) => terms.push(term),
            None => groups.push((first, own, vec![term])),
        }
    }
    if groups.iter().all(|(_, own, _)| own.is_one()) {
        return None;
    }
    groups.sort_by_key(|(place, ..)| *place);
    let mut terms = Vec::new();
    for (_, own, rest) in groups {
        let rest = build_sum(arena, &Polynomial::from_terms(rest));
        let rest = presenter.shown(arena, rest);
        let own = build_term(arena, &own, &Rational::ONE);
        terms.push(arena.mul(&[own, rest]));
    }
    Some(arena.add(&terms))
}
