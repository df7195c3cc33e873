//! Laws in evaluations: cumulants, with a grid or a fitted family where order statistics need more.

mod chance;
mod copies;
mod extremes;
mod law;
mod lazy;
mod many;
mod memo;
mod probabilities;
#[cfg(test)]
mod tests;
mod truncation;

use std::fmt;
use std::sync::Arc;

pub use law::Law;
use law::{Basis, Shape};
use lazy::Lazy;

use super::offset::Offset;
use super::stepwise::common_step;
use super::{
    Cumulants, Discrete, Distribution, Empirical, Family, Grid, Named, Probability, Support, Tails,
};

/// Representation of laws beyond their cumulants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Carrier {
    /// Quantile grids; nearly exact.
    #[default]
    Grid,
    /// Four moments; order statistics use a generalized lambda distribution.
    Gld,
    /// Four moments; order statistics use Johnson's system.
    Johnson,
}

/// Method that gave the values of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By formula.
    Exact,
    /// By a quantile grid.
    Grid,
    /// By samples of the law.
    Simulation,
    /// By fitting a family to the cumulants.
    Fitted(Family),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Exact => f.write_str("exact"),
            Method::Grid => f.write_str("grid"),
            Method::Simulation => f.write_str("simulation"),
            Method::Fitted(family) => family.fmt(f),
        }
    }
}

/// Operations on independent laws; operations on cumulants are exact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calculus {
    /// Representation of laws.
    pub carrier: Carrier,
}

/// A sum with a law of so few values is told by moving the others.
const FEW_VALUES: usize = 8;

type Result<T> = std::result::Result<T, String>;

impl Calculus {
    /// A law of the language, by name and arguments.
    ///
    /// # Errors
    /// Fails if an argument is outside of its domain.
    pub fn named(&self, name: &str, arguments: &[f64]) -> Result<Law> {
        if let ("moments", &[mean, variance, skewness, kurtosis]) = (name, arguments) {
            return self.moments(mean, variance, skewness, kurtosis);
        }
        Ok(Calculus::of_named(Named::new(name, arguments)?))
    }

    fn of_named(named: Named) -> Law {
        let (offset, named) = named.located();
        let law = Law {
            offset: Offset::from(offset),
            cumulants: named.cumulants(),
            support: named.support(),
            shape: Shape::Named(named),
            basis: Basis::Known,
            tails: Tails {
                upper: named.tail(),
                ..Tails::LIGHT
            },
            step: None,
        };
        // The variance of a narrow law may be too small for a double.
        if law.support.lower == law.support.upper {
            Law::constant(law.cumulants().mean)
        } else {
            law
        }
    }

    /// The law of samples.
    pub fn empirical(&self, law: &Arc<Empirical>) -> Law {
        let support = law.support();
        let origin = support.lower;
        if origin == support.upper {
            return Law::constant(origin);
        }
        let shape = match Discrete::of_samples(law.samples(), origin) {
            Some(discrete) => Shape::Discrete(Arc::new(discrete)),
            None if origin == 0.0 => Shape::Empirical(law.clone()),
            None => Shape::Empirical(Arc::new(law.moved(1.0, -origin))),
        };
        Law {
            offset: Offset::from(origin),
            cumulants: law.cumulants().shifted(-origin),
            support: support.shifted(-origin),
            shape,
            basis: Basis::Known,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    /// A law represented by samples drawn from it.
    pub fn estimated(&self, samples: &Arc<Empirical>) -> Law {
        self.empirical(samples).resting_on(Basis::Sampled)
    }

    fn moments(&self, mean: f64, variance: f64, skewness: f64, kurtosis: f64) -> Result<Law> {
        if variance.is_nan() || variance < 0.0 {
            return Err(format!(
                "the variance is {variance}, but must be at least 0"
            ));
        }
        let cumulants = Cumulants::from_moments(0.0, variance, skewness, kurtosis);
        let Cumulants { third, fourth, .. } = cumulants;
        if ![mean, variance, third, fourth]
            .iter()
            .all(|value| value.is_finite())
        {
            return Err("the moments of a law must be finite numbers".into());
        }
        // Sums and conditions go by the cumulants alone: whether a law has them matters where its shape does.
        Ok(Law::of_cumulants(cumulants, Support::REAL, Basis::Fitted).plus(Offset::from(mean)))
    }

    /// The law by its values, if it has few enough and grids are asked for.
    fn discrete(&self, law: &Law) -> Option<Arc<Discrete>> {
        match &law.shape {
            _ if !self.by_grid() => None,
            Shape::Constant => Discrete::new(&[(law.cumulants.mean, 1.0)]).map(Arc::new),
            Shape::Named(named) => Discrete::of(named).map(Arc::new),
            Shape::Discrete(law) => Some(law.clone()),
            Shape::Empirical(_) | Shape::Grid(_) | Shape::Moments => None,
        }
    }

    /// Combines laws of few values, if all laws have few values.
    fn of_discrete(
        &self,
        laws: &[&Law],
        whole: impl FnOnce(&[&Discrete]) -> Option<Discrete>,
    ) -> Option<Law> {
        let discrete = laws.iter().map(|law| self.discrete(law));
        let discrete = discrete.collect::<Option<Vec<_>>>()?;
        let discrete: Vec<&Discrete> = discrete.iter().map(Arc::as_ref).collect();
        let basis = worst(laws.iter().copied());
        Some(Law::of_discrete(whole(&discrete)?, basis))
    }

    /// The grid of the law without its offset, to be computed when it is asked for.
    ///
    /// # Errors
    /// Fails if no law has the four moments of the argument.
    fn lazy(&self, law: &Law) -> Result<Lazy> {
        Ok(match &law.shape {
            Shape::Constant => Grid::constant(law.cumulants.mean).into(),
            Shape::Named(named) => Lazy::named(named),
            Shape::Discrete(law) => {
                let law = law.clone();
                Lazy::new(move || Grid::of_discrete(&law))
            }
            Shape::Empirical(law) => {
                let law = law.clone();
                Lazy::new(move || Grid::of_values(law.as_ref()))
            }
            Shape::Grid(grid) => grid.clone(),
            Shape::Moments => Grid::of(&law.fit(self.carrier)?).into(),
        })
    }

    /// The grid of the law without its offset.
    fn grid(&self, law: &Law) -> Result<Arc<Grid>> {
        Ok(self.lazy(law)?.grid())
    }

    fn by_grid(&self) -> bool {
        self.carrier == Carrier::Grid
    }

    /// `X + ...`; 0 for no laws.
    ///
    /// # Errors
    /// Fails if no law has the four moments of an argument.
    pub fn sum(&self, laws: &[&Law]) -> Result<Law> {
        let terms: Vec<(f64, &Law)> = laws.iter().map(|law| (1.0, *law)).collect();
        self.sum_of_copies(&terms)
    }

    /// The sum of several independent copies of each law; 0 for no laws.
    ///
    /// # Errors
    /// Fails if a number of copies is negative, or if no law has the four moments of an argument.
    pub fn sum_of_copies(&self, terms: &[(f64, &Law)]) -> Result<Law> {
        let mut offset = Offset::ZERO;
        let mut random: Vec<(f64, Law)> = Vec::new();
        for &(n, law) in terms {
            if let Some(value) = law.constant_offset() {
                offset = offset.plus(value.times(n));
                continue;
            }
            // Known shapes are repeated and added at once.
            let (n, copies) = if self.repeats_grids(law, n) {
                (n, law.clone())
            } else {
                (1.0, self.repeated(law, n)?)
            };
            offset = offset.plus(copies.offset.times(n));
            let without = Law {
                offset: Offset::ZERO,
                ..copies
            };
            random.push((n, without));
        }
        random.retain(|(_, law)| law.as_constant().is_none());
        let sum = match random.as_slice() {
            [] => Law::constant(0.0),
            [(n, single)] => self.repeated(single, *n)?,
            _ => self.sum_of_random(&random)?,
        };
        let tails = random.iter().map(|(_, law)| law.tails);
        let constants = terms.iter().filter(|(_, law)| law.as_constant().is_some());
        Ok(sum
            .with_tails(tails.fold(Tails::LIGHT, Tails::or))
            .resting_on(worst(constants.map(|(_, law)| *law)))
            .in_steps(common_step(
                terms.iter().map(|&(n, law)| copies_step(n, law)),
            ))
            .plus(offset))
    }

    /// The sum of copies of several random laws without offsets.
    fn sum_of_random(&self, random: &[(f64, Law)]) -> Result<Law> {
        let start = Cumulants::constant(0.0);
        let cumulants = random
            .iter()
            .fold(start, |all, (n, law)| all.plus(&law.cumulants.repeated(*n)));
        let laws: Vec<&Law> = random.iter().map(|(_, law)| law).collect();
        let counts = || random.iter().map(|(n, _)| *n);
        let discrete = self.of_discrete(&laws, |laws| {
            let terms: Vec<(f64, &Discrete)> = counts().zip(laws.iter().copied()).collect();
            Discrete::sum_of_copies(&terms)
        });
        if let Some(sum) = discrete {
            return Ok(sum.with_cumulants(cumulants));
        }
        spread_in_range(&cumulants)?;
        let basis = worst(laws.iter().copied());
        let by_moments = |law: &&Law| matches!(law.shape, Shape::Moments);
        let end = |of: fn(&Support) -> f64| {
            let ends = random.iter().map(|(n, law)| n * of(&law.support));
            ends.sum::<f64>()
        };
        let support = Support::new(end(|s| s.lower), end(|s| s.upper));
        let spread = cumulants.variance.is_finite();
        if let Some(sum) = self.sum_with_few_values(random)?.filter(|_| spread) {
            return Ok(Law::of_lazy(sum, cumulants, support, basis));
        }
        if self.by_grid() && spread && !laws.iter().all(by_moments) {
            if let Ok(Some(grid)) = self.sum_of_many(random, cumulants, support) {
                return Ok(Law::of_grid(grid, basis).with_cumulants(cumulants));
            }
            let lazy = |(n, law): &(f64, Law)| Ok((*n, self.lazy(law)?));
            // Cumulants add up, also those that no law has.
            return Ok(match random.iter().map(lazy).collect::<Result<Vec<_>>>() {
                Ok(terms) => Law::of_lazy(Lazy::sum(terms), cumulants, support, basis),
                Err(_) => Law::of_cumulants(cumulants, support, Basis::Fitted),
            });
        }
        let by_moments = if self.by_grid() {
            Basis::Known
        } else {
            Basis::Fitted
        };
        Ok(Law::of_cumulants(cumulants, support, basis.max(by_moments)))
    }

    /// If some of the laws have few values in all: a mixture of the sum of the others shifted by each value. `None`
    /// for other sums.
    fn sum_with_few_values(&self, terms: &[(f64, Law)]) -> Result<Option<Lazy>> {
        let discrete = |(_, law): &(f64, Law)| self.discrete(law);
        let is_discrete = |law: &&(f64, Law)| discrete(law).is_some();
        let (few, rest): (Vec<_>, Vec<_>) = terms.iter().partition(is_discrete);
        let whole = |(n, _): &&(f64, Law)| *n >= 1.0 && n.fract() == 0.0;
        if few.is_empty() || rest.is_empty() || !few.iter().all(whole) {
            return Ok(None);
        }
        let laws: Vec<&Law> = few.iter().map(|(_, law)| law).collect();
        let values = self.of_discrete(&laws, |laws| {
            let counts = few.iter().map(|(n, _)| *n);
            let terms: Vec<(f64, &Discrete)> = counts.zip(laws.iter().copied()).collect();
            Discrete::sum_of_copies(&terms).filter(|sum| sum.count() <= FEW_VALUES)
        });
        let Some(Shape::Discrete(values)) = values.map(|values| values.shape) else {
            return Ok(None);
        };
        let rest: Vec<(f64, Law)> = rest.into_iter().cloned().collect();
        let others = match rest.as_slice() {
            [(n, single)] => self.repeated(single, *n)?,
            rest => self.sum_of_random(rest)?,
        };
        if matches!(others.shape, Shape::Moments) {
            return Ok(None);
        }
        let part = self.lazy(&others)?;
        Ok(Some(Lazy::from_parts(vec![part], move |grids| {
            let parts = values
                .points()
                .map(|(value, p)| (p, grids[0].shifted(value)));
            let parts: Vec<(f64, Grid)> = parts.collect();
            let parts: Vec<(f64, &Grid)> = parts.iter().map(|(p, grid)| (*p, grid)).collect();
            Grid::mixture(&parts)
        })))
    }

    /// `X * ...` for independent laws of any sign; 1 for no laws.
    ///
    /// # Errors
    /// Fails if no law has the four moments of an argument.
    pub fn product(&self, laws: &[&Law]) -> Result<Law> {
        let mut product = Law::constant(1.0);
        for law in laws {
            product = match (product.as_constant(), law.as_constant()) {
                (Some(factor), _) => self.scaled(law, factor),
                (_, Some(factor)) => self.scaled(&product, factor),
                _ => {
                    let (a, b) = (&product, law);
                    let tails = Tails::product([(a.tails, a.support()), (b.tails, b.support())]);
                    let offset = a.offset.multiply(b.offset);
                    let [p, q] = [a.offset.value().abs(), b.offset.value().abs()];
                    let steps = a.step().zip(b.step());
                    let steps = steps.map(|(x, y)| [p * y, q * x, x * y].map(Some));
                    let step = steps.and_then(common_step);
                    let beside = self.product_beside(a, b)?.with_tails(tails);
                    beside.in_steps(step).plus(offset)
                }
            };
        }
        Ok(product)
    }

    /// The difference between the product and the product of the offsets.
    fn product_beside(&self, a: &Law, b: &Law) -> Result<Law> {
        let offsets = [a.offset.value(), b.offset.value()];
        let cumulants = a.cumulants.product_beside(&b.cumulants, offsets);
        // It varies, as both do; of less than this the fourth moment is 0 in doubles.
        let [mean, variance] = [cumulants.mean, cumulants.variance];
        if mean.is_nan() || variance.is_nan() || variance < 1e-150 {
            return Err("its mean or its variance is too great or too small for a double".into());
        }
        let discrete = self.of_discrete(&[a, b], |laws| {
            Discrete::product_beside(laws[0], laws[1], offsets)
        });
        if let Some(law) = discrete {
            return Ok(law.with_cumulants(cumulants));
        }
        let basis = worst([a, b]);
        let by_moments = |law: &Law| matches!(law.shape, Shape::Moments);
        let support = a.support.product_beside(b.support, offsets);
        if self.by_grid() && !(by_moments(a) && by_moments(b)) {
            let parts = vec![self.lazy(a)?, self.lazy(b)?];
            let grid = Lazy::from_parts(parts, move |grids| {
                Grid::product_beside(grids[0], grids[1], offsets)
            });
            return Ok(Law::of_lazy(grid, cumulants, support, basis));
        }
        let by_moments = if self.by_grid() {
            Basis::Known
        } else {
            Basis::Fitted
        };
        Ok(Law::of_cumulants(cumulants, support, basis.max(by_moments)))
    }
}

/// Sums go by how wide they are.
///
/// # Errors
/// Fails if the variance of the random part is too small for a double.
fn spread_in_range(cumulants: &Cumulants) -> Result<()> {
    if cumulants.variance < f64::MIN_POSITIVE {
        Err("the variance of a sum is too small for a double: use another unit".into())
    } else {
        Ok(())
    }
}

/// The weakest basis of several laws.
fn worst<'a>(laws: impl IntoIterator<Item = &'a Law>) -> Basis {
    let bases = laws.into_iter().map(|law| law.basis);
    bases.max().unwrap_or(Basis::Known)
}

/// The step of the sum of `n` copies without offsets; a share of a copy has none, and one value is in the offset.
fn copies_step(n: f64, law: &Law) -> Option<f64> {
    match law.constant_offset() {
        Some(_) => Some(0.0),
        None if n.fract() == 0.0 => law.step(),
        None => None,
    }
}

/// The step of several laws about the same value.
fn step_of<'a>(laws: impl IntoIterator<Item = &'a Law>) -> Option<f64> {
    common_step(laws.into_iter().map(Law::step))
}

/// Probabilities of the quantiles that are displayed by default.
pub const SHOWN_QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// The quantile at `p`, accurate near 1 if `p` is written as `1 - q`.
pub fn quantile(law: &dyn Distribution, p: f64) -> f64 {
    // The difference of a decimal from 1 has no more decimals than it: 1 - 0.99999 is 0.00001.
    let rest = ((1.0 - p) * 1e16).round() / 1e16;
    law.quantile(if p < 0.5 {
        Probability::below(p)
    } else {
        Probability::above(rest)
    })
}
