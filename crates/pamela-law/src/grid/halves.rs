//! Sums of two variables with densities: each is integrated over its own lower half, or over its own upper half, so that no
//! integral comes near an end at which the other density may be infinite.

use super::Grid;
use super::average::{Mass, Panel, ends, knots, logit, probability, stretches, values};
use super::compose::Joined;
use crate::{Probability, Support};

/// Two operands of a sum.
pub struct Halves<'a>([Operand<'a>; 2]);

struct Operand<'a> {
    law: &'a Grid,
    panels: Vec<Panel>,
    /// Points at which the cdf bends.
    ends: Vec<f64>,
    /// Points between which the cdf is like a polynomial, with their logits.
    knots: Vec<(f64, f64)>,
}

impl Halves<'_> {
    /// The sum, with pieces between the cuts.
    pub fn sum(x: &Grid, y: &Grid, cuts: Vec<f64>) -> Grid {
        let (mirrored_x, mirrored_y) = (x.mirrored(), y.mirrored());
        let lower = Halves([x, y].map(Operand::new));
        let upper = Halves([&mirrored_x, &mirrored_y].map(Operand::new));
        let both = |end: fn(&Grid) -> f64| end(x).is_finite() && end(y).is_finite();
        let has_end = [both(|law| law.support.lower), both(|law| law.support.upper)];
        let cdf = |z: f64| {
            let (split, t) = lower.balance(z);
            let is_upper = match has_end {
                [true, true] => t > 0.0,
                [first, last] => last && !first,
            };
            if !is_upper {
                return logit(lower.mass(z, split));
            }
            let [above, below, density] = upper.mass(-z, -split);
            logit([below, above, density])
        };
        sum_by_cdf(x, y, cuts, &cdf, &cdf)
    }

    /// The value of the first operand at which both are as likely to be less, and the logit of that.
    fn balance(&self, z: f64) -> (f64, f64) {
        let [x, y] = [&self.0[0], &self.0[1]].map(|operand| operand.law);
        let range = |law: &Grid| (law.ends[0].0, law.ends[law.ends.len() - 1].1);
        let ((first, last), (least, largest)) = (range(x), range(y));
        let finite = |end: f64, law: &Grid, t: f64| if end.is_finite() { end } else { law.at(t).0 };
        let mut low = finite(first, x, -FAR).max(z - finite(largest, y, FAR));
        let mut high = finite(last, x, FAR).min(z - finite(least, y, -FAR));
        if low >= high {
            return (low, x.logit(low).0);
        }
        // It need not be exact.
        let (mut split, mut own) = (low, f64::NEG_INFINITY);
        for _ in 0..MOST_HALVINGS {
            split = 0.5 * (low + high);
            own = x.logit(split).0;
            let excess = own - y.logit(z - split).0;
            if excess.abs() < 1.0 {
                break;
            }
            if excess > 0.0 {
                high = split
            } else {
                low = split
            }
        }
        (split, own)
    }

    /// The probabilities of sums up to `z`; the first operand is integrated up to `split`.
    fn mass(&self, z: f64, split: f64) -> Mass {
        let [x, y] = &self.0;
        let (x_until, y_until) = (x.law.logit(split).0, y.law.logit(z - split).0);
        let [own, other] = [x_until, y_until].map(Probability::from_logit);
        let mut sum: Mass = [0.0, own.above * other.above, 0.0];
        x.each_up_to(x_until, z, (y, y_until), |value, weight| {
            let (p, density) = probability(y.law.logit(z - value));
            sum[0] += weight * p.below;
            sum[1] += weight * p.above;
            sum[2] += weight * density;
        });
        y.each_up_to(y_until, z, (x, x_until), |value, weight| {
            let (p, density) = probability(x.law.logit(z - value));
            sum[0] += weight * own.until(p).max(0.0);
            sum[1] += weight * p.above;
            sum[2] += weight * density;
        });
        sum
    }
}

impl<'a> Operand<'a> {
    fn new(law: &'a Grid) -> Operand<'a> {
        Operand {
            panels: law
                .pieces
                .iter()
                .flat_map(|piece| stretches(piece, &[]))
                .collect(),
            law,
            ends: ends(law),
            knots: knots()
                .filter(|t| t.abs() < RISEN)
                .map(|t| (t, law.at(t).0))
                .collect(),
        }
    }

    /// Values up to a logit with their weights, cut where the other operand of `z` bends, or rises from `risen` on.
    fn each_up_to(
        &self,
        until: f64,
        z: f64,
        (other, risen): (&Operand, f64),
        mut add: impl FnMut(f64, f64),
    ) {
        // Less likely values do not count.
        let first = until.min(0.0) - RISEN;
        let rises = other.knots.iter().filter(|(t, _)| *t > risen);
        let breaks: Vec<f64> = (other.ends.iter())
            .chain(rises.map(|(_, y)| y))
            .map(|y| self.law.logit(z - y).0)
            .filter(|t| *t < until && *t > first)
            .collect();
        for panel in self
            .panels
            .iter()
            .filter(|panel| panel.from < until && panel.to > first)
        {
            let inside = |t: &f64| *t > panel.from && *t < panel.to;
            let mut knots: Vec<f64> = breaks
                .iter()
                .copied()
                .chain([until])
                .filter(inside)
                .collect();
            if knots.is_empty() {
                panel.values.iter().for_each(|&(x, weight)| add(x, weight));
                continue;
            }
            knots.extend([panel.from, panel.to.min(until)]);
            knots.sort_by(f64::total_cmp);
            for pair in knots.windows(2).filter(|pair| pair[0] < pair[1]) {
                let nodes = values([pair[0], pair[1]], &|t| self.law.at(t).0);
                nodes.into_iter().for_each(|(x, weight)| add(x, weight));
            }
        }
    }
}

/// Sums are smoother than other laws of as many pieces, and each of their values takes an integral.
const FINENESS: f64 = 0.3;

/// Beyond this logit, a cdf has risen, or not yet.
const RISEN: f64 = 45.0;

/// Steps of the search for the value that parts both halves.
const MOST_HALVINGS: usize = 60;

/// Values beyond this logit are not needed.
const FAR: f64 = 600.0;

/// The sum of two variables by its cdf.
pub fn sum_by_cdf(
    x: &Grid,
    y: &Grid,
    cuts: Vec<f64>,
    before: &dyn Fn(f64) -> (f64, f64),
    after: &dyn Fn(f64) -> (f64, f64),
) -> Grid {
    let (a, b) = (x.body(), y.body());
    let joined = Joined {
        support: Support::new(
            x.support.lower + y.support.lower,
            x.support.upper + y.support.upper,
        ),
        body: (a.0 + b.0, a.1 + b.1),
        marks: Vec::new(),
        before,
        after,
    };
    let cumulants = x.cumulants.plus(&y.cumulants);
    joined.grid(cuts, FINENESS).with_cumulants(cumulants)
}
