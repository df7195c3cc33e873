//! A law that is given by four moments.

use super::row::*;

pub const ROW: Row = Row {
    name: "moments",
    says: "a law given by mean, variance, skewness and kurtosis",
    example: "moments(2, 1, 0, 3)",
    arguments: &[
        own("mean", "the mean", Domain::Any),
        Argument {
            unit: Unit::Square,
            ..own("variance", "the variance", Domain::NotNegative)
        },
        plain("skewness", "the skewness", Domain::Any),
        plain("kurtosis", "the kurtosis", Domain::Any),
    ],
    least: None,
    density: Density::Unknown,
    make: |_| Err("four moments do not determine a law".to_owned()),
    estimate: None,
};
