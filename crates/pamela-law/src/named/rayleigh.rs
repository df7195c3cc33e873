//! The Rayleigh law: the length of a vector of two independent normal components of mean 0.

use super::estimate::Estimate;
use super::row::*;
use super::weibull::weibull;

pub const ROW: Row = Row {
    name: "rayleigh",
    says: "the Rayleigh law, by the deviation of the two normal components",
    example: "rayleigh(2)",
    arguments: &[own("scale", "the scale", Domain::Positive)],
    least: Some(Least::Number(0)),
    density: Density::Always,
    make: |arguments| Ok(weibull(2.0, std::f64::consts::SQRT_2 * arguments[0])),
    estimate: Estimate::by_likelihood(|sorted| {
        let scale = || (sorted.mean_of(|x| x * x) / 2.0).sqrt();
        sorted.are_positive().then(|| vec![scale()])
    }),
};
