//! What measurements tell of branches, loops, messages and values.

use std::fmt::{self, Display};

/// Known facts about a branch or a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub value: KnownValue,
    /// Origin of the facts: `4,950 trials, bernoulli`.
    pub note: String,
}

/// A share or a number of iterations.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownValue {
    /// The same law in every run, and its mean.
    Same { law: KnownLaw, mean: f64 },
    /// A probability that varies between runs: its law and its mean.
    Drawn { law: KnownLaw, mean: f64 },
    /// `constant + slope / (j + offset)`, where j counts the trials of the surrounding loop, from 1.
    Position {
        constant: f64,
        slope: f64,
        offset: i64,
    },
    /// Only the fact that the value varies.
    Unknown,
}

impl KnownValue {
    /// A number without a law.
    pub fn constant(value: f64) -> KnownValue {
        KnownValue::Same {
            law: KnownLaw::Constant(value),
            mean: value,
        }
    }
}

/// A law in the language; it displays as it is written there.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownLaw {
    Constant(f64),
    /// The probability of 1.
    Bernoulli(f64),
    /// The number between two whole ones as the law that varies least: the lower one, and the probability of the other.
    Whole(f64, f64),
    Moments {
        mean: f64,
        variance: f64,
        skewness: f64,
        kurtosis: f64,
    },
    Beta(f64, f64),
}

impl KnownLaw {
    /// Loops run whole numbers of times: a mean between two of them as the law that varies least.
    pub fn of_whole_numbers(self) -> KnownLaw {
        match self {
            KnownLaw::Constant(mean) if mean < 1.0 => KnownLaw::Whole(0.0, mean),
            // Means have six digits, so that `2.3` is `2 + bernoulli(0.3)`, not 0.2999999999999998.
            KnownLaw::Constant(mean) if mean.fract() != 0.0 => {
                KnownLaw::Whole(mean.trunc(), (mean.fract() * 1e6).round() / 1e6)
            }
            law => law,
        }
    }
}

impl Display for KnownLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnownLaw::Constant(value) => write!(f, "{value}"),
            KnownLaw::Bernoulli(p) => write!(f, "bernoulli({p})"),
            KnownLaw::Whole(least, p) if *least == 0.0 => write!(f, "bernoulli({p})"),
            KnownLaw::Whole(least, p) => write!(f, "{least} + bernoulli({p})"),
            KnownLaw::Moments {
                mean,
                variance,
                skewness,
                kurtosis,
            } => write!(f, "moments({mean}, {variance}, {skewness}, {kurtosis})"),
            KnownLaw::Beta(a, b) => write!(f, "beta({a}, {b})"),
        }
    }
}
