//! Sums of many variables, whose law follows from four cumulants.

use super::Grid;
use super::chart::Chart;
use super::piece::{Piece, Shape};
use super::segment::Node;
use super::trace::{budget, furthest, trace};
use crate::{Cumulants, Support};

/// The normal variable at the logit 60 or so.
const REACH: f64 = 10.7;

/// True if the error of the expansion is below some 1e-5 of the standard deviation.
pub fn applies(cumulants: &Cumulants) -> bool {
    let (skewness, excess) = (cumulants.skewness(), cumulants.kurtosis() - 3.0);
    skewness * skewness + excess.abs() < 1e-3
}

/// The law with these cumulants, by the expansion of Cornish and Fisher (1938) to the fourth order.
pub fn grid(cumulants: Cumulants, support: Support) -> Grid {
    let (mean, deviation) = (cumulants.mean, cumulants.deviation());
    let (s, k) = (cumulants.skewness(), cumulants.kurtosis() - 3.0);
    let finite = |x: f64| x.is_finite().then_some(x);
    let chart = Chart::new(
        finite(support.lower),
        finite(support.upper),
        mean,
        deviation,
    );
    let value = |z: f64| {
        let square = z * z;
        let x = z
            + (square - 1.0) * s / 6.0
            + z * (square - 3.0) * k / 24.0
            + z * (5.0 - 2.0 * square) * s * s / 36.0;
        let slope =
            1.0 + z * s / 3.0 + (square - 1.0) * k / 8.0 + (5.0 - 6.0 * square) * s * s / 36.0;
        (mean + deviation * x, deviation * slope)
    };
    let mut point = |z: f64| {
        let (x, slope) = value(z);
        let y = chart.coordinate(x);
        let (t, rate) = normal_logit(z);
        Node {
            t,
            y,
            slope: slope / (rate * chart.stretch(y)),
        }
    };
    let good = |z: f64| chart.coordinate(value(z).0).is_finite() && value(z).1 > 0.0;
    let (low, high) = (furthest(0.0, -REACH, &good), furthest(0.0, REACH, &good));
    let segments = trace(&[low, 0.0, high], budget(1), &mut point);
    let piece = Piece {
        from: f64::NEG_INFINITY,
        to: f64::INFINITY,
        shape: Shape::Smooth(chart, segments),
    };
    Grid::with_known(vec![piece], support, mean, cumulants)
}

/// The logit of the probability that a standard normal lies below `z`, and its derivative.
fn normal_logit(z: f64) -> (f64, f64) {
    let side = |z: f64| 0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2);
    let (below, above) = (side(z), side(-z));
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    ((below / above).ln(), density / (below * above))
}
