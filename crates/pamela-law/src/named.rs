//! Named laws, exact up to rounding.
//!
//! Each law has a file: its declaration, its numbers, the estimator of its arguments. What the language, the units, the
//! closed forms and the fits know of a law, they read from its [`Row`].

use std::mem::{Discriminant, discriminant};

use serde::{Deserialize, Serialize};

use super::{Cumulants, Distribution, Probability, Support};

mod estimate;
mod numbers;
mod row;
#[cfg(test)]
mod tests;

#[cfg(feature = "samples")]
pub(super) use estimate::Sorted;
pub(super) use lognormal::log_normal_cumulants;
pub(super) use numbers::{ALWAYS, NEVER, log_normal_density, normal_cdf, normal_quantile};
use numbers::{Numbers, Values};
pub use row::{Argument, Density, Domain, Least, Row, Unit};

/// Distinguishes laws.
pub(super) type Key = (Discriminant<Kind>, [u64; 2]);

/// Laws of more whole numbers than this do not list them.
const MAX_STEPS: f64 = 10_000.0;

macro_rules! laws {
    ($($module:ident $name:ident),* $(,)?) => {
        $(mod $module;)*

        /// Name of a law in the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum LawName {
            $(#[allow(missing_docs)] $name),*
        }

        impl LawName {
            /// All names.
            pub const ALL: &[LawName] = &[$(LawName::$name),*];

            /// The declaration.
            pub fn row(self) -> &'static Row {
                match self {
                    $(LawName::$name => &$module::ROW),*
                }
            }
        }
    };
}

// Printed operands stand in this order.
laws! {
    moments Moments,
    exponential Exponential,
    normal Normal,
    uniform Uniform,
    erlang Erlang,
    gamma Gamma,
    weibull Weibull,
    lognormal Lognormal,
    bernoulli Bernoulli,
    binomial Binomial,
    poisson Poisson,
    geometric Geometric,
    beta Beta,
    pareto Pareto,
    deterministic Deterministic,
    rayleigh Rayleigh,
}

macro_rules! kinds {
    ($($module:ident $kind:ident),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Kind {
            $($kind($module::$kind)),*
        }

        impl Kind {
            fn numbers(&self) -> &dyn Numbers {
                match self {
                    $(Kind::$kind(law) => law),*
                }
            }
        }
    };
}

// The laws that have numbers of their own; others are special cases of these.
kinds! {
    deterministic Deterministic,
    exponential Exponential,
    normal Normal,
    uniform Uniform,
    gamma Gamma,
    weibull Weibull,
    lognormal Lognormal,
    bernoulli Bernoulli,
    binomial Binomial,
    poisson Poisson,
    geometric Geometric,
    beta Beta,
    pareto Pareto,
}

/// A named law with valid arguments; created by [`Named::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named(Kind);

/// `factor * X + amount` for the standard law `X` of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standardised {
    pub law: Named,
    pub factor: f64,
    pub amount: f64,
}

impl LawName {
    /// The law with this name.
    pub fn find(name: &str) -> Option<LawName> {
        LawName::ALL.iter().copied().find(|law| law.name() == name)
    }

    /// The name as it is written.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}

impl Named {
    /// Creates a law by name, with the arguments of its [`Row`].
    ///
    /// # Errors
    ///
    /// Fails if the name is unknown, if the number of arguments is wrong, if one is outside of its domain, or if the
    /// arguments do not determine a law.
    pub fn new(name: &str, arguments: &[f64]) -> Result<Named, String> {
        let Some(law) = LawName::find(name) else {
            let names: Vec<&str> = LawName::ALL.iter().map(|law| law.name()).collect();
            return Err(format!(
                "no law named `{name}`; expected one of {}",
                names.join(", ")
            ));
        };
        let row = law.row();
        if arguments.len() != row.arguments.len() {
            let names: Vec<&str> = row.arguments.iter().map(|own| own.name).collect();
            let given = match arguments.len() {
                1 => "1 is".to_string(),
                count => format!("{count} are"),
            };
            return Err(format!(
                "`{name}` takes ({}), but {given} given",
                names.join(", ")
            ));
        }
        for (argument, &x) in row.arguments.iter().zip(arguments) {
            if !argument.domain.holds(x) {
                return Err(format!(
                    "`{}` of `{name}` is {x}, but must be {}",
                    argument.name,
                    argument.domain.words()
                ));
            }
        }
        (row.make)(arguments)
    }

    fn numbers(&self) -> &dyn Numbers {
        self.0.numbers()
    }

    /// The first and the last value of a law of whole numbers, unless there are too many: then steps are small
    /// relative to the deviation.
    fn whole_numbers(&self) -> Option<(f64, f64)> {
        match self.numbers().values() {
            Values::Single(value) => return Some((value, value)),
            Values::Whole => {}
            Values::Continuous | Values::Elementary => return None,
        }
        let far = Probability::below(1e-60);
        let (first, last) = (self.quantile(far), self.quantile(far.complement()));
        (last - first <= MAX_STEPS).then_some((first, last))
    }

    /// The order from which on moments do not exist; infinite for most laws.
    pub fn tail(&self) -> f64 {
        self.numbers().moments_below()
    }

    /// The probability density at `x`, or the probability of `x` for a discrete law.
    pub fn density(&self, x: f64) -> f64 {
        self.log_density(x).exp()
    }

    /// The logarithm of [`Named::density`], even if the density underflows.
    pub fn log_density(&self, x: f64) -> f64 {
        let own = self.numbers();
        if (x.is_nan() || x < 0.0) && own.support().lower >= 0.0 {
            return f64::NEG_INFINITY;
        }
        own.log_density(x)
    }

    /// Expresses the law by the standard one of its family, which starts at 0 or is centred, and has width 1.
    ///
    /// A law without a family is its own standard law.
    pub fn standardised(&self) -> Standardised {
        self.numbers().standardised().unwrap_or(Standardised {
            law: *self,
            factor: 1.0,
            amount: 0.0,
        })
    }

    /// Splits off the value about which the law lies or at which it begins; 0 for laws near 0 by nature.
    pub fn located(&self) -> (f64, Named) {
        let location = self.numbers().location();
        (location, self.shifted(-location).unwrap_or(*self))
    }

    /// The law of `X + amount`, if it has a name.
    pub fn shifted(&self, amount: f64) -> Option<Named> {
        self.numbers().moved(amount)
    }

    /// A key that differs for different laws.
    pub(super) fn key(&self) -> Key {
        let arguments = self.numbers().arguments();
        (discriminant(&self.0), arguments.map(f64::to_bits))
    }

    /// The smallest of `n` copies, if it is a law of the same family without much loss of digits.
    pub fn smallest(&self, n: f64) -> Option<Named> {
        self.numbers().smallest(n)
    }

    /// True if all values are whole numbers.
    pub fn counts(&self) -> bool {
        match self.numbers().values() {
            Values::Single(value) => value.fract() == 0.0,
            Values::Whole => true,
            Values::Continuous | Values::Elementary => false,
        }
    }

    /// True if no value has a positive probability.
    pub fn is_continuous(&self) -> bool {
        let values = self.numbers().values();
        matches!(values, Values::Continuous | Values::Elementary)
    }

    /// True if the cdf is smooth and cheaper than that of a grid.
    pub fn is_elementary(&self) -> bool {
        matches!(self.numbers().values(), Values::Elementary)
    }
}

impl Distribution for Named {
    fn cumulants(&self) -> Cumulants {
        self.numbers().cumulants()
    }

    fn support(&self) -> Support {
        self.numbers().support()
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below.is_nan() || p.above.is_nan() {
            return f64::NAN;
        }
        if p.below <= 0.0 {
            return self.support().lower;
        }
        if p.above <= 0.0 {
            return self.support().upper;
        }
        self.numbers().quantile(p)
    }

    fn cdf(&self, x: f64) -> Probability {
        if x.is_nan() {
            return Probability { below: x, above: x };
        }
        self.numbers().cdf(x)
    }

    fn tails<'a>(&'a self) -> Box<dyn Fn(f64) -> f64 + 'a> {
        let own = self.numbers();
        Box::new(move |x| if x.is_nan() { x } else { own.tail(x) })
    }

    fn density(&self, x: f64) -> Option<f64> {
        (!self.is_discrete()).then(|| Named::density(self, x))
    }

    fn log_density(&self, x: f64) -> Option<f64> {
        (!self.is_discrete()).then(|| Named::log_density(self, x))
    }

    fn breaks(&self) -> Vec<f64> {
        let Support { lower, upper } = self.support();
        match self.whole_numbers() {
            Some((first, last)) => (0..=(last - first) as u32)
                .map(|k| first + f64::from(k))
                .collect(),
            None => vec![lower, upper],
        }
    }

    fn is_discrete(&self) -> bool {
        self.whole_numbers().is_some()
    }

    fn characteristic(&self, t: f64) -> Option<(f64, f64)> {
        self.numbers().characteristic(t)
    }
}
