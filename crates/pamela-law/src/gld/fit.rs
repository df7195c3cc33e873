//! Fits a generalized lambda distribution to moments.

use std::sync::OnceLock;

use super::moments::{cumulants, form};
use super::{Gld, Shape};
use crate::Cumulants;
use crate::pair::{self, Form};
use crate::root::newton;

/// Shape parameters of the principal branch. Others match four moments as well and predict worse (errata).
const LAMBDA: (f64, f64) = (-0.2499, 1.3);
const RHO: (f64, f64) = (0.0, 1.0);
const STARTS: usize = 10;
/// Parameters below this are rounding.
const NEGLIGIBLE: f64 = 1e-12;

impl Gld {
    /// The law of the principal branch with these moments.
    ///
    /// Returns `None` if the branch does not cover the pair of skewness and kurtosis, or if the
    /// variance is not positive.
    pub fn fit(target: &Cumulants) -> Option<Gld> {
        let (skewness, kurtosis) = (target.skewness(), target.kurtosis());
        let known = target.variance > 0.0 && target.mean.is_finite();
        if !known || !skewness.is_finite() || !kurtosis.is_finite() {
            return None;
        }
        let (shape, flipped) = if skewness.abs() <= f64::EPSILON {
            (symmetric(kurtosis)?, false)
        } else {
            let target = [skewness.abs(), kurtosis];
            if is_below_branch(target) {
                return None;
            }
            let mut starts = nearest(target).into_iter();
            starts.find_map(|start| Some((start.improve(target)?, start.flipped)))?
        };
        let standard = cumulants(shape);
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

/// From this skewness on, the laws with one tail (`rho = 0`) are those of least kurtosis.
const ONE_TAILED: f64 = 0.7;

/// True if the kurtosis is below the end of the branch.
///
/// The end is the kurtosis of the generalized Pareto law with this skewness; for smaller skewness,
/// a bound slightly below the end.
pub(super) fn is_below_branch([skewness, kurtosis]: [f64; 2]) -> bool {
    if skewness <= ONE_TAILED {
        return kurtosis < f64::max(1.755, 1.45 + 1.5 * skewness);
    }
    let skewness_at = |l: f64| 2.0 * (1.0 - l) * (1.0 + 2.0 * l).sqrt() / (1.0 + 3.0 * l);
    let kurtosis_at = |l: f64| {
        3.0 * (1.0 + 2.0 * l) * ((2.0 * l - 1.0) * l + 3.0) / ((1.0 + 3.0 * l) * (1.0 + 4.0 * l))
    };
    let (mut low, mut high) = LAMBDA;
    for _ in 0..50 {
        let half = 0.5 * (low + high);
        if skewness_at(half) > skewness {
            low = half
        } else {
            high = half
        }
    }
    kurtosis < kurtosis_at(low) * (1.0 - 1e-9)
}

/// The shape of skewness 0.
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
        let slope = -ratio * found.kurtosis_slopes[0] / found.kurtosis;
        (ratio - 1.0, slope)
    });
    pair::is_reached(&form(at(lambda)), [0.0, kurtosis]).then(|| at(lambda))
}

/// A shape to start from. For short tails (`lambda` above 0.4) the longer tail may be on the other side than the
/// skewness says; the law is then `flipped`.
#[derive(Clone, Copy)]
struct Start {
    shape: Shape,
    flipped: bool,
    form: Form,
}

fn starts() -> &'static [Start] {
    static TABLE: OnceLock<Vec<Start>> = OnceLock::new();
    TABLE.get_or_init(|| {
        const LAMBDAS: [f64; 10] = [-0.24, -0.2, -0.12, -0.05, 0.05, 0.2, 0.4, 0.7, 1.0, 1.25];
        const RHOS: [f64; 5] = [0.02, 0.15, 0.4, 0.7, 0.95];
        let shapes = LAMBDAS
            .iter()
            .flat_map(|&lambda| RHOS.iter().map(move |&rho| Shape { lambda, rho }));
        shapes.map(Start::new).collect()
    })
}

/// The starts nearest to a pair of skewness and kurtosis, for which two tails alike count a little.
fn nearest(target: [f64; 2]) -> Vec<Start> {
    let distance = |start: &Start| start.form.distance(target) + 0.02 * (1.0 - start.shape.rho);
    let mut ranked: Vec<(f64, Start)> = starts().iter().map(|s| (distance(s), *s)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = ranked.into_iter().map(|(_, start)| start);
    nearest.take(STARTS).collect()
}

impl Start {
    fn new(shape: Shape) -> Start {
        let found = form(shape);
        let flipped = found.skewness < 0.0;
        Start {
            shape,
            flipped,
            form: if flipped { found.mirrored() } else { found },
        }
    }

    /// The shape with this skewness and kurtosis, of the law or of its mirror image.
    fn improve(&self, target: [f64; 2]) -> Option<Shape> {
        let seen = |shape: Shape| {
            if self.flipped {
                form(shape).mirrored()
            } else {
                form(shape)
            }
        };
        let of = |[lambda, rho]: [f64; 2]| Shape { lambda, rho };
        let start = [self.shape.lambda, self.shape.rho];
        let found = pair::fit(target, start, [LAMBDA, RHO], |shape| seen(of(shape)))?;
        let rounded = of(found.map(|x| if x.abs() < NEGLIGIBLE { 0.0 } else { x }));
        pair::is_reached(&seen(rounded), target).then_some(rounded)
    }
}
