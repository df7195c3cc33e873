//! The representation of a law in evaluations.

use std::sync::Arc;

use super::lazy::Lazy;
use super::{Carrier, Method, Result};
use crate::offset::{Offset, Shifted};
use crate::stepwise::{Stepwise, common_step};
use crate::{
    Cumulants, Discrete, Distribution, Empirical, Family, Fitted, Grid, Named, Support, Tails,
};

/// A law: its cumulants, and as much of its shape as is known.
#[derive(Clone, Debug)]
pub struct Law {
    /// Offset; the other fields describe the law minus this.
    pub(super) offset: Offset,
    pub(super) cumulants: Cumulants,
    pub(super) support: Support,
    pub(super) shape: Shape,
    pub(super) basis: Basis,
    pub(super) tails: Tails,
    /// The step of which all values are multiples, if the shape does not tell it.
    pub(super) step: Option<f64>,
}

/// Basis of a law, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basis {
    Known,
    /// Samples represent a law on the way.
    Sampled,
    /// A family was fitted to four moments on the way.
    Fitted,
    /// A family was fitted, and an order statistic was taken near a bound that the family misses.
    BoundMissed,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A single value.
    Constant,
    Named(Named),
    Empirical(Arc<Empirical>),
    /// All values with their probabilities.
    Discrete(Arc<Discrete>),
    Grid(Lazy),
    /// Cumulants only.
    Moments,
}

/// Equal in all that is known of both but their shapes.
impl PartialEq for Law {
    fn eq(&self, other: &Law) -> bool {
        self.cumulants() == other.cumulants() && self.support() == other.support()
    }
}

impl Law {
    /// The law of a single value.
    pub fn constant(value: f64) -> Law {
        Law::at(Offset::from(value))
    }

    /// A constant law, with the basis of a fitted family.
    fn constant_by(value: f64, basis: Basis) -> Law {
        Law {
            basis,
            ..Law::constant(value)
        }
    }

    /// Lowers the basis to at most this one.
    pub(super) fn resting_on(mut self, basis: Basis) -> Law {
        self.basis = self.basis.max(basis);
        self
    }

    /// The law of a single value.
    pub fn at(value: Offset) -> Law {
        Law {
            offset: value,
            cumulants: Cumulants::constant(0.0),
            support: Support::point(0.0),
            shape: Shape::Constant,
            basis: Basis::Known,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    /// A law given by four moments, with values in `support`.
    pub(super) fn of_cumulants(cumulants: Cumulants, support: Support, basis: Basis) -> Law {
        if cumulants.variance == 0.0 && cumulants.mean.is_finite() {
            return Law::constant_by(cumulants.mean, basis);
        }
        Law {
            offset: Offset::ZERO,
            cumulants,
            support,
            shape: Shape::Moments,
            basis,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    pub(super) fn of_grid(grid: impl Into<Arc<Grid>>, basis: Basis) -> Law {
        let grid = grid.into();
        if let Some(value) = grid.as_constant() {
            return Law::constant_by(value, basis);
        }
        Law {
            offset: Offset::ZERO,
            cumulants: grid.cumulants(),
            support: grid.support(),
            shape: Shape::Grid(grid.into()),
            basis,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    /// A law whose grid is computed when it is asked for, with its cumulants and values in `support`.
    pub(super) fn of_lazy(grid: Lazy, cumulants: Cumulants, support: Support, basis: Basis) -> Law {
        Law {
            offset: Offset::ZERO,
            cumulants,
            support,
            shape: Shape::Grid(grid),
            basis,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    /// True if both laws share one grid.
    pub(super) fn is_same_grid(&self, other: &Law) -> bool {
        match (&self.shape, &other.shape) {
            (Shape::Grid(own), Shape::Grid(grid)) => {
                self == other && self.offset.minus(other.offset).value() == 0.0 && own.is_same(grid)
            }
            _ => false,
        }
    }

    /// The law of finitely many values.
    pub fn discrete(law: Discrete) -> Law {
        Law::of_discrete(law, Basis::Known)
    }

    pub(super) fn of_discrete(law: Discrete, basis: Basis) -> Law {
        if let Some(value) = law.as_constant() {
            return Law::constant_by(value, basis);
        }
        Law {
            offset: Offset::ZERO,
            cumulants: law.cumulants(),
            support: law.support(),
            shape: Shape::Discrete(Arc::new(law)),
            basis,
            tails: Tails::LIGHT,
            step: None,
        }
    }

    /// The first four cumulants.
    pub fn cumulants(&self) -> Cumulants {
        self.cumulants.shifted(self.offset.value())
    }

    /// The smallest interval known to contain all values.
    pub fn support(&self) -> Support {
        self.support.shifted(self.offset.value())
    }

    /// The step of which all values minus the offset are multiples, if any; 1 for whole numbers.
    pub(super) fn step(&self) -> Option<f64> {
        match &self.shape {
            Shape::Constant => Some(self.cumulants.mean.abs()),
            Shape::Named(named) => named.counts().then_some(1.0),
            Shape::Empirical(law) => common_step(law.samples().iter().map(|x| Some(x.abs()))),
            Shape::Discrete(law) => common_step(law.points().map(|(x, _)| Some(x.abs()))),
            Shape::Grid(_) | Shape::Moments => self.step,
        }
    }

    /// Sets the step of which all values are multiples.
    pub(super) fn in_steps(mut self, step: Option<f64>) -> Law {
        self.step = step.filter(|step| *step > 0.0);
        self
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<f64> {
        self.constant_offset().map(Offset::value)
    }

    /// The value, if there is only one, even if a family was fitted on the way.
    pub fn as_certain(&self) -> Option<f64> {
        self.as_constant().filter(|_| !self.is_fitted())
    }

    /// Like [`Law::as_certain`], if a double holds the value exactly.
    pub fn as_exact_constant(&self) -> Option<f64> {
        let exact = self.constant_offset()?.exact();
        exact.filter(|_| !self.is_fitted())
    }

    pub(super) fn constant_offset(&self) -> Option<Offset> {
        let constant = matches!(self.shape, Shape::Constant);
        constant.then(|| self.offset.plus(Offset::from(self.cumulants.mean)))
    }

    /// True if a family was fitted to four moments on the way.
    pub fn is_fitted(&self) -> bool {
        self.basis >= Basis::Fitted
    }

    /// True if an order statistic on the way was taken near a bound that the fitted family misses.
    pub fn misses_bound(&self) -> bool {
        self.basis == Basis::BoundMissed
    }

    /// The law as a distribution with quantiles, and how these are computed.
    ///
    /// # Errors
    /// Fails if no law has these four moments.
    pub fn distribution(&self, carrier: Carrier) -> Result<(Arc<dyn Distribution>, Method)> {
        let (law, method) = self.without_offset(carrier)?;
        Ok(match self.offset.value() {
            0.0 => (law, method),
            amount => (Arc::new(Shifted { law, amount }), method),
        })
    }

    /// Like [`Law::distribution`], of the law minus its offset.
    pub(super) fn without_offset(
        &self,
        carrier: Carrier,
    ) -> Result<(Arc<dyn Distribution>, Method)> {
        let (law, method): (Arc<dyn Distribution>, Method) = match &self.shape {
            Shape::Constant => (
                Arc::new(Named::deterministic(self.cumulants.mean)),
                if self.is_fitted() {
                    Method::Fitted(first_family(carrier))
                } else {
                    Method::Exact
                },
            ),
            Shape::Named(named) => match Discrete::of(named) {
                Some(discrete) => (Arc::new(discrete), Method::Exact),
                None => (Arc::new(*named), Method::Exact),
            },
            Shape::Empirical(law) => (law.clone(), Method::Exact),
            Shape::Discrete(law) => (law.clone(), Method::Exact),
            Shape::Grid(grid) => (grid.grid(), Method::Grid),
            Shape::Moments => {
                let fitted = self.fit(carrier)?;
                let family = fitted.family();
                (Arc::new(fitted), Method::Fitted(family))
            }
        };
        let method = match (self.basis, method) {
            (Basis::Sampled, Method::Exact | Method::Grid) => Method::Simulation,
            (_, method) => method,
        };
        let smooths = matches!(self.shape, Shape::Grid(_) | Shape::Moments);
        let law: Arc<dyn Distribution> = match self.step {
            Some(step) if smooths => Arc::new(Stepwise { law, step }),
            _ => law,
        };
        Ok((law, method))
    }

    pub(super) fn fit(&self, carrier: Carrier) -> Result<Fitted> {
        if self.moments() < 4 {
            let next = self.moments() + 1;
            return Err(format!(
                "moments of order {next} and above do not exist, and its quantiles are not known"
            ));
        }
        if self.moments_in_range() < 4 {
            return Err(format!(
                "{}, and its quantiles are not known",
                self.missing().unwrap_or_default()
            ));
        }
        Fitted::new(self.cumulants, self.support, first_family(carrier))
    }

    /// Replaces the cumulants, without the offset, by exact ones.
    pub(super) fn with_cumulants(mut self, cumulants: Cumulants) -> Law {
        match self.shape {
            Shape::Constant => {}
            _ => self.cumulants = cumulants,
        }
        self
    }

    /// Sets the tails; moments that do not exist become infinite.
    pub(super) fn with_tails(mut self, tails: Tails) -> Law {
        self.tails = tails.within(self.support);
        self.cumulants = self.tails.existing(self.cumulants);
        self
    }

    /// Number of the first four moments that exist; the others are infinite.
    pub fn moments(&self) -> usize {
        self.tails.moments()
    }

    /// Number of the first four moments that exist in the range of doubles.
    pub fn moments_in_range(&self) -> usize {
        let told = if self.cumulants.variance == 0.0 && self.as_constant().is_none() {
            // The variance is too small for a double.
            1
        } else {
            self.cumulants().in_range()
        };
        self.moments().min(told)
    }

    /// A note about missing moments, if any.
    pub fn missing(&self) -> Option<String> {
        let (exist, told) = (self.moments(), self.moments_in_range());
        let next = told + 1;
        match (told, exist) {
            (4, _) => None,
            (_, 0) => Some("no mean and no moment of a higher order exists".into()),
            _ if told == exist => Some(format!("moments of order {next} and above do not exist")),
            _ => Some(format!(
                "moments of order {next} and above are outside the range of doubles; use another unit"
            )),
        }
    }

    /// The law plus a number.
    pub(super) fn plus(mut self, amount: Offset) -> Law {
        self.offset = self.offset.plus(amount);
        self
    }
}

fn first_family(carrier: Carrier) -> Family {
    match carrier {
        Carrier::Grid | Carrier::Gld => Family::Gld,
        Carrier::Johnson => Family::Johnson,
    }
}

impl Shape {
    /// The shape of `factor * X + amount`, with a nonzero factor.
    pub(super) fn moved(&self, factor: f64, amount: f64) -> Shape {
        match self {
            Shape::Constant => Shape::Constant,
            Shape::Named(named) => match Discrete::of(named) {
                Some(law) => Shape::Discrete(Arc::new(law.moved(factor, amount))),
                None => Shape::Grid(Lazy::named(named).moved(factor, amount)),
            },
            Shape::Empirical(law) => Shape::Empirical(Arc::new(law.moved(factor, amount))),
            Shape::Discrete(law) => Shape::Discrete(Arc::new(law.moved(factor, amount))),
            Shape::Grid(grid) => Shape::Grid(grid.moved(factor, amount)),
            Shape::Moments => Shape::Moments,
        }
    }
}
