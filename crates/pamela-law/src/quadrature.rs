//! Double-exponential quadrature (Takahasi and Mori).
//!
//! It is the trapezoidal rule after a substitution that makes the integrand decay doubly
//! exponentially. Singularities at the ends are harmless; callers split the interval at inner ones.
//! An integrand has `K` components, which share their nodes.

use std::f64::consts::{FRAC_PI_2, PI};

use super::Probability;

/// Integrals with estimates of their absolute errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integral<const K: usize> {
    /// The integrals.
    pub value: [f64; K],
    /// Errors, extrapolated from the changes by the last two halvings of the step.
    pub error: [f64; K],
}

/// An error below this, relative to the integral of the absolute value, ends the halving.
const TOLERANCE: f64 = 1e-13;
/// Below this change, halvings are trusted to go on as they did.
const SMALL: f64 = 1e-5;
/// Steps of 1/2, 1/4, ... 1/512.
const FIRST_LEVEL: i32 = 1;
const LAST_LEVEL: i32 = 9;

/// Gauss-Legendre nodes and weights on `[-1, 1]`, eight points: the positive ones.
pub const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// The integral of a smooth function from `a` to `b`, by eight points.
pub fn short([a, b]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let pair =
        |(node, weight): &(f64, f64)| weight * (f(middle - half * node) + f(middle + half * node));
    half * GAUSS.iter().map(pair).sum::<f64>()
}

/// `int_0^1 f(u) du`, with nodes from `u = 1e-300` to `1 - u = 1e-300`.
pub fn unit<const K: usize>(f: impl FnMut(Probability) -> [f64; K]) -> Integral<K> {
    trapezoid((-6.09, 6.09), unit_node, f)
}

/// `int_a^b f(u) du` for probabilities `a < b`.
pub fn between<const K: usize>(
    a: Probability,
    b: Probability,
    mut f: impl FnMut(Probability) -> [f64; K],
) -> Integral<K> {
    let width = if a.below < 0.5 {
        b.below - a.below
    } else {
        a.above - b.above
    };
    let inside = |p: Probability| Probability {
        below: a.below + width * p.below,
        above: b.above + width * p.above,
    };
    let mut part = unit(|p| f(inside(p)));
    for k in 0..K {
        part.value[k] *= width;
        part.error[k] *= width;
    }
    part
}

/// `int_0^inf f(x) dx`, where `f` decays like a power of `x` or faster.
pub fn half_line<const K: usize>(f: impl FnMut(f64) -> [f64; K]) -> Integral<K> {
    let node = |s: f64| {
        let x = (FRAC_PI_2 * s.sinh()).exp();
        (x, x * FRAC_PI_2 * s.cosh())
    };
    trapezoid((-6.6, 6.6), node, f)
}

/// `int f(t) dt` over all reals, where `f` is large within `width` of `middle` and decays
/// exponentially.
pub fn line<const K: usize>(
    middle: f64,
    width: f64,
    f: impl FnMut(f64) -> [f64; K],
) -> Integral<K> {
    let node = |s: f64| (middle + width * s.sinh(), width * s.cosh());
    // Up to where logits leave the range of doubles.
    let end = (750.0 / width).asinh().min(40.0);
    trapezoid((-end, end), node, f)
}

/// `int_0^inf e^(-v) f(v) dv`.
pub fn exponential<const K: usize>(f: impl FnMut(f64) -> [f64; K]) -> Integral<K> {
    trapezoid((-6.5, 6.6), exponential_node, f)
}

/// `int_a^b f(x) dx` for `a <= b`, both finite.
pub fn interval<const K: usize>(a: f64, b: f64, mut f: impl FnMut(f64) -> [f64; K]) -> Integral<K> {
    let width = b - a;
    let node = |s: f64| {
        let (p, weight) = unit_node(s);
        let x = if s < 0.0 {
            a + width * p.below
        } else {
            b - width * p.above
        };
        (x, width * weight)
    };
    trapezoid((-4.0, 4.0), node, &mut f)
}

/// Node and weight of [`unit`] at `s`; the logit of the node is `pi sinh(s)`.
pub(super) fn unit_node(s: f64) -> (Probability, f64) {
    let p = Probability::from_logit(PI * s.sinh());
    (p, PI * s.cosh() * p.below * p.above)
}

/// Node `v` and weight of [`exponential`] at `s`, with the factor `e^(-v)`.
pub(super) fn exponential_node(s: f64) -> (f64, f64) {
    let small = (-s).exp();
    let v = (s - small).exp();
    (v, v * (1.0 + small) * (-v).exp())
}

/// The trapezoidal rule over `ends`; the step is halved until the sum settles.
fn trapezoid<N, const K: usize>(
    ends: (f64, f64),
    node: impl Fn(f64) -> (N, f64),
    mut f: impl FnMut(N) -> [f64; K],
) -> Integral<K> {
    let (mut sum, mut magnitude) = ([0.0; K], [0.0; K]);
    let mut add = |s: f64, sum: &mut [f64; K], magnitude: &mut [f64; K]| {
        let (x, weight) = node(s);
        if weight == 0.0 {
            return;
        }
        let values = f(x);
        for k in 0..K {
            sum[k] += weight * values[k];
            magnitude[k] += (weight * values[k]).abs();
        }
    };
    let (mut before, mut moved) = ([f64::INFINITY; K], [f64::INFINITY; K]);
    let mut result = Integral {
        value: [f64::NAN; K],
        error: [f64::INFINITY; K],
    };
    for level in FIRST_LEVEL..=LAST_LEVEL {
        let step = 0.5_f64.powi(level);
        let (first, last) = ((ends.0 / step) as i64, (ends.1 / step) as i64);
        let is_new = |i: &i64| level == FIRST_LEVEL || i % 2 != 0;
        for i in (first..=last).filter(is_new) {
            add(i as f64 * step, &mut sum, &mut magnitude);
        }
        let mut settled = true;
        for k in 0..K {
            result.value[k] = step * sum[k];
            let change = (result.value[k] - before[k]).abs();
            let scale = step * magnitude[k];
            result.error[k] = remaining(change, moved[k], scale);
            moved[k] = change;
            // An integral that does not exist never settles; halving would not help.
            let exists = result.value[k].is_finite();
            settled &= !exists || result.error[k] <= TOLERANCE * scale;
        }
        if settled {
            break;
        }
        before = result.value;
    }
    result
}

/// The error left after a halving that changed the sum by `change`, and the one before that by `before`: what is
/// smooth nearly doubles its digits at every halving.
fn remaining(change: f64, before: f64, scale: f64) -> f64 {
    let (digits, digits_before) = ((change / scale).ln(), (before / scale).ln());
    if change < SMALL * scale && digits < 1.3 * digits_before {
        scale * (1.75 * digits).exp()
    } else {
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::tgamma as gamma;

    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs();
        assert!(error <= 1e-12 * expected.abs(), "{found} {expected}");
    }

    #[test]
    fn powers_and_logarithms_are_integrated_up_to_both_ends() {
        let found = unit(|p| {
            [
                p.below.powf(-0.9),
                p.above.powf(-0.9),
                (p.below * p.above).sqrt(),
                p.ln().powi(4),
                p.complement().ln() * p.ln(),
            ]
        });
        close(found.value[0], 10.0);
        close(found.value[1], 10.0);
        close(found.value[2], PI / 8.0);
        close(found.value[3], 24.0);
        close(found.value[4], 2.0 - PI * PI / 6.0);
        assert!(found.error.iter().all(|&error| error < 1e-11));
    }

    #[test]
    fn half_lines_are_integrated() {
        let found =
            half_line(|x: f64| [1.0 / (1.0 + x * x), (-x).exp() / x.sqrt(), (-x * x).exp()]);
        close(found.value[0], FRAC_PI_2);
        close(found.value[1], PI.sqrt());
        close(found.value[2], PI.sqrt() / 2.0);
        let found = exponential(|v: f64| [1.0, v.powf(-0.7), v.ln(), v.powi(8)]);
        close(found.value[0], 1.0);
        close(found.value[1], gamma(0.3));
        close(found.value[2], -0.577_215_664_901_532_9);
        close(found.value[3], 40320.0);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let cut = Probability::above(1e-9);
        let tail = between(cut, Probability::below(1.0), |p| [p.above.ln(), 1.0]);
        close(tail.value[1], 1e-9);
        close(tail.value[0], 1e-9 * ((1e-9_f64).ln() - 1.0));
        let body = between(Probability::below(0.0), cut, |p| [p.above.ln(), 1.0]);
        close(body.value[0] + tail.value[0], -1.0);
        close(interval(2.0, 5.0, |x| [x * x]).value[0], 39.0);
        close(interval(0.0, 1.0, |x| [x.ln()]).value[0], -1.0);
    }

    #[test]
    fn what_is_not_smooth_admits_its_error() {
        let step = unit(|p| [if p.below < 0.3 { 0.0 } else { 1.0 }]);
        assert!((step.value[0] - 0.7).abs() < 10.0 * step.error[0]);
        assert!(step.error[0] > 1e-6);
    }
}
