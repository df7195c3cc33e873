//! Sums and products of two independent variables: averages the cdf of one over the values of the other.
//!
//! It keeps the single values and corners of both, which a transform rounds, and the relative accuracy of both tails.

use super::piece::{Piece, Shape};
use super::trace::REACH;
use super::{Grid, integral};
use crate::Probability;

/// Panels of each smooth piece.
const PANELS: i32 = 32;

/// Most values at which the cdf of a variable may jump or bend if integrals are cut there.
const CUTS: usize = 32;

/// Results of the same operands may differ by so much in rounding.
pub const ROUNDING: f64 = 4e-13;

/// Gauss-Legendre nodes and weights on `[-1, 1]`, eight points: the positive ones.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Probability up to a value, that above it, and the density there.
pub type Mass = [f64; 3];

/// The logit of a probability, and its derivative.
pub fn logit([below, above, density]: Mass) -> (f64, f64) {
    ((below / above).ln(), density / (below * above))
}

/// An operation on two numbers.
#[derive(Clone, Copy)]
pub enum Operation {
    /// `x + y`
    Sum,
    /// `(p + x) (q + y) - p q`
    Product([f64; 2]),
}

/// The second operand that gives a result, with what its error and its direction mean for it.
struct Operand {
    value: f64,
    /// Size of the numbers that it is computed from.
    size: f64,
    /// Derivative of the result by the operand; not 0.
    slope: f64,
}

impl Operation {
    /// The result.
    pub fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Operation::Sum => x + y,
            Operation::Product([p, q]) => p * y + q * x + x * y,
        }
    }

    /// The second operand with which the first one gives `z`; `None` if the second one does not matter.
    fn second(self, x: f64, z: f64) -> Option<Operand> {
        match self {
            Operation::Sum => Some(Operand {
                value: z - x,
                size: (z - x).abs() + x.abs(),
                slope: 1.0,
            }),
            Operation::Product([p, q]) => {
                let slope = p + x;
                let value = (z - q * x) / slope;
                (slope != 0.0).then(|| Operand {
                    value,
                    size: value.abs() + (q * x / slope).abs(),
                    slope,
                })
            }
        }
    }

    /// The first operand with which the second one gives `z`; `None` if the first one does not matter.
    fn first(self, y: f64, z: f64) -> Option<f64> {
        match self {
            Operation::Sum => Some(z - y),
            Operation::Product([p, q]) => (q + y != 0.0).then(|| (z - p * y) / (q + y)),
        }
    }
}

/// Values of a variable with their weights, which stand for a stretch of logits.
pub struct Panel {
    pub from: f64,
    pub to: f64,
    pub values: Vec<(f64, f64)>,
}

impl Panel {
    fn of_atom(piece: &Piece, value: f64) -> Panel {
        Panel {
            from: piece.from,
            to: piece.to,
            values: vec![(value, integral::mass(piece.from, piece.to))],
        }
    }
}

/// The law of a result by that of the second operand, averaged over values of the first.
pub struct Average<'a> {
    operation: Operation,
    x: &'a Grid,
    y: &'a Grid,
    panels: Vec<Panel>,
    /// Points at which the cdf of `y` jumps or bends.
    ends: Vec<f64>,
}

impl Average<'_> {
    /// `knots` are logits of `x` at which its values are cut.
    pub fn new<'a>(operation: Operation, x: &'a Grid, y: &'a Grid, knots: &[f64]) -> Average<'a> {
        let panels = |piece: &Piece| match piece.shape {
            Shape::Atom(value) => vec![Panel::of_atom(piece, value)],
            Shape::Smooth(..) => stretches(piece, knots),
        };
        Average {
            panels: x.pieces.iter().flat_map(panels).collect(),
            operation,
            x,
            y,
            ends: ends(y),
        }
    }

    /// The probabilities of results up to `z`, or without `closed` below it.
    pub fn mass(&self, z: f64, closed: bool) -> Mass {
        let mut sum = [0.0; 3];
        let mut add = |values: &[(f64, f64)]| {
            for (x, weight) in values {
                let (p, density) = given(self.operation, *x, self.y, z, closed);
                sum[0] += weight * p.below;
                sum[1] += weight * p.above;
                sum[2] += weight * density;
            }
        };
        let breaks = self.breaks(z);
        for panel in &self.panels {
            let inside = |t: &&f64| **t > panel.from && **t < panel.to && panel.values.len() > 1;
            let mut knots: Vec<f64> = breaks.iter().filter(inside).copied().collect();
            if knots.is_empty() {
                add(&panel.values);
                continue;
            }
            knots.extend([panel.from, panel.to]);
            knots.sort_by(f64::total_cmp);
            for pair in knots.windows(2) {
                add(&values([pair[0], pair[1]], &|t| self.x.at(t).0));
            }
        }
        sum
    }

    /// The logits of the first operand at which the cdf of the second jumps or bends.
    fn breaks(&self, z: f64) -> Vec<f64> {
        let smooth = self.panels.iter().any(|panel| panel.values.len() > 1);
        if !smooth || self.ends.len() > CUTS {
            return Vec::new();
        }
        let at = |end: &f64| Some(self.x.logit(self.operation.first(*end, z)?).0);
        self.ends.iter().filter_map(at).collect()
    }
}

/// The probability of results up to `z`, or without `closed` below it, where the first operand is `x`, and its derivative by `z`.
pub fn given(operation: Operation, x: f64, law: &Grid, z: f64, closed: bool) -> (Probability, f64) {
    let Some(Operand { value, size, slope }) = operation.second(x, z) else {
        let only = operation.of(x, 0.0);
        let reached = z > only || closed && z == only;
        return (Probability::below(f64::from(u8::from(reached))), 0.0);
    };
    // A value that the result reaches counts, or does not, whatever rounding made of it.
    let aside = ROUNDING * size;
    let (t, rate) = if closed == (slope > 0.0) {
        law.logit(value + aside)
    } else {
        law.logit_before(value - aside)
    };
    let p = Probability::from_logit(t);
    let density = if t.is_finite() {
        p.below * p.above * rate / slope.abs()
    } else {
        0.0
    };
    (if slope > 0.0 { p } else { p.complement() }, density)
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
