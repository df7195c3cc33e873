//! Fits of two shape parameters to skewness and kurtosis.

/// Tolerance of the kurtosis, relatively, and of the skewness, relative to the larger of it and 1.
const TOLERANCE: f64 = 1e-10;
const STEPS: usize = 60;

/// Skewness and kurtosis, each with its derivatives by the two shape parameters.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub skewness: f64,
    pub kurtosis: f64,
    pub skewness_slopes: [f64; 2],
    pub kurtosis_slopes: [f64; 2],
}

/// A value minus its mean, with derivatives by the shape parameters minus their means.
///
/// A point with the fourth root of its probability, because the probability itself and a fourth power may leave the
/// range of doubles.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub value: f64,
    pub slopes: [f64; 2],
    pub root: f64,
}

impl Form {
    pub fn of(points: impl Iterator<Item = Point>) -> Form {
        let mut m = [0.0; 3];
        let mut slopes = [[0.0; 3]; 2];
        for Point {
            value,
            slopes: here,
            root,
        } in points
        {
            let x = value * root;
            let square = x * x;
            m[0] += square * root * root;
            m[1] += square * x * root;
            m[2] += square * square;
            for (sums, slope) in slopes.iter_mut().zip(here) {
                let d = slope * root;
                sums[0] += 2.0 * x * d * root * root;
                sums[1] += 3.0 * square * d * root;
                sums[2] += 4.0 * square * x * d;
            }
        }
        let (square, cube) = (m[0] * m[0], m[0].powf(1.5));
        let (skewness, kurtosis) = (m[1] / cube, m[2] / square);
        Form {
            skewness,
            kurtosis,
            skewness_slopes: slopes.map(|s| s[1] / cube - 1.5 * skewness * s[0] / m[0]),
            kurtosis_slopes: slopes.map(|s| s[2] / square - 2.0 * kurtosis * s[0] / m[0]),
        }
    }

    /// The form of the mirror image.
    pub fn mirrored(self) -> Form {
        Form {
            skewness: -self.skewness,
            skewness_slopes: self.skewness_slopes.map(|slope| -slope),
            ..self
        }
    }

    /// Distance of two pairs: in skewness, and in the logarithm of kurtosis.
    pub fn distance(&self, [skewness, kurtosis]: [f64; 2]) -> f64 {
        let ratio = (self.kurtosis / kurtosis).ln();
        (self.skewness - skewness).powi(2) + ratio * ratio
    }
}

/// Finds the two shape parameters within `bounds` whose `form` has the skewness and kurtosis of
/// `target`.
///
/// Uses the Levenberg-Marquardt method from `start`. Returns `None` if the target is not reached.
pub fn fit(
    target: [f64; 2],
    start: [f64; 2],
    bounds: [(f64, f64); 2],
    form: impl Fn([f64; 2]) -> Form,
) -> Option<[f64; 2]> {
    let residual = |shape| Residual::of(&form(shape), target);
    let mut shape = start;
    let mut here = residual(shape);
    let mut damping = 1.0;
    for _ in 0..STEPS {
        if here.square() < 1e-28 || damping * here.square() > 1e8 {
            break;
        }
        // Damping that vanishes with the residual leaves Newton's steps at the end.
        let step = here.step(damping * here.square());
        let next = [0, 1].map(|k| (shape[k] + step[k]).clamp(bounds[k].0, bounds[k].1));
        let there = residual(next);
        if there.square() < here.square() {
            (shape, here) = (next, there);
            damping = f64::max(damping * 0.1, 1e-3);
        } else {
            damping *= 10.0;
        }
    }
    here.is_reached().then_some(shape)
}

/// True if `found` has these moments.
pub fn is_reached(found: &Form, target: [f64; 2]) -> bool {
    Residual::of(found, target).is_reached()
}

/// The distance to the target, with its slopes. The reciprocal of the kurtosis is nearly linear even where the
/// kurtosis is about to become infinite.
struct Residual {
    value: [f64; 2],
    slopes: [[f64; 2]; 2],
}

impl Residual {
    fn of(found: &Form, [skewness, kurtosis]: [f64; 2]) -> Residual {
        let ratio = kurtosis / found.kurtosis;
        let unit = 1.0 + skewness.abs();
        Residual {
            value: [(found.skewness - skewness) / unit, 1.0 - ratio],
            slopes: [
                found.skewness_slopes.map(|slope| slope / unit),
                found
                    .kurtosis_slopes
                    .map(|slope| ratio * slope / found.kurtosis),
            ],
        }
    }

    fn square(&self) -> f64 {
        self.value[0].powi(2) + self.value[1].powi(2)
    }

    fn is_reached(&self) -> bool {
        self.value.iter().all(|value| value.abs() <= TOLERANCE)
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
