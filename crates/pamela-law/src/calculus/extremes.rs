//! Order statistics of copies of one law, and of different laws.

use std::sync::Arc;

use super::lazy::Lazy;
use super::{Basis, Calculus, Law, Result, Shape, step_of, worst};
use crate::offset::Offset;
use crate::{Cumulants, Discrete, Distribution, Grid, Named, Support, Tails, order};

impl Calculus {
    /// The `k`-th smallest of `n` independent copies.
    ///
    /// # Errors
    /// Fails if `k` is not a whole number from 1 to `n`, or if no law has the four moments.
    pub fn kth(&self, law: &Law, k: f64, n: f64) -> Result<Law> {
        if !(k >= 1.0 && k <= n && k.fract() == 0.0) {
            return Err(format!("the k of kth is {k}, not an integer from 1 to {n}"));
        }
        if n == 1.0 || law.as_constant().is_some() {
            return Ok(law.clone());
        }
        if let (true, Shape::Named(named)) = (k == 1.0, &law.shape)
            && let Some(smallest) = named.smallest(n)
        {
            return Ok(Calculus::of_named(smallest).plus(law.offset));
        }
        if let Some(kth) = self.of_discrete(&[law], |laws| laws[0].kth(k, n)) {
            return Ok(kth.plus(law.offset));
        }
        if self.by_grid() {
            let grid = Lazy::from_parts(vec![self.lazy(law)?], move |grids| grids[0].kth(k, n));
            let kth = match &law.shape {
                // Integration has more digits than a grid.
                Shape::Named(named) if named.is_continuous() => {
                    Law::of_lazy(grid, order::kth(named, k, n)?, law.support, law.basis)
                }
                _ => Law::of_grid(grid.grid(), law.basis),
            };
            let kth = kth.in_steps(law.step()).plus(law.offset);
            let kth = match &law.shape {
                // If the grid smooths many samples, their exact cumulants are kept.
                Shape::Empirical(samples) if kth.as_constant().is_none() => {
                    kth.with_cumulants(order::kth(samples.as_ref(), k, n)?)
                }
                Shape::Named(named) if named.is_discrete() => {
                    kth.with_cumulants(order::kth(named, k, n)?)
                }
                _ => kth,
            };
            return Ok(kth.with_tails(law.tails.kth(k, n)));
        }
        let lower = 2.0 * k <= n;
        let fit = self.by_moments(law, lower)?;
        let cumulants = order::kth(fit.law.as_ref(), k, n)?;
        let basis = law.basis.max(fit.basis(law, &cumulants, lower));
        let kth = Law::of_cumulants(cumulants, law.support, basis);
        Ok(kth.in_steps(law.step()).plus(law.offset))
    }

    /// The `k`-th smallest of different independent laws.
    ///
    /// # Errors
    /// Fails if `k` is not a whole number from 1 to the number of laws, or if no law has the four
    /// moments of one of them.
    pub fn kth_of(&self, laws: &[&Law], k: f64) -> Result<Law> {
        let n = laws.len();
        if !(k >= 1.0 && k <= n as f64 && k.fract() == 0.0) {
            return Err(format!("the k of kth is {k}, not an integer from 1 to {n}"));
        }
        if k == 1.0 {
            return self.smallest_of(laws);
        }
        if k == n as f64 {
            return self.largest_of(laws);
        }
        let (origin, near) = self.about_ranked(laws, k as usize);
        let near: Vec<&Law> = near.iter().collect();
        let kth = self.kth_about_zero(&near, k)?;
        let kth = kth.with_tails(tails_of(&near, k as usize));
        Ok(kth.in_steps(step_of(near.iter().copied())).plus(origin))
    }

    fn kth_about_zero(&self, laws: &[&Law], k: f64) -> Result<Law> {
        let n = laws.len();
        let end = |of: fn(&Support) -> f64| {
            let mut ends: Vec<f64> = laws.iter().map(|law| of(&law.support)).collect();
            ends.sort_by(f64::total_cmp);
            ends[k as usize - 1]
        };
        let support = Support::new(end(|s| s.lower), end(|s| s.upper));
        let discrete = self.of_discrete(laws, |laws| Discrete::kth_of(laws, k as usize, support));
        if let Some(kth) = discrete {
            return Ok(kth);
        }
        let basis = worst(laws.iter().copied());
        if self.by_grid() {
            let grids = self.grids(laws)?;
            let grids: Vec<&Grid> = grids.iter().map(Arc::as_ref).collect();
            return Ok(Law::of_grid(
                Grid::kth_of(&grids, k as usize, support),
                basis,
            ));
        }
        let lower = 2.0 * k <= n as f64;
        let fits = self.all_by_moments(laws, lower)?;
        let of: Vec<&dyn Distribution> = fits.iter().map(|fit| fit.law.as_ref()).collect();
        let cumulants = order::kth_of(&of, k as usize)?;
        let basis = basis.max(worst_basis(laws, &fits, &cumulants, lower));
        Ok(Law::of_cumulants(cumulants, support, basis))
    }

    /// The largest of different independent laws.
    ///
    /// # Errors
    /// Fails if there are no laws, or if no law has the four moments of one of them.
    pub fn largest_of(&self, laws: &[&Law]) -> Result<Law> {
        self.extreme_of(laws, true)
    }

    /// The smallest of different independent laws.
    ///
    /// # Errors
    /// Fails like [`Calculus::largest_of`].
    pub fn smallest_of(&self, laws: &[&Law]) -> Result<Law> {
        self.extreme_of(laws, false)
    }

    fn extreme_of(&self, laws: &[&Law], largest: bool) -> Result<Law> {
        if let [single] = laws {
            return Ok((*single).clone());
        }
        let n = laws.len();
        let k = if largest { n } else { 1 };
        if let Some((first, others)) = laws.split_first()
            && others.iter().all(|law| law.is_same_grid(first))
        {
            return self.kth(first, k as f64, n as f64);
        }
        let (origin, near) = self.about_ranked(laws, k);
        let near: Vec<&Law> = near.iter().collect();
        let extreme = self.extreme_about_zero(&near, largest)?;
        let extreme = extreme.with_tails(tails_of(&near, k));
        Ok(extreme.in_steps(step_of(near.iter().copied())).plus(origin))
    }

    fn extreme_about_zero(&self, laws: &[&Law], largest: bool) -> Result<Law> {
        let best = |of: fn(&Support) -> f64| {
            let ends = laws.iter().map(|law| of(&law.support));
            ends.reduce(if largest { f64::max } else { f64::min })
        };
        let (Some(lower), Some(upper)) = (best(|s| s.lower), best(|s| s.upper)) else {
            return Err("the largest or smallest of nothing is undefined".into());
        };
        let laws = &decisive(laws, largest)[..];
        if let [single] = laws {
            return Ok(Law {
                offset: Offset::ZERO,
                ..Law::clone(single)
            });
        }
        let discrete = self.of_discrete(laws, |laws| {
            if largest {
                Discrete::largest_of(laws)
            } else {
                Discrete::smallest_of(laws)
            }
        });
        if let Some(extreme) = discrete {
            return Ok(extreme);
        }
        let basis = worst(laws.iter().copied());
        if self.by_grid() {
            if let Some(grid) = self.extreme_of_many(laws, largest)? {
                return Ok(Law::of_grid(grid, basis));
            }
            let parts = laws.iter().map(|law| self.lazy(law));
            let grid = Lazy::from_parts(parts.collect::<Result<_>>()?, move |grids| {
                if largest {
                    Grid::largest_of(grids)
                } else {
                    Grid::smallest_of(grids)
                }
            });
            return Ok(match smooth(laws) {
                Some(named) => {
                    let cumulants = of_different(&named, largest)?;
                    Law::of_lazy(grid, cumulants, Support::new(lower, upper), basis)
                }
                None => Law::of_grid(grid.grid(), basis),
            });
        }
        let fits = self.all_by_moments(laws, !largest)?;
        let of: Vec<&dyn Distribution> = fits.iter().map(|fit| fit.law.as_ref()).collect();
        let cumulants = of_different(&of, largest)?;
        let basis = basis.max(worst_basis(laws, &fits, &cumulants, !largest));
        let support = Support::new(lower, upper);
        Ok(Law::of_cumulants(cumulants, support, basis))
    }

    /// The `k`-th smallest of the offsets, and all laws about it; there is at least one.
    fn about_ranked(&self, laws: &[&Law], k: usize) -> (Offset, Vec<Law>) {
        let mut offsets: Vec<Offset> = laws.iter().map(|law| law.offset).collect();
        offsets.sort_by(|a, b| a.minus(*b).value().total_cmp(&0.0));
        let place = k.clamp(1, offsets.len().max(1)) - 1;
        let origin = offsets.get(place).copied().unwrap_or_default();
        (
            origin,
            laws.iter().map(|law| self.about(law, origin)).collect(),
        )
    }

    fn all_by_moments(&self, laws: &[&Law], lower: bool) -> Result<Vec<ByMoments>> {
        laws.iter().map(|law| self.by_moments(law, lower)).collect()
    }

    /// The law that order statistics are taken of, by its moments; of its `lower` values or of its upper ones.
    fn by_moments(&self, law: &Law, lower: bool) -> Result<ByMoments> {
        if let Shape::Constant = law.shape {
            return Ok(ByMoments {
                // Without its offset, as all others here.
                law: Arc::new(Named::deterministic(law.cumulants.mean)),
                misses_bound: false,
            });
        }
        if let Some(gamma) = through_zero(law).filter(|_| lower) {
            return Ok(ByMoments {
                law: Arc::new(gamma),
                misses_bound: false,
            });
        }
        let fitted = law.fit(self.carrier)?;
        Ok(ByMoments {
            misses_bound: fitted.misses_bound(lower),
            law: Arc::new(fitted),
        })
    }
}

/// Maximum number of laws whose extremes have integrated moments.
const FEW: usize = 4;

/// Laws of which integration has more digits than a grid: few, continuous, with a name.
fn smooth<'a>(laws: &[&'a Law]) -> Option<Vec<&'a dyn Distribution>> {
    let named = laws.iter().map(|law| match &law.shape {
        Shape::Named(named) if named.is_continuous() => Some(named as &dyn Distribution),
        _ => None,
    });
    named
        .collect::<Option<Vec<_>>>()
        .filter(|all| all.len() <= FEW)
}

/// The laws that may be the largest (smallest): no other law ever lies beyond all of them.
fn decisive<'a>(laws: &[&'a Law], largest: bool) -> Vec<&'a Law> {
    let mut left: Vec<&Law> = laws.to_vec();
    let ends = laws.iter().map(|law| {
        if largest {
            law.support.lower
        } else {
            -law.support.upper
        }
    });
    let Some(bound) = ends.reduce(f64::max) else {
        return left;
    };
    let within = |law: &&Law| {
        if largest {
            law.support.upper <= bound
        } else {
            -law.support.lower <= bound
        }
    };
    let Some(last) = left.iter().rposition(|law| {
        if largest {
            law.support.lower == bound
        } else {
            -law.support.upper == bound
        }
    }) else {
        return left;
    };
    let mut position = 0;
    left.retain(|law| {
        position += 1;
        position == last + 1 || !within(law)
    });
    left
}

fn of_different(laws: &[&dyn Distribution], largest: bool) -> Result<Cumulants> {
    if largest {
        order::largest_of(laws)
    } else {
        order::smallest_of(laws)
    }
}

fn tails_of(laws: &[&Law], k: usize) -> Tails {
    let tails: Vec<Tails> = laws.iter().map(|law| law.tails).collect();
    Tails::kth_of(&tails, k)
}

/// A law that has the moments of another.
struct ByMoments {
    law: Arc<dyn Distribution>,
    /// True if the fitted family misses a bound on the side of the order statistic.
    misses_bound: bool,
}

impl ByMoments {
    /// Basis of an order statistic of `law` with these cumulants: a bound matters if it is nearer than the width of
    /// the law.
    fn basis(&self, law: &Law, cumulants: &Cumulants, lower: bool) -> Basis {
        let bound = if lower {
            law.support.lower
        } else {
            law.support.upper
        };
        let near = (cumulants.mean - bound).abs() < law.cumulants.deviation();
        if self.misses_bound && near {
            Basis::BoundMissed
        } else {
            Basis::Fitted
        }
    }
}

fn worst_basis(laws: &[&Law], fits: &[ByMoments], cumulants: &Cumulants, lower: bool) -> Basis {
    let both = laws.iter().zip(fits);
    let bases = both.map(|(law, fit)| fit.basis(law, cumulants, lower));
    bases.max().unwrap_or(Basis::Fitted)
}

/// The gamma law from 0, if it has the four moments of a law that begins there: no fitted family has both.
fn through_zero(law: &Law) -> Option<Named> {
    let Cumulants {
        mean,
        variance,
        third,
        fourth,
    } = law.cumulants;
    let begins = law.support.lower == 0.0 && mean > 0.0;
    let gamma = begins.then(|| Named::new("gamma", &[mean * mean / variance, variance / mean]));
    let gamma = gamma?.ok()?;
    let near = |found: f64, expected: f64| (found - expected).abs() <= 1e-9 * expected.abs();
    let found = gamma.cumulants();
    (near(found.third, third) && near(found.fourth, fourth)).then_some(gamma)
}
