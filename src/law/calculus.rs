//! Laws as evaluation carries them: by their cumulants, and by a grid or a fitted family where an order
//! statistic asks for more.

mod chance;
mod extremes;
mod many;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use super::{
    Cumulants, Distribution, Empirical, Family, Fitted, Grid, Named, Probability, Support,
};

/// How laws are carried where more than their cumulants is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// Quantile grids: nearly exact.
    #[default]
    Grid,
    /// Four moments, of which order statistics are taken through a generalized lambda distribution.
    Gld,
    /// The same through Johnson's system.
    Johnson,
}

/// How the values of a law were got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Exact,
    Grid,
    /// By fitting a family to the cumulants.
    Fitted(Family),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Exact => f.write_str("exact"),
            Method::Grid => f.write_str("grid"),
            Method::Fitted(family) => family.fmt(f),
        }
    }
}

/// A law with its cumulants, and as much of its shape as is known.
#[derive(Clone, Debug)]
pub struct Law {
    cumulants: Cumulants,
    support: Support,
    shape: Shape,
    basis: Basis,
}

/// What a law rests on, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Basis {
    Known,
    /// A family was fitted to four moments on the way.
    Fitted,
    /// And an order statistic was taken near a bound that the family misses.
    BoundMissed,
}

#[derive(Clone, Debug)]
enum Shape {
    /// One value.
    Constant,
    Named(Named),
    Empirical(Arc<Empirical>),
    Grid(Arc<Grid>),
    /// Cumulants only.
    Moments,
}

/// Operations on independent laws; those on cumulants are exact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calculus {
    pub carrier: Carrier,
}

type Result<T> = std::result::Result<T, String>;

/// Equal in all that is known of both but their shapes.
impl PartialEq for Law {
    fn eq(&self, other: &Law) -> bool {
        self.cumulants == other.cumulants && self.support == other.support
    }
}

impl Law {
    pub fn constant(value: f64) -> Law {
        Law {
            cumulants: Cumulants::constant(value),
            support: Support::point(value),
            shape: Shape::Constant,
            basis: Basis::Known,
        }
    }

    /// A law known by four moments, of values within `support`.
    fn of_cumulants(cumulants: Cumulants, support: Support, basis: Basis) -> Law {
        if cumulants.variance == 0.0 && cumulants.mean.is_finite() {
            return Law::constant(cumulants.mean);
        }
        Law {
            cumulants,
            support,
            shape: Shape::Moments,
            basis,
        }
    }

    fn of_grid(grid: Grid, basis: Basis) -> Law {
        if let Some(value) = grid.as_constant() {
            return Law::constant(value);
        }
        Law {
            cumulants: grid.cumulants(),
            support: grid.support(),
            shape: Shape::Grid(Arc::new(grid)),
            basis,
        }
    }

    pub fn cumulants(&self) -> Cumulants {
        self.cumulants
    }

    pub fn support(&self) -> Support {
        self.support
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<f64> {
        matches!(self.shape, Shape::Constant).then_some(self.cumulants.mean)
    }

    /// Whether a family was fitted to four moments on the way to this law.
    pub fn is_fitted(&self) -> bool {
        self.basis >= Basis::Fitted
    }

    /// Whether an order statistic on the way was taken near a bound that the fitted family misses.
    pub fn misses_bound(&self) -> bool {
        self.basis == Basis::BoundMissed
    }

    /// The law with its quantiles, and how they are got.
    ///
    /// # Errors
    /// No law has these four moments.
    pub fn distribution(&self, carrier: Carrier) -> Result<(Arc<dyn Distribution>, Method)> {
        Ok(match &self.shape {
            Shape::Constant => (
                Arc::new(Named::deterministic(self.cumulants.mean)),
                Method::Exact,
            ),
            Shape::Named(named) => (Arc::new(*named), Method::Exact),
            Shape::Empirical(law) => (law.clone(), Method::Exact),
            Shape::Grid(grid) => (grid.clone(), Method::Grid),
            Shape::Moments => {
                let fitted = self.fit(carrier)?;
                let family = fitted.family();
                (Arc::new(fitted), Method::Fitted(family))
            }
        })
    }

    fn fit(&self, carrier: Carrier) -> Result<Fitted> {
        let first = match carrier {
            Carrier::Grid | Carrier::Gld => Family::Gld,
            Carrier::Johnson => Family::Johnson,
        };
        Fitted::new(self.cumulants, self.support, first)
    }

    /// With cumulants that are known exactly.
    fn with_cumulants(mut self, cumulants: Cumulants) -> Law {
        self.cumulants = cumulants;
        self
    }
}

impl Calculus {
    /// A law of the language, by its name and arguments.
    ///
    /// # Errors
    /// An argument outside of its domain.
    pub fn named(&self, name: &str, arguments: &[f64]) -> Result<Law> {
        if let ("moments", &[mean, variance, skewness, kurtosis]) = (name, arguments) {
            return self.moments(mean, variance, skewness, kurtosis);
        }
        let named = Named::new(name, arguments)?;
        let law = Law {
            cumulants: named.cumulants(),
            support: named.support(),
            shape: Shape::Named(named),
            basis: Basis::Known,
        };
        Ok(match law.cumulants.variance == 0.0 {
            true => Law::constant(law.cumulants.mean),
            false => law,
        })
    }

    /// The law of samples.
    pub fn empirical(&self, law: &Arc<Empirical>) -> Law {
        let cumulants = law.cumulants();
        let support = law.support();
        if support.lower == support.upper {
            return Law::constant(support.lower);
        }
        Law {
            cumulants,
            support,
            shape: Shape::Empirical(law.clone()),
            basis: Basis::Known,
        }
    }

    fn moments(&self, mean: f64, variance: f64, skewness: f64, kurtosis: f64) -> Result<Law> {
        if variance.is_nan() || variance < 0.0 {
            return Err(format!(
                "the variance is {variance}, but must be at least 0"
            ));
        }
        let cumulants = Cumulants::from_moments(mean, variance, skewness, kurtosis);
        let Cumulants { third, fourth, .. } = cumulants;
        if ![mean, variance, third, fourth]
            .iter()
            .all(|value| value.is_finite())
        {
            return Err("the moments of a law must be finite numbers".into());
        }
        // Sums and conditions go by the cumulants alone: whether a law has them matters where its shape does.
        Ok(Law::of_cumulants(cumulants, Support::REAL, Basis::Fitted))
    }

    /// The law by a grid.
    fn grid(&self, law: &Law) -> Result<Arc<Grid>> {
        Ok(match &law.shape {
            Shape::Constant => Arc::new(Grid::constant(law.cumulants.mean)),
            Shape::Named(named) => Arc::new(Grid::of(named)),
            Shape::Empirical(law) => Arc::new(Grid::of_samples(law)),
            Shape::Grid(grid) => grid.clone(),
            Shape::Moments => Arc::new(Grid::of(&law.fit(self.carrier)?)),
        })
    }

    fn by_grid(&self) -> bool {
        self.carrier == Carrier::Grid
    }

    /// `X + ...`; 0 of none.
    ///
    /// # Errors
    /// A law of four moments that no law has.
    pub fn sum(&self, laws: &[&Law]) -> Result<Law> {
        let terms: Vec<(f64, &Law)> = laws.iter().map(|law| (1.0, *law)).collect();
        self.sum_of_copies(&terms)
    }

    /// The sum of so many independent copies of each law; 0 of none.
    ///
    /// # Errors
    /// A negative number of copies; a law of four moments that no law has.
    pub fn sum_of_copies(&self, terms: &[(f64, &Law)]) -> Result<Law> {
        let mut constant = 0.0;
        let mut random: Vec<(f64, Law)> = Vec::new();
        for &(n, law) in terms {
            match law.as_constant() {
                Some(value) => constant += n * value,
                // Known shapes are repeated and added at once.
                None if self.repeats_grids(law, n) => random.push((n, law.clone())),
                None => random.push((1.0, self.repeated(law, n)?)),
            }
        }
        random.retain(|(_, law)| law.as_constant().is_none());
        if random.is_empty() {
            return Ok(Law::constant(constant));
        }
        if let [(n, single)] = random.as_slice() {
            return Ok(self.shifted(&self.repeated(single, *n)?, constant));
        }
        let cumulants = random
            .iter()
            .fold(Cumulants::constant(constant), |all, (n, law)| {
                all.plus(&law.cumulants.repeated(*n))
            });
        let basis = worst(random.iter().map(|(_, law)| law));
        let by_moments = |(_, law): &(f64, Law)| matches!(law.shape, Shape::Moments);
        let end = |of: fn(&Support) -> f64| {
            let ends = random.iter().map(|(n, law)| n * of(&law.support));
            ends.sum::<f64>() + constant
        };
        let support = Support::new(end(|s| s.lower), end(|s| s.upper));
        if self.by_grid() && !random.iter().all(by_moments) {
            if let Some(grid) = self.sum_of_many(&random, cumulants, support)? {
                return Ok(Law::of_grid(grid, basis).with_cumulants(cumulants));
            }
            let laws: Vec<&Law> = random.iter().map(|(_, law)| law).collect();
            let grids = self.grids(&laws)?;
            let counts = random.iter().map(|(n, _)| *n);
            let terms: Vec<(f64, &Grid)> = counts.zip(grids.iter().map(Arc::as_ref)).collect();
            let grid = Grid::sum_of_copies(&terms).shifted(constant);
            return Ok(Law::of_grid(grid, basis).with_cumulants(cumulants));
        }
        let by_moments = if self.by_grid() {
            Basis::Known
        } else {
            Basis::Fitted
        };
        Ok(Law::of_cumulants(cumulants, support, basis.max(by_moments)))
    }

    /// `X * ...` of independent laws of any sign; 1 of none.
    ///
    /// # Errors
    /// A law of four moments that no law has.
    pub fn product(&self, laws: &[&Law]) -> Result<Law> {
        let mut product = Law::constant(1.0);
        for law in laws {
            product = match (product.as_constant(), law.as_constant()) {
                (Some(factor), _) => self.scaled(law, factor),
                (_, Some(factor)) => self.scaled(&product, factor),
                _ => self.product_of(&product, law)?,
            };
        }
        Ok(product)
    }

    fn product_of(&self, a: &Law, b: &Law) -> Result<Law> {
        let cumulants = a.cumulants.product(&b.cumulants);
        let basis = worst([a, b]);
        let by_moments = |law: &Law| matches!(law.shape, Shape::Moments);
        if self.by_grid() && !(by_moments(a) && by_moments(b)) {
            let grid = Grid::product(self.grid(a)?.as_ref(), self.grid(b)?.as_ref());
            return Ok(Law::of_grid(grid, basis).with_cumulants(cumulants));
        }
        let by_moments = if self.by_grid() {
            Basis::Known
        } else {
            Basis::Fitted
        };
        let support = a.support.times(b.support);
        Ok(Law::of_cumulants(cumulants, support, basis.max(by_moments)))
    }

    /// Whether `n` copies of the law are added by its grid.
    fn repeats_grids(&self, law: &Law, n: f64) -> bool {
        let whole = n >= 1.0 && n.fract() == 0.0;
        whole && self.by_grid() && !matches!(law.shape, Shape::Moments)
    }

    fn shifted(&self, law: &Law, amount: f64) -> Law {
        if amount == 0.0 {
            return law.clone();
        }
        self.moved(law, 1.0, amount)
    }

    /// One copy times `factor`, plus `amount`.
    fn moved(&self, law: &Law, factor: f64, amount: f64) -> Law {
        let cumulants = law.cumulants.scaled(factor).shifted(amount);
        let ends = [law.support.lower, law.support.upper].map(|end| factor * end + amount);
        let support = Support::new(ends[0].min(ends[1]), ends[0].max(ends[1]));
        let shape = match &law.shape {
            Shape::Constant => return Law::constant(factor * law.cumulants.mean + amount),
            Shape::Named(named) if self.by_grid() => {
                Shape::Grid(Arc::new(Grid::of(named).scaled(factor).shifted(amount)))
            }
            Shape::Empirical(law) => Shape::Empirical(Arc::new(law.moved(factor, amount))),
            Shape::Grid(grid) => Shape::Grid(Arc::new(grid.scaled(factor).shifted(amount))),
            Shape::Named(_) | Shape::Moments => Shape::Moments,
        };
        Law {
            cumulants,
            support,
            shape,
            basis: law.basis,
        }
    }

    /// One copy times `factor`.
    pub fn scaled(&self, law: &Law, factor: f64) -> Law {
        match factor {
            0.0 => Law::constant(0.0),
            1.0 => law.clone(),
            _ => self.moved(law, factor, 0.0),
        }
    }

    /// `n` independent copies added; a share of a copy where `n` is not whole.
    ///
    /// # Errors
    /// A negative number of copies.
    pub fn repeated(&self, law: &Law, n: f64) -> Result<Law> {
        if n.is_nan() || n < 0.0 {
            return Err(format!("{n} copies of a law are asked for"));
        }
        let cumulants = law.cumulants.repeated(n);
        if n == 0.0 || law.as_constant().is_some() {
            return Ok(Law::constant(cumulants.mean));
        }
        if n == 1.0 {
            return Ok(law.clone());
        }
        if self.repeats_grids(law, n) {
            let grid = self.grid(law)?.repeated(n);
            return Ok(Law::of_grid(grid, law.basis).with_cumulants(cumulants));
        }
        let support = match n.fract() == 0.0 {
            true => Support::new(n * law.support.lower, n * law.support.upper),
            false if law.support.lower >= 0.0 => Support::NONNEGATIVE,
            false => Support::REAL,
        };
        let basis = law.basis.max(Basis::Fitted);
        Ok(Law::of_cumulants(cumulants, support, basis))
    }

    /// So many copies of a law, or of one value its multiple, which may be negative.
    ///
    /// # Errors
    /// A negative number of copies.
    pub fn repeated_signed(&self, law: &Law, n: f64) -> Result<Law> {
        match law.as_constant() {
            Some(value) => Ok(Law::constant(n * value)),
            None => self.repeated(law, n),
        }
    }
}

/// What the least known of several laws rests on.
fn worst<'a>(laws: impl IntoIterator<Item = &'a Law>) -> Basis {
    let bases = laws.into_iter().map(|law| law.basis);
    bases.max().unwrap_or(Basis::Known)
}

/// The quantiles that are shown of a law.
pub const SHOWN_QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// The quantile at `p`, precise near 1 where `p` is written as `1 - q`.
pub fn quantile(law: &dyn Distribution, p: f64) -> f64 {
    law.quantile(match p < 0.5 {
        true => Probability::below(p),
        false => Probability::above(1.0 - p),
    })
}
