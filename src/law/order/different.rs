//! The largest of variables with different laws: the product of their cdfs, integrated over the values.

use crate::law::quadrature::{Integral, half_line, interval};
use crate::law::{Cumulants, Distribution, Probability};

/// Knots beside the breaks, which hold the integrand's structure apart.
const MAX_KNOTS: usize = 16;

/// Values less likely than `e^-45` to be undercut, and less likely than `e^-200` to be passed, count as bounds: neither
/// moves a fourth moment.
const LOW: f64 = -45.0;
const HIGH: f64 = 200.0;

/// Of two or more laws.
pub fn largest(laws: &[&dyn Distribution]) -> Cumulants {
    match that_count(laws).as_slice() {
        [single] => single.cumulants(),
        several => largest_of_several(several),
    }
}

/// Without the laws whose values lie below those of another.
fn that_count<'a>(laws: &[&'a dyn Distribution]) -> Vec<&'a dyn Distribution> {
    let at = |law: &dyn Distribution, t: f64| law.quantile(Probability::from_logit(t));
    let (mut first, mut floor) = (0, f64::NEG_INFINITY);
    for (i, law) in laws.iter().enumerate() {
        let low = at(*law, LOW);
        if low > floor {
            (first, floor) = (i, low);
        }
    }
    let counts = |(i, law): &(usize, &&dyn Distribution)| *i == first || at(**law, HIGH) > floor;
    let those = laws.iter().enumerate().filter(counts);
    those.map(|(_, law)| *law).collect()
}

fn largest_of_several(laws: &[&dyn Distribution]) -> Cumulants {
    let product = Product { laws };
    let mut breaks: Vec<f64> = laws.iter().flat_map(|law| law.breaks()).collect();
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    if laws.iter().all(|law| law.is_discrete()) {
        return super::of_steps(breaks.into_iter().map(|x| (x, product.cdf(x))));
    }
    let knots = product.knots(&breaks);
    let scale = laws.iter().map(|law| law.cumulants().deviation());
    let scale = scale.fold(0.0, f64::max);
    // The greatest median lies near the largest variable.
    let even = Probability::below(0.5);
    let medians = laws.iter().map(|law| law.quantile(even));
    let start = medians.fold(f64::NEG_INFINITY, f64::max);
    super::about(start, product.moments(start, scale, &knots))
}

struct Product<'a> {
    laws: &'a [&'a dyn Distribution],
}

impl Product<'_> {
    fn cdf(&self, x: f64) -> Probability {
        let log: f64 = self.laws.iter().map(|law| law.cdf(x).ln()).sum();
        Probability {
            below: log.exp(),
            above: -log.exp_m1(),
        }
    }

    /// Where to split: breaks, and some medians, between the ends of the support.
    fn knots(&self, breaks: &[f64]) -> Vec<f64> {
        let supports = self.laws.iter().map(|law| law.support());
        let (lower, upper) = supports.fold(
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            |(lower, upper), support| (lower.max(support.lower), upper.max(support.upper)),
        );
        let even = Probability::below(0.5);
        let mut medians: Vec<f64> = self.laws.iter().map(|law| law.quantile(even)).collect();
        medians.sort_by(f64::total_cmp);
        let every = medians.len().div_ceil(MAX_KNOTS);
        let medians = medians.iter().rev().step_by(every);
        let inside = |x: &f64| *x >= lower && *x <= upper && x.is_finite();
        let mut knots: Vec<f64> = breaks.iter().chain(medians).copied().collect();
        knots.retain(inside);
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// `E[(Y - c)^r]` for r = 1 to 4, by parts: of the upper tail above `c`, of the lower one below.
    fn moments(&self, c: f64, scale: f64, knots: &[f64]) -> [f64; 4] {
        let powers = |d: f64, tail: f64| {
            // Far out, powers of the distance leave the range of doubles.
            if tail == 0.0 {
                return [0.0; 4];
            }
            let square = d * d;
            [
                tail,
                2.0 * d * tail,
                3.0 * square * tail,
                4.0 * square * d * tail,
            ]
        };
        let above = |x: f64| powers(x - c, self.cdf(x).above);
        let below = |x: f64| powers(x - c, -self.cdf(x).below);
        let mut sum = [0.0; 4];
        let mut add = |part: Integral<4>| {
            for (sum, value) in sum.iter_mut().zip(part.value) {
                *sum += value;
            }
        };
        let mut knots = knots.to_vec();
        knots.push(c);
        knots.sort_by(f64::total_cmp);
        for pair in knots.windows(2) {
            match pair[1] <= c {
                true => add(interval(pair[0], pair[1], below)),
                false => add(interval(pair[0], pair[1], above)),
            }
        }
        let tail = |end: f64, sign: f64, f: &dyn Fn(f64) -> [f64; 4]| {
            half_line(|x| f(end + sign * scale * x).map(|value| value * scale))
        };
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        if self.cdf(first.next_down()).below > 0.0 {
            add(tail(first, -1.0, &below));
        }
        if self.cdf(last).above > 0.0 {
            add(tail(last, 1.0, &above));
        }
        sum
    }
}
