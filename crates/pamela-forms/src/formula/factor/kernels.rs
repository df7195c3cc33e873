//! Finds sums that are a common factor of several terms.
//!
//! For example, `a + b + c - e * b - e * c` becomes `(1 - e) * (b + c) + a`.
//!
//! A kernel is the quotient of the terms that a monomial divides. Sums that are common factors are
//! among the kernels. Source: R. K. Brayton, C. McMullen, *The decomposition and factorization of
//! Boolean expressions*, 1982.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::divisors::with_fewer_minuses;
use crate::expr::{Arena, ExprId};
use crate::formula::sum::build_sum;
use crate::ring::{Atom, Monomial, Polynomial, Rational};

/// Sums of more terms are not looked at: each pair of terms has kernels.
const MAX_TERMS: usize = 16;

/// `kernel * quotient + rest`
pub(super) struct Kernel {
    pub kernel: Polynomial,
    pub quotient: Polynomial,
    pub rest: Polynomial,
}

/// Returns the `wanted` ways that leave the fewest terms. No kernel contains an atom that stays
/// `apart`.
pub(super) fn kernels(
    arena: &mut Arena,
    sum: &Polynomial,
    apart: impl Fn(&Arena, Atom) -> bool,
    wanted: usize,
) -> Vec<Kernel> {
    if !(4..=MAX_TERMS).contains(&sum.len()) {
        return Vec::new();
    }
    let mut found: Vec<(usize, Kernel)> = Vec::new();
    for candidate in candidates(sum) {
        if candidate.atoms().into_iter().any(|atom| apart(arena, atom)) {
            continue;
        }
        let candidate = with_fewer_minuses(arena, candidate);
        let known = found.iter().any(|(_, other)| other.kernel == candidate);
        let Some(divided) = divided(sum, candidate).filter(|_| !known) else {
            continue;
        };
        let left = divided.kernel.len() + divided.quotient.len() + divided.rest.len();
        found.push((left, divided));
    }
    let mut found: Vec<(usize, ExprId, Kernel)> = found
        .into_iter()
        .map(|(left, divided)| (left, build_sum(arena, &divided.kernel), divided))
        .collect();
    found.sort_by(|(left, shown, _), (other, beside, _)| {
        left.cmp(other).then_with(|| arena.compare(*shown, *beside))
    });
    let divided = found.into_iter().map(|(.., divided)| divided);
    divided.take(wanted).collect()
}

/// Kernels: for each pair of terms, the terms divided by their common factor, with all terms that share it. The
/// quotient of any two terms of a kernel is also the quotient of another pair.
fn candidates(sum: &Polynomial) -> Vec<Polynomial> {
    let terms: Vec<(&Monomial, &Rational)> = sum.terms().collect();
    let mut by_quotient: FxHashMap<(Monomial, Rational), Vec<[usize; 2]>> = FxHashMap::default();
    for first in 0..terms.len() {
        for second in first + 1..terms.len() {
            if let Some(quotient) = quotient(terms[first], terms[second]) {
                let pairs = by_quotient.entry(quotient).or_default();
                pairs.push([first, second]);
            }
        }
    }
    let several = by_quotient.into_values().filter(|pairs| pairs.len() > 1);
    let mut pairs: Vec<[usize; 2]> = several.flatten().collect();
    pairs.sort_unstable();
    let mut list = Vec::new();
    for pair in pairs
        .into_iter()
        .map(|pair| pair.map(|number| terms[number]))
    {
        let [(first, _), (second, _)] = pair;
        let Some(common) = common(first, second) else {
            continue;
        };
        let divided = |&(monomial, c): &(&Monomial, &Rational)| {
            let rest = monomial.checked_div(&common)?;
            let whole = rest.powers().iter().all(|&(_, power)| power > 0);
            whole.then(|| (rest, c.clone()))
        };
        let pair = pair.iter().filter_map(divided).collect();
        list.push(primitive(&Polynomial::from_terms(pair)));
        let all: Vec<_> = terms.iter().filter_map(divided).collect();
        if (3..sum.len()).contains(&all.len()) {
            list.push(primitive(&Polynomial::from_terms(all)));
        }
    }
    list
}

/// The quotient of two terms, or its inverse: the same for both orders.
fn quotient(
    (first, c): (&Monomial, &Rational),
    (second, d): (&Monomial, &Rational),
) -> Option<(Monomial, Rational)> {
    let [upwards, downwards] = [second.checked_div(first)?, first.checked_div(second)?];
    Some(if upwards <= downwards {
        (upwards, d * &c.recip()?)
    } else {
        (downwards, c * &d.recip()?)
    })
}

/// The product of common atoms to their least powers, which are negative in denominators.
fn common(first: &Monomial, second: &Monomial) -> Option<Monomial> {
    let atoms = first.powers().iter().chain(second.powers());
    let atoms: BTreeSet<Atom> = atoms.map(|&(atom, _)| atom).collect();
    atoms
        .into_iter()
        .try_fold(Monomial::one(), |product, atom| {
            let least = first.exponent(atom).min(second.exponent(atom));
            product.checked_mul(&Monomial::power(atom, least))
        })
}

fn primitive(sum: &Polynomial) -> Polynomial {
    match sum.content().recip() {
        Some(inverse) => sum.scale(&inverse),
        None => sum.clone(),
    }
}

/// All multiples of the kernel by single terms that are terms of the sum, where there are two or more, and none has a term
/// of another.
fn divided(sum: &Polynomial, kernel: Polynomial) -> Option<Kernel> {
    let (leading, coefficient) = kernel.terms().next()?;
    let inverse = coefficient.recip()?;
    let mut quotient = Vec::new();
    let mut used: BTreeSet<Monomial> = BTreeSet::new();
    for (monomial, c) in sum.terms() {
        let factor = (monomial.checked_div(leading)?, c * &inverse);
        let mut multiple = Vec::with_capacity(kernel.len());
        for (other, d) in kernel.terms() {
            multiple.push((other.checked_mul(&factor.0)?, d * &factor.1));
        }
        let is_there = |(product, d): &(Monomial, Rational)| sum.coefficient(product) == *d;
        if !multiple.iter().all(is_there) {
            continue;
        }
        for (product, _) in multiple {
            if !used.insert(product) {
                return None;
            }
        }
        quotient.push(factor);
    }
    if quotient.len() < 2 {
        return None;
    }
    let rest = sum
        .terms()
        .filter(|(monomial, _)| !used.contains(*monomial));
    let rest = rest.map(|(monomial, c)| (monomial.clone(), c.clone()));
    Some(Kernel {
        rest: Polynomial::from_terms(rest.collect()),
        quotient: Polynomial::from_terms(quotient),
        kernel,
    })
}
