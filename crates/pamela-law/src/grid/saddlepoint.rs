//! Tails of sums by the saddlepoint formula of Lugannani and Rice (1980).

use crate::special::exp_all;
use std::f64::consts::PI;

/// `K(s) = ln E[e^(sX)]` and its first three derivatives.
pub type Generator<'a> = &'a dyn Fn(f64) -> [f64; 4];

/// The generator of a law given by weights and increasing values.
pub fn generator(draws: &[(f64, f64)], s: f64) -> [f64; 4] {
    let draws = that_count(draws, s);
    let end = |draw: Option<&(f64, f64)>| draw.map_or(f64::NEG_INFINITY, |(_, x)| s * x);
    let largest = end(draws.first()).max(end(draws.last()));
    let mut tilted: Vec<f64> = draws.iter().map(|(_, x)| s * x - largest).collect();
    exp_all(&mut tilted);
    let (mut total, mut sum) = (0.0, 0.0);
    for (weight, (w, x)) in tilted.iter_mut().zip(draws) {
        *weight *= w;
        total += *weight;
        sum += *weight * x;
    }
    let mean = sum / total;
    let (mut second, mut third) = (0.0, 0.0);
    for (weight, (_, x)) in tilted.iter().zip(draws) {
        let d = x - mean;
        let square = weight * d * d;
        second += square;
        third += square * d;
    }
    [largest + total.ln(), mean, second / total, third / total]
}

/// Without the values at the end that the tilt makes lighter, as far as they weigh nothing even before.
fn that_count(draws: &[(f64, f64)], s: f64) -> &[(f64, f64)] {
    let counts = |(w, _): &(f64, f64)| *w > 1e-25;
    let (first, last) = (
        draws.iter().position(counts),
        draws.iter().rposition(counts),
    );
    match (first, last) {
        (Some(first), _) if s > 0.0 => &draws[first..],
        (_, Some(last)) if s < 0.0 => &draws[..=last],
        _ => draws,
    }
}

/// A point of the upper tail.
#[derive(Clone, Copy, Debug)]
pub struct TailPoint {
    pub x: f64,
    /// `ln P(S > x)`
    pub ln_above: f64,
    /// `-d ln P(S > x) / dx`
    pub hazard: f64,
}

/// A [`TailPoint`] with the derivative of its value by the saddlepoint.
pub type TailPointWithSlope = (TailPoint, f64);

/// The point of the upper tail with saddlepoint `s > 0`; its hazard is the derivative of the
/// formula.
pub fn tail_point(generator: Generator, s: f64) -> TailPointWithSlope {
    let [k, x, variance, third] = generator(s);
    let w = (2.0 * (s * x - k)).max(0.0).sqrt();
    let deviation = variance.sqrt();
    let u = s * deviation;
    let rate = 1.0 / deviation + s * third / (2.0 * variance * deviation);
    let scaled = mills(w) + (1.0 / u - 1.0 / w);
    let density = s / u + rate / (u * u) - s / (w * w * w);
    let point = TailPoint {
        x,
        ln_above: -0.5 * w * w - 0.5 * (2.0 * PI).ln() + scaled.ln(),
        hazard: density / scaled,
    };
    (point, variance)
}

/// `P(Z > w)` of the normal, over its density.
fn mills(w: f64) -> f64 {
    if w < 20.0 {
        let above = 0.5 * statrs::function::erf::erfc(w / std::f64::consts::SQRT_2);
        return above * (0.5 * w * w).exp() * (2.0 * PI).sqrt();
    }
    let v = 1.0 / (w * w);
    (1.0 - v * (1.0 - 3.0 * v * (1.0 - 5.0 * v))) / w
}

/// Finds `s > 0` where the increasing `f` equals `target > 0` within a relative `tolerance`.
///
/// `f` also returns its derivative; `start` is a first guess. Uses Newton's method in `ln s`,
/// within a bracket. Returns `None` if the target is not reached.
pub fn solve(
    f: &dyn Fn(f64) -> (f64, f64),
    target: f64,
    start: f64,
    tolerance: f64,
) -> Option<f64> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut log, mut stride) = (start.ln(), 0.7);
    for _ in 0..STEPS {
        let s = log.exp();
        let (value, slope) = f(s);
        let miss = value - target;
        if miss.abs() <= tolerance * target || high - low <= 1e-15 {
            return Some(s);
        }
        if miss.is_nan() || stride > FURTHEST {
            return None;
        }
        if miss < 0.0 {
            low = log;
        } else {
            high = log;
        }
        let newton = log - miss / (s * slope);
        let bracketed = low.is_finite() && high.is_finite();
        log = if newton > low && newton < high && (newton - log).abs() <= stride {
            newton
        } else if bracketed {
            0.5 * (low + high)
        } else {
            stride *= 2.0;
            log - 0.5 * stride * miss.signum()
        };
    }
    Some(log.exp())
}

const STEPS: usize = 100;

/// Beyond this step of `ln s` nothing is sought.
const FURTHEST: f64 = 1e3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_normal_is_exact() {
        for s in [0.5, 3.0, 15.0, 30.0] {
            let (point, _) = tail_point(&|s: f64| [0.5 * s * s, s, 1.0, 0.0], s);
            let exact = mills(s).ln() - 0.5 * s * s - 0.5 * (2.0 * PI).ln();
            assert!((point.ln_above - exact).abs() < 1e-9 * exact.abs());
            assert!((point.hazard * mills(s) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_tail_of_an_erlang_is_near() {
        // K = -n ln(1 - s); P(S > x) = e^-x sum_{i < n} x^i / i!.
        let n = 4.0;
        let erlang = |s: f64| {
            let r = 1.0 / (1.0 - s);
            [n * r.ln(), n * r, n * r * r, 2.0 * n * r * r * r]
        };
        // The formula errs by this, evaluated by hand.
        for (s, error) in [
            (0.3, 0.000_418_65),
            (0.7, 0.002_088_32),
            (0.95, 0.008_383_15),
        ] {
            let (point, _) = tail_point(&erlang, s);
            let x = point.x;
            let sum = 1.0 + x + x * x / 2.0 + x * x * x / 6.0;
            let (above, density) = ((-x).exp() * sum, (-x).exp() * x * x * x / 6.0);
            assert!((point.ln_above - above.ln() - error).abs() < 1e-8);
            assert!((point.hazard / (density / above) - 1.0).abs() < 5e-3);
        }
    }

    #[test]
    fn an_equation_without_a_root_has_none() {
        let bounded = |s: f64| (1.0 - (-s).exp(), (-s).exp());
        assert_eq!(solve(&bounded, 2.0, 1.0, 1e-12), None);
        let root = solve(&|s: f64| (s * s * s, 3.0 * s * s), 8.0, 0.1, 1e-12);
        let root = root.expect("2 is the root");
        assert!((root - 2.0).abs() < 1e-11);
    }
}
