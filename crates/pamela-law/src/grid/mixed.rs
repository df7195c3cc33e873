//! Sums of laws with atoms and a smooth part.
//!
//! A sum of atoms is an atom of the sum, which a transform would smooth.

use super::compose::Joined;
use super::order::moved;
use super::piece::{Piece, Shape};
use super::trace::{REACH as FAR, budget_of_likely};
use super::{Grid, integral};
use crate::{Cumulants, Discrete, Probability, Support};

/// Sums of at most this many copies are composed of two at a time.
const FEW: f64 = 4.0;

/// Single values of sums that are rarer are not kept apart.
const RARE: f64 = 1e-9;

/// Pieces touch whose distance is less than this beside their widths.
const GAP: f64 = 1e-3;

/// Where the density of likely pieces changes by so much, they are two.
const BEND: f64 = 1e-2;
const LIKELY: f64 = 1e-2;

/// The smooth part of a law is known between these logits.
const REACH: f64 = 29.0;

impl Grid {
    /// The sum of whole numbers of copies, if transforms would smooth its single values or corners; otherwise `None`.
    pub(super) fn sum_of_mixed(terms: &[(f64, &Grid)]) -> Option<Grid> {
        if terms.iter().all(|(_, law)| law.has_only_atoms()) {
            return None;
        }
        let copies: f64 = terms.iter().map(|(n, _)| n).sum();
        let is_sharp = copies <= FEW && terms.iter().any(|(_, law)| law.has_corners());
        if !is_sharp {
            let chance = terms.iter().map(|(n, law)| law.chance_of_atoms().powf(*n));
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
        }
        let mut sum = Grid::constant(0.0);
        for (n, law) in terms {
            sum = sum.added(&law.copies_of_mixed(*n)?)?;
        }
        Some(sum)
    }

    /// By squaring: there are few, since all of them may be single values.
    fn copies_of_mixed(&self, n: f64) -> Option<Grid> {
        let (mut rest, mut square, mut sum) = (n as u64, self.clone(), Grid::constant(0.0));
        loop {
            if rest % 2 == 1 {
                sum = sum.added(&square)?;
            }
            rest /= 2;
            if rest == 0 {
                return Some(sum);
            }
            square = square.added(&square)?;
        }
    }

    /// The sum of independent variables; `None` if it has too many single values and corners.
    fn added(&self, other: &Grid) -> Option<Grid> {
        match (self.as_constant(), other.as_constant()) {
            (Some(value), _) => Some(other.shifted(value)),
            (_, Some(value)) => Some(self.shifted(value)),
            _ if self.has_only_atoms() && other.has_only_atoms() => {
                Grid::sum_of_values(&[(1.0, self), (1.0, other)])
            }
            _ => Grid::convolution(self, other),
        }
    }

    /// The sum of independent variables.
    pub(super) fn plus(&self, other: &Grid) -> Grid {
        self.added(other)
            .unwrap_or_else(|| Grid::sum_by_transform(&[(1.0, self), (1.0, other)]))
    }

    /// Its single values in increasing order, with their probabilities.
    pub(super) fn single_values(&self) -> impl Iterator<Item = (f64, f64)> {
        self.pieces.iter().filter_map(|piece| match piece.shape {
            Shape::Atom(value) => Some((value, integral::mass(piece.from, piece.to))),
            Shape::Smooth(..) => None,
        })
    }

    /// The sum of copies of laws that consist of atoms only; `None` for others, and for too many
    /// atoms.
    pub(super) fn sum_of_values(terms: &[(f64, &Grid)]) -> Option<Grid> {
        let values = |&(n, law): &(f64, &Grid)| {
            let values: Vec<(f64, f64)> = law.single_values().collect();
            Some((n, Discrete::new(&values).filter(|_| law.has_only_atoms())?))
        };
        let values: Vec<(f64, Discrete)> = terms.iter().map(values).collect::<Option<_>>()?;
        let values: Vec<(f64, &Discrete)> = values.iter().map(|(n, law)| (*n, law)).collect();
        let sum = Grid::of_discrete(&Discrete::sum_of_copies(&values)?);
        let zero = Cumulants::constant(0.0);
        let cumulants =
            (terms.iter()).fold(zero, |all, (n, law)| all.plus(&law.cumulants.repeated(*n)));
        Some(sum.with_cumulants(cumulants))
    }

    pub(super) fn chance_of_atoms(&self) -> f64 {
        let atoms = self.pieces.iter().filter(|piece| is_atom(piece));
        atoms
            .map(|piece| integral::mass(piece.from, piece.to))
            .sum()
    }

    /// Whether the only single value, if there is one, is the least one, or else the largest one.
    fn has_atom_at_end_only(&self, first: bool) -> bool {
        let inner = if first {
            self.pieces.get(1..)
        } else {
            self.pieces.split_last().map(|(_, inner)| inner)
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
            // Beside how likely it is to come so far.
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
                // Beside a single value, what is rarer is lost in its probability.
                let inside = |end: f64, open: f64, near: Probability| {
                    if end.is_finite() { near.logit() } else { open }
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
        Some((weight, grid.without_seams()))
    }

    /// Joins pieces between which the density does not change, such as those on both sides of a single value that was taken
    /// out.
    fn without_seams(self) -> Grid {
        if self.pieces.len() <= 2 {
            return self;
        }
        let density = |(t, rate): (f64, f64)| {
            let p = Probability::from_logit(t);
            p.below * p.above * rate
        };
        let mut cuts = Vec::new();
        for (pieces, ends) in self.pieces.windows(2).zip(self.ends.windows(2)) {
            let ((first, before), (after, last)) = (ends[0], ends[1]);
            let width = (before - first).min(last - after);
            let near = 1e-3 * width;
            let [left, right] = [before - near, after + near].map(|x| density(self.logit(x)));
            // A quantile function tells the density of likely pieces only.
            let is_likely = pieces.iter().all(|p| integral::mass(p.from, p.to) > LIKELY);
            if after - before > GAP * width {
                cuts.extend([before, after]);
            } else if is_likely && (left - right).abs() > BEND * left.max(right) {
                cuts.push(before);
            }
        }
        // What was lost at the ends is no single value there: the support is an end, too.
        let joined = Joined {
            support: self.support,
            body: self.body(),
            marks: Vec::new(),
            before: &|x| self.logit_before(x),
            after: &|x| self.logit(x),
        };
        joined.grid(cuts, 1.0).with_cumulants(self.cumulants)
    }
}

fn is_atom(piece: &Piece) -> bool {
    matches!(piece.shape, Shape::Atom(_))
}
