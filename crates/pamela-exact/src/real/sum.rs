//! Sums of products of powers of atoms.

use std::collections::btree_map::Entry;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::form::{Monomial, Sum};

pub(super) fn unit() -> Sum {
    constant(BigRational::one())
}

pub(super) fn constant(value: BigRational) -> Sum {
    let terms = (!value.is_zero()).then(|| (Monomial::new(), value));
    terms.into_iter().collect()
}

/// The rational that a sum is, if it is one.
pub(super) fn as_constant(sum: &Sum) -> Option<BigRational> {
    match (sum.len(), sum.first_key_value()) {
        (0, _) => Some(BigRational::zero()),
        (1, Some((monomial, value))) if monomial.is_empty() => Some(value.clone()),
        _ => None,
    }
}

pub(super) fn add_term(sum: &mut Sum, monomial: Monomial, coefficient: BigRational) {
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

pub(super) fn scaled(sum: &Sum, factor: &BigRational) -> Sum {
    let terms = sum.iter().map(|(m, c)| (m.clone(), c * factor));
    terms.collect()
}

pub(super) fn bits(value: &BigRational) -> u64 {
    value.numer().bits() + value.denom().bits()
}

/// `c` where `a = c * b`.
pub(super) fn ratio(a: &Sum, b: &Sum) -> Option<BigRational> {
    if a.len() != b.len() {
        return None;
    }
    let factor = a.first_key_value()?.1 / b.first_key_value()?.1;
    let mut pairs = a.iter().zip(b);
    pairs
        .all(|((m, x), (n, y))| m == n && *x == y * &factor)
        .then_some(factor)
}
