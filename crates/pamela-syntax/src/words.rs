//! The words of the language: reserved words, predefined functions and laws.

use std::ops::RangeInclusive;

/// Reserved words; equal to `reserved` in the grammar.
pub const RESERVED: [&str; 20] = [
    "numeric",
    "process",
    "resource",
    "parameter",
    "assume",
    "include",
    "seq",
    "par",
    "any",
    "if",
    "else",
    "switch",
    "delay",
    "use",
    "of",
    "sum",
    "prod",
    "kth",
    "mod",
    "div",
];

/// Kind of a predefined name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A function; no equation may have its name.
    Function,
    /// A function whose name a model may redefine.
    Special,
    /// A number computed from a law; a model may redefine the name.
    Moment,
    /// A function of a process; a model may redefine the name.
    Measure,
    /// A law.
    Law,
}

/// A predefined name.
#[derive(Clone, Debug)]
pub struct Word {
    pub name: &'static str,
    /// Allowed numbers of arguments.
    pub arguments: RangeInclusive<usize>,
    pub sort: Sort,
    /// A description in one line.
    pub says: &'static str,
}

const fn word(
    name: &'static str,
    arguments: RangeInclusive<usize>,
    sort: Sort,
    says: &'static str,
) -> Word {
    Word {
        name,
        arguments,
        sort,
        says,
    }
}

/// Laws whose values have a least one: that of an argument, by its place, or else 0.
pub const LEAST: [(&str, Option<usize>); 12] = [
    ("exponential", None),
    ("uniform", Some(0)),
    ("erlang", None),
    ("gamma", None),
    ("weibull", None),
    ("lognormal", None),
    ("bernoulli", None),
    ("binomial", None),
    ("poisson", None),
    ("geometric", None),
    ("beta", None),
    ("pareto", Some(1)),
];

const MANY: usize = usize::MAX;

/// Every predefined function and law. Arities, suggestions and the functions of the rule checks
/// come from here.
pub static WORDS: [Word; 54] = [
    word(
        "max",
        1..=MANY,
        Sort::Function,
        "the largest operand, or component of a vector",
    ),
    word(
        "min",
        1..=MANY,
        Sort::Function,
        "the smallest operand, or component of a vector",
    ),
    word("floor", 1..=1, Sort::Function, "rounded down"),
    word("ceil", 1..=1, Sort::Function, "rounded up"),
    word("abs", 1..=1, Sort::Function, "the absolute value"),
    word("sqrt", 1..=1, Sort::Function, "the square root"),
    word(
        "log",
        1..=2,
        Sort::Function,
        "the natural logarithm, or the logarithm to a base",
    ),
    word("exp", 1..=1, Sort::Function, "the exponential"),
    word(
        "integer",
        1..=1,
        Sort::Function,
        "1 for a whole number, else 0",
    ),
    word(
        "unitvec",
        1..=2,
        Sort::Function,
        "the vector that is 1 at one component",
    ),
    word(
        "H",
        1..=2,
        Sort::Special,
        "the harmonic number, also of higher order",
    ),
    word("fact", 1..=1, Sort::Special, "the factorial"),
    word(
        "lgamma",
        1..=1,
        Sort::Special,
        "the logarithm of the gamma function",
    ),
    word("binom", 2..=2, Sort::Special, "the binomial coefficient"),
    word("gcd", 2..=2, Sort::Special, "the greatest common divisor"),
    word(
        "floorsum",
        4..=6,
        Sort::Special,
        "the sum of floors of a line",
    ),
    word("log2", 1..=1, Sort::Special, "the logarithm to base 2"),
    word("ln", 1..=1, Sort::Special, "the natural logarithm"),
    word("cbrt", 1..=1, Sort::Special, "the cube root"),
    word("root", 2..=2, Sort::Special, "the n-th root"),
    word("E", 1..=1, Sort::Moment, "the mean of a law"),
    word("Var", 1..=1, Sort::Moment, "the variance of a law"),
    word("Skw", 1..=1, Sort::Moment, "the skewness of a law"),
    word("Kur", 1..=1, Sort::Moment, "the kurtosis of a law"),
    word("K3", 1..=1, Sort::Moment, "the third cumulant of a law"),
    word("K4", 1..=1, Sort::Moment, "the fourth cumulant of a law"),
    word(
        "quantile",
        2..=2,
        Sort::Moment,
        "the least value that a law does not exceed with a probability",
    ),
    word(
        "prob",
        1..=1,
        Sort::Moment,
        "the probability that a comparison with a law holds",
    ),
    word("T", 1..=1, Sort::Measure, "the time of a process"),
    word(
        "phi",
        1..=1,
        Sort::Measure,
        "the critical path of a process",
    ),
    word(
        "delta",
        1..=1,
        Sort::Measure,
        "the demand of a process for each resource",
    ),
    word(
        "omega",
        1..=1,
        Sort::Measure,
        "the largest demand of a process",
    ),
    word(
        "time",
        1..=1,
        Sort::Measure,
        "the exact time of every run of a process",
    ),
    word(
        "L",
        1..=1,
        Sort::Measure,
        "a lower bound of the time of a run of a process",
    ),
    word(
        "U",
        1..=1,
        Sort::Measure,
        "an upper bound of the time of a run of a process",
    ),
    word(
        "at",
        3..=MANY,
        Sort::Special,
        "an expression with names replaced by values",
    ),
    word(
        "moments",
        4..=4,
        Sort::Law,
        "a law given by mean, variance, skewness and kurtosis",
    ),
    word("deterministic", 1..=1, Sort::Law, "a single value"),
    word(
        "exponential",
        1..=1,
        Sort::Law,
        "the exponential law, by its mean",
    ),
    word(
        "normal",
        2..=2,
        Sort::Law,
        "the normal law, by mean and standard deviation",
    ),
    word(
        "uniform",
        2..=2,
        Sort::Law,
        "the uniform law between two bounds",
    ),
    word(
        "erlang",
        2..=2,
        Sort::Law,
        "the Erlang law, by number of stages and total mean",
    ),
    word(
        "gamma",
        2..=2,
        Sort::Law,
        "the gamma law, by shape and scale",
    ),
    word(
        "weibull",
        2..=2,
        Sort::Law,
        "the Weibull law, by shape and scale",
    ),
    word(
        "lognormal",
        2..=2,
        Sort::Law,
        "the lognormal law, by mean and deviation of the logarithm",
    ),
    word(
        "bernoulli",
        1..=1,
        Sort::Law,
        "1 with a probability, else 0",
    ),
    word(
        "binomial",
        2..=2,
        Sort::Law,
        "the binomial law: successes in a number of trials",
    ),
    word("poisson", 1..=1, Sort::Law, "the Poisson law, by its mean"),
    word(
        "geometric",
        1..=1,
        Sort::Law,
        "the geometric law: trials up to the first success",
    ),
    word("beta", 2..=2, Sort::Law, "the beta law, from 0 to 1"),
    word(
        "pareto",
        2..=2,
        Sort::Law,
        "the Pareto law, by shape and least value",
    ),
    word(
        "truncated",
        2..=3,
        Sort::Law,
        "a law restricted to values between bounds",
    ),
    word(
        "mixture",
        2..=MANY,
        Sort::Law,
        "a mixture of laws, by weights",
    ),
    word(
        "empirical",
        1..=MANY,
        Sort::Law,
        "the empirical law of measured samples",
    ),
];

/// The predefined function or law with this name.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
