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
    /// A resource.
    Resource,
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
    /// Names of the arguments; `..` stands for more of them. Those beyond the least number may be
    /// omitted.
    pub formals: &'static [&'static str],
    /// A call, in a model with numbers `N`, `P`, `a` and `b` and a process `main`.
    pub example: &'static str,
}

impl Word {
    /// `log(x, base)`
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.formals.join(", "))
    }
}

const fn word(
    name: &'static str,
    arguments: RangeInclusive<usize>,
    sort: Sort,
    says: &'static str,
    formals: &'static [&'static str],
    example: &'static str,
) -> Word {
    Word {
        name,
        arguments,
        sort,
        says,
        formals,
        example,
    }
}

const MANY: usize = usize::MAX;

/// Every predefined function and law. Arities, suggestions and the functions of the rule checks
/// come from here.
pub static WORDS: [Word; 54] = [
    word(
        "max",
        1..=MANY,
        Sort::Function,
        "the largest operand, or component of a vector",
        &["x", ".."],
        "max(a, b)",
    ),
    word(
        "min",
        1..=MANY,
        Sort::Function,
        "the smallest operand, or component of a vector",
        &["x", ".."],
        "min(a, b)",
    ),
    word(
        "floor",
        1..=1,
        Sort::Function,
        "rounded down",
        &["x"],
        "floor(N / P)",
    ),
    word(
        "ceil",
        1..=1,
        Sort::Function,
        "rounded up",
        &["x"],
        "ceil(N / P)",
    ),
    word(
        "abs",
        1..=1,
        Sort::Function,
        "the absolute value",
        &["x"],
        "abs(a - b)",
    ),
    word(
        "sqrt",
        1..=1,
        Sort::Function,
        "the square root",
        &["x"],
        "sqrt(N)",
    ),
    word(
        "log",
        1..=2,
        Sort::Function,
        "the natural logarithm, or the logarithm to a base",
        &["x", "base"],
        "log(N)",
    ),
    word(
        "exp",
        1..=1,
        Sort::Function,
        "the exponential",
        &["x"],
        "exp(-1)",
    ),
    word(
        "integer",
        1..=1,
        Sort::Function,
        "1 for a whole number, else 0",
        &["x"],
        "integer(N / P)",
    ),
    word(
        "unitvec",
        1..=2,
        Sort::Function,
        "the vector that is 1 at one component",
        &["array", "index"],
        "unitvec(fcfs, 3)",
    ),
    word(
        "H",
        1..=2,
        Sort::Special,
        "the harmonic number, also of higher order",
        &["n", "order"],
        "H(N)",
    ),
    word(
        "fact",
        1..=1,
        Sort::Special,
        "the factorial",
        &["n"],
        "fact(N)",
    ),
    word(
        "lgamma",
        1..=1,
        Sort::Special,
        "the logarithm of the gamma function",
        &["x"],
        "lgamma(N + 1)",
    ),
    word(
        "binom",
        2..=2,
        Sort::Special,
        "the binomial coefficient",
        &["n", "k"],
        "binom(N, 2)",
    ),
    word(
        "gcd",
        2..=2,
        Sort::Special,
        "the greatest common divisor",
        &["a", "b"],
        "gcd(N, P)",
    ),
    word(
        "floorsum",
        4..=6,
        Sort::Special,
        "the sum of floors of a line",
        &["n", "m", "a", "b", "p", "q"],
        "floorsum(N, P, 1, 0)",
    ),
    word(
        "log2",
        1..=1,
        Sort::Special,
        "the logarithm to base 2",
        &["x"],
        "log2(N)",
    ),
    word(
        "ln",
        1..=1,
        Sort::Special,
        "the natural logarithm",
        &["x"],
        "ln(N)",
    ),
    word(
        "cbrt",
        1..=1,
        Sort::Special,
        "the cube root",
        &["x"],
        "cbrt(N)",
    ),
    word(
        "root",
        2..=2,
        Sort::Special,
        "the n-th root",
        &["x", "n"],
        "root(N, 4)",
    ),
    word(
        "E",
        1..=1,
        Sort::Moment,
        "the mean of a law",
        &["law"],
        "E(exponential(2))",
    ),
    word(
        "Var",
        1..=1,
        Sort::Moment,
        "the variance of a law",
        &["law"],
        "Var(uniform(0, 1))",
    ),
    word(
        "Skw",
        1..=1,
        Sort::Moment,
        "the skewness of a law",
        &["law"],
        "Skw(exponential(2))",
    ),
    word(
        "Kur",
        1..=1,
        Sort::Moment,
        "the kurtosis of a law",
        &["law"],
        "Kur(exponential(2))",
    ),
    word(
        "K3",
        1..=1,
        Sort::Moment,
        "the third cumulant of a law",
        &["law"],
        "K3(exponential(2))",
    ),
    word(
        "K4",
        1..=1,
        Sort::Moment,
        "the fourth cumulant of a law",
        &["law"],
        "K4(exponential(2))",
    ),
    word(
        "quantile",
        2..=2,
        Sort::Moment,
        "the least value that a law does not exceed with a probability",
        &["law", "p"],
        "quantile(exponential(2), 0.99)",
    ),
    word(
        "prob",
        1..=1,
        Sort::Moment,
        "the probability that a comparison with a law holds",
        &["comparison"],
        "prob(exponential(2) <= 5)",
    ),
    word(
        "T",
        1..=1,
        Sort::Measure,
        "the time of a process",
        &["process"],
        "T(main)",
    ),
    word(
        "phi",
        1..=1,
        Sort::Measure,
        "the critical path of a process",
        &["process"],
        "phi(main)",
    ),
    word(
        "delta",
        1..=1,
        Sort::Measure,
        "the demand of a process for each resource",
        &["process"],
        "delta(main)",
    ),
    word(
        "omega",
        1..=1,
        Sort::Measure,
        "the largest demand of a process",
        &["process"],
        "omega(main)",
    ),
    word(
        "time",
        1..=1,
        Sort::Measure,
        "the exact time of every run of a process",
        &["process"],
        "time(main)",
    ),
    word(
        "L",
        1..=1,
        Sort::Measure,
        "a lower bound of the time of a run of a process",
        &["process"],
        "L(main)",
    ),
    word(
        "U",
        1..=1,
        Sort::Measure,
        "an upper bound of the time of a run of a process",
        &["process"],
        "U(main)",
    ),
    word(
        "at",
        3..=MANY,
        Sort::Special,
        "an expression with names replaced by values",
        &["expression", "name", "value", ".."],
        "at(T(main), P, 1)",
    ),
    word(
        "moments",
        4..=4,
        Sort::Law,
        "a law given by mean, variance, skewness and kurtosis",
        &["mean", "variance", "skewness", "kurtosis"],
        "moments(2, 1, 0, 3)",
    ),
    word(
        "deterministic",
        1..=1,
        Sort::Law,
        "a single value",
        &["value"],
        "deterministic(3)",
    ),
    word(
        "exponential",
        1..=1,
        Sort::Law,
        "the exponential law, by its mean",
        &["mean"],
        "exponential(2)",
    ),
    word(
        "normal",
        2..=2,
        Sort::Law,
        "the normal law, by mean and standard deviation",
        &["mean", "deviation"],
        "normal(10, 2)",
    ),
    word(
        "uniform",
        2..=2,
        Sort::Law,
        "the uniform law between two bounds",
        &["lower", "upper"],
        "uniform(0, 1)",
    ),
    word(
        "erlang",
        2..=2,
        Sort::Law,
        "the Erlang law, by number of stages and total mean",
        &["stages", "mean"],
        "erlang(3, 2)",
    ),
    word(
        "gamma",
        2..=2,
        Sort::Law,
        "the gamma law, by shape and scale",
        &["shape", "scale"],
        "gamma(2, 3)",
    ),
    word(
        "weibull",
        2..=2,
        Sort::Law,
        "the Weibull law, by shape and scale",
        &["shape", "scale"],
        "weibull(2, 3)",
    ),
    word(
        "lognormal",
        2..=2,
        Sort::Law,
        "the lognormal law, by mean and deviation of the logarithm",
        &["mean", "deviation"],
        "lognormal(0, 1)",
    ),
    word(
        "bernoulli",
        1..=1,
        Sort::Law,
        "1 with a probability, else 0",
        &["p"],
        "bernoulli(0.2)",
    ),
    word(
        "binomial",
        2..=2,
        Sort::Law,
        "the binomial law: successes in a number of trials",
        &["n", "p"],
        "binomial(10, 0.2)",
    ),
    word(
        "poisson",
        1..=1,
        Sort::Law,
        "the Poisson law, by its mean",
        &["mean"],
        "poisson(3)",
    ),
    word(
        "geometric",
        1..=1,
        Sort::Law,
        "the geometric law: trials up to the first success",
        &["p"],
        "geometric(0.2)",
    ),
    word(
        "beta",
        2..=2,
        Sort::Law,
        "the beta law, from 0 to 1",
        &["a", "b"],
        "beta(2, 3)",
    ),
    word(
        "pareto",
        2..=2,
        Sort::Law,
        "the Pareto law, by shape and least value",
        &["shape", "least"],
        "pareto(3, 1)",
    ),
    word(
        "truncated",
        2..=3,
        Sort::Law,
        "a law restricted to values between bounds",
        &["law", "lower", "upper"],
        "truncated(exponential(2), 1, 5)",
    ),
    word(
        "mixture",
        2..=MANY,
        Sort::Law,
        "a mixture of laws, by weights",
        &["weight", "law", ".."],
        "mixture(0.5, exponential(1), 0.5, exponential(3))",
    ),
    word(
        "empirical",
        1..=MANY,
        Sort::Law,
        "the empirical law of measured samples",
        &["sample", ".."],
        "empirical(1, 2, 4)",
    ),
];

/// The predefined resources.
pub static RESOURCES: [Word; 2] = [
    word(
        "fcfs",
        1..=2,
        Sort::Resource,
        "an element of the predefined array of first-come-first-served resources",
        &["index", "servers"],
        "fcfs(0, 1)",
    ),
    word(
        "servers",
        1..=1,
        Sort::Resource,
        "a resource of its own with a number of servers",
        &["number"],
        "servers(4)",
    ),
];

/// The words of the grammar that are names elsewhere.
pub const CONTEXTUAL: [&str; 24] = [
    "graph",
    "after",
    "for",
    "in",
    "default",
    "tracks",
    "order",
    "free",
    "integer",
    "law",
    "increasing",
    "decreasing",
    "unit",
    "when",
    "kept",
    "assert",
    "import",
    "from",
    "record",
    "table",
    "as",
    "with",
    "max",
    "min",
];

/// The predefined function or law with this name.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
