//! Sums of laws with atoms and a smooth part.
//!
//! A sum of atoms is an atom of the sum, which a transform would smooth.

use super::order::moved;
use super::piece::{Piece, Shape};
use super::trace::{REACH as FAR, budget_of_likely};
use super::{Grid, integral};
use crate::{Cumulants, Discrete, Probability, Support};
use std::collections::BTreeMap;

/// A sum with a law of at most this many single values is a mixture of the other law shifted by each of them.
const VALUES: usize = 16;

/// Limits for sums that are composed part by part: copies, and parts.
const FEW: f64 = 4.0;
const PARTS: usize = 16;

/// Parts of a sum that are less likely are left out.
const NEVER: f64 = 1e-15;

/// If laws have more single values, or sums of them are rarer, single values are not kept apart.
const MANY: usize = 256;
const RARE: f64 = 1e-9;

/// The smooth part of a law is known between these logits.
const REACH: f64 = 29.0;

impl Grid {
    /// The sum of whole numbers of copies, if transforms would smooth atoms; otherwise `None`.
    pub(super) fn sum_of_mixed(terms: &[(f64, &Grid)]) -> Option<Grid> {
        let discrete = |(_, law): &(f64, &Grid)| law.pieces.iter().all(is_atom);
        let chance = terms.iter().map(|(n, law)| law.chance_of_atoms().powf(*n));
        if terms.iter().all(discrete) {
            return None;
        }
        if let Some(sum) = Grid::sum_of_few(terms) {
            return Some(sum);
        }
        if chance.product::<f64>() < RARE {
            return None;
        }
        // The transform keeps a value at an end.
        let at_ends = [true, false].map(|first| {
            let own = |(_, law): &(f64, &Grid)| law.has_atom_at_end_only(first);
            terms.iter().all(own)
        });
        if at_ends.contains(&true) {
            return None;
        }
        let mut sum: Option<Grid> = None;
        for (n, law) in terms {
            let copies = law.copies_of_mixed(*n);
            sum = Some(match sum {
                Some(sum) => sum.plus(&copies),
                None => copies,
            });
        }
        sum
    }

    /// A sum of few copies by how many of each law are no single values. A transform would round the corners that these make,
    /// and the extremes of many such sums stand on corners.
    fn sum_of_few(terms: &[(f64, &Grid)]) -> Option<Grid> {
        let copies: f64 = terms.iter().map(|(n, _)| n).sum();
        let has_atoms = terms.iter().any(|(_, law)| law.pieces.iter().any(is_atom));
        if !has_atoms || copies > FEW {
            return None;
        }
        let smooth: Vec<_> = terms.iter().map(|(_, law)| law.smooth_part()).collect();
        // By the numbers of smooth copies: what the others add up to, with its probability.
        let mut parts = BTreeMap::from([(vec![0u8; terms.len()], vec![(0.0, 1.0)])]);
        for (place, (n, law)) in terms.iter().enumerate() {
            let atom = |piece: &Piece| match piece.shape {
                Shape::Atom(value) => Some((value, integral::mass(piece.from, piece.to))),
                Shape::Smooth(..) => None,
            };
            let atoms: Vec<(f64, f64)> = law.pieces.iter().filter_map(atom).collect();
            for _ in 0..*n as usize {
                let mut next: BTreeMap<Vec<u8>, Vec<(f64, f64)>> = BTreeMap::new();
                for (counts, values) in parts {
                    if let Some((weight, _)) = &smooth[place] {
                        let mut counts = counts.clone();
                        counts[place] += 1;
                        let with_smooth = values.iter().map(|(x, p)| (*x, p * weight));
                        next.entry(counts).or_default().extend(with_smooth);
                    }
                    let sums = (values.iter())
                        .flat_map(|(x, p)| atoms.iter().map(move |(y, q)| (x + y, p * q)));
                    next.entry(counts).or_default().extend(sums);
                }
                next.values_mut().for_each(join_equal);
                if next.values().map(Vec::len).sum::<usize>() > PARTS {
                    return None;
                }
                parts = next;
            }
        }
        let mut laws = Vec::new();
        for (counts, values) in &parts {
            let own = counts.iter().zip(&smooth).filter(|(count, _)| **count > 0);
            let own = own.filter_map(|(&count, law)| Some((f64::from(count), &law.as_ref()?.1)));
            let sum = Grid::sum_of_copies(&own.collect::<Vec<_>>());
            let likely = values.iter().filter(|(_, p)| *p > NEVER);
            laws.extend(likely.map(|&(x, p)| (p, sum.shifted(x))));
        }
        let total: f64 = laws.iter().map(|(weight, _)| weight).sum();
        let laws: Vec<(f64, &Grid)> = laws.iter().map(|(w, law)| (w / total, law)).collect();
        let zero = Cumulants::constant(0.0);
        let cumulants =
            (terms.iter()).fold(zero, |all, (n, law)| all.plus(&law.cumulants.repeated(*n)));
        Some(Grid::mixture(&laws).with_cumulants(cumulants))
    }

    /// By squaring: there are few, since all of them may be single values.
    fn copies_of_mixed(&self, n: f64) -> Grid {
        let (mut rest, mut square, mut sum) = (n as u64, self.clone(), None);
        loop {
            if rest % 2 == 1 {
                sum = Some(match sum {
                    Some(sum) => square.plus(&sum),
                    None => square.clone(),
                });
            }
            rest /= 2;
            if rest == 0 {
                return sum.unwrap_or_else(|| Grid::constant(0.0));
            }
            square = square.plus(&square);
        }
    }

    /// The sum of independent variables: where one is a single value, the other one moved.
    fn plus(&self, other: &Grid) -> Grid {
        let count = |law: &Grid| law.pieces.iter().filter(|piece| is_atom(piece)).count();
        let (x, y) = match count(self) <= count(other) {
            true => (self, other),
            false => (other, self),
        };
        let chance = x.chance_of_atoms() * y.chance_of_atoms();
        // The one with fewer single values may be smooth while the other one has some.
        let (x, y) = if count(x) == 0 { (y, x) } else { (x, y) };
        if count(x) == 0 || count(x) > MANY || count(y) > 0 && chance < RARE {
            return Grid::sum_by_transform(&[(1.0, x), (1.0, y)]);
        }
        if count(x) > VALUES {
            return x.plus_by_parts(y);
        }
        let atom = |piece: &Piece| match piece.shape {
            Shape::Atom(value) => Some((integral::mass(piece.from, piece.to), y.shifted(value))),
            Shape::Smooth(..) => None,
        };
        let mut parts: Vec<(f64, Grid)> = x.pieces.iter().filter_map(atom).collect();
        if let Some((weight, smooth)) = x.smooth_part() {
            parts.push((weight, Grid::sum_by_transform(&[(1.0, &smooth), (1.0, y)])));
        }
        let total: f64 = parts.iter().map(|(weight, _)| weight).sum();
        let parts: Vec<(f64, &Grid)> = parts.iter().map(|(w, law)| (w / total, law)).collect();
        let cumulants = x.cumulants.plus(&y.cumulants);
        Grid::mixture(&parts).with_cumulants(cumulants)
    }

    /// The sum: of single values exactly, of the other parts by transforms.
    fn plus_by_parts(&self, other: &Grid) -> Grid {
        let [(Some(own), own_rest), (Some(others), others_rest)] = [self, other].map(Grid::parted)
        else {
            return Grid::sum_by_transform(&[(1.0, self), (1.0, other)]);
        };
        let values = |atoms: &Discrete| Grid::of_discrete(atoms);
        let (p, q) = (self.chance_of_atoms(), other.chance_of_atoms());
        let both = Discrete::sum_of_copies(&[(1.0, &own), (1.0, &others)]);
        let both = both.map_or_else(
            || Grid::sum_by_transform(&[(1.0, &values(&own)), (1.0, &values(&others))]),
            |sum| values(&sum),
        );
        let mut parts = vec![(p * q, both)];
        if let Some((weight, smooth)) = own_rest {
            let sum = Grid::sum_by_transform(&[(1.0, &smooth), (1.0, other)]);
            parts.push((weight, sum));
        }
        if let Some((weight, smooth)) = others_rest {
            let sum = Grid::sum_by_transform(&[(1.0, &values(&own)), (1.0, &smooth)]);
            parts.push((p * weight, sum));
        }
        let total: f64 = parts.iter().map(|(weight, _)| weight).sum();
        let parts: Vec<(f64, &Grid)> = parts.iter().map(|(w, law)| (w / total, law)).collect();
        let cumulants = self.cumulants.plus(&other.cumulants);
        Grid::mixture(&parts).with_cumulants(cumulants)
    }

    /// The law given that it is one of its single values, if there are some, and its smooth part.
    fn parted(&self) -> (Option<Discrete>, Option<(f64, Grid)>) {
        (self.single_values(), self.smooth_part())
    }

    /// The law given that it is one of its single values.
    fn single_values(&self) -> Option<Discrete> {
        let point = |piece: &Piece| match piece.shape {
            Shape::Atom(value) => Some((value, integral::mass(piece.from, piece.to))),
            Shape::Smooth(..) => None,
        };
        let points: Vec<(f64, f64)> = self.pieces.iter().filter_map(point).collect();
        Discrete::new(&points)
    }

    /// The sum of copies of laws that consist of atoms only; `None` for others, and for too many
    /// atoms.
    pub(super) fn sum_of_values(terms: &[(f64, &Grid)]) -> Option<Grid> {
        let values = |&(n, law): &(f64, &Grid)| {
            let values = law.pieces.iter().all(is_atom).then(|| law.single_values());
            Some((n, values??))
        };
        let values: Vec<(f64, Discrete)> = terms.iter().map(values).collect::<Option<_>>()?;
        let values: Vec<(f64, &Discrete)> = values.iter().map(|(n, law)| (*n, law)).collect();
        let sum = Grid::of_discrete(&Discrete::sum_of_copies(&values)?);
        let zero = Cumulants::constant(0.0);
        let cumulants =
            (terms.iter()).fold(zero, |all, (n, law)| all.plus(&law.cumulants.repeated(*n)));
        Some(sum.with_cumulants(cumulants))
    }

    /// Like [`Grid::plus`], also for constants.
    pub(super) fn plus_mixed(&self, other: &Grid) -> Grid {
        match self.as_constant() {
            Some(value) => other.shifted(value),
            None => self.plus(other),
        }
    }

    pub(super) fn chance_of_atoms(&self) -> f64 {
        let atoms = self.pieces.iter().filter(|piece| is_atom(piece));
        atoms
            .map(|piece| integral::mass(piece.from, piece.to))
            .sum()
    }

    /// True if the only single value, if there is one, is the least one, or else the largest one.
    fn has_atom_at_end_only(&self, first: bool) -> bool {
        let inner = match first {
            true => self.pieces.get(1..),
            false => self.pieces.split_last().map(|(_, inner)| inner),
        };
        !inner.unwrap_or_default().iter().any(is_atom)
    }

    /// Between which values those lie that are no single ones.
    fn support_of_smooth(&self) -> Support {
        let is_smooth = |piece: &Piece| !is_atom(piece);
        let first = self.pieces.iter().position(is_smooth);
        let last = self.pieces.iter().rposition(is_smooth);
        let (Some(first), Some(last)) = (first, last) else {
            return self.support;
        };
        let is_last = last + 1 == self.pieces.len();
        let whole = self.support;
        let lower = if first == 0 {
            whole.lower
        } else {
            self.ends[first].0
        };
        let upper = if is_last {
            whole.upper
        } else {
            self.ends[last].1
        };
        Support::new(lower, upper)
    }

    /// The law without its atoms, with its probability.
    pub(super) fn smooth_part(&self) -> Option<(f64, Grid)> {
        let smooth: Vec<&Piece> = self.pieces.iter().filter(|piece| !is_atom(piece)).collect();
        let masses = smooth
            .iter()
            .map(|piece| integral::mass(piece.from, piece.to));
        let masses: Vec<f64> = masses.collect();
        let weight: f64 = masses.iter().sum();
        if smooth.is_empty() || weight <= RARE {
            return None;
        }
        let mut pieces = Vec::new();
        let mut before = 0.0;
        for (i, (piece, mass)) in smooth.iter().zip(&masses).enumerate() {
            let after: f64 = masses[i + 1..].iter().sum();
            let given = |s: f64| Probability {
                below: (before + integral::mass(piece.from, s)) / weight,
                above: (after + integral::mass(s, piece.to)) / weight,
            };
            let map = |s: f64| {
                let (whole, part) = (Probability::from_logit(s), given(s));
                let rate = whole.below * whole.above / (weight * part.below * part.above);
                (part.logit(), rate)
            };
            let [from, to] = [piece.from, piece.to].map(Probability::from_logit);
            // Relative to the probability of reaching this point.
            let least = Probability::from_logit(-REACH).below * to.below.min(from.above);
            if *mass > 4.0 * least {
                let low = Probability {
                    below: from.below + least,
                    above: from.above - least,
                };
                let high = Probability {
                    below: to.below - least,
                    above: to.above + least,
                };
                // Next to a single value, smaller probabilities are lost in its probability.
                let inside = |end: f64, open: f64, near: Probability| match end.is_finite() {
                    true => near.logit(),
                    false => open,
                };
                let limits = [inside(piece.from, -FAR, low), inside(piece.to, FAR, high)];
                let middle = 0.5 * (limits[0] + limits[1]);
                pieces.push(moved(
                    piece,
                    &map,
                    limits,
                    middle,
                    budget_of_likely(smooth.len(), mass / weight),
                ));
            }
            before += mass;
        }
        let grid = Grid::from_pieces(pieces, self.support_of_smooth(), self.at(0.0).0);
        Some((weight, grid))
    }
}

/// Values that are equal but for rounding become one.
fn join_equal(values: &mut Vec<(f64, f64)>) {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values.dedup_by(|next, before| {
        let is_same = next.0 - before.0 <= 1e-12 * before.0.abs();
        before.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
}

fn is_atom(piece: &Piece) -> bool {
    matches!(piece.shape, Shape::Atom(_))
}
