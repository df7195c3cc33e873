//! Laws in bins of equal width; Fourier transforms turn their sums into products.

use super::Grid;
use super::piece::{Piece, Shape};
use super::segment::{Node, Segment};
use crate::Probability;
use rustfft::num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::f64::consts::PI;
use std::sync::{Arc, OnceLock};

/// Number of bins, unless fewer are known to suffice.
pub const BINS: usize = 8192;

/// Numbers of bins, smallest first.
pub const SIZES: [usize; 3] = [BINS / 4, BINS / 2, BINS];

/// Probabilities beyond this logit are lost in the rounding of the transform.
const HORIZON: f64 = 45.0;

/// Tables shared by transforms of this many real bins: a complex transform of half the length, and twiddle factors.
struct Plans {
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
    /// `e^(-2 pi i k / n)` for `n` bins.
    turns: Vec<Complex64>,
}

/// For one of the [`SIZES`].
fn plans(bins: usize) -> &'static Plans {
    static PLANS: [OnceLock<Plans>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
    let place = SIZES.partition_point(|size| *size < bins);
    PLANS[place.min(SIZES.len() - 1)].get_or_init(|| {
        let mut planner = FftPlanner::new();
        let turn = |k: usize| Complex64::cis(-2.0 * PI * k as f64 / bins as f64);
        Plans {
            forward: planner.plan_fft_forward(bins / 2),
            inverse: planner.plan_fft_inverse(bins / 2),
            turns: (0..=bins / 2).map(turn).collect(),
        }
    })
}

/// Distributes a law into `count` bins.
///
/// Bin `k` covers `anchor + k width` to the next edge and stands for its middle. Bins keep the
/// mass, the mean and the second moment of the law. The second moment is kept only if no bin
/// becomes negative, unless bins are `signed`. Values beyond the last bin are left out.
pub fn bins(law: &Grid, anchor: f64, width: f64, count: usize, signed: bool) -> Vec<f64> {
    let mut lattice = Lattice {
        anchor,
        width,
        bins: vec![0.0; count],
        signed,
        current: 0.0,
        moments: [0.0; 3],
    };
    for piece in &law.pieces {
        match &piece.shape {
            Shape::Atom(value) => {
                let mass = super::integral::mass(piece.from, piece.to);
                let bin = ((value - anchor) / width + 1e-9).floor();
                lattice.add(bin, mass, [*value; 3], [0.0, 1.0, 0.0]);
            }
            Shape::Smooth(..) => lattice.pour(piece),
        }
    }
    lattice.share();
    lattice.bins
}

/// The transform of bins: element `k`, up to the middle, is `E[e^(-isX)]` with `s = 2 pi k / n` per
/// bin of `n`.
///
/// The other coefficients are conjugates of these. Even and odd bins are the real and imaginary parts of one
/// transform of half the length.
pub fn transform(bins: &[f64]) -> Vec<Complex64> {
    let plans = plans(bins.len());
    let half = bins.len() / 2;
    let pairs = bins.chunks_exact(2);
    let mut packed: Vec<Complex64> = pairs.map(|pair| Complex64::new(pair[0], pair[1])).collect();
    plans.forward.process(&mut packed);
    let entry = |k: usize, here: Complex64, there: Complex64| {
        let (even, odd) = (0.5 * (here + there.conj()), 0.5 * (here - there.conj()));
        // The odd part has the factor -i.
        even + plans.turns[k] * Complex64::new(odd.im, -odd.re)
    };
    let mut entries = Vec::with_capacity(half + 1);
    entries.push(entry(0, packed[0], packed[0]));
    let pairs = packed[1..].iter().zip(packed[1..].iter().rev());
    entries.extend(
        (1..)
            .zip(pairs)
            .map(|(k, (here, there))| entry(k, *here, *there)),
    );
    entries.push(entry(half, packed[0], packed[0]));
    entries
}

/// The bins with this transform; negative rounding errors become 0.
pub fn inverse(transform: &[Complex64]) -> Vec<f64> {
    let half = transform.len() - 1;
    let plans = plans(2 * half);
    let pack = |k: usize| {
        let (here, there) = (transform[k], transform[half - k].conj());
        let odd = (here - there) * plans.turns[k].conj();
        here + there + Complex64::new(-odd.im, odd.re)
    };
    let mut packed: Vec<Complex64> = (0..half).map(pack).collect();
    plans.inverse.process(&mut packed);
    let scale = 0.5 / half as f64;
    let bins = packed.iter().flat_map(|z| [z.re, z.im]);
    bins.map(|x| (x * scale).max(0.0)).collect()
}

pub fn cyclic(index: f64, bins: usize) -> usize {
    index.rem_euclid(bins as f64) as usize % bins
}

/// Bins that are filled in increasing order.
struct Lattice {
    anchor: f64,
    width: f64,
    bins: Vec<f64>,
    signed: bool,
    /// The bin that is being filled.
    current: f64,
    /// Mass, first and second moment of that bin about its middle, in units of the width.
    moments: [f64; 3],
}

impl Lattice {
    fn edge(&self, bin: f64) -> f64 {
        self.anchor + bin * self.width
    }

    /// Adds a mass with the density, up to a factor, at three points: Simpson's rule.
    fn add(&mut self, bin: f64, mass: f64, at: [f64; 3], density: [f64; 3]) {
        let weights = [density[0], 4.0 * density[1], density[2]];
        let total: f64 = weights.iter().sum();
        let even = [1.0, 4.0, 1.0];
        let (weights, total) = if total > 0.0 && total.is_finite() {
            (weights, total)
        } else {
            (even, 6.0)
        };
        let (mut first, mut second) = (0.0, 0.0);
        for (x, weight) in at.iter().zip(weights) {
            let d = (x - self.edge(bin + 0.5)) / self.width;
            first += weight * d;
            second += weight * d * d;
        }
        let share = mass / total;
        self.add_moments(bin, [mass, share * first, share * second]);
    }

    fn add_moments(&mut self, bin: f64, moments: [f64; 3]) {
        if bin != self.current {
            self.share();
            self.current = bin;
        }
        (0..3).for_each(|i| self.moments[i] += moments[i]);
    }

    /// The current bin shared with its neighbours so that its moments stay.
    fn share(&mut self) {
        let [mass, first, second] = std::mem::take(&mut self.moments);
        let count = self.bins.len();
        if !(self.current >= 0.0 && self.current < count as f64) {
            return;
        }
        let k = self.current as usize;
        let second = if self.signed {
            second
        } else {
            second.max(first.abs())
        };
        self.bins[k] += mass - second;
        self.bins[(k + 1) % count] += 0.5 * (second + first);
        self.bins[(k + count - 1) % count] += 0.5 * (second - first);
    }

    /// Adds a smooth piece: cell by cell of its segments, where the cdf is a cubic of the value.
    fn pour(&mut self, piece: &Piece) {
        let Shape::Smooth(chart, segments) = &piece.shape else {
            return;
        };
        let node = |segment: &Segment, t: f64| {
            let (y, slope) = segment.at(t);
            let p = Probability::from_logit(t);
            let (value, stretch) = chart.value_and_stretch(y);
            Node {
                t: value,
                // Counted from the nearer end, so that differences are precise in both tails.
                y: if t < 0.0 { p.below } else { -p.above },
                slope: p.below * p.above / (slope * stretch),
            }
        };
        let last = segments.len() - 1;
        for (i, segment) in segments.iter().enumerate() {
            let from = if i == 0 { piece.from } else { segment.start.t };
            let to = if i == last { piece.to } else { segment.end.t };
            let (mut a, to) = (from.max(-HORIZON), to.min(HORIZON));
            if a >= to {
                continue;
            }
            let mut start = node(segment, a);
            while a < to {
                let b = (a + 0.2).min(to);
                let b = if a < 0.0 && b > 0.0 { 0.0 } else { b };
                let next = node(segment, b);
                let mut end = next;
                if b == 0.0 {
                    end.y = 0.5;
                }
                self.pour_cell(Segment::new(start, end));
                (a, start) = (b, next);
            }
        }
    }

    /// Adds the rise of a cubic.
    fn pour_cell(&mut self, cell: Segment) {
        let mut bin = ((cell.start.t - self.anchor) / self.width)
            .floor()
            .max(-1.0);
        let (mut from, mut below) = (cell.start.t, cell.start);
        while from < cell.end.t && bin < self.bins.len() as f64 {
            let to = self.edge(bin + 1.0).min(cell.end.t);
            let node = |x: f64| {
                let (y, slope) = cell.at(x);
                Node { t: x, y, slope }
            };
            let above = node(to);
            let mass = above.y - below.y;
            if from > cell.start.t && to < cell.end.t {
                // A whole bin: Simpson's rule without the middle, which the mass tells.
                let [start, end] = [below.slope, above.slope].map(|slope| slope * self.width);
                let second = ((start + end) / 24.0).min(0.25 * mass);
                self.add_moments(bin, [mass, (end - start) / 12.0, second]);
            } else {
                let middle = node(0.5 * (from + to));
                let slopes = [below, middle, above].map(|node| node.slope);
                self.add(bin, mass, [from, middle.t, to], slopes);
            }
            (from, below) = (to, above);
            bin += 1.0;
        }
        if from == cell.start.t && cell.end.y > cell.start.y {
            // A cell of no width: as steep as an atom.
            let rise = cell.end.y - cell.start.y;
            self.add(bin, rise, [from; 3], [0.0, 1.0, 0.0]);
        }
    }
}
