//! Laws conditioned on an interval.

use std::sync::Arc;

use super::lazy::Lazy;
use super::{Basis, Calculus, Law, Result, Shape};
use crate::offset::Offset;
use crate::truncated::Truncated;
use crate::{Discrete, Distribution, Empirical, Grid, Support};

impl Calculus {
    /// `X` given `lower <= X <= upper`; `upper` may be infinite.
    ///
    /// # Errors
    /// Fails if the law has no values there, or if no law has its four moments.
    pub fn truncated(&self, law: &Law, lower: f64, upper: f64) -> Result<Law> {
        if lower > upper {
            return Err(format!(
                "the bounds of a truncated law are reversed: {lower} to {upper}"
            ));
        }
        let bound = |end: f64| Offset::from(end).minus(law.offset).value();
        let bounds = Support::new(bound(lower), bound(upper));
        let Support { lower: a, upper: b } = law.support;
        if bounds.lower <= a && bounds.upper >= b {
            return Ok(law.clone());
        }
        let inside = self.given(law, bounds)?.ok_or_else(|| {
            let Support { lower: a, upper: b } = law.support();
            format!(
                "a law of values from {a} to {b} is truncated to {lower} to {upper}, where it \
                 has no values"
            )
        })?;
        let inside = inside.with_tails(law.tails).in_steps(law.step());
        Ok(inside.plus(law.offset))
    }

    /// None where the law never lies within the bounds.
    fn given(&self, law: &Law, bounds: Support) -> Result<Option<Law>> {
        let discrete = match &law.shape {
            Shape::Named(named) => Discrete::of(named).map(Arc::new),
            Shape::Discrete(law) => Some(law.clone()),
            Shape::Constant => return Ok(None),
            _ => None,
        };
        if let Some(discrete) = discrete {
            let part = discrete.truncated(bounds.lower, bounds.upper);
            return Ok(part.map(|part| self.carried(Law::of_discrete(part, law.basis))));
        }
        let (whole, basis): (Arc<dyn Distribution>, Basis) = match &law.shape {
            Shape::Empirical(samples) => {
                let inside = |x: &f64| *x >= bounds.lower && *x <= bounds.upper;
                let samples = samples.samples().iter().copied().filter(inside);
                let samples = Empirical::new(samples.collect()).ok();
                return Ok(samples.map(|samples| self.empirical(&Arc::new(samples))));
            }
            Shape::Grid(grid) => {
                let part = grid.grid().truncated(bounds);
                return Ok(part.map(|grid| Law::of_grid(grid, law.basis)));
            }
            Shape::Named(named) => (Arc::new(*named), law.basis),
            _ => (
                Arc::new(law.fit(self.carrier)?),
                law.basis.max(Basis::Fitted),
            ),
        };
        let Some(part) = Truncated::new(whole, bounds) else {
            return Ok(None);
        };
        let (support, tails) = (part.support(), law.tails);
        if support.lower == support.upper {
            return Ok(Some(Law::constant(support.lower)));
        }
        // Moments that do not exist are not computed.
        let cumulants = tails.within(support).existing(part.cumulants());
        Ok(Some(if self.by_grid() {
            Law::of_lazy(
                Lazy::new(move || Grid::of(&part)),
                cumulants,
                support,
                basis,
            )
        } else {
            Law::of_cumulants(cumulants, support, basis.max(Basis::Fitted))
        }))
    }

    /// The law in the requested representation: by its cumulants unless grids are requested.
    fn carried(&self, law: Law) -> Law {
        if self.by_grid() {
            law
        } else {
            Law::of_cumulants(law.cumulants, law.support, law.basis.max(Basis::Fitted))
        }
    }
}
