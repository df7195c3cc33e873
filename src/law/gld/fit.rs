//! Which generalized lambda distribution has given moments.

use std::sync::OnceLock;

use super::moments::{Form, form};
use super::{Gld, Shape};
use crate::law::Cumulants;
use crate::law::root::newton;

/// Shape parameters of the principal branch. Others match four moments as well and predict worse (errata).
const LAMBDA: (f64, f64) = (-0.2499, 1.3);
/// How far skewness, and kurtosis relatively, may miss.
const TOLERANCE: f64 = 1e-10;
const STARTS: usize = 10;
const STEPS: usize = 60;
/// Parameters below this are rounding.
const NO_TAIL: f64 = 1e-12;

impl Gld {
    /// The law of the principal branch with these moments; none where the branch does not reach the pair of
    /// skewness and kurtosis, or the variance is not positive.
    pub fn fit(target: &Cumulants) -> Option<Gld> {
        let (skewness, kurtosis) = (target.skewness(), target.kurtosis());
        let known = target.variance > 0.0 && target.mean.is_finite();
        if !known || !skewness.is_finite() || !kurtosis.is_finite() {
            return None;
        }
        let (shape, flipped) = if skewness.abs() <= f64::EPSILON {
            (symmetric(kurtosis), false)
        } else {
            let target = [skewness.abs(), kurtosis];
            let mut starts = nearest(target).into_iter();
            starts.find_map(|start| Some((Some(start.improve(target)?), start.flipped)))?
        };
        let shape = shape?;
        let standard = super::moments::cumulants(shape);
        let mirrored = flipped != (skewness < 0.0);
        let scale = (target.variance / standard.variance).sqrt();
        let signed = if mirrored { -scale } else { scale };
        Some(Gld {
            shape,
            mirrored,
            location: target.mean - signed * standard.mean,
            scale,
        })
    }
}

/// The law of skewness 0.
fn symmetric(kurtosis: f64) -> Option<Shape> {
    let at = |lambda: f64| Shape { lambda, rho: 1.0 };
    let lambda = newton(0.1, |lambda| {
        if lambda < LAMBDA.0 {
            return (-1.0, 1.0);
        }
        if lambda > LAMBDA.1 {
            return (1.0, 1.0);
        }
        let found = form(at(lambda));
        let ratio = kurtosis / found.kurtosis;
        (
            ratio - 1.0,
            -ratio * found.kurtosis_slopes[0] / found.kurtosis,
        )
    });
    let reached = (form(at(lambda)).kurtosis / kurtosis - 1.0).abs() <= TOLERANCE;
    reached.then(|| at(lambda))
}

/// A shape to start from. For short tails (`lambda` above 0.4) the longer tail may be on the other side than the
/// skewness says; the law is then `flipped`.
#[derive(Clone, Copy)]
struct Start {
    shape: Shape,
    flipped: bool,
    skewness: f64,
    kurtosis: f64,
}

fn starts() -> &'static [Start] {
    static TABLE: OnceLock<Vec<Start>> = OnceLock::new();
    TABLE.get_or_init(|| {
        const LAMBDAS: [f64; 10] = [-0.24, -0.2, -0.12, -0.05, 0.05, 0.2, 0.4, 0.7, 1.0, 1.25];
        const RHOS: [f64; 5] = [0.02, 0.15, 0.4, 0.7, 0.95];
        let shapes = LAMBDAS
            .iter()
            .flat_map(|&lambda| RHOS.iter().map(move |&rho| Shape { lambda, rho }));
        shapes
            .map(|shape| {
                let found = form(shape);
                Start {
                    shape,
                    flipped: found.skewness < 0.0,
                    skewness: found.skewness.abs(),
                    kurtosis: found.kurtosis,
                }
            })
            .collect()
    })
}

/// The starts nearest to a pair of skewness and kurtosis; among equals those with two tails alike.
fn nearest([skewness, kurtosis]: [f64; 2]) -> Vec<Start> {
    let distance = |start: &Start| {
        let ratio = (start.kurtosis / kurtosis).ln();
        (start.skewness - skewness).powi(2) + ratio * ratio + 0.02 * (1.0 - start.shape.rho)
    };
    let mut ranked: Vec<Start> = starts().to_vec();
    ranked.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    ranked.truncate(STARTS);
    ranked
}

/// What is left to the target, with its slopes. The reciprocal of the kurtosis is nearly straight in `lambda`,
/// which the kurtosis is not.
struct Residual {
    value: [f64; 2],
    slopes: [[f64; 2]; 2],
}

impl Residual {
    fn of(found: &Form, [skewness, kurtosis]: [f64; 2], flipped: bool) -> Residual {
        let sign = if flipped { -1.0 } else { 1.0 };
        let ratio = kurtosis / found.kurtosis;
        Residual {
            value: [sign * found.skewness - skewness, 1.0 - ratio],
            slopes: [
                found.skewness_slopes.map(|slope| sign * slope),
                found
                    .kurtosis_slopes
                    .map(|slope| ratio * slope / found.kurtosis),
            ],
        }
    }

    fn square(&self) -> f64 {
        self.value[0].powi(2) + self.value[1].powi(2)
    }

    /// The damped step of Levenberg and Marquardt.
    fn step(&self, damping: f64) -> [f64; 2] {
        let [[a, b], [c, d]] = self.slopes;
        let [r, s] = self.value;
        let (xx, xy, yy) = (a * a + c * c, a * b + c * d, b * b + d * d);
        let (gx, gy) = (a * r + c * s, b * r + d * s);
        let (xx, yy) = (xx * (1.0 + damping), yy * (1.0 + damping));
        let determinant = xx * yy - xy * xy;
        [
            (xy * gy - yy * gx) / determinant,
            (xy * gx - xx * gy) / determinant,
        ]
    }
}

impl Start {
    /// Levenberg and Marquardt in the box of the principal branch.
    fn improve(&self, target: [f64; 2]) -> Option<Shape> {
        let residual = |shape: Shape| Residual::of(&form(shape), target, self.flipped);
        let mut shape = self.shape;
        let mut here = residual(shape);
        let mut damping = 1.0;
        for _ in 0..STEPS {
            if here.square() < 1e-28 || damping * here.square() > 1e8 {
                break;
            }
            // Damping that vanishes with the residual leaves Newton's steps at the end.
            let [lambda, rho] = here.step(damping * here.square());
            let next = Shape {
                lambda: (shape.lambda + lambda).clamp(LAMBDA.0, LAMBDA.1),
                rho: (shape.rho + rho).clamp(0.0, 1.0),
            };
            let there = residual(next);
            if there.square() < here.square() {
                (shape, here) = (next, there);
                damping = (damping * 0.1).max(1e-3);
            } else {
                damping *= 10.0;
            }
        }
        if shape.rho < NO_TAIL {
            shape.rho = 0.0;
        }
        if shape.lambda.abs() < NO_TAIL {
            shape.lambda = 0.0;
        }
        here = residual(shape);
        let [skewness, kurtosis] = here.value;
        let reached = skewness.abs() <= TOLERANCE && kurtosis.abs() <= TOLERANCE;
        reached.then_some(shape)
    }
}
