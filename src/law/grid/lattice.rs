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

/// The bins of a law: bin `k`, cyclic, lies between `anchor + k width` and the next, and stands for its
/// middle. What lies beyond the last bin is left out.
pub fn bins(law: &Grid, anchor: f64, width: f64) -> Vec<Complex64> {
    let mut bins = vec![Complex64::default(); BINS];
    for piece in &law.pieces {
        match &piece.shape {
            Shape::Atom(value) => {
                let mass = super::integral::mass(piece.from, piece.to);
                let place = (value - anchor) / width - 0.5;
                let bin = (place + 1e-9).floor();
                let part = (place - bin).max(0.0);
                add(&mut bins, bin, mass * (1.0 - part));
                add(&mut bins, bin + 1.0, mass * part);
            }
            Shape::Smooth(..) => pour(piece, anchor, width, &mut bins),
        }
    }
    bins
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

/// Adds a probability to a bin, if there is such a bin.
fn add(bins: &mut [Complex64], bin: f64, mass: f64) {
    if let Some(bin) = (bin >= 0.0).then(|| bins.get_mut(bin as usize)).flatten() {
        bin.re += mass;
    }
}

pub fn cyclic(index: f64) -> usize {
    index.rem_euclid(BINS as f64) as usize % BINS
}

/// Adds the probabilities of a smooth piece to the bins: cell by cell of its segments, where the cdf is a
/// cubic of the value.
fn pour(piece: &Piece, anchor: f64, width: f64, bins: &mut [Complex64]) {
    let Shape::Smooth(chart, segments) = &piece.shape else {
        return;
    };
    let node = |segment: &Segment, t: f64| {
        let (y, slope) = segment.at(t);
        let p = Probability::from_logit(t);
        // Counted from the nearer end, so that differences are precise in both tails.
        let below = if t < 0.0 { p.below } else { -p.above };
        Node {
            t: chart.value(y),
            y: below,
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
            pour_cell(Segment::new(node(segment, a), end), anchor, width, bins);
            a = b;
        }
    }
}

/// Adds the rise of a cubic to the bins.
fn pour_cell(cell: Segment, anchor: f64, width: f64, bins: &mut [Complex64]) {
    let mut bin = ((cell.start.t - anchor) / width).floor().max(-1.0);
    let mut below = cell.start.y;
    loop {
        let edge = anchor + (bin + 1.0) * width;
        if edge >= cell.end.t || bin > BINS as f64 {
            add(bins, bin, cell.end.y - below);
            return;
        }
        let here = cell.at(edge).0.max(below);
        add(bins, bin, here - below);
        below = here;
        bin += 1.0;
    }
}
