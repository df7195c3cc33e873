//! Sums of products of powers of any atoms.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use num_rational::BigRational;
use num_traits::{One, Zero};

/// A product of powers of atoms; 1 of none.
pub(super) type Monomial<A> = BTreeMap<A, BigRational>;

/// Products with nonzero coefficients.
pub(super) type Sum<A> = BTreeMap<Monomial<A>, BigRational>;

pub(super) fn unit<A: Ord + Clone>() -> Sum<A> {
    constant(BigRational::one())
}

pub(super) fn is_unit<A>(sum: &Sum<A>) -> bool {
    let first = sum.iter().next();
    sum.len() == 1 && first.is_some_and(|(monomial, value)| monomial.is_empty() && value.is_one())
}

pub(super) fn constant<A: Ord + Clone>(value: BigRational) -> Sum<A> {
    let terms = (!value.is_zero()).then(|| (Monomial::new(), value));
    terms.into_iter().collect()
}

/// The rational that a sum is, if it is one.
pub(super) fn as_constant<A: Ord + Clone>(sum: &Sum<A>) -> Option<BigRational> {
    match (sum.len(), sum.first_key_value()) {
        (0, _) => Some(BigRational::zero()),
        (1, Some((monomial, value))) if monomial.is_empty() => Some(value.clone()),
        _ => None,
    }
}

pub(super) fn add_term<A: Ord + Clone>(
    sum: &mut Sum<A>,
    monomial: Monomial<A>,
    coefficient: BigRational,
) {
    let entry = sum.entry(monomial);
    match entry {
        Entry::Vacant(place) => {
            place.insert(coefficient);
        }
        Entry::Occupied(mut place) => {
            *place.get_mut() += coefficient;
            if place.get().is_zero() {
                place.remove();
            }
        }
    }
}

pub(super) fn scaled<A: Ord + Clone>(sum: &Sum<A>, factor: &BigRational) -> Sum<A> {
    let terms = sum.iter().map(|(m, c)| (m.clone(), c * factor));
    terms.collect()
}

pub(super) fn bits(value: &BigRational) -> u64 {
    value.numer().bits() + value.denom().bits()
}

/// `c` where `a = c * b`.
pub(super) fn ratio<A: Ord + Clone>(a: &Sum<A>, b: &Sum<A>) -> Option<BigRational> {
    if a.len() != b.len() {
        return None;
    }
    let factor = a.first_key_value()?.1 / b.first_key_value()?.1;
    let mut pairs = a.iter().zip(b);
    pairs
        .all(|((m, x), (n, y))| m == n && *x == y * &factor)
        .then_some(factor)
}
