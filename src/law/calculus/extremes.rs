//! Order statistics: of copies of one law, and of different laws.

use std::sync::Arc;

use super::super::{Distribution, Grid, Support, order};
use super::{Calculus, Law, Result};

impl Calculus {
    /// The `k`-th smallest of `n` independent copies.
    ///
    /// # Errors
    /// `k` is not a whole number from 1 to `n`; a law of four moments that no law has.
    pub fn kth(&self, law: &Law, k: f64, n: f64) -> Result<Law> {
        if !(k >= 1.0 && k <= n && k.fract() == 0.0) {
            return Err(format!("the k of kth is {k}, not an integer from 1 to {n}"));
        }
        if n == 1.0 || law.as_constant().is_some() {
            return Ok(law.clone());
        }
        if self.by_grid() {
            let grid = self.grid(law)?;
            let grid = match k {
                _ if k == n => grid.largest(n),
                1.0 => grid.smallest(n),
                _ => grid
                    .kth(k, n)
                    .ok_or_else(|| format!("the {k}-th of {n} copies is beyond reach"))?,
            };
            return Ok(Law::of_grid(grid, law.fitted));
        }
        let cumulants = order::kth(self.by_moments(law)?.as_ref(), k, n)?;
        Ok(Law::of_cumulants(cumulants, law.support, true))
    }

    /// The largest of different independent laws.
    ///
    /// # Errors
    /// There is none; a law of four moments that no law has.
    pub fn largest_of(&self, laws: &[&Law]) -> Result<Law> {
        self.extreme_of(laws, true)
    }

    /// The smallest of different independent laws.
    ///
    /// # Errors
    /// As [`Calculus::largest_of`].
    pub fn smallest_of(&self, laws: &[&Law]) -> Result<Law> {
        self.extreme_of(laws, false)
    }

    fn extreme_of(&self, laws: &[&Law], largest: bool) -> Result<Law> {
        if let [single] = laws {
            return Ok((*single).clone());
        }
        let best = |of: fn(&Support) -> f64| {
            let ends = laws.iter().map(|law| of(&law.support));
            ends.reduce(if largest { f64::max } else { f64::min })
        };
        let (Some(lower), Some(upper)) = (best(|s| s.lower), best(|s| s.upper)) else {
            return Err("there is nothing to take the largest or smallest of".into());
        };
        // One that lies beyond all others decides.
        let decides = |law: &&&Law| match largest {
            true => law.support.lower >= upper,
            false => law.support.upper <= lower,
        };
        if let Some(law) = laws.iter().find(decides) {
            return Ok((*law).clone());
        }
        let fitted = laws.iter().any(|law| law.fitted);
        if self.by_grid() {
            let grids = self.grids(laws)?;
            let grids: Vec<&Grid> = grids.iter().map(Arc::as_ref).collect();
            let grid = match largest {
                true => Grid::largest_of(&grids),
                false => Grid::smallest_of(&grids),
            };
            return Ok(Law::of_grid(grid, fitted));
        }
        let fits: Vec<Arc<dyn Distribution>> = laws
            .iter()
            .map(|law| self.by_moments(law))
            .collect::<Result<_>>()?;
        let fits: Vec<&dyn Distribution> = fits.iter().map(Arc::as_ref).collect();
        let cumulants = match largest {
            true => order::largest_of(&fits)?,
            false => order::smallest_of(&fits)?,
        };
        Ok(Law::of_cumulants(
            cumulants,
            Support::new(lower, upper),
            true,
        ))
    }
}
