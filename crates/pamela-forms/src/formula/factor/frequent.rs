//! Chooses the atoms by which terms are grouped first.

use std::collections::BTreeMap;

use super::stays_apart;
use crate::expr::{Arena, ExprId};
use crate::formula::weight::Weights;
use crate::ring::{Atom, Polynomial};

/// Maximum number of terms of sums whose parts are grouped in two ways.
const MOST_TRIED_TWICE: usize = 12;

/// Returns atoms that some, but not all, terms share.
///
/// Takes the `wanted` atoms that save the most reading. If `wanted` is above 1 or the sum is short,
/// adds the `wanted` most frequent ones.
pub(super) fn frequent_atoms(
    weights: &mut Weights,
    arena: &Arena,
    polynomial: &Polynomial,
    wanted: usize,
) -> Vec<Atom> {
    let mut counts: BTreeMap<Atom, u32> = BTreeMap::new();
    for (monomial, _) in polynomial.terms() {
        for &(atom, _) in monomial.powers() {
            *counts.entry(atom).or_insert(0) += 1;
        }
    }
    let some = |&(atom, count): &(Atom, u32)| {
        count > 1 && (count as usize) < polynomial.len() && !stays_apart(arena, atom)
    };
    let with_weight = |(atom, count): (Atom, u32)| {
        let weight = weights.of(arena, ExprId::from_index(atom.0));
        (atom, count, (count - 1).saturating_mul(weight))
    };
    let mut atoms: Vec<_> = counts.into_iter().filter(some).map(with_weight).collect();
    let structure =
        |a: Atom, b: Atom| arena.compare(ExprId::from_index(a.0), ExprId::from_index(b.0));
    atoms.sort_by(|(a, _, m), (b, _, n)| n.cmp(m).then_with(|| structure(*a, *b)));
    let mut first: Vec<Atom> = atoms.iter().take(wanted).map(|&(atom, ..)| atom).collect();
    if wanted > 1 || polynomial.len() <= MOST_TRIED_TWICE {
        atoms.sort_by(|(a, m, _), (b, n, _)| n.cmp(m).then_with(|| structure(*a, *b)));
        let further = atoms.iter().take(wanted).map(|&(atom, ..)| atom);
        let further: Vec<Atom> = further.filter(|atom| !first.contains(atom)).collect();
        first.extend(further);
    }
    first
}
