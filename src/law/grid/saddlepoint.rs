//! Tails of sums by the saddlepoint formula of Lugannani and Rice (1980).

use std::f64::consts::PI;

/// `K(s) = ln E[e^(sX)]` and its first three derivatives.
pub type Generator<'a> = &'a dyn Fn(f64) -> [f64; 4];

/// Of a law that is known by weights and values.
pub fn generator(draws: &[(f64, f64)], s: f64) -> [f64; 4] {
    let largest = (draws.iter().map(|(_, x)| s * x)).fold(f64::NEG_INFINITY, f64::max);
    let tilted: Vec<(f64, f64)> = (draws.iter())
        .map(|(w, x)| (w * (s * x - largest).exp(), *x))
        .collect();
    let total: f64 = tilted.iter().map(|(w, _)| w).sum();
    let mean = tilted.iter().map(|(w, x)| w * x).sum::<f64>() / total;
    let (mut second, mut third) = (0.0, 0.0);
    for (w, x) in tilted {
        let d = x - mean;
        second += w * d * d;
        third += w * d * d * d;
    }
    [largest + total.ln(), mean, second / total, third / total]
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

/// The point of the upper tail whose saddlepoint is `s > 0`; its hazard is the derivative of the formula.
pub fn tail_point(generator: Generator, s: f64) -> TailPoint {
    let [k, x, variance, third] = generator(s);
    let w = (2.0 * (s * x - k)).max(0.0).sqrt();
    let deviation = variance.sqrt();
    let u = s * deviation;
    let rate = 1.0 / deviation + s * third / (2.0 * variance * deviation);
    let scaled = mills(w) + (1.0 / u - 1.0 / w);
    let density = s / u + rate / (u * u) - s / (w * w * w);
    TailPoint {
        x,
        ln_above: -0.5 * w * w - 0.5 * (2.0 * PI).ln() + scaled.ln(),
        hazard: density / scaled,
    }
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

/// The `s > 0` where the increasing `f` comes as near to `target > 0` as the relative `tolerance`, if it
/// does; `start` is a first guess.
pub fn solve(f: &dyn Fn(f64) -> f64, target: f64, start: f64, tolerance: f64) -> Option<f64> {
    let at = |log: f64| f(log.exp()) - target;
    let [mut low, mut high] = [start.ln(); 2];
    let [mut at_low, mut at_high] = [at(low); 2];
    let mut step = 0.7;
    while at_high < 0.0 && step < 1e3 {
        (low, at_low) = (high, at_high);
        high += step;
        at_high = at(high);
        step *= 2.0;
    }
    while at_low > 0.0 && step < 1e3 {
        (high, at_high) = (low, at_low);
        low -= step;
        at_low = at(low);
        step *= 2.0;
    }
    if !(at_low <= 0.0 && at_high >= 0.0) {
        return None;
    }
    // Illinois: the secant, where an end that stays put counts half.
    for _ in 0..100 {
        let mut next = (low * at_high - high * at_low) / (at_high - at_low);
        if !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        let value = at(next);
        if value.abs() <= tolerance * target || high - low <= 1e-15 {
            return Some(next.exp());
        }
        if value < 0.0 {
            (low, at_low) = (next, value);
            at_high *= 0.5;
        } else {
            (high, at_high) = (next, value);
            at_low *= 0.5;
        }
    }
    Some((0.5 * (low + high)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_normal_is_exact() {
        for s in [0.5, 3.0, 15.0, 30.0] {
            let point = tail_point(&|s: f64| [0.5 * s * s, s, 1.0, 0.0], s);
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
            let point = tail_point(&erlang, s);
            let x = point.x;
            let sum = 1.0 + x + x * x / 2.0 + x * x * x / 6.0;
            let (above, density) = ((-x).exp() * sum, (-x).exp() * x * x * x / 6.0);
            assert!((point.ln_above - above.ln() - error).abs() < 1e-8);
            assert!((point.hazard / (density / above) - 1.0).abs() < 5e-3);
        }
    }

    #[test]
    fn an_equation_without_a_root_has_none() {
        assert_eq!(solve(&|s: f64| 1.0 - (-s).exp(), 2.0, 1.0, 1e-12), None);
        let root = solve(&|s: f64| s * s * s, 8.0, 0.1, 1e-12).expect("2 is the root");
        assert!((root - 2.0).abs() < 1e-11);
    }
}
