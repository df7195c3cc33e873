//! The body of the law of a sum, between the tails that a Fourier transform loses to rounding.

use super::lattice::{BINS, SIZES, cyclic, inverse};
use super::piece::Shape;
use super::{Grid, integral};
use crate::{Cumulants, Probability};
use rustfft::num_complex::Complex64;

/// A value, the logit of its probability, and the derivative of the logit by the value.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub x: f64,
    pub t: f64,
    pub rate: f64,
}

/// Cumulative probabilities of bins, from both ends.
pub struct Body {
    /// Lower edge of bin 0; the next field is the width of each bin.
    pub origin: f64,
    pub width: f64,
    pub masses: Vec<f64>,
    below: Vec<f64>,
    above: Vec<f64>,
}

/// Layout of bins: their number, their width, and the anchor of each law.
///
/// The anchor is the lower edge of the bin with the law's least value.
pub struct Layout {
    pub low: f64,
    pub width: f64,
    pub bins: usize,
    pub anchors: Vec<f64>,
}

impl Body {
    /// Builds the body from the transform of a law.
    ///
    /// Bin 0 starts at `start`; bins are rotated so that the first one starts at or just below
    /// `low`. `lost` is the probability outside, below and above. For a law with a density, a bin
    /// holds the density at its middle, unless the density jumps: neighbours differ by more than
    /// `steepest` times the smaller one.
    pub fn new(
        spectrum: &[Complex64],
        start: f64,
        low: f64,
        width: f64,
        lost: [f64; 2],
        steepest: f64,
    ) -> Body {
        let raw = inverse(spectrum);
        let turn = ((low - start) / width + 1e-9).floor();
        let mut masses = raw;
        let bins = masses.len();
        masses.rotate_left(cyclic(turn, bins));
        let mut below = vec![lost[0]; bins + 1];
        let mut above = vec![lost[1]; bins + 1];
        for j in 0..bins {
            below[j + 1] = below[j] + masses[j];
            above[bins - 1 - j] = above[bins - j] + masses[bins - 1 - j];
        }
        // Bins hold the density in their middles, so what lies below an edge is a midpoint rule.
        for j in 1..bins {
            let (left, right) = (masses[j - 1], masses[j]);
            if (right - left).abs() < steepest * left.min(right) {
                below[j] += (right - left) / 24.0;
                above[j] -= (right - left) / 24.0;
            }
        }
        Body {
            origin: start + turn * width,
            width,
            masses,
            below,
            above,
        }
    }

    /// Shifts and scales the values to the exact mean and variance.
    ///
    /// Binning shifts and spreads probabilities a little, which adds up in sums of many terms.
    pub fn fit(&mut self, cumulants: &Cumulants) {
        // From the first bin, in bins.
        let (mut total, mut sum) = (0.0, 0.0);
        for (j, mass) in self.masses.iter().enumerate() {
            total += mass;
            sum += mass * j as f64;
        }
        let mean = sum / total;
        let square = |(j, mass): (usize, &f64)| mass * (j as f64 - mean).powi(2);
        let variance = self.masses.iter().enumerate().map(square).sum::<f64>() / total;
        let now = Cumulants {
            variance: variance * self.width * self.width,
            ..Cumulants::constant(self.edge(mean + 0.5))
        };
        let factor = cumulants.deviation() / now.deviation();
        self.origin = cumulants.mean + factor * (self.origin - now.mean);
        self.width *= factor;
    }

    pub fn edge(&self, j: f64) -> f64 {
        self.origin + j * self.width
    }

    /// The point at edge `j`, or at the nearest edge; linear inside a bin with a jump of the
    /// density.
    pub fn point(&self, j: f64) -> Point {
        let i = (j.floor().max(0.0) as usize).min(self.masses.len());
        let part = j - i as f64;
        if part > 0.0 && i < self.masses.len() {
            if self.is_even(i) {
                return self.point(j.round());
            }
            let (a, b) = (self.point(i as f64), self.point(i as f64 + 1.0));
            let t = a.t + part * (b.t - a.t);
            return Point {
                x: self.edge(j),
                t,
                rate: (b.t - a.t) / self.width,
            };
        }
        let (below, above) = (self.below[i], self.above[i]);
        Point {
            x: self.edge(j),
            t: (below / above).ln(),
            rate: self.density(i) * (below + above) / (below * above),
        }
    }

    /// At an edge: by a cubic through the middles of four bins, or as the mean of two where they hold unlike masses.
    fn density(&self, edge: usize) -> f64 {
        let about = edge.wrapping_sub(2)..edge + 2;
        let mass = match self.masses.get(about) {
            Some(&[a, b, c, d]) if are_even(&[a, b, c, d]) => (9.0 * (b + c) - (a + d)) / 16.0,
            _ => {
                let mass = |i: usize| self.masses.get(i).copied().unwrap_or(0.0);
                0.5 * (mass(edge) + mass(edge.wrapping_sub(1)))
            }
        };
        mass / self.width
    }

    /// True if a bin and its neighbours hold much the same.
    fn is_even(&self, i: usize) -> bool {
        let about = &self.masses[i.saturating_sub(1)..(i + 2).min(self.masses.len())];
        are_even(about)
    }

    /// The first and the last edge at which both tails hold at least `least`.
    pub fn range(&self, least: f64) -> (usize, usize) {
        let first = self.below.partition_point(|p| *p < least);
        let last = self.above.partition_point(|p| *p >= least);
        (first, last.saturating_sub(1))
    }
}

/// True if bins hold much the same.
fn are_even(masses: &[f64]) -> bool {
    let (least, most) = (masses.iter()).fold((f64::INFINITY, 0.0_f64), |(a, b), mass| {
        (a.min(*mass), b.max(*mass))
    });
    most <= 2.0 * least
}

/// The layout for the sum of some copies of each law.
///
/// With `few`, uses as few bins as may suffice; otherwise all.
pub fn layout(terms: &[(f64, &Grid)], cumulants: &Cumulants, ends: [f64; 2], few: bool) -> Layout {
    let deviation = cumulants.deviation();
    let cut = |count: f64| 34.5 + count.ln();
    let (mut under, mut over) = (0.0_f64, 0.0_f64);
    for (count, law) in terms {
        let (mean, cut) = (law.cumulants.mean, cut(*count));
        under = under.max((mean - law.at(-cut).0).min(60.0 * deviation));
        over = over.max((law.at(cut).0 - mean).min(60.0 * deviation));
    }
    let low = (cumulants.mean - 9.5 * deviation - under).max(ends[0]);
    let high = (cumulants.mean + 9.5 * deviation + over).min(ends[1]);
    let laws: Vec<&Grid> = terms.iter().map(|(_, law)| *law).collect();
    let inside = |bins: usize| (bins - MARGIN) as f64;
    let span = span(&laws).filter(|span| (high - low) / span < inside(BINS));
    let suffices = |bins: &usize| is_fine((high - low) / inside(*bins), terms, deviation);
    let (bins, width) = match span {
        Some(span) => (BINS, span),
        None => {
            let bins = few.then(|| SIZES.into_iter().find(suffices)).flatten();
            let bins = bins.unwrap_or(BINS);
            (bins, (high - low) / inside(bins))
        }
    };
    let least = |(n, law): &(f64, &Grid)| law.support.lower.max(law.at(-cut(*n)).0);
    Layout {
        low: low - 0.5 * width,
        width,
        bins,
        anchors: terms.iter().map(|term| least(term) - 0.5 * width).collect(),
    }
}

/// The common step of all differences of values, if all laws are discrete.
pub fn span(laws: &[&Grid]) -> Option<f64> {
    let mut gaps = Vec::new();
    for law in laws {
        let mut before = None;
        for piece in &law.pieces {
            let Shape::Atom(value) = piece.shape else {
                return None;
            };
            gaps.extend(before.map(|before| value - before));
            before = Some(value);
        }
    }
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let multiple = |gap: &f64| ((gap / least).round() - gap / least).abs() < 1e-9 * gap / least;
    (least > 0.0 && least.is_finite() && gaps.iter().all(multiple)).then_some(least)
}

/// True if bins of a width are likely to tell the sum of laws with densities as well as the narrowest do. They keep two
/// moments of each law. The third one errs by up to `0.39 h^3` of a narrow law, and by some `0.07 h^4` times the density
/// at which another one begins or ends; a sixth of that moves quantiles, in deviations of the sum.
fn is_fine(width: f64, terms: &[(f64, &Grid)], deviation: f64) -> bool {
    const UNNOTICED: f64 = 1e-7;
    let share = width / deviation;
    let unlike = |(n, law): &(f64, &Grid)| n * (0.19 * width / law.cumulants.deviation()).min(1.0);
    let error = 0.064 * share.powi(3) * terms.iter().map(unlike).sum::<f64>();
    share <= 1.0 / 64.0 && error <= UNNOTICED
}

/// The probability of a law outside of its bins, below and above.
pub fn left_out(law: &Grid, anchor: f64, end: f64) -> [f64; 2] {
    let outside = |x: f64| Probability::from_logit(law.logit(x).0);
    let below = if law.support.lower < anchor {
        Probability::from_logit(law.logit_before(anchor).0).below
    } else {
        0.0
    };
    [below, outside(end).above]
}

/// Raises the transform of a law to that of the sum of `count` copies.
pub fn power(spectrum: &mut [Complex64], count: f64) {
    if count == 1.0 {
        return;
    }
    if count <= MULTIPLIED {
        spectrum
            .iter_mut()
            .for_each(|z| *z = squared(*z, count as u32))
    } else {
        spectrum.iter_mut().for_each(|z| *z = raised(*z, count))
    }
}

/// Powers up to this are products.
const MULTIPLIED: f64 = 65_536.0;

/// Threshold for laws whose density may jump.
pub const STEEPEST: f64 = 0.2;

/// Number of bins at each end that stay empty.
pub const MARGIN: usize = 16;

/// A value below the square root of this is lost in the rounding of the others.
const VANISHED: f64 = 1e-60;

/// `z^count` for `|z| <= 1`, by repeated squaring.
fn squared(z: Complex64, mut count: u32) -> Complex64 {
    let (mut power, mut square) = (Complex64::new(1.0, 0.0), z);
    while power.norm_sqr() > VANISHED {
        if count % 2 == 1 {
            power *= square;
        }
        count /= 2;
        if count == 0 {
            return power;
        }
        square *= square;
    }
    Complex64::default()
}

fn raised(z: Complex64, count: f64) -> Complex64 {
    let norm = z.norm_sqr().powf(0.5 * count);
    if norm * norm > VANISHED {
        Complex64::from_polar(norm, z.arg() * count)
    } else {
        Complex64::default()
    }
}

/// The cumulants of a law inside of its bins.
///
/// If the bins hold nearly all of the law, these are its own cumulants, which are more accurate.
pub fn inside(law: &Grid, lost: [f64; 2], anchor: f64, end: f64) -> Cumulants {
    if lost[0] + lost[1] < 1e-12 {
        return law.cumulants;
    }
    let draws = integral::draws(&law.pieces).into_iter();
    let inside: Vec<(f64, f64)> = draws.filter(|(_, x)| *x >= anchor && *x <= end).collect();
    integral::of_weighted(&inside)
}
