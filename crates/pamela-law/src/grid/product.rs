//! Products of independent variables: averages the cdf of one at `z / x` over the values `x` of the
//! other.

use super::average::{Mass, Panel, ROUNDING, ends, logit, probability, stretches, values};
use super::compose::Joined;
use super::piece::{Piece, Shape};
use super::{Grid, integral};
use crate::{Probability, Support};

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
        let (x, y, [p, q]) = if ease(x, p) < ease(y, q) {
            (y, x, [q, p])
        } else {
            (x, y, [p, q])
        };
        let product = Product::new(x, y, [p, q]);
        let (before, after) = (
            |z: f64| product.logit(z, false),
            |z: f64| product.logit(z, true),
        );
        let (a, b) = (x.body(), y.body());
        let joined = Joined {
            support: x.support.product_beside(y.support, [p, q]),
            body: (
                p * b.0 + q * a.0 + a.0 * b.0,
                (p + a.0).abs() * b.1 + (q + b.0).abs() * a.1 + a.1 * b.1,
            ),
            marks: Vec::new(),
            before: &before,
            after: &after,
        };
        let grid = joined.grid(product.cuts(), FINENESS);
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

struct Product<'a> {
    x: &'a Grid,
    y: &'a Grid,
    /// Offsets of the factors.
    offsets: [f64; 2],
    panels: Vec<Panel>,
    /// Points at which the cdf of `y` jumps or bends.
    ends: Vec<f64>,
}

impl Product<'_> {
    fn new<'a>(x: &'a Grid, y: &'a Grid, offsets: [f64; 2]) -> Product<'a> {
        let mut panels = Vec::new();
        let near_zero = near(x, -offsets[0]);
        for piece in &x.pieces {
            match piece.shape {
                Shape::Atom(value) => panels.push(Panel {
                    from: piece.from,
                    to: piece.to,
                    values: vec![(value, integral::mass(piece.from, piece.to))],
                }),
                Shape::Smooth(..) => panels.extend(stretches(piece, &near_zero)),
            }
        }
        Product {
            x,
            y,
            offsets,
            panels,
            ends: ends(y),
        }
    }

    /// What the ends of pieces make of each other, as far as they are few.
    fn cuts(&self) -> Vec<f64> {
        let limit = if self.x.has_only_atoms() && self.y.has_only_atoms() {
            VALUES
        } else {
            CUTS
        };
        let xs = ends(self.x);
        let mut cuts = self.about_zero();
        let always = cuts.clone();
        if xs.len() * self.ends.len() <= 4 * VALUES {
            let [p, q] = self.offsets;
            let beyond = |x: f64, y: f64| p * y + q * x + x * y;
            cuts.extend(
                xs.iter()
                    .flat_map(|x| self.ends.iter().map(move |y| beyond(*x, *y))),
            );
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| (*a - *b).abs() <= 0.5 * ROUNDING * b.abs());
        if cuts.len() <= limit { cuts } else { always }
    }

    /// The density of a product may be infinite at 0: where that lies inside, pieces are the shorter the nearer.
    fn about_zero(&self) -> Vec<f64> {
        let [p, q] = self.offsets;
        let zero = -p * q;
        let Support { lower, upper } = self.x.support.product_beside(self.y.support, [p, q]);
        if lower >= zero || upper <= zero || self.x.has_only_atoms() || self.y.has_only_atoms() {
            return vec![zero];
        }
        let (a, b) = (self.x.body().1, self.y.body().1);
        let graded = [-8, -6, -4, -3, -2, -1].map(|k| a * b * 10.0_f64.powi(k));
        let both = graded.iter().flat_map(|z| [-z, *z]);
        both.chain([0.0]).map(|z| zero + z).collect()
    }

    /// The logit of `P(XY <= z)`, or without `closed` of `P(XY < z)`, and its derivative by `z`.
    fn logit(&self, z: f64, closed: bool) -> (f64, f64) {
        let mut sum: Mass = [0.0; 3];
        let mut add = |values: &[(f64, f64)]| {
            for (x, weight) in values {
                let (p, density) = self.given(*x, z, closed);
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
        logit(sum)
    }

    /// The probability of products up to `z` where the first factor is `x`, and its derivative by `z`.
    fn given(&self, value: f64, z: f64, closed: bool) -> (Probability, f64) {
        let [p, q] = self.offsets;
        let x = p + value;
        if x == 0.0 {
            let zero = -p * q;
            let reached = z > zero || closed && z == zero;
            return (Probability::below(f64::from(u8::from(reached))), 0.0);
        }
        let y = (z - q * value) / x;
        // A value that the product reaches counts, or does not, whatever rounding made of it.
        let aside = ROUNDING * (y.abs() + (q * value / x).abs());
        let up = closed == (x > 0.0);
        let (p, density) = probability(if up {
            self.y.logit(y + aside)
        } else {
            self.y.logit_before(y - aside)
        });
        let density = density / x.abs();
        (if x > 0.0 { p } else { p.complement() }, density)
    }

    /// The logits of the first factor at which the cdf of the second jumps or bends.
    fn breaks(&self, z: f64) -> Vec<f64> {
        let smooth = self.panels.iter().any(|panel| panel.values.len() > 1);
        if !smooth || self.ends.len() > CUTS {
            return Vec::new();
        }
        // (p + x)(q + end) = p q + z
        let [p, q] = self.offsets;
        let away = self.ends.iter().filter(|end| q + **end != 0.0);
        let at = |end: &f64| (z - p * end) / (q + end);
        away.map(|end| self.x.logit(at(end)).0).collect()
    }
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
