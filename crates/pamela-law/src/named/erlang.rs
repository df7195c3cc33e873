//! The Erlang law: a gamma law of a whole number of stages, by the mean of their sum.

use super::estimate::Estimate;
use super::gamma::gamma;
use super::row::*;
use crate::Cumulants;

pub const ROW: Row = Row {
    name: "erlang",
    says: "the Erlang law, by number of stages and total mean",
    example: "erlang(3, 2)",
    arguments: &[
        plain("stages", "the number of stages", Domain::Stages),
        own("mean", "the mean", Domain::Positive),
    ],
    least: Some(Least::Number(0)),
    density: Density::Always,
    make: |arguments| Ok(gamma(arguments[0], arguments[1] / arguments[0])),
    // The number of stages by the coefficient of variation.
    estimate: Estimate::by_moments(|sorted| {
        let Cumulants { mean, variance, .. } = sorted.cumulants;
        let stages = (mean * mean / variance).round().max(1.0);
        (sorted.ends().lower >= 0.0).then(|| vec![stages, mean])
    }),
};
