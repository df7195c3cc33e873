//! The generalized lambda distribution of Ramberg and Schmeiser, in parameters that are regular
//! everywhere.
//!
//! With `bc(x; l) = (x^l - 1) / l`, which is `ln x` at `l = 0`, the standard law has the quantile
//! function
//!
//! ```text
//! Q(u) = rho bc(u; rho lambda) - bc(1 - u; lambda)
//! ```
//!
//! for the papers' `lambda4 = lambda` and `lambda3 = rho lambda`. The logistic law (`rho = 1`) and
//! the exponential law (`rho = 0`) are ordinary points at `lambda = 0`; the papers' parameters only
//! approach them. The right tail is the longer one. Laws with negative skewness are mirror images.

use super::root::{halley, halley_step};
use super::{Cumulants, Distribution, Probability, Support};
use table::Table;

mod fit;
mod moments;
mod table;
#[cfg(test)]
mod tests;

/// `location + scale * Q(u)`, or its mirror image `location - scale * Q(1 - u)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gld {
    shape: Shape,
    mirrored: bool,
    location: f64,
    scale: f64,
}

/// The two shape parameters: `lambda > -1/4`, where the fourth moment exists, and `0 <= rho <= 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub lambda: f64,
    pub rho: f64,
}

/// The greatest logit whose probabilities are both positive doubles.
const LAST_LOGIT: f64 = 744.0;
/// A first step from the middle that goes no further is a good start.
const NEAR: f64 = 2.0;

/// `(x^l - 1) / l` from `ln x`.
fn box_cox(log: f64, l: f64) -> f64 {
    let z = l * log;
    if z == 0.0 { log } else { z.exp_m1() / l }
}

impl Shape {
    fn quantile(self, p: Probability) -> f64 {
        self.quantile_of_logs(p.ln(), p.complement().ln())
    }

    /// From `ln u` and `ln(1 - u)`.
    fn quantile_of_logs(self, below: f64, above: f64) -> f64 {
        let left = if self.rho > 0.0 {
            self.rho * box_cox(below, self.rho * self.lambda)
        } else {
            0.0
        };
        left - box_cox(above, self.lambda)
    }

    /// The value at a logit, and its first and second derivative there.
    fn at_logit(self, t: f64) -> [f64; 3] {
        self.with_probability(t).1
    }

    /// The probability of a logit, with the results of [`Shape::at_logit`].
    fn with_probability(self, t: f64) -> (Probability, [f64; 3]) {
        // Probabilities and their logarithms from one exponential and one logarithm.
        let e = (-t.abs()).exp();
        let near = -e.ln_1p();
        let far = near - t.abs();
        let (minor, major) = (e / (1.0 + e), 1.0 / (1.0 + e));
        let ((below, u), (above, v)) = if t < 0.0 {
            ((far, minor), (near, major))
        } else {
            ((near, major), (far, minor))
        };
        let (a, b) = (self.rho * self.lambda, self.lambda);
        let (left, right) = ((a * below).exp_m1(), (b * above).exp_m1());
        let box_cox = |grown: f64, log: f64, l: f64| if l * log == 0.0 { log } else { grown / l };
        // The slopes of the two terms: of `bc(u; a)` it is `u^a (1 - u)`.
        let (rise, fall) = (self.rho * (1.0 + left) * v, (1.0 + right) * u);
        let value = self.rho * box_cox(left, below, a) - box_cox(right, above, b);
        let bend = rise * (a * v - u) + fall * (v - b * u);
        (
            Probability { below: u, above: v },
            [value, rise + fall, bend],
        )
    }

    /// The logit of one of the two terms alone, as if the other were 0, which it is far out on that side.
    fn logit_of_one_term(self, x: f64) -> f64 {
        let inverse = |y: f64, l: f64| if l * y == 0.0 { y } else { (l * y).ln_1p() / l };
        // ln(u / (1 - u)) from ln u, or mirrored.
        let logit = |log: f64| log - (-log.exp_m1()).ln();
        if x > 0.0 {
            -logit(inverse(-x, self.lambda))
        } else {
            logit(inverse(x / self.rho, self.rho * self.lambda))
        }
    }

    fn mean(self) -> f64 {
        1.0 / (1.0 + self.lambda) - self.rho / (1.0 + self.rho * self.lambda)
    }

    fn support(self) -> Support {
        let end = if self.lambda > 0.0 {
            1.0 / self.lambda
        } else {
            f64::INFINITY
        };
        Support::new(if self.rho > 0.0 { -end } else { 0.0 }, end)
    }

    fn cdf(self, x: f64) -> Probability {
        let support = self.support();
        if x <= support.lower {
            return Probability::below(0.0);
        }
        if x >= support.upper {
            return Probability::above(0.0);
        }
        let [value, slope, bend] = self.at_logit(0.0);
        let step = halley_step([value - x, slope, bend]);
        if step.abs() < NEAR {
            return self.cdf_near(x, step);
        }
        // Beyond what doubles tell from 0 and 1, there is nothing to search.
        let alone = self.logit_of_one_term(x);
        if x > 0.0 && alone > LAST_LOGIT {
            Probability::above(0.0)
        } else if x > 0.0 {
            self.cdf_near(x, alone.max(-LAST_LOGIT))
        } else if alone < -LAST_LOGIT {
            Probability::below(0.0)
        } else {
            self.cdf_near(x, alone.min(LAST_LOGIT))
        }
    }

    fn cdf_near(self, x: f64, start: f64) -> Probability {
        let logit = halley(start, |t| {
            let [value, slope, bend] = self.at_logit(t);
            [value - x, slope, bend]
        });
        Probability::from_logit(logit)
    }
}

impl Gld {
    /// The papers' `lambda3` and `lambda4`, exchanged if the law is mirrored.
    pub fn lambdas(&self) -> (f64, f64) {
        let (left, right) = (self.shape.rho * self.shape.lambda, self.shape.lambda);
        if self.mirrored {
            (right, left)
        } else {
            (left, right)
        }
    }

    /// The papers' `lambda1` to `lambda4`:
    /// `R(F) = lambda1 + (F^lambda3 - (1 - F)^lambda4) / lambda2` (thesis 5.7).
    ///
    /// If the last three are 0, `R` is a limit that they do not determine.
    pub fn parameters(&self) -> [f64; 4] {
        let (left, right) = self.lambdas();
        [self.location, self.shape.lambda / self.scale, left, right]
    }

    /// `lambda` and `rho`.
    pub fn shape(&self) -> (f64, f64) {
        (self.shape.lambda, self.shape.rho)
    }

    /// The probability density at `x`, 0 outside of the support.
    pub fn density(&self, x: f64) -> f64 {
        let standard = (x - self.location) / self.signed_scale();
        let support = self.shape.support();
        if standard.is_nan() || standard < support.lower || standard > support.upper {
            return 0.0;
        }
        let p = self.shape.cdf(standard);
        let mass = p.below * p.above;
        if mass == 0.0 {
            return 0.0;
        }
        let [_, slope, _] = self.shape.at_logit(p.logit());
        mass / (slope * self.scale)
    }

    fn signed_scale(&self) -> f64 {
        if self.mirrored {
            -self.scale
        } else {
            self.scale
        }
    }

    fn seen(&self, p: Probability) -> Probability {
        if self.mirrored { p.complement() } else { p }
    }
}

impl Distribution for Gld {
    fn cumulants(&self) -> Cumulants {
        let standard = moments::cumulants(self.shape);
        standard.scaled(self.signed_scale()).shifted(self.location)
    }

    fn support(&self) -> Support {
        let standard = self.shape.support();
        let at = |x: f64| self.location + self.signed_scale() * x;
        if self.mirrored {
            Support::new(at(standard.upper), at(standard.lower))
        } else {
            Support::new(at(standard.lower), at(standard.upper))
        }
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.location + self.signed_scale() * self.shape.quantile(self.seen(p))
    }

    fn at_logit(&self, t: f64) -> Option<(f64, f64)> {
        let [x, slope, _] = self.shape.at_logit(if self.mirrored { -t } else { t });
        let value = self.location + self.signed_scale() * x;
        t.is_finite().then_some((value, self.scale * slope))
    }

    fn cdf(&self, x: f64) -> Probability {
        self.seen(self.shape.cdf((x - self.location) / self.signed_scale()))
    }

    fn cdfs<'a>(&'a self) -> Box<dyn Fn(f64) -> Probability + 'a> {
        let table = Table::new(self.shape);
        Box::new(move |x| self.seen(table.cdf((x - self.location) / self.signed_scale())))
    }
}
