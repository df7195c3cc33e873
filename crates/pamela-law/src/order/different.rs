//! The k-th smallest of variables with different laws: integrates its cdf over the values.

use super::at_least;
use crate::panels::integral;
use crate::{Cumulants, Distribution, Probability};

/// Panels beside those that breaks make.
const MAX_KNOTS: usize = 200;

/// Values less likely than `e^-36` to be undercut, and less likely than `e^-200` to be passed, count as bounds: neither
/// moves a fourth moment.
const LOW: f64 = -36.0;
const HIGH: f64 = 200.0;
/// The last logit but infinity.
const LAST: f64 = 700.0;

/// The share of all that lies beyond a value which, where it is one law's, the others hide.
const UNSEEN: f64 = 1e-17;
/// The share in a fourth moment that is rounding.
const UNNOTICED: f64 = 1e-15;

/// Cumulants of the largest of two or more laws.
pub fn largest(laws: &[&dyn Distribution]) -> Cumulants {
    match that_count(laws).as_slice() {
        [single] => single.cumulants(),
        several => kth(several, several.len()),
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

/// Cumulants of the `k`-th smallest of two or more laws; `1 <= k <= laws.len()`.
pub fn kth(laws: &[&dyn Distribution], k: usize) -> Cumulants {
    let whole = OrderStatistic::new(laws, k);
    let mut breaks: Vec<f64> = laws.iter().flat_map(|law| law.breaks()).collect();
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    if laws.iter().all(|law| law.is_discrete()) {
        return super::of_steps(breaks.into_iter().map(|x| (x, whole.cdf(x))));
    }
    let standard = super::about(0.0, whole.moments(&breaks));
    standard.scaled(whole.unit()).shifted(whole.start)
}

struct OrderStatistic<'a> {
    laws: &'a [&'a dyn Distribution],
    k: usize,
    cdfs: Vec<Box<dyn Fn(f64) -> Probability + 'a>>,
    /// The `k`-th of the medians, which is near the `k`-th variable.
    start: f64,
    scale: f64,
}

impl<'a> OrderStatistic<'a> {
    fn new(laws: &'a [&'a dyn Distribution], k: usize) -> OrderStatistic<'a> {
        let deviations = laws.iter().map(|law| law.cumulants().deviation());
        OrderStatistic {
            laws,
            k,
            cdfs: laws.iter().map(|law| law.cdfs()).collect(),
            start: kth_quantile(laws, k, 0.0),
            scale: deviations.fold(0.0, f64::max),
        }
    }

    fn cdf(&self, x: f64) -> Probability {
        let each = self.cdfs.iter().map(|cdf| cdf(x));
        if self.k < self.laws.len() {
            return at_least(self.k, each.map(|p| (p, 0.0))).0;
        }
        // Sums and products of nonnegative numbers keep their digits.
        each.fold(Probability::above(0.0), |all, one| Probability {
            below: all.below * one.below,
            above: all.above + all.below * one.above,
        })
    }

    /// The least value to speak of, and the farthest steps from it up to the last, so that each law has a stretch of
    /// its cdf between two of them that is easily integrated; with breaks and the start.
    fn knots(&self, breaks: &[f64]) -> Vec<f64> {
        let mut x = kth_quantile(self.laws, self.k, LOW);
        let mut knots = vec![x];
        while self.is_noticed(x) {
            if knots.len() == MAX_KNOTS {
                knots.push(kth_quantile(self.laws, self.laws.len(), LAST));
                break;
            }
            let all = self.cdf(x).above;
            let next = self.laws.iter().zip(&self.cdfs).filter_map(|(law, cdf)| {
                let here = cdf(x);
                let t = here.logit();
                let end = law.quantile(Probability::from_logit(t + stretch(t)));
                (end > x && here.above > UNSEEN * all).then_some(end)
            });
            x = next.fold(f64::INFINITY, f64::min);
            if x.is_infinite() {
                break;
            }
            knots.push(x);
        }
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let inside = |x: &f64| *x > first && *x < last;
        knots.extend(breaks.iter().copied().filter(inside));
        knots.extend(Some(self.start).filter(inside));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// True if what lies beyond `x` counts in a fourth moment.
    fn is_noticed(&self, x: f64) -> bool {
        let far = 1.0 + (x - self.start).abs() / self.scale;
        x < self.start || self.cdf(x).above * far.powi(4) > UNNOTICED
    }

    /// Unit of the values: the scale, if it is a positive finite number.
    fn unit(&self) -> f64 {
        if self.scale > 0.0 && self.scale.is_finite() {
            self.scale
        } else {
            1.0
        }
    }

    /// `E[(Y - c)^r]` in units, about the start `c` for r = 1 to 4, by parts: of the upper tail above it, of the lower one below.
    fn moments(&self, breaks: &[f64]) -> [f64; 4] {
        let (c, unit) = (self.start, self.unit());
        let knots = self.knots(breaks).into_iter();
        let knots: Vec<f64> = knots.map(|x| (x - c) / unit).collect();
        integral(&knots, |d| {
            let p = self.cdf(c + unit * d);
            let tail = if d < 0.0 { -p.below } else { p.above };
            // Far out, powers of the distance leave the range of doubles.
            if tail == 0.0 {
                return [0.0; 4];
            }
            let square = d * d;
            [1.0, 2.0 * d, 3.0 * square, 4.0 * square * d].map(|power| power * tail)
        })
    }
}

/// The k-th smallest of the quantiles at a logit.
fn kth_quantile(laws: &[&dyn Distribution], k: usize, t: f64) -> f64 {
    let p = Probability::from_logit(t);
    let mut quantiles: Vec<f64> = laws.iter().map(|law| law.quantile(p)).collect();
    quantiles.sort_by(f64::total_cmp);
    quantiles[k - 1]
}

/// Maximum length of a panel in the logit of one law.
fn stretch(t: f64) -> f64 {
    5.0 + 0.5 * t.abs()
}
