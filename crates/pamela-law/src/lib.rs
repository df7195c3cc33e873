#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::match_bool)]

pub mod baseline;
mod calculus;
mod columns;
mod cumulants;
mod discrete;
mod empirical;
#[cfg(feature = "samples")]
pub mod fit;
mod fitted;
mod gld;
mod grid;
mod johnson;
mod mixture;
mod named;
mod offset;
pub mod order;
mod pair;
mod panels;
mod probability;
pub mod quadrature;
mod root;
mod sampled;
mod samples;
pub mod shortest;
pub mod special;
mod stepwise;
pub mod table;
mod tails;
mod truncated;
mod two_point;

pub use calculus::{Calculus, Carrier, Law, Method, SHOWN_QUANTILES, quantile};
pub use cumulants::Cumulants;
pub use discrete::Discrete;
pub use empirical::Empirical;
pub use fitted::{Family, Fitted};
pub use gld::Gld;
pub use grid::Grid;
pub use johnson::Johnson;
pub use mixture::Mixture;
pub use named::{Argument, Density, Domain, LawName, Least, Named, Row, Unit};
pub use offset::{Offset, Shifted};
pub use probability::{Probability, Support};
pub use sampled::Sampled;
pub use samples::Samples;
pub use tails::Tails;
pub use truncated::Truncated;
pub use two_point::TwoPoint;

/// The distribution of a real random variable.
pub trait Distribution: Send + Sync {
    /// Mean and second to fourth cumulants; infinite or NaN where they do not exist.
    fn cumulants(&self) -> Cumulants;

    /// The smallest interval that contains all values.
    fn support(&self) -> Support;

    /// The least `x` with `P(X <= x) >= p.below`: the generalized inverse of the cdf.
    ///
    /// It is accurate in both tails.
    fn quantile(&self, p: Probability) -> f64;

    /// The quantile at a logit with its derivative, if both have a closed form.
    fn at_logit(&self, _t: f64) -> Option<(f64, f64)> {
        None
    }

    /// `P(X <= x)` together with `P(X > x)`.
    fn cdf(&self, x: f64) -> Probability;

    /// `P(X < x)` together with `P(X >= x)`: without the probability of `x` itself.
    fn cdf_before(&self, x: f64) -> Probability {
        self.cdf(x.next_down())
    }

    /// The cdf, prepared for hundreds of evaluations.
    fn cdfs<'a>(&'a self) -> Box<dyn Fn(f64) -> Probability + 'a> {
        Box::new(|x| self.cdf(x))
    }

    /// `P(X > x)`, prepared for hundreds of evaluations.
    fn tails<'a>(&'a self) -> Box<dyn Fn(f64) -> f64 + 'a> {
        let cdfs = self.cdfs();
        Box::new(move |x| cdfs(x).above)
    }

    /// The density at `x`, if the law has a closed form of it.
    fn density(&self, _x: f64) -> Option<f64> {
        None
    }

    /// The logarithm of the density, also where the density underflows if the law knows it.
    fn log_density(&self, x: f64) -> Option<f64> {
        self.density(x).map(f64::ln)
    }

    /// Values at which the cdf jumps or bends, in any order; it is smooth between them.
    ///
    /// Values that are exceeded with a probability below 1e-60 may be omitted.
    fn breaks(&self) -> Vec<f64> {
        let Support { lower, upper } = self.support();
        vec![lower, upper]
    }

    /// True if all values are among the breaks.
    fn is_discrete(&self) -> bool {
        false
    }

    /// `E[e^(itX)]` as real and imaginary part, if it has a closed form.
    fn characteristic(&self, _t: f64) -> Option<(f64, f64)> {
        None
    }
}
