//! Cumulants of truncated laws, by integration.
//!
//! A law with a density is expressed by a weight on `y >= 0`. With `l` the least value that is
//! kept, an exponential law is `l + m * y` with weight `exp(-y)`, a Pareto law `l * exp(y / s)`
//! with the same weight, a uniform law `l + y` with weight 1. Of other laws, the density is integrated.

use std::sync::Arc;

use super::cumulants::Cumulants;
use super::laws::{Law, LawName};
use super::number::{Fault, Number};
use crate::law::{Distribution, Named, Probability, Support, Truncated, quadrature};
use crate::real::Real;

/// Beyond this `y`, what the weight `exp(-y)` leaves is below the digits of a double.
const FAR: f64 = 60.0;

/// Panels of an integral; of more there are no cumulants.
const MAX_PANELS: f64 = 10_000.0;

/// The relative error of an integral, with much to spare.
const ERROR: f64 = 1e-11;
/// The probability that an integral of a density leaves out at each end.
const LITTLE: f64 = 1e-18;
/// The probability between the bounds, by the integral, differs less from that of the law.
const CHECK: f64 = 1e-9;

/// Nodes and weights of the Gauss-Legendre rule of eight points, for the half above the middle.
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// A law above its least value.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Flat,
    Exponential { mean: f64 },
    Pareto { shape: f64, least: f64 },
}

/// The cumulants of a law given that it lies between `lower` and `upper`; `None` where it never does.
///
/// # Errors
/// Fails for an unsupported law, a number that is not finite, or an integral of too many panels.
pub(super) fn cumulants(
    law: &Law,
    lower: &Number,
    upper: Option<&Number>,
) -> Result<Option<Cumulants>, Fault> {
    if let Some(value) = law.constant() {
        let value = value?;
        let is_kept = lower.order(&value).is_le() && upper.is_none_or(|u| value.order(u).is_le());
        return Ok(is_kept.then(|| Cumulants::constant(value)));
    }
    let zero = Number::zero();
    let (start, end, shape): (&Number, Option<&Number>, _) =
        match (law.family, law.arguments.as_slice()) {
            (LawName::Exponential, [mean]) => {
                let mean = mean.to_f64();
                (&zero, None, Shape::Exponential { mean })
            }
            (LawName::Pareto, [shape, scale]) => {
                let shape = shape.to_f64();
                (scale, None, Shape::Pareto { shape, least: 0.0 })
            }
            (LawName::Uniform, [start, end]) => (start, Some(end), Shape::Flat),
            _ => return by_density(law, lower, upper),
        };
    let least = lower.clone().max(start.clone());
    let greatest = match (upper, end) {
        (Some(upper), Some(end)) => Some(upper.clone().min(end.clone())),
        (upper, end) => upper.or(end).cloned(),
    };
    let width = match &greatest {
        Some(greatest) => Some(greatest.subtract(&least)?),
        None => None,
    };
    if width.as_ref().is_some_and(|w| w.order(&zero).is_le()) {
        return Ok(None);
    }
    let shape = match shape {
        Shape::Pareto { shape, .. } => Shape::Pareto {
            shape,
            least: least.to_f64(),
        },
        other => other,
    };
    let width = width.map_or(f64::INFINITY, |width| width.to_f64());
    let mut above = [(); 4].map(|()| Cumulants::missing());
    for (moment, order) in above.iter_mut().zip(1..) {
        if let Some(value) = shape.moment(order, width)? {
            *moment =
                Number::Real(Real::within(value, value.abs() * ERROR).map_err(|e| e.to_string())?);
        }
    }
    let above = Cumulants::of_raw_moments_that_exist(&above)?;
    above.plus(&Cumulants::constant(least)).map(Some)
}

/// The cumulants between two values of a law with a density, by integrals of it on both sides of the median.
fn by_density(
    law: &Law,
    lower: &Number,
    upper: Option<&Number>,
) -> Result<Option<Cumulants>, Fault> {
    let arguments: Vec<f64> = law.arguments.iter().map(Number::to_f64).collect();
    let whole = Named::new(law.family.name(), &arguments)?;
    if !whole.is_continuous() {
        return Err("the cumulants of this law between bounds are not known".to_owned());
    }
    let upper = upper.map_or(f64::INFINITY, Number::to_f64);
    let bounds = Support::new(lower.to_f64(), upper);
    let chance = whole.cdf(bounds.lower).until(whole.cdf(bounds.upper));
    let Some(between) = Truncated::new(Arc::new(whole), bounds) else {
        return Ok(None);
    };
    let median = between.quantile(Probability::below(0.5));
    let scale = whole.log_density(median);
    let moments = |x: f64| {
        let (apart, density) = (x - median, (whole.log_density(x) - scale).exp());
        [0, 1, 2, 3, 4].map(|order| density * apart.powi(order))
    };
    let first = between.quantile(Probability::below(LITTLE));
    let last = between.quantile(Probability::above(LITTLE));
    let before = quadrature::interval(first, median, moments).value;
    let after = quadrature::interval(median, last, moments).value;
    let [mass, moments @ ..] = [0, 1, 2, 3, 4].map(|k: usize| before[k] + after[k]);
    // Near a steep end, much of a density may be left out.
    if ((mass.ln() + scale).exp() / chance - 1.0).abs() > CHECK {
        return Err("the density of this law is too steep".to_owned());
    }
    let deviation = (moments[1] / mass).sqrt();
    let mut found = [(); 4].map(|()| Number::zero());
    for ((moment, value), order) in found.iter_mut().zip(moments).zip(1..) {
        let real = Real::within(value / mass, ERROR * deviation.powi(order));
        *moment = Number::Real(real.map_err(|error| error.to_string())?);
    }
    let about_median = Cumulants::of_raw_moments(&found)?;
    about_median
        .plus(&Cumulants::constant(Number::double(median)))
        .map(Some)
}

/// The cumulants of the larger, or the smaller, of an exponential law and a number: it is the number, or the law beyond it.
///
/// # Errors
/// Fails for an unsupported law, or a number that is not finite.
pub(super) fn beside_number(law: &Law, number: &Number, largest: bool) -> Result<Cumulants, Fault> {
    let (LawName::Exponential, [mean]) = (law.family, law.arguments.as_slice()) else {
        return Err("the cumulants of this law beside a number are not known".to_owned());
    };
    let zero = Number::zero();
    let beyond = match (largest, mean.is_zero()) {
        (true, true) => return Ok(Cumulants::constant(number.clone().max(zero))),
        (false, true) => return Ok(Cumulants::constant(number.clone().min(zero))),
        (true, false) => cumulants(law, number, None)?,
        (false, false) => cumulants(law, &zero, Some(number))?,
    };
    let Some(beyond) = beyond else {
        return Ok(Cumulants::constant(number.clone()));
    };
    let means = (number.to_f64() / mean.to_f64()).max(0.0);
    let shares = [(-means).exp(), -(-means).exp_m1()];
    let [above, below] = shares.map(|share| {
        let real = Real::within(share, share * ERROR);
        real.map(Number::Real).map_err(|error| error.to_string())
    });
    let (of_law, of_number) = if largest {
        (above?, below?)
    } else {
        (below?, above?)
    };
    let mut moments = beyond.raw_moments()?;
    let mut power = Number::one();
    for moment in &mut moments {
        power = power.multiply(number)?;
        let fixed = power.multiply(&of_number)?;
        *moment = moment.multiply(&of_law)?.add(&fixed)?;
    }
    Cumulants::of_raw_moments(&moments)
}

impl Shape {
    /// The mean of the power `order` of the excess over the least value of the law; `None` if it does not exist.
    fn moment(self, order: i32, width: f64) -> Result<Option<f64>, Fault> {
        let end = match self {
            Shape::Flat => width,
            Shape::Exponential { mean } => FAR.min(width / mean),
            Shape::Pareto { shape, least } if width.is_finite() => shape * (width / least).ln_1p(),
            Shape::Pareto { shape, .. } if shape <= f64::from(order) => return Ok(None),
            Shape::Pareto { shape, .. } => FAR / (1.0 - f64::from(order) / shape),
        };
        let growth = match self {
            Shape::Pareto { shape, .. } => (f64::from(order) / shape).max(1.0),
            _ => 1.0,
        };
        let panels = match self {
            Shape::Flat => 1.0,
            _ => (end * growth).ceil().max(1.0),
        };
        if !panels.is_finite() || panels > MAX_PANELS {
            return Err("the integral over this law needs too many panels".to_owned());
        }
        let half = end / panels / 2.0;
        let [mut total, mut mass] = [0.0; 2];
        for panel in 0..panels as u64 {
            let middle = (2 * panel + 1) as f64 * half;
            for (node, weight) in NODES {
                for y in [middle - half * node, middle + half * node] {
                    let (value, density) = self.at(y);
                    mass += weight * density;
                    total += weight * density * value.powi(order);
                }
            }
        }
        Ok(Some(total / mass))
    }

    /// The excess over the least value at `y`, and the weight.
    fn at(self, y: f64) -> (f64, f64) {
        match self {
            Shape::Flat => (y, 1.0),
            Shape::Exponential { mean } => (mean * y, (-y).exp()),
            Shape::Pareto { shape, least } => (least * (y / shape).exp_m1(), (-y).exp()),
        }
    }
}
