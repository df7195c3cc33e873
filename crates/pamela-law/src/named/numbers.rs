//! The numbers of a law with given arguments, and what several laws share.

use super::{Named, Standardised};
use crate::root::least_whole;
use crate::{Cumulants, Probability, Support};
use libm::erfc;
use statrs::function::erf::erfc_inv;
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// Numbers of a law whose arguments are in their domains.
pub(super) trait Numbers {
    /// The arguments; 0 for missing ones.
    fn arguments(&self) -> [f64; 2];

    /// Kind of the values.
    fn values(&self) -> Values;

    /// Mean and second to fourth cumulants; infinite where they do not exist.
    fn cumulants(&self) -> Cumulants;

    /// The smallest interval that contains all values.
    fn support(&self) -> Support;

    /// `P(X <= x)`, accurate in both tails; `x` is a number.
    fn cdf(&self, x: f64) -> Probability;

    /// `P(X > x)`, in less time than [`Numbers::cdf`] where both tails are computed separately.
    fn tail(&self, x: f64) -> f64 {
        self.cdf(x).above
    }

    /// The least `x` with `P(X <= x) >= p`; `p` is neither 0 nor 1.
    fn quantile(&self, p: Probability) -> f64;

    /// The logarithm of the density, or of the probability of `x` for a discrete law; `x` is at least 0 if all values
    /// are.
    fn log_density(&self, x: f64) -> f64;

    /// `E[e^(itX)]` as real and imaginary part, if it has a closed form.
    fn characteristic(&self, _t: f64) -> Option<(f64, f64)> {
        None
    }

    /// The standard law of a family that is closed under scaling, with factor and amount.
    fn standardised(&self) -> Option<Standardised> {
        None
    }

    /// The value about which the law lies or at which it begins; 0 for laws near 0 by nature.
    fn location(&self) -> f64 {
        0.0
    }

    /// The law of `X + amount`, if it has a name.
    fn moved(&self, _amount: f64) -> Option<Named> {
        None
    }

    /// The smallest of `n` copies, if it is a law of the same family without much loss of digits.
    fn smallest(&self, _n: f64) -> Option<Named> {
        None
    }

    /// The order from which on moments do not exist.
    fn moments_below(&self) -> f64 {
        f64::INFINITY
    }
}

/// Kind of the values of a law.
pub(super) enum Values {
    /// One value.
    Single(f64),
    /// Whole numbers.
    Whole,
    /// None has a positive probability.
    Continuous,
    /// None has a positive probability, and the cdf is cheaper than that of a grid.
    Elementary,
}

pub const NEVER: Probability = Probability {
    below: 0.0,
    above: 1.0,
};
pub const ALWAYS: Probability = Probability {
    below: 1.0,
    above: 0.0,
};

pub(super) fn cumulants(mean: f64, variance: f64, third: f64, fourth: f64) -> Cumulants {
    Cumulants {
        mean,
        variance,
        third,
        fourth,
    }
}

pub(super) fn pair((below, above): (f64, f64)) -> Probability {
    Probability { below, above }
}

/// `-ln P(X > x)` at a quantile.
pub(super) fn hazard(p: Probability) -> f64 {
    -p.complement().ln()
}

/// The probability with `e^(-hazard)` above.
pub(super) fn survival(hazard: f64) -> Probability {
    if hazard.is_nan() || hazard <= 0.0 {
        return NEVER;
    }
    Probability {
        below: -(-hazard).exp_m1(),
        above: survives(hazard),
    }
}

pub(super) fn survives(hazard: f64) -> f64 {
    if hazard.is_nan() || hazard <= 0.0 {
        1.0
    } else {
        (-hazard).exp()
    }
}

/// Cdf of the standard normal law.
pub fn normal_cdf(z: f64) -> Probability {
    Probability {
        below: normal_tail(-z),
        above: normal_tail(z),
    }
}

pub(super) fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z * FRAC_1_SQRT_2)
}

/// Quantile of the standard normal law.
pub fn normal_quantile(p: Probability) -> f64 {
    if p.below > 0.5 {
        return -normal_quantile(p.complement());
    }
    let z = -SQRT_2 * erfc_inv(2.0 * p.below);
    // One Newton step on the logarithm takes off what the rational approximation leaves.
    let found = normal_cdf(z).below;
    let slope = (log_normal_density(z) - found.ln()).exp();
    z - (found / p.below).ln() / slope
}

/// Logarithm of the density of the standard normal law.
pub fn log_normal_density(z: f64) -> f64 {
    -0.5 * (z * z + (2.0 * PI).ln())
}

/// Logarithm of probability 1 or 0.
pub(super) fn only(certain: bool) -> f64 {
    if certain { 0.0 } else { f64::NEG_INFINITY }
}

/// Log-density at an end from which the density grows like a power with this shape; 1 makes it finite there.
pub(super) fn at_end(shape: f64, density: f64) -> f64 {
    match shape.total_cmp(&1.0) {
        std::cmp::Ordering::Less => f64::INFINITY,
        std::cmp::Ordering::Equal => density.ln(),
        std::cmp::Ordering::Greater => f64::NEG_INFINITY,
    }
}

/// `ln(x^exponent)`, where `0^0` is 1.
pub(super) fn power(exponent: f64, x: f64) -> f64 {
    if exponent == 0.0 {
        0.0
    } else {
        exponent * x.ln()
    }
}

/// A complex number by size and angle.
pub(super) fn turn(size: f64, angle: f64) -> (f64, f64) {
    (size * angle.cos(), size * angle.sin())
}

/// Quantile of a law of whole numbers by its cdf, from a guess on.
pub(super) fn whole_quantile(law: &dyn Numbers, p: Probability, guess: f64) -> f64 {
    let Support { lower, upper } = law.support();
    least_whole(lower, guess.min(upper), |k| reaches(law.cdf(k), p))
}

/// True if a cdf is at least `p`, up to its rounding: `1 - (3/4)^1` reaches 1/4.
fn reaches(cdf: Probability, p: Probability) -> bool {
    let slack = 4.0 * f64::EPSILON;
    if p.below <= 0.5 {
        cdf.below >= p.below * (1.0 - slack)
    } else {
        cdf.above <= p.above * (1.0 + slack)
    }
}

/// A whole number near a quantile: Cornish and Fisher, where the skewness is 1 over the deviation.
pub(super) fn near_normal(mean: f64, variance: f64, p: Probability) -> f64 {
    let z = normal_quantile(p);
    (mean + z * variance.sqrt() + (z * z - 1.0) / 6.0).max(0.0)
}
