//! Products of independent variables.

use super::Grid;
use super::average::{Average, Operation, ROUNDING, ends, logit};
use super::compose::Joined;
use super::piece::{Piece, Shape};
use crate::Support;

/// The density of a product has poles of its logarithm, which take more segments.
const FINENESS: f64 = 2.0;

/// Values at which laws with smooth pieces are cut, and all values of discrete ones; of more, none is told apart.
const CUTS: usize = 32;
const VALUES: usize = 1024;

impl Grid {
    /// The product of independent variables of any sign, with exact cumulants.
    pub fn product(x: &Grid, y: &Grid) -> Grid {
        Grid::product_beside(x, y, [0.0, 0.0])
    }

    /// The law of `(p + X) (q + Y) - p * q`.
    pub fn product_beside(x: &Grid, y: &Grid, [p, q]: [f64; 2]) -> Grid {
        // (p + c)(q + Y) - p q = (p + c) Y + q c
        match (x.as_constant(), y.as_constant()) {
            (Some(c), _) => return y.scaled(p + c).shifted(q * c),
            (_, Some(c)) => return x.scaled(q + c).shifted(p * c),
            _ => {}
        }
        // A sum over values is exact, and cheaper than an integral; values on both sides of 0 take more of them.
        let ease = |law: &Grid, offset: f64| (law.atoms(), !law.straddles(-offset));
        let (x, y, [p, q]) = match ease(x, p) < ease(y, q) {
            true => (y, x, [q, p]),
            false => (x, y, [p, q]),
        };
        let (a, b) = (x.body(), y.body());
        let body = (
            p * b.0 + q * a.0 + a.0 * b.0,
            (p + a.0).abs() * b.1 + (q + b.0).abs() * a.1 + a.1 * b.1,
        );
        let support = x.support.product_beside(y.support, [p, q]);
        let product = Average::new(Operation::Product([p, q]), x, y, &near(x, -p));
        let (before, after) = (
            |z: f64| logit(product.mass(z, false)),
            |z: f64| logit(product.mass(z, true)),
        );
        let joined = Joined {
            support,
            body,
            marks: Vec::new(),
            before: &before,
            after: &after,
        };
        let grid = joined.grid(cuts(x, y, [p, q]), FINENESS);
        grid.with_cumulants(x.cumulants.product_beside(&y.cumulants, [p, q]))
    }

    /// Whether there are values on both sides.
    fn straddles(&self, middle: f64) -> bool {
        self.support.lower < middle && self.support.upper > middle
    }

    pub(super) fn atoms(&self) -> usize {
        let atom = |piece: &&Piece| matches!(piece.shape, Shape::Atom(_));
        self.pieces.iter().filter(atom).count()
    }

    pub(super) fn has_only_atoms(&self) -> bool {
        self.atoms() == self.pieces.len()
    }
}

/// What the ends of pieces make of each other, as far as they are few.
fn cuts(x: &Grid, y: &Grid, offsets: [f64; 2]) -> Vec<f64> {
    let limit = match x.has_only_atoms() && y.has_only_atoms() {
        true => VALUES,
        false => CUTS,
    };
    let (xs, ys) = (ends(x), ends(y));
    let mut cuts = about_zero(x, y, offsets);
    let always = cuts.clone();
    if xs.len() * ys.len() <= 4 * VALUES {
        let product = |x: f64, y: f64| Operation::Product(offsets).of(x, y);
        cuts.extend(
            xs.iter()
                .flat_map(|x| ys.iter().map(move |y| product(*x, *y))),
        );
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|a, b| (*a - *b).abs() <= 0.5 * ROUNDING * b.abs());
    match cuts.len() <= limit {
        true => cuts,
        false => always,
    }
}

/// The density of a product may be infinite at 0: where that lies inside, pieces are the shorter the nearer.
fn about_zero(x: &Grid, y: &Grid, [p, q]: [f64; 2]) -> Vec<f64> {
    let zero = -p * q;
    let Support { lower, upper } = x.support.product_beside(y.support, [p, q]);
    if lower >= zero || upper <= zero || x.has_only_atoms() || y.has_only_atoms() {
        return vec![zero];
    }
    let (a, b) = (x.body().1, y.body().1);
    let graded = [-8, -6, -4, -3, -2, -1].map(|k| a * b * 10.0_f64.powi(k));
    let both = graded.iter().flat_map(|z| [-z, *z]);
    both.chain([0.0]).map(|z| zero + z).collect()
}

/// Logits of values that come near one from both sides, where that and they add up to 0: there the quotient by such a
/// sum is smooth in its logarithm.
fn near(law: &Grid, middle: f64) -> Vec<f64> {
    if !law.straddles(middle) {
        return Vec::new();
    }
    let width = law.body().1;
    let values = (0..20).map(|k| width * 0.25_f64.powi(k));
    let logits = values.flat_map(|x| [law.logit(middle - x).0, law.logit(middle + x).0]);
    logits.chain([law.logit(middle).0]).collect()
}
