//! Multiples of one copy, and sums of many.

use super::law::{Basis, Law, Shape};
use super::lazy::Lazy;
use super::{Calculus, Discrete, Offset, Result, Support, common_step, spread_in_range};

impl Calculus {
    /// True if `n` copies of the law are added by its grid.
    pub(super) fn repeats_grids(&self, law: &Law, n: f64) -> bool {
        let whole = n >= 1.0 && n.fract() == 0.0;
        let shaped = !matches!(law.shape, Shape::Moments) && law.cumulants.variance.is_finite();
        whole && self.by_grid() && shaped
    }

    /// One copy times `factor`.
    pub fn scaled(&self, law: &Law, factor: f64) -> Law {
        if factor == 0.0 {
            return Law::constant(0.0);
        }
        if factor == 1.0 {
            return law.clone();
        }
        Law {
            offset: law.offset.times(factor),
            cumulants: law.cumulants.scaled(factor),
            support: law.support.scaled(factor),
            shape: self.moved(&law.shape, factor, 0.0),
            basis: law.basis,
            tails: law.tails.scaled(factor),
            step: law.step().map(|step| step * factor.abs()),
        }
    }

    /// The same law as `origin` plus a remainder.
    pub(super) fn about(&self, law: &Law, origin: Offset) -> Law {
        let amount = law.offset.minus(origin).value();
        if amount == 0.0 {
            return law.clone();
        }
        let renamed = match &law.shape {
            Shape::Named(named) => named.shifted(amount).map(Shape::Named),
            _ => None,
        };
        Law {
            offset: origin,
            cumulants: law.cumulants.shifted(amount),
            support: law.support.shifted(amount),
            shape: renamed.unwrap_or_else(|| self.moved(&law.shape, 1.0, amount)),
            basis: law.basis,
            tails: law.tails,
            step: common_step([law.step(), Some(amount.abs())]),
        }
    }

    pub(super) fn moved(&self, shape: &Shape, factor: f64, amount: f64) -> Shape {
        match shape {
            Shape::Named(_) if !self.by_grid() => Shape::Moments,
            shape => shape.moved(factor, amount),
        }
    }

    /// The sum of `n` independent copies; a share of a copy if `n` is not whole.
    ///
    /// # Errors
    /// Fails if `n` is negative.
    pub fn repeated(&self, law: &Law, n: f64) -> Result<Law> {
        if n.is_nan() || n < 0.0 {
            return Err(format!("a law cannot have {n} copies"));
        }
        let offset = law.offset.times(n);
        let cumulants = law.cumulants.repeated(n);
        if n == 0.0 {
            return Ok(Law::constant(0.0));
        }
        if let Some(value) = law.constant_offset() {
            return Ok(Law::at(value.times(n)).resting_on(law.basis));
        }
        if n == 1.0 {
            return Ok(law.clone());
        }
        if self.repeats_grids(law, n) {
            let discrete =
                self.of_discrete(&[law], |laws| Discrete::sum_of_copies(&[(n, laws[0])]));
            let sum = match discrete {
                Some(sum) => sum,
                None => {
                    spread_in_range(&cumulants)?;
                    let grid = Lazy::sum(vec![(n, self.lazy(law)?)]);
                    let Support { lower, upper } = law.support;
                    let support = Support::new(n * lower, n * upper);
                    Law::of_lazy(grid, cumulants, support, law.basis)
                }
            };
            return Ok(sum
                .with_cumulants(cumulants)
                .with_tails(law.tails)
                .in_steps(law.step())
                .plus(offset));
        }
        let support = if n.fract() == 0.0 {
            Support::new(n * law.support.lower, n * law.support.upper)
        } else if law.support.lower >= 0.0 {
            Support::NONNEGATIVE
        } else if law.support().lower >= 0.0 {
            Support::NONNEGATIVE.shifted(-offset.value())
        } else {
            Support::REAL
        };
        let basis = law.basis.max(Basis::Fitted);
        let sum = Law::of_cumulants(cumulants, support, basis);
        Ok(sum.with_tails(law.tails).plus(offset))
    }

    /// Like [`Calculus::repeated`]; a law of a single value is multiplied, so that `n` may be
    /// negative.
    ///
    /// # Errors
    /// Fails if `n` is negative and the law has several values.
    pub fn repeated_signed(&self, law: &Law, n: f64) -> Result<Law> {
        match law.as_constant() {
            Some(value) => Ok(Law::constant(n * value)),
            None => self.repeated(law, n),
        }
    }
}
