//! S_B: logistic functions of normal variables.

use std::sync::OnceLock;

use crate::named::{log_normal_density, normal_quantile};
use crate::pair::{self, Form, Point};
use crate::{Cumulants, Probability};

/// Nearer to the two-point laws than this, the law is taken for one of them.
const MIN_DISTANCE: f64 = 0.01;
/// Bounds of `ln sigma` and `omega`.
const BOUNDS: [(f64, f64); 2] = [(-4.6, 5.0), (0.0, 600.0)];

/// Values, slopes and probabilities for the trapezoidal rule in `z`, which converges geometrically; the poles of
/// the logistic function, at the distance `pi / sigma`, bound its step.
fn nodes(sigma: f64, omega: f64) -> Vec<(f64, [f64; 2], f64)> {
    const END: f64 = 9.0;
    let step = (0.5 / sigma).min(0.5);
    let count = (END / step).ceil() as i32;
    // If the mass is far from 0, four powers of e^(sigma z), up to the saturation of values, move the weight of the
    // fourth moment.
    let moved = (4.0 * sigma).min(omega / sigma);
    let (first, last) = (-count, ((END + moved) / step).ceil() as i32);
    let node = |i: i32| {
        let z = f64::from(i) * step;
        let p = Probability::from_logit(sigma * z - omega);
        let slope = p.below * p.above;
        let weight = log_normal_density(z).exp() * step;
        (p.below, [z * slope, -slope], weight)
    };
    (first..=last).map(node).collect()
}

fn mean(nodes: &[(f64, [f64; 2], f64)], value: impl Fn(&(f64, [f64; 2], f64)) -> f64) -> f64 {
    nodes.iter().map(|node| value(node) * node.2).sum()
}

/// Cumulants of `1 / (1 + e^(omega - sigma z))`.
pub fn cumulants(sigma: f64, omega: f64) -> Cumulants {
    let nodes = nodes(sigma, omega);
    let mean_value = mean(&nodes, |node| node.0);
    let central = |r: i32| mean(&nodes, |node| (node.0 - mean_value).powi(r));
    Cumulants::from_central_moments(mean_value, [central(2), central(3), central(4)])
}

/// Skewness and kurtosis, with slopes in `ln sigma` and `omega`.
fn form(sigma: f64, omega: f64) -> Form {
    let nodes = nodes(sigma, omega);
    let value = mean(&nodes, |node| node.0);
    let in_sigma = mean(&nodes, |node| node.1[0]);
    let in_omega = mean(&nodes, |node| node.1[1]);
    Form::of(nodes.iter().map(|(x, slopes, weight)| Point {
        value: x - value,
        slopes: [sigma * (slopes[0] - in_sigma), slopes[1] - in_omega],
        root: weight.sqrt().sqrt(),
    }))
}

struct Start {
    shape: [f64; 2],
    place: Place,
}

fn starts() -> &'static [Start] {
    static TABLE: OnceLock<Vec<Start>> = OnceLock::new();
    TABLE.get_or_init(|| {
        const SIGMAS: [f64; 7] = [0.3, 0.6, 1.0, 1.7, 3.0, 6.0, 14.0];
        const OMEGAS: [f64; 7] = [0.0, 0.3, 0.8, 1.5, 2.5, 4.0, 7.0];
        let shapes = SIGMAS
            .iter()
            .flat_map(|&sigma| OMEGAS.iter().map(move |&o| (sigma, o * sigma.max(1.0))));
        shapes
            .map(|(sigma, omega)| {
                let Form {
                    skewness, kurtosis, ..
                } = form(sigma, omega);
                Start {
                    shape: [sigma.ln(), omega],
                    place: Place::new(skewness, kurtosis),
                }
            })
            .collect()
    })
}

/// Location of a pair below the lognormal line: its relative distance from the bound, which decreases like
/// `1 / sigma`, and the position of the cut in the normal variable for a law of two points.
#[derive(Clone, Copy)]
struct Place {
    skewness: f64,
    distance: f64,
    threshold: f64,
}

impl Place {
    fn new(skewness: f64, kurtosis: f64) -> Place {
        let square = skewness * skewness;
        // The greater point has the probability p.
        let root = (4.0 + square).sqrt();
        let p = Probability::below(2.0 / (root * (root + skewness)));
        Place {
            skewness,
            distance: (kurtosis - square - 1.0) / (1.0 + 0.5 * square),
            threshold: -normal_quantile(p),
        }
    }

    /// Approximate distance of the middle of the logistic function, relative to the threshold.
    fn beyond(&self) -> f64 {
        1.0 + 1.1 * self.distance.powf(1.75)
    }

    fn apart(&self, other: &Place) -> f64 {
        let depth = (self.distance / other.distance).ln();
        let skewness = self.skewness.asinh() - other.skewness.asinh();
        depth * depth + skewness * skewness
    }
}

impl Start {
    /// The parameters at another place: `sigma distance` and `omega / (sigma threshold)` hardly change.
    fn moved(&self, to: &Place) -> [f64; 2] {
        let from = self.place;
        let [log_sigma, omega] = self.shape;
        let sigma = log_sigma.exp() * from.distance / to.distance;
        let own = if from.threshold > 1e-6 {
            omega / (log_sigma.exp() * from.threshold) / from.beyond()
        } else {
            1.0
        };
        [sigma.ln(), sigma * to.threshold * own * to.beyond()]
    }
}

/// `sigma` and `omega` for a pair below the lognormal line; `None` if the law is too close to two
/// points.
pub fn fit(skewness: f64, kurtosis: f64) -> Option<(f64, f64)> {
    let target = [skewness, kurtosis];
    let place = Place::new(skewness, kurtosis);
    if place.distance < MIN_DISTANCE {
        return None;
    }
    let improve = |start: [f64; 2]| {
        pair::fit(target, start, BOUNDS, |[log_sigma, omega]| {
            form(log_sigma.exp(), omega)
        })
    };
    let mut ranked: Vec<(f64, &Start)> = (starts().iter())
        .map(|start| (place.apart(&start.place), start))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let moved = ranked.iter().map(|(_, start)| start.moved(&place));
    // Near the bound the law is nearly that of two points.
    let near = [1.1, 1.3, 0.8].map(|factor| {
        let sigma: f64 = factor / place.distance;
        [sigma.ln(), sigma * place.threshold]
    });
    let found = (moved.take(3).chain(near))
        .chain(ranked.iter().take(10).map(|(_, start)| start.shape))
        .find_map(improve);
    found.map(|[log_sigma, omega]| (log_sigma.exp(), omega))
}
