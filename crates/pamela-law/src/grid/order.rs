//! Order statistics of independent copies: equal values at other probabilities.

use super::piece::{Piece, Shape, coordinate};
use super::segment::Node;
use super::trace::{REACH, budget_of_likely, trace};
use super::{Grid, integral};
use crate::Probability;
use crate::special::{BetaDensity, incomplete_beta};

/// Probabilities beyond this logit leave the range of doubles.
const FAR: f64 = 700.0;

/// A power of the least probability that can be carried still is one that does not count: `exp(-FAR / 16)`.
const FEWEST: f64 = 1.0 / 16.0;

/// Maps a logit to a logit and the derivative; increasing.
type Map<'a> = &'a dyn Fn(f64) -> (f64, f64);

/// The inverse of a map of logits.
type Source<'a> = &'a dyn Fn(f64) -> f64;

impl Grid {
    /// The largest of `n` independent copies, for any `n > 0`, whole or not; 0 for `n = 0`.
    ///
    /// Values of `n` below [`FEWEST`] are rounded up to it.
    pub fn largest(&self, n: f64) -> Grid {
        if n == 1.0 || self.as_constant().is_some() && n > 0.0 {
            return self.clone();
        }
        if n.is_nan() || n <= 0.0 {
            return Grid::constant(0.0);
        }
        let n = n.max(FEWEST);
        let map = |s: f64| {
            let (below, above_one) = ln_below_and_above(s);
            let log = n * below;
            let above = -log.exp_m1();
            (log - above.ln(), n * above_one / above)
        };
        self.reparametrised(&map, &|t| {
            let log = ln_below(t) / n;
            (log - (-log.exp_m1()).ln()).clamp(-FAR, FAR)
        })
    }

    /// The smallest of `n` independent copies, for any `n > 0`; see [`Grid::largest`].
    pub fn smallest(&self, n: f64) -> Grid {
        self.mirrored().largest(n).mirrored()
    }

    /// The `k`-th smallest of `n` independent copies, with `1 <= k <= n`.
    pub fn kth(&self, k: f64, n: f64) -> Grid {
        let (a, b) = (k, n - k + 1.0);
        match (a, b) {
            (_, 1.0) => self.largest(n),
            (1.0, _) => self.smallest(n),
            _ => {
                let density = BetaDensity::new(a, b);
                let map = |s: f64| {
                    let one = Probability::from_logit(s);
                    let (below, above) = incomplete_beta(a, b, one.below, one.above);
                    let rise = density.ln(one.below, one.above).exp();
                    ((below / above).ln(), rise / (below * above))
                };
                self.reparametrised(&map, &|t| source(&map, t))
            }
        }
    }

    /// The law whose probabilities are the image of those of this law.
    fn reparametrised(&self, map: Map, source: Source) -> Grid {
        let [low, middle, high] = [-REACH, 0.0, REACH].map(source);
        let limits = [low, high];
        let those = |piece: &&Piece| piece.from < limits[1] && piece.to > limits[0];
        let smooth = |piece: &&Piece| matches!(piece.shape, Shape::Smooth(..));
        let count = self.pieces.iter().filter(those).filter(smooth).count();
        let end = |t: f64| map(t.clamp(low, high)).0;
        let budget =
            |piece: &Piece| budget_of_likely(count, integral::mass(end(piece.from), end(piece.to)));
        let pieces: Vec<Piece> = (self.pieces.iter())
            .filter(those)
            .map(|piece| moved(piece, map, limits, middle, budget(piece)))
            .collect();
        Grid::from_pieces(pieces, self.support, self.at(0.0).0)
    }
}

/// Logarithm of the probability with logit `t`, accurate in both tails.
pub fn ln_below(t: f64) -> f64 {
    if t < 0.0 {
        t - t.exp().ln_1p()
    } else {
        -(-t).exp().ln_1p()
    }
}

/// [`ln_below`], with the probability above.
pub fn ln_below_and_above(t: f64) -> (f64, f64) {
    let e = (-t.abs()).exp();
    let near = -e.ln_1p();
    if t < 0.0 {
        (t + near, 1.0 / (1.0 + e))
    } else {
        (near, e / (1.0 + e))
    }
}

/// The logit that goes to `target`, by bisection.
fn source(map: Map, target: f64) -> f64 {
    let (mut low, mut high) = (-FAR, FAR);
    for _ in 0..60 {
        let half = 0.5 * (low + high);
        if map(half).0 < target {
            low = half
        } else {
            high = half
        }
    }
    0.5 * (low + high)
}

pub fn moved(piece: &Piece, map: Map, [low, high]: [f64; 2], middle: f64, budget: usize) -> Piece {
    let shape = match &piece.shape {
        Shape::Atom(value) => Shape::Atom(*value),
        Shape::Smooth(chart, segments) => {
            let (from, to) = (piece.from.max(low), piece.to.min(high));
            let mut point = |s: f64| {
                let (y, slope) = coordinate(segments, s);
                let (t, speed) = map(s);
                Node {
                    t,
                    y,
                    slope: slope / speed,
                }
            };
            let middle = if from < middle && middle < to {
                middle
            } else {
                0.5 * (from + to)
            };
            Shape::Smooth(*chart, trace(&[from, middle, to], budget, &mut point))
        }
    };
    // The ends of the law stay its ends.
    let end = |t: f64| {
        if t.is_infinite() {
            t
        } else {
            map(t.clamp(low, high)).0
        }
    };
    Piece {
        from: end(piece.from),
        to: end(piece.to),
        shape,
    }
}
