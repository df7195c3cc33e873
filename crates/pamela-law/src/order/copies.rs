//! Order statistics of copies, as quantiles at a beta variable.
//!
//! The `k`-th smallest of `n` uniform variables is `Beta(k, n - k + 1)`. In the logit, its density
//! has no singularities and decays exponentially on both sides, however large `k` and `n` are; the
//! logit is accurate in both tails. Moments by gamma functions would overflow or cancel (errata).

use crate::quadrature::{Integral, half_line, interval, line};
use crate::special::{BetaDensity, incomplete_beta};
use crate::{Cumulants, Distribution, Probability};

/// If the density of the logit is below this, the quantile function may break: no fourth moment changes noticeably.
const NEVER: f64 = 1e-40;

/// Cumulants of the `k`-th smallest of `n > 1` copies.
pub fn cumulants(law: &dyn Distribution, k: f64, n: f64) -> Cumulants {
    let order = Order::new(k, n - k + 1.0);
    if law.is_discrete() {
        let mut values = law.breaks();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let steps = values.into_iter().map(|x| (x, order.cdf(law.cdf(x))));
        return super::of_steps(steps);
    }
    let breaks = order.breaks(law);
    // From the middle of the density, so that moments about it do not cancel.
    let start = law.quantile(Probability::from_logit(order.middle()));
    let scale = order.width(law);
    let [unit, moments @ ..] = order.integrate(&breaks, |p, density| {
        // Far out, the fourth power of a value leaves the range of doubles where its share in the moment does not.
        let root = density.sqrt().sqrt();
        let x = root * ((law.quantile(p) - start) / scale);
        let square = x * x;
        let rest = root * root;
        [
            density,
            x * rest * root,
            square * rest,
            square * x * root,
            square * square,
        ]
    });
    let standard = super::about(0.0, moments.map(|m| m / unit));
    standard.scaled(scale).shifted(start)
}

/// A `Beta(k, rest)` variable.
struct Order {
    k: f64,
    rest: f64,
    density: BetaDensity,
}

impl Order {
    fn new(k: f64, rest: f64) -> Order {
        let density = BetaDensity::new(k, rest);
        Order { k, rest, density }
    }

    /// The logit where the density of the logit is greatest.
    fn middle(&self) -> f64 {
        (self.k / self.rest).ln()
    }

    /// Deviation of the logit, near its middle.
    fn deviation(&self) -> f64 {
        (1.0 / self.k + 1.0 / self.rest).sqrt()
    }

    /// Density of the logit.
    fn density(&self, p: Probability) -> f64 {
        self.density.ln(p.below, p.above).exp()
    }

    fn cdf(&self, p: Probability) -> Probability {
        if self.rest == 1.0 {
            return p.power(self.k);
        }
        if self.k == 1.0 {
            return p.complement().power(self.rest).complement();
        }
        let (below, above) = incomplete_beta(self.k, self.rest, p.below, p.above);
        Probability { below, above }
    }

    /// Distance of the values near the middle; not 0.
    fn width(&self, law: &dyn Distribution) -> f64 {
        let at = |z: f64| {
            let t = self.middle() + z * self.deviation();
            law.quantile(Probability::from_logit(t))
        };
        let width = at(1.0) - at(-1.0);
        if width > 0.0 && width.is_finite() {
            width
        } else {
            1.0
        }
    }

    /// The logits between which the quantile function is smooth: of the cdf on both sides of every break that is not
    /// beyond all likelihood.
    fn breaks(&self, law: &dyn Distribution) -> Vec<f64> {
        let sides = |x: f64| [law.cdf(x.next_down()).logit(), law.cdf(x).logit()];
        let finite = law.breaks().into_iter().filter(|x| x.is_finite());
        let counts = |t: &f64| self.density(Probability::from_logit(*t)) > NEVER;
        let mut breaks: Vec<f64> = finite.flat_map(sides).filter(counts).collect();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        breaks
    }

    /// `E[f(B)]` for the beta variable `B`. `f` maps a probability and the density of its logit to the value times
    /// the density.
    fn integrate<const K: usize>(
        &self,
        breaks: &[f64],
        f: impl Fn(Probability, f64) -> [f64; K],
    ) -> [f64; K] {
        let at = |t: f64| {
            let p = Probability::from_logit(t);
            let density = self.density(p);
            if density > 0.0 {
                f(p, density)
            } else {
                [0.0; K]
            }
        };
        let (middle, deviation) = (self.middle(), self.deviation());
        let mut sum = [0.0; K];
        let mut add = |part: Integral<K>| {
            for (sum, value) in sum.iter_mut().zip(part.value) {
                *sum += value;
            }
        };
        let [first, .., last] = breaks else {
            add(line(middle, deviation, at));
            return sum;
        };
        // A narrow density in a wide interval would be missed.
        let around = [-10.0, 0.0, 10.0].map(|z| middle + z * deviation);
        let inside = around.into_iter().filter(|t| t > first && t < last);
        let mut knots: Vec<f64> = breaks.iter().copied().chain(inside).collect();
        knots.sort_by(f64::total_cmp);
        let (outer_left, outer_right) = (around[0].min(*first), around[2].max(*last));
        if outer_left < *first {
            knots.insert(0, outer_left);
        }
        if outer_right > *last {
            knots.push(outer_right);
        }
        for pair in knots.windows(2) {
            add(interval(pair[0], pair[1], at));
        }
        let scaled = |x: f64| x * deviation;
        let tail = |sign: f64, end: f64| {
            half_line(move |x| at(end + sign * scaled(x)).map(|value| value * deviation))
        };
        add(tail(-1.0, knots[0]));
        add(tail(1.0, knots[knots.len() - 1]));
        sum
    }
}
