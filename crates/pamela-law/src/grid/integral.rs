//! Cumulants of a law from its pieces.

use super::piece::{Piece, Shape};
use crate::special::exp_all;
use crate::{Cumulants, Probability};

/// Beyond this logit, `x^4` of any law with a fourth moment to speak of weighs nothing.
const HORIZON: f64 = 100.0;

/// Up to here where values grow by more than this, relatively, from one logit to the next: their tail is heavy, and the
/// greatest count.
const FURTHEST: f64 = 700.0;
const HEAVY: f64 = 0.15;

/// Gauss-Legendre nodes and weights on `[-1, 1]`, three points.
const GAUSS: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 5.0 / 9.0),
    (0.0, 8.0 / 9.0),
    (0.774_596_669_241_483_4, 5.0 / 9.0),
];

/// Mean to fourth cumulant by integrating the quantile function, in two passes about the mean.
pub fn cumulants(pieces: &[Piece]) -> Cumulants {
    of_weighted(&draws(pieces))
}

/// Weights and values that represent a law in integrals; accurate in the tails too.
pub fn draws(pieces: &[Piece]) -> Vec<(f64, f64)> {
    let mut draws = Vec::with_capacity(2048);
    for piece in pieces {
        match &piece.shape {
            Shape::Atom(value) => draws.push((mass(piece.from, piece.to), *value)),
            Shape::Smooth(..) => smooth(piece, &mut draws),
        }
    }
    draws
}

/// Cumulants of weighted values.
pub fn of_weighted(draws: &[(f64, f64)]) -> Cumulants {
    let total: f64 = draws.iter().map(|(w, _)| w).sum();
    // With an origin far out in a tail, all digits of the other values would be lost.
    let likeliest = draws.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let origin = likeliest.map_or(0.0, |(_, x)| *x);
    let mean = origin + draws.iter().map(|(w, x)| w * (x - origin)).sum::<f64>() / total;
    let mut central = [0.0; 3];
    for (w, x) in draws {
        // The fourth power of a value leaves the range of doubles where its share in the moment does not.
        let root = w.sqrt().sqrt();
        let d = root * (x - mean);
        let square = d * d;
        central[0] += square * root * root;
        central[1] += square * d * root;
        central[2] += square * square;
    }
    Cumulants::from_central_moments(mean, central.map(|sum| sum / total))
}

/// The probability between two logits, accurate in both tails.
pub fn mass(from: f64, to: f64) -> f64 {
    let (from, to) = (Probability::from_logit(from), Probability::from_logit(to));
    if from.below < 0.5 {
        to.below - from.below
    } else {
        from.above - to.above
    }
}

/// Values and weights that stand for a smooth piece: each segment in cells that follow the logistic density.
fn smooth(piece: &Piece, draws: &mut Vec<(f64, f64)>) {
    let Shape::Smooth(chart, segments) = &piece.shape else {
        return;
    };
    let last = segments.len() - 1;
    let horizon = |side: f64, end: f64| {
        let (x, slope) = piece.at(side * HORIZON);
        let heavy = end.is_infinite() && slope > HEAVY * x.abs();
        side * if heavy { FURTHEST } else { HORIZON }
    };
    let (mut weights, mut tails, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (least, most) = (horizon(-1.0, piece.least()), horizon(1.0, piece.largest()));
    for (i, segment) in segments.iter().enumerate() {
        let from = if i == 0 { piece.from } else { segment.start.t };
        let to = if i == last { piece.to } else { segment.end.t };
        let (mut a, to) = (from.max(least), to.min(most));
        while a < to {
            let b = (a + 0.4 * (1.0 + a.abs() / 8.0).min(4.0)).min(to);
            for (node, weight) in GAUSS {
                let t = 0.5 * ((b - a) * node + a + b);
                weights.push(0.5 * (b - a) * weight);
                tails.push(-t.abs());
                values.push(segment.at(t).0);
            }
            a = b;
        }
    }
    exp_all(&mut tails);
    chart.values(&mut values);
    let weights = weights.iter().zip(&tails);
    let weights = weights.map(|(w, tail)| w * tail / ((1.0 + tail) * (1.0 + tail)));
    draws.extend(weights.zip(values));
}

/// Fewer weights and values than [`draws`], for integrals that need four digits.
///
/// Joins neighbouring segments as long as the result is fine relative to `deviation`.
pub fn sketch(pieces: &[Piece], deviation: f64) -> Vec<(f64, f64)> {
    let mut sketch = Vec::with_capacity(512);
    for piece in pieces {
        let Shape::Smooth(chart, segments) = &piece.shape else {
            let (value, _) = piece.at(piece.from);
            sketch.push((mass(piece.from, piece.to), value));
            continue;
        };
        let mut a = piece.from.max(-HORIZON);
        let end = piece.to.min(HORIZON);
        let mut below = piece.at(a).0;
        for (i, segment) in segments.iter().enumerate() {
            let last = i + 1 == segments.len();
            let mut b = if last { end } else { segment.end.t.min(end) };
            let above = chart.value(segment.end.y);
            let coarse = 0.7 * (1.0 + a.abs().min(b.abs()) / 8.0);
            if !last && b - a < coarse && above - below < 0.5 * deviation {
                continue;
            }
            let stop = b;
            while a < stop {
                b = (a + 1.5 * coarse).min(stop);
                for (node, weight) in GAUSS {
                    let t = 0.5 * ((b - a) * node + a + b);
                    let p = Probability::from_logit(t);
                    let weight = 0.5 * (b - a) * weight * p.below * p.above;
                    sketch.push((weight, piece.at(t).0));
                }
                a = b;
            }
            below = above;
        }
    }
    sketch
}
