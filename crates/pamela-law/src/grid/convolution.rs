//! Sums of two independent variables by integrals: they keep single values and corners, and both tails.

use super::Grid;
use super::average::{Mass, ROUNDING, logit, probability};
use super::halves::{Halves, sum_by_cdf};
use super::integral;
use super::piece::{Piece, Shape};
use crate::Probability;

/// Most values at which the cdf of a sum may jump or bend.
const CUTS: usize = 768;

/// A corner that is less likely is smoothed: of two densities, of a density beside a single value, of two single values.
const UNLIKELY: [f64; 3] = [1e-5, 1e-8, 1e-11];

/// Terms of a sum that are smaller than this, relatively, are left out.
const LOST: f64 = 1e-17;

/// A density at an end is steep if it exceeds this over the deviation; it is read at this logit.
const STEEP: f64 = 2.0;
const NEAR_END: f64 = 9.0;

/// A body is narrow if the deviation is so many of its widths.
const NARROW: f64 = 6.0;

/// Tails are long if a law has more than this many widths of its body between the logits `FAR_OUT` and its negative.
const LONG: f64 = 100.0;
const FAR_OUT: f64 = 16.0;

/// An end this near to a single value, beside the width of its piece, is that value.
const NEAR: f64 = 1e-6;

impl Grid {
    /// The sum of independent variables; `None` if it has too many single values and corners.
    pub(super) fn convolution(x: &Grid, y: &Grid) -> Option<Grid> {
        let cuts = cuts(x, y)?;
        if x.atoms() + y.atoms() == 0 {
            return Some(Halves::sum(x, y, cuts));
        }
        let (own, other) = (x.smooth_part(), y.smooth_part());
        let mut parts = vec![(1.0, Part::Steps(Steps::new(x, y)))];
        if let Some((weight, smooth)) = &own {
            parts.push((*weight, Part::Steps(Steps::new(y, smooth))));
            if let Some((share, rest)) = &other {
                parts.push((
                    weight * share,
                    Part::Whole(Halves::sum(smooth, rest, self::cuts(smooth, rest)?)),
                ));
            }
        }
        Some(sum_of(x, y, cuts, &parts))
    }

    /// True if a transform would smooth the law: single values, corners, densities that are great at an end, and a body that is
    /// narrow beside a rare or a long tail.
    pub(super) fn has_corners(&self) -> bool {
        let is_steep = |(t, end): (f64, f64)| {
            let (_, slope) = self.at(t);
            let p = Probability::from_logit(t);
            let density = p.below * p.above / slope;
            end.is_finite() && density * self.cumulants.deviation() > STEEP
        };
        let ends = [
            (-NEAR_END, self.support.lower),
            (NEAR_END, self.support.upper),
        ];
        let (deviation, width) = (self.cumulants.deviation(), self.body().1);
        let reach = self.at(FAR_OUT).0 - self.at(-FAR_OUT).0;
        let is_narrow =
            deviation.is_finite() && (NARROW * width < deviation || LONG * width < reach);
        self.pieces.len() > 1 || is_narrow || ends.into_iter().any(is_steep)
    }
}

/// The sum of two variables that consists of these parts.
fn sum_of(x: &Grid, y: &Grid, cuts: Vec<f64>, parts: &[(f64, Part)]) -> Grid {
    let mass = |z: f64, closed: bool| {
        let mut sum: Mass = [0.0; 3];
        for (weight, part) in parts {
            let part = part.mass(z, closed);
            (0..3).for_each(|i| sum[i] += weight * part[i]);
        }
        logit(sum)
    };
    // At the ends of the support, rounding would add the probability of values nearby: the single values there are known.
    let [least, largest] = [true, false].map(|first| {
        let end = |law: &Grid| {
            if first {
                law.support.lower
            } else {
                law.support.upper
            }
        };
        let ln_atom = x.ln_end_atom(first) + y.ln_end_atom(first);
        (end(x) + end(y), ln_atom.exp())
    });
    let before = |z: f64| match z {
        z if z <= least.0 => (f64::NEG_INFINITY, 0.0),
        z if z >= largest.0 => (Probability::above(largest.1).logit(), mass(z, false).1),
        z => mass(z, false),
    };
    let after = |z: f64| match z {
        z if z >= largest.0 => (f64::INFINITY, 0.0),
        z if z <= least.0 => (Probability::below(least.1).logit(), mass(z, true).1),
        z => mass(z, true),
    };
    sum_by_cdf(x, y, cuts, &before, &after)
}

/// A share of a sum.
enum Part<'a> {
    Steps(Steps<'a>),
    Whole(Grid),
}

impl Part<'_> {
    fn mass(&self, z: f64, closed: bool) -> Mass {
        match self {
            Part::Steps(steps) => steps.mass(z, closed),
            Part::Whole(sum) => {
                let (p, density) = given(sum, 0.0, z, closed);
                [p.below, p.above, density]
            }
        }
    }
}

/// The sums in which one operand is one of its single values.
struct Steps<'a> {
    /// In increasing order, with their probabilities.
    values: Vec<(f64, f64)>,
    /// Probabilities of the values before each place, and of those from it on.
    before: Vec<f64>,
    after: Vec<f64>,
    other: &'a Grid,
}

impl<'a> Steps<'a> {
    fn new(law: &Grid, other: &'a Grid) -> Steps<'a> {
        let values: Vec<(f64, f64)> = law.single_values().collect();
        let mut before = vec![0.0];
        for (i, (_, weight)) in values.iter().enumerate() {
            before.push(before[i] + weight);
        }
        let mut after = vec![0.0; values.len() + 1];
        for (i, (_, weight)) in values.iter().enumerate().rev() {
            after[i] = after[i + 1] + weight;
        }
        Steps {
            values,
            before,
            after,
            other,
        }
    }

    /// Values from the one in the middle on, as long as they count.
    fn mass(&self, z: f64, closed: bool) -> Mass {
        let mut sum: Mass = [0.0; 3];
        let mut add = |place: usize| {
            let (x, weight) = self.values[place];
            let (p, density) = given(self.other, x, z, closed);
            sum[0] += weight * p.below;
            sum[1] += weight * p.above;
            sum[2] += weight * density;
            (p, sum)
        };
        let middle = z - self.other.body().0;
        let start = self.values.partition_point(|(x, _)| *x < middle);
        let (mut first, mut last) = (start, start);
        while last < self.values.len() {
            let (p, sum) = add(last);
            last += 1;
            if self.after[last] * p.below < LOST * sum[0] {
                break;
            }
        }
        while first > 0 {
            first -= 1;
            let (p, sum) = add(first);
            if self.before[first] * p.above < LOST * sum[1] {
                break;
            }
        }
        sum[0] += self.before[first];
        sum[1] += self.after[last];
        sum
    }
}

/// The probability of sums up to `z`, or without `closed` below it, where one operand is `x`; and the density at `z`.
fn given(other: &Grid, x: f64, z: f64, closed: bool) -> (Probability, f64) {
    let y = z - x;
    // A value that the sum reaches counts, or does not, whatever rounding made of it.
    let aside = ROUNDING * (y.abs() + x.abs());
    probability(if closed {
        other.logit(y + aside)
    } else {
        other.logit_before(y - aside)
    })
}

/// Where the cdf of a sum may jump or bend; `None` if at too many values.
fn cuts(x: &Grid, y: &Grid) -> Option<Vec<f64>> {
    let (xs, ys) = (corners(x), corners(y));
    let mut cuts = Vec::new();
    for one in &xs {
        let likely = ys.iter().filter(|other| {
            let single_values = usize::from(one.is_atom) + usize::from(other.is_atom);
            one.mass * other.mass > UNLIKELY[single_values]
        });
        cuts.extend(likely.map(|other| one.value + other.value));
        if cuts.len() > 64 * CUTS {
            return None;
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|a, b| (*a - *b).abs() <= 0.5 * ROUNDING * b.abs());
    (cuts.len() <= CUTS).then_some(cuts)
}

/// A value at which a cdf jumps or bends, and the probability of the piece that it belongs to.
struct Corner {
    value: f64,
    mass: f64,
    is_atom: bool,
}

/// The finite ends of pieces; an end beside a single value is that value.
fn corners(law: &Grid) -> Vec<Corner> {
    let mut corners = Vec::new();
    for (i, (piece, (least, largest))) in law.pieces.iter().zip(&law.ends).enumerate() {
        let mass = integral::mass(piece.from, piece.to);
        let is_atom = matches!(piece.shape, Shape::Atom(_));
        let near = NEAR * (largest - least);
        let is_known = |place: Option<usize>, end: f64| {
            let beside = place.and_then(|place| law.pieces.get(place));
            matches!(beside, Some(Piece { shape: Shape::Atom(x), .. }) if (x - end).abs() <= near)
        };
        let ends = [(i.checked_sub(1), *least), (Some(i + 1), *largest)];
        let ends = if is_atom { &ends[..1] } else { &ends[..] };
        for &(place, value) in ends {
            if value.is_finite() && (is_atom || !is_known(place, value)) {
                corners.push(Corner {
                    value,
                    mass,
                    is_atom,
                });
            }
        }
    }
    corners
}
