//! Reads and checks names and parameters of laws.

use super::{Kind, Kind::*, Named};

/// Domain of an argument.
#[derive(Clone, Copy)]
enum Domain {
    Finite,
    Positive,
    NotNegative,
    Fraction,
    /// A probability above 0.
    Chance,
    /// A whole number of at least 0.
    Count,
    /// A whole number of at least 1.
    Stages,
}

use Domain::*;

impl Domain {
    fn holds(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Finite => true,
                Positive => x > 0.0,
                NotNegative => x >= 0.0,
                Fraction => (0.0..=1.0).contains(&x),
                Chance => x > 0.0 && x <= 1.0,
                Count => x >= 0.0 && x.fract() == 0.0,
                Stages => x >= 1.0 && x.fract() == 0.0,
            }
    }

    fn words(self) -> &'static str {
        match self {
            Finite => "a finite number",
            Positive => "a number above 0",
            NotNegative => "a number from 0",
            Fraction => "a number from 0 to 1",
            Chance => "a number above 0, at most 1",
            Count => "a whole number from 0",
            Stages => "a whole number from 1",
        }
    }
}

type Parameters = &'static [(&'static str, Domain)];

/// Every name with its parameters, in the order in which they are written.
const LAWS: [(&str, Parameters); 14] = [
    ("deterministic", &[("c", Finite)]),
    ("exponential", &[("mean", Positive)]),
    ("normal", &[("mean", Finite), ("sd", NotNegative)]),
    ("uniform", &[("a", Finite), ("b", Finite)]),
    ("erlang", &[("k", Stages), ("mean", Positive)]),
    ("gamma", &[("shape", Positive), ("scale", Positive)]),
    ("weibull", &[("shape", Positive), ("scale", Positive)]),
    ("lognormal", &[("mu", Finite), ("sigma", NotNegative)]),
    ("bernoulli", &[("p", Fraction)]),
    ("binomial", &[("n", Count), ("p", Fraction)]),
    ("poisson", &[("mean", NotNegative)]),
    ("geometric", &[("p", Chance)]),
    ("beta", &[("a", Positive), ("b", Positive)]),
    ("pareto", &[("shape", Positive), ("scale", Positive)]),
];

impl Named {
    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LAWS.iter().map(|(name, _)| *name)
    }

    /// Creates a law by name.
    ///
    /// - `deterministic(c)`, `exponential(mean)`, `normal(mean, sd)`, `uniform(a, b)`;
    /// - `erlang(k, mean)` with the mean of the sum, `gamma(shape, scale)`,
    ///   `weibull(shape, scale)`;
    /// - `lognormal(mu, sigma)` with mean and standard deviation of the logarithm;
    /// - `bernoulli(p)`, `binomial(n, p)`, `poisson(mean)`;
    /// - `geometric(p)`, the number of trials up to the first success, at least 1 (thesis section
    ///   4.4);
    /// - `beta(a, b)`, and `pareto(shape, scale)` with values from `scale` on.
    ///
    /// # Errors
    ///
    /// Fails if the name is unknown, if the number of arguments is wrong, or if one is outside of
    /// its domain.
    pub fn new(name: &str, arguments: &[f64]) -> Result<Named, String> {
        let Some((_, parameters)) = LAWS.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = Named::names().collect();
            return Err(format!(
                "no law named `{name}`; expected one of {}",
                names.join(", ")
            ));
        };
        if arguments.len() != parameters.len() {
            let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
            let given = match arguments.len() {
                1 => "1 is".to_string(),
                count => format!("{count} are"),
            };
            return Err(format!(
                "`{name}` takes ({}), but {given} given",
                names.join(", ")
            ));
        }
        for ((parameter, domain), &x) in parameters.iter().zip(arguments) {
            if !domain.holds(x) {
                return Err(format!(
                    "`{parameter}` of `{name}` is {x}, but must be {}",
                    domain.words()
                ));
            }
        }
        make(name, arguments).map(Named)
    }

    /// The law of a single value.
    pub fn deterministic(value: f64) -> Named {
        Named(Deterministic { value })
    }
}

/// Makes a law from arguments that are in their domains.
fn make(name: &str, arguments: &[f64]) -> Result<Kind, String> {
    Ok(match (name, arguments) {
        ("deterministic", &[value]) => Deterministic { value },
        ("exponential", &[mean]) => Exponential { mean },
        ("normal", &[value, 0.0]) => Deterministic { value },
        ("normal", &[mean, deviation]) => Normal { mean, deviation },
        ("uniform", &[lower, upper]) if lower == upper => Deterministic { value: lower },
        ("uniform", &[lower, upper]) if lower < upper => Uniform { lower, upper },
        ("uniform", &[lower, upper]) => {
            return Err(format!(
                "`b` of `uniform` is {upper}, but must be at least `a`, which is {lower}"
            ));
        }
        ("erlang", &[shape, mean]) => Gamma {
            shape,
            scale: mean / shape,
        },
        ("gamma", &[shape, scale]) => Gamma { shape, scale },
        ("weibull", &[shape, scale]) => Weibull { shape, scale },
        ("lognormal", &[mu, 0.0]) => Deterministic { value: mu.exp() },
        ("lognormal", &[mu, sigma]) => LogNormal { mu, sigma },
        ("bernoulli", &[p]) => Bernoulli { p },
        ("binomial", &[n, p]) => Binomial { n, p },
        ("poisson", &[mean]) => Poisson { mean },
        ("geometric", &[p]) => Geometric { p },
        ("beta", &[a, b]) => Beta { a, b },
        ("pareto", &[shape, scale]) => Pareto { shape, scale },
        _ => return Err(format!("no law named `{name}`")),
    })
}
