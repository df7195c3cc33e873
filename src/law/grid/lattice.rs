//! Laws in bins of equal width, whose sums are products of their Fourier transforms.

use super::Grid;
use super::piece::{Piece, Shape};
use super::segment::{Node, Segment};
use crate::law::Probability;
use rustfft::num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::cell::RefCell;
use std::sync::Arc;

/// Bins, a power of two.
pub const BINS: usize = 8192;

/// Probabilities beyond this logit are lost in the rounding of the transform.
const HORIZON: f64 = 45.0;

thread_local! {
    static PLANNER: RefCell<FftPlanner<f64>> = RefCell::new(FftPlanner::new());
}

fn plan(inverse: bool) -> Arc<dyn Fft<f64>> {
    PLANNER.with_borrow_mut(|planner| match inverse {
        true => planner.plan_fft_inverse(BINS),
        false => planner.plan_fft_forward(BINS),
    })
}

/// The bins of a law: bin `k` lies between `anchor + k width` and the next and stands for its middle. Mass,
/// mean and, where that leaves no bin negative, second moment are those of the law. What lies beyond the last
/// bin is left out.
pub fn bins(law: &Grid, anchor: f64, width: f64) -> Vec<Complex64> {
    let mut moments = Moments {
        anchor,
        width,
        of_bins: vec![[0.0; 3]; BINS],
    };
    for piece in &law.pieces {
        match &piece.shape {
            Shape::Atom(value) => {
                let mass = super::integral::mass(piece.from, piece.to);
                let bin = ((value - anchor) / width + 1e-9).floor();
                moments.add(bin, mass, [*value; 3], [0.0, 1.0, 0.0]);
            }
            Shape::Smooth(..) => moments.pour(piece),
        }
    }
    moments.bins()
}

/// The transform of bins: at `k` it is `E[e^(-isX)]` with `s = 2 pi k / BINS` per bin.
pub fn transform(mut bins: Vec<Complex64>) -> Vec<Complex64> {
    plan(false).process(&mut bins);
    bins
}

/// The probabilities of the bins with this transform; rounding leaves nothing below 0.
pub fn inverse(mut transform: Vec<Complex64>) -> Vec<f64> {
    plan(true).process(&mut transform);
    let scale = 1.0 / BINS as f64;
    transform.iter().map(|z| (z.re * scale).max(0.0)).collect()
}

pub fn cyclic(index: f64) -> usize {
    index.rem_euclid(BINS as f64) as usize % BINS
}

/// Mass, first and second moment of each bin about its middle, in units of the width.
struct Moments {
    anchor: f64,
    width: f64,
    of_bins: Vec<[f64; 3]>,
}

impl Moments {
    /// Adds a mass with the density, up to a factor, at three points: Simpson's rule.
    fn add(&mut self, bin: f64, mass: f64, at: [f64; 3], density: [f64; 3]) {
        let middle = self.anchor + (bin + 0.5) * self.width;
        let Some(of_bin) = (bin >= 0.0)
            .then(|| self.of_bins.get_mut(bin as usize))
            .flatten()
        else {
            return;
        };
        let weights = [density[0], 4.0 * density[1], density[2]];
        let total: f64 = weights.iter().sum();
        let even = [1.0, 4.0, 1.0];
        let (weights, total) = match total > 0.0 && total.is_finite() {
            true => (weights, total),
            false => (even, 6.0),
        };
        of_bin[0] += mass;
        for (x, weight) in at.iter().zip(weights) {
            let d = (x - middle) / self.width;
            of_bin[1] += mass * weight / total * d;
            of_bin[2] += mass * weight / total * d * d;
        }
    }

    /// Adds a smooth piece: cell by cell of its segments, where the cdf is a cubic of the value.
    fn pour(&mut self, piece: &Piece) {
        let Shape::Smooth(chart, segments) = &piece.shape else {
            return;
        };
        let node = |segment: &Segment, t: f64| {
            let (y, slope) = segment.at(t);
            let p = Probability::from_logit(t);
            Node {
                t: chart.value(y),
                // Counted from the nearer end, so that differences are precise in both tails.
                y: if t < 0.0 { p.below } else { -p.above },
                slope: p.below * p.above / (slope * chart.stretch(y)),
            }
        };
        let last = segments.len() - 1;
        for (i, segment) in segments.iter().enumerate() {
            let from = if i == 0 { piece.from } else { segment.start.t };
            let to = if i == last { piece.to } else { segment.end.t };
            let (mut a, to) = (from.max(-HORIZON), to.min(HORIZON));
            while a < to {
                let b = (a + 0.2).min(to);
                let b = if a < 0.0 && b > 0.0 { 0.0 } else { b };
                let mut end = node(segment, b);
                if b == 0.0 {
                    end.y = 0.5;
                }
                self.pour_cell(Segment::new(node(segment, a), end));
                a = b;
            }
        }
    }

    /// Adds the rise of a cubic.
    fn pour_cell(&mut self, cell: Segment) {
        let mut bin = ((cell.start.t - self.anchor) / self.width)
            .floor()
            .max(-1.0);
        let (mut from, mut below) = (cell.start.t, cell.start);
        while from < cell.end.t && bin < BINS as f64 {
            let to = (self.anchor + (bin + 1.0) * self.width).min(cell.end.t);
            let node = |x: f64| {
                let (y, slope) = cell.at(x);
                Node { t: x, y, slope }
            };
            let (middle, above) = (node(0.5 * (from + to)), node(to));
            let slopes = [below, middle, above].map(|node| node.slope);
            self.add(bin, above.y - below.y, [from, middle.t, to], slopes);
            (from, below) = (to, above);
            bin += 1.0;
        }
        if from == cell.start.t && cell.end.y > cell.start.y {
            // A cell of no width: as steep as an atom.
            let rise = cell.end.y - cell.start.y;
            self.add(bin, rise, [from; 3], [0.0, 1.0, 0.0]);
        }
    }

    /// Each bin shared with its neighbours so that its moments stay.
    fn bins(self) -> Vec<Complex64> {
        let mut bins = vec![Complex64::default(); BINS];
        for (k, [mass, first, second]) in self.of_bins.into_iter().enumerate() {
            let second = second.max(first.abs());
            bins[k].re += mass - second;
            bins[(k + 1) % BINS].re += 0.5 * (second + first);
            bins[(k + BINS - 1) % BINS].re += 0.5 * (second - first);
        }
        bins
    }
}
