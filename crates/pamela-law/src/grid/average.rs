//! Averages over the values of a variable, for sums and products of two.

use super::Grid;
use super::piece::Piece;
use super::trace::REACH;
use crate::Probability;
use crate::quadrature::GAUSS;

/// Panels of each smooth piece.
const PANELS: i32 = 32;

/// Results of the same operands may differ by so much in rounding.
pub const ROUNDING: f64 = 4e-13;

/// Probability up to a value, that above it, and the density there.
pub type Mass = [f64; 3];

/// The logit of a probability, and its derivative.
pub fn logit([below, above, density]: Mass) -> (f64, f64) {
    ((below / above).ln(), density / (below * above))
}

/// Values of a variable with their weights, which stand for a stretch of logits.
pub struct Panel {
    pub from: f64,
    pub to: f64,
    pub values: Vec<(f64, f64)>,
}

/// The probability with a logit, and the density by its derivative.
pub fn probability((t, rate): (f64, f64)) -> (Probability, f64) {
    let p = Probability::from_logit(t);
    let density = if t.is_finite() {
        p.below * p.above * rate
    } else {
        0.0
    };
    (p, density)
}

/// The finite ends of all pieces, in increasing order.
pub fn ends(law: &Grid) -> Vec<f64> {
    let both = law
        .pieces
        .iter()
        .flat_map(|piece| [piece.range().0, piece.range().1]);
    let mut ends: Vec<f64> = both.filter(|x| x.is_finite()).collect();
    ends.dedup();
    ends
}

/// Logits between panels, denser in the middle.
pub fn knots() -> impl Iterator<Item = f64> {
    (0..=PANELS).map(|i| {
        let s = 5.0 * (2.0 * f64::from(i) / f64::from(PANELS) - 1.0);
        REACH * s.sinh() / 5.0_f64.sinh()
    })
}

/// A smooth piece in panels that grow with the distance from the middle, cut at these logits, too.
pub fn stretches(piece: &Piece, cuts: &[f64]) -> Vec<Panel> {
    let (first, last) = (piece.from.max(-REACH), piece.to.min(REACH));
    let mut knots: Vec<f64> = knots().chain(cuts.iter().copied()).collect();
    knots.retain(|t| *t > first && *t < last);
    knots.extend([first, last]);
    knots.sort_by(f64::total_cmp);
    knots.dedup();
    let panel = |pair: &[f64]| Panel {
        from: pair[0],
        to: pair[1],
        values: values([pair[0], pair[1]], &|t| piece.at(t).0),
    };
    knots.windows(2).map(panel).collect()
}

/// Values between two logits with their weights, those of the logistic density.
pub fn values([from, to]: [f64; 2], at: &dyn Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let value = |(node, weight): (f64, f64)| {
        let t = middle + half * node;
        let p = Probability::from_logit(t);
        (at(t), weight * half * p.below * p.above)
    };
    let both = GAUSS
        .iter()
        .flat_map(|(node, weight)| [(-node, *weight), (*node, *weight)]);
    both.map(value).collect()
}
