//! Replaces an atom by a bound plus a nonnegative distance.

use std::rc::Rc;

use super::fact::{Fact, Relation};
use super::polynomial::Polynomial;
use super::signs::{Bound, Sign};

/// Larger polynomials are not pursued.
pub(super) const MAX_TERMS: usize = 200;

/// An atom replaced by its bound: `atom = (distance - rest) / coefficient`.
///
/// The distance, which is the value of the fact, takes over the name of the atom.
pub(super) struct Replacement<'a> {
    bound: &'a Bound,
    /// `distance - rest`
    numerator: Polynomial,
    distance: Option<Fact>,
    divisor: Sign,
}

impl<'a> Replacement<'a> {
    /// The divisor is the sign of the bound's coefficient, known not to be 0.
    pub fn new(bound: &'a Bound, relation: Relation, divisor: Sign) -> Replacement<'a> {
        let distance = (relation != Relation::Zero).then(|| Fact {
            polynomial: Polynomial::atom(bound.atom),
            relation,
        });
        let value = distance.iter().map(|fact| fact.polynomial.clone());
        Replacement {
            bound,
            numerator: value.sum::<Polynomial>() - bound.rest.clone(),
            distance,
            divisor,
        }
    }

    /// The polynomial after the replacement, times a positive factor that clears denominators. Terms that are multiplied
    /// are counted as `work`.
    pub fn apply(&self, polynomial: &Polynomial, work: &mut u64) -> Option<Polynomial> {
        let Bound {
            atom, coefficient, ..
        } = self.bound;
        let coefficients = polynomial.coefficients_in(*atom);
        let (&degree, _) = coefficients.last_key_value()?;
        *work += polynomial.len() as u64;
        let mut times = |one: &Polynomial, other: &Polynomial| {
            *work += (one.len() * other.len()) as u64;
            one.checked_mul(other, MAX_TERMS)
        };
        let mut total = Polynomial::zero();
        for (exponent, factor) in coefficients {
            let power = self
                .numerator
                .pow(u32::try_from(exponent).ok()?, MAX_TERMS)?;
            let cleared = coefficient.pow((degree - exponent).unsigned_abs(), MAX_TERMS)?;
            let term = times(&factor, &power)?;
            total += times(&term, &cleared)?;
        }
        let flipped = degree % 2 != 0 && self.divisor.nonpositive;
        let total = if flipped { -total } else { total };
        (total.len() <= MAX_TERMS).then_some(total)
    }

    pub fn apply_to_facts(&self, facts: &[Rc<Fact>], own: usize, work: &mut u64) -> Vec<Rc<Fact>> {
        let others = facts
            .iter()
            .enumerate()
            .filter(|(position, _)| *position != own);
        let replaced = others.filter_map(|(_, fact)| {
            if !fact.polynomial.contains(self.bound.atom) {
                return Some(fact.clone());
            }
            Some(Rc::new(Fact {
                polynomial: self.apply(&fact.polynomial, work)?,
                relation: fact.relation,
            }))
        });
        let distance = self.distance.clone().map(Rc::new);
        replaced.chain(distance).collect()
    }
}
