//! Products of independent variables: the cdf of one at `z / x`, over the values `x` of the other.

use super::compose::Joined;
use super::piece::{Piece, Shape};
use super::trace::REACH;
use super::{Grid, integral};
use crate::law::{Cumulants, Probability, Support};

/// Panels of each smooth piece.
const PANELS: i32 = 32;

/// The density of a product has poles of its logarithm, which take more segments.
const FINENESS: usize = 2;

/// Values at which laws with smooth pieces are cut, and all values of discrete ones; of more, none is told apart.
const CUTS: usize = 32;
const VALUES: usize = 1024;

/// Products of the same factors may differ by so much in rounding.
const ROUNDING: f64 = 4e-13;

/// Gauss-Legendre nodes and weights on `[-1, 1]`, eight points: the positive ones.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

impl Grid {
    /// The product of independent variables of any sign, with exact cumulants.
    pub fn product(x: &Grid, y: &Grid) -> Grid {
        match (x.as_constant(), y.as_constant()) {
            (Some(c), _) => return y.scaled(c),
            (_, Some(c)) => return x.scaled(c),
            _ => {}
        }
        // A sum over values is exact, and cheaper than an integral; values on both sides of 0 take more of them.
        let ease = |law: &Grid| (law.atoms(), !law.straddles_zero());
        let (x, y) = match ease(x) < ease(y) {
            true => (y, x),
            false => (x, y),
        };
        let product = Product::new(x, y);
        let (before, after) = (
            |z: f64| product.logit(z, false),
            |z: f64| product.logit(z, true),
        );
        let (a, b) = (x.body(), y.body());
        let joined = Joined {
            support: x.support.times(y.support),
            body: (a.0 * b.0, a.0.abs() * b.1 + b.0.abs() * a.1 + a.1 * b.1),
            before: &before,
            after: &after,
        };
        let grid = joined.grid(product.cuts(), FINENESS);
        grid.with_cumulants(Cumulants::product(&x.cumulants, &y.cumulants))
    }

    fn straddles_zero(&self) -> bool {
        self.support.lower < 0.0 && self.support.upper > 0.0
    }

    fn atoms(&self) -> usize {
        let atom = |piece: &&Piece| matches!(piece.shape, Shape::Atom(_));
        self.pieces.iter().filter(atom).count()
    }

    fn is_discrete(&self) -> bool {
        self.atoms() == self.pieces.len()
    }
}

/// Values of a variable with their weights, which stand for a stretch of logits.
struct Panel {
    from: f64,
    to: f64,
    values: Vec<(f64, f64)>,
}

struct Product<'a> {
    x: &'a Grid,
    y: &'a Grid,
    panels: Vec<Panel>,
    /// Where the cdf of `y` jumps or bends.
    ends: Vec<f64>,
}

impl Product<'_> {
    fn new<'a>(x: &'a Grid, y: &'a Grid) -> Product<'a> {
        let mut panels = Vec::new();
        let near_zero = near_zero(x);
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
            panels,
            ends: ends(y),
        }
    }

    /// What the ends of pieces make of each other, as far as they are few.
    fn cuts(&self) -> Vec<f64> {
        let limit = match self.x.is_discrete() && self.y.is_discrete() {
            true => VALUES,
            false => CUTS,
        };
        let xs = ends(self.x);
        let mut cuts = self.about_zero();
        let always = cuts.clone();
        if xs.len() * self.ends.len() <= 4 * VALUES {
            cuts.extend(xs.iter().flat_map(|x| self.ends.iter().map(move |y| x * y)));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| (*a - *b).abs() <= 0.5 * ROUNDING * b.abs());
        match cuts.len() <= limit {
            true => cuts,
            false => always,
        }
    }

    /// The density of a product may be infinite at 0: where that lies inside, pieces are the shorter the nearer.
    fn about_zero(&self) -> Vec<f64> {
        let Support { lower, upper } = self.x.support.times(self.y.support);
        if lower >= 0.0 || upper <= 0.0 || self.x.is_discrete() || self.y.is_discrete() {
            return vec![0.0];
        }
        let (a, b) = (self.x.body().1, self.y.body().1);
        let graded = [-8, -6, -4, -3, -2, -1].map(|k| a * b * 10.0_f64.powi(k));
        let both = graded.iter().flat_map(|z| [-z, *z]);
        both.chain([0.0]).collect()
    }

    /// The logit of `P(XY <= z)`, or without `closed` of `P(XY < z)`, and its derivative by `z`.
    fn logit(&self, z: f64, closed: bool) -> (f64, f64) {
        let mut sum = [0.0; 3];
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
        let [below, above, density] = sum;
        ((below / above).ln(), density / (below * above))
    }

    /// The probability of products up to `z` where the first factor is `x`, and its derivative by `z`.
    fn given(&self, x: f64, z: f64, closed: bool) -> (Probability, f64) {
        if x == 0.0 {
            let reached = z > 0.0 || closed && z == 0.0;
            return (Probability::below(f64::from(u8::from(reached))), 0.0);
        }
        let y = z / x;
        // A value that the product reaches counts, or does not, whatever rounding made of it.
        let aside = ROUNDING * y.abs();
        let up = closed == (x > 0.0);
        let (t, rate) = match up {
            true => self.y.logit(y + aside),
            false => self.y.logit_before(y - aside),
        };
        let p = Probability::from_logit(t);
        let density = match t.is_finite() {
            true => p.below * p.above * rate / x.abs(),
            false => 0.0,
        };
        (if x > 0.0 { p } else { p.complement() }, density)
    }

    /// The logits of the first factor at which the cdf of the second jumps or bends.
    fn breaks(&self, z: f64) -> Vec<f64> {
        let smooth = self.panels.iter().any(|panel| panel.values.len() > 1);
        if !smooth || self.ends.len() > CUTS {
            return Vec::new();
        }
        let away = self.ends.iter().filter(|end| **end != 0.0);
        away.map(|end| self.x.logit(z / end).0).collect()
    }
}

/// The finite ends of all pieces, in increasing order.
fn ends(law: &Grid) -> Vec<f64> {
    let both = law
        .pieces
        .iter()
        .flat_map(|piece| [piece.range().0, piece.range().1]);
    let mut ends: Vec<f64> = both.filter(|x| x.is_finite()).collect();
    ends.dedup();
    ends
}

/// Logits of values that come near 0 from both sides: there the quotient by them is smooth in their logarithm.
fn near_zero(law: &Grid) -> Vec<f64> {
    if !law.straddles_zero() {
        return Vec::new();
    }
    let width = law.body().1;
    let values = (0..20).map(|k| width * 0.25_f64.powi(k));
    let logits = values.flat_map(|x| [law.logit(-x).0, law.logit(x).0]);
    logits.chain([law.logit(0.0).0]).collect()
}

/// A smooth piece in panels that grow with the distance from the middle, cut at these logits, too.
fn stretches(piece: &Piece, cuts: &[f64]) -> Vec<Panel> {
    let knot = |i: i32| {
        let s = 5.0 * (2.0 * f64::from(i) / f64::from(PANELS) - 1.0);
        REACH * s.sinh() / 5.0_f64.sinh()
    };
    let (first, last) = (piece.from.max(-REACH), piece.to.min(REACH));
    let mut knots: Vec<f64> = (0..=PANELS).map(knot).collect();
    knots.extend(cuts);
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
fn values([from, to]: [f64; 2], at: &dyn Fn(f64) -> f64) -> Vec<(f64, f64)> {
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
