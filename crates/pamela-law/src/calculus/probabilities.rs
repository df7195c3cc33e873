//! Quantiles and probabilities of laws.

use std::sync::Arc;

use super::{Calculus, Law, Result, Shape};
use crate::offset::Offset;
use crate::{Distribution, Probability};

impl Calculus {
    /// The least `x` with `P(X <= x) >= p.below`.
    ///
    /// # Errors
    /// Fails if no law has the four moments of the argument, or if no value reaches the probability.
    pub fn quantile(&self, law: &Law, p: Probability) -> Result<f64> {
        if let Some(value) = law.constant_offset() {
            return Ok(value.value());
        }
        let found = self.about_offset(law)?.quantile(p);
        if found.is_finite() {
            Ok(Offset::from(found).plus(law.offset).value())
        } else {
            Err("the quantile is outside the range of doubles: use another unit".into())
        }
    }

    /// `P(X <= x)` with `P(X > x)`.
    ///
    /// # Errors
    /// Fails if no law has the four moments of the argument.
    pub fn cdf(&self, law: &Law, x: Offset) -> Result<Probability> {
        let beyond = x.minus(law.offset).value();
        Ok(self.about_offset(law)?.cdf(beyond))
    }

    /// `P(X < x)` with `P(X >= x)`: without the probability of `x` itself.
    ///
    /// # Errors
    /// Fails if no law has the four moments of the argument.
    pub fn cdf_before(&self, law: &Law, x: Offset) -> Result<Probability> {
        let beyond = x.minus(law.offset).value();
        Ok(self.about_offset(law)?.cdf_before(beyond))
    }

    /// The distribution without the offset; a named one by its own functions, however many values it has.
    fn about_offset(&self, law: &Law) -> Result<Arc<dyn Distribution>> {
        match law.shape {
            Shape::Named(named) => Ok(Arc::new(named)),
            _ => law.without_offset(self.carrier).map(|(law, _)| law),
        }
    }
}
