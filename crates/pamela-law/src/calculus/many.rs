//! Many different laws at once.
//!
//! Laws that differ only in scale share a grid. In sums, laws that hardly differ are replaced by a single law.

use std::sync::Arc;

use super::lazy::{Lazy, grids};
use super::memo::Standards;
use super::{Calculus, Law, Result, Shape};
use crate::grid::Member;
use crate::offset::Offset;
use crate::{Cumulants, Distribution, Grid, Support};

/// Fewer laws are taken one by one.
const MANY: usize = 64;

/// Maximum change of the standardised third and fourth cumulants of a sum by replacing laws.
const UNNOTICED: f64 = 1e-6;

/// Maximum difference of laws in a group: of their deviations, relatively, and of skewness and kurtosis.
const ALIKE: f64 = 0.1;

impl Calculus {
    /// The grids of several laws.
    pub(super) fn grids(&self, laws: &[&Law]) -> Result<Vec<Arc<Grid>>> {
        let parts = laws.iter().map(|law| self.lazy(law));
        let parts = parts.collect::<Result<Vec<Lazy>>>()?;
        Ok(grids(&parts.iter().collect::<Vec<_>>()))
    }

    /// The largest or the smallest of many laws without atoms; `None` for few laws.
    ///
    /// # Errors
    /// Fails if no law has the four moments of one of them.
    pub(super) fn extreme_of_many(&self, laws: &[&Law], largest: bool) -> Result<Option<Grid>> {
        if laws.len() <= MANY {
            return Ok(None);
        }
        let mut standards = Standards::default();
        let mut members = Vec::with_capacity(laws.len());
        for law in laws {
            let member = match &law.shape {
                Shape::Named(named) if named.is_elementary() => Some(Member::Elementary(named)),
                Shape::Named(named) => {
                    let own = named.standardised();
                    Member::moved(standards.of(&own.law), own.factor, own.amount)
                }
                Shape::Constant | Shape::Empirical(_) | Shape::Discrete(_) => None,
                Shape::Grid(_) | Shape::Moments => Member::moved(self.grid(law)?, 1.0, 0.0),
            };
            let Some(member) = member else {
                return Ok(None);
            };
            members.push(member);
        }
        Ok(Some(Grid::extreme_of_many(&members, largest)))
    }

    /// The sum of copies of many laws and a constant, with these cumulants and values in `support`;
    /// `None` for few laws.
    ///
    /// # Errors
    /// Fails if no law has the four moments of one of them.
    pub(super) fn sum_of_many(
        &self,
        terms: &[(f64, Law)],
        cumulants: Cumulants,
        support: Support,
    ) -> Result<Option<Grid>> {
        if terms.len() <= MANY {
            return Ok(None);
        }
        if let Some(grid) = Grid::of_many(cumulants, support) {
            return Ok(Some(grid));
        }
        // Copies of a group have finer bins in their own sum than in that of all.
        let groups = self.grouped(terms).into_iter();
        let sums = groups.map(|(n, law)| self.repeated(&law, n));
        let sums = sums.collect::<Result<Vec<Law>>>()?;
        let grids = self.grids(&sums.iter().collect::<Vec<_>>())?;
        let sum = Grid::sum(&grids.iter().map(Arc::as_ref).collect::<Vec<_>>());
        let constant = cumulants.mean - sum.cumulants().mean;
        Ok(Some(sum.shifted(constant).within(support)))
    }

    /// Fewer laws with more copies, whose sum has the same mean and variance and hardly another law.
    fn grouped(&self, terms: &[(f64, Law)]) -> Vec<(f64, Law)> {
        let variance: f64 = terms
            .iter()
            .map(|(n, law)| n * law.cumulants.variance)
            .sum();
        let rank = |law: &Law| {
            let (skewness, variance) = (law.cumulants.skewness(), law.cumulants.variance);
            ((skewness / ALIKE).floor(), variance)
        };
        let (mut ranked, mut groups) = (Vec::with_capacity(terms.len()), Vec::new());
        for (n, law) in terms {
            if law.is_smooth() {
                ranked.push((*n, law))
            } else {
                groups.push((*n, law.clone()))
            }
        }
        ranked.sort_by(|(_, a), (_, b)| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut rest = ranked.as_slice();
        let mut standards = Standards::default();
        while !rest.is_empty() {
            let (group, others) = rest.split_at(alike(rest, variance));
            groups.push(self.stand_in(group, &mut standards));
            rest = others;
        }
        groups
    }

    /// Copies of the middle law of a group, moved to the mean and the variance of their sum.
    fn stand_in(&self, group: &[(f64, &Law)], standards: &mut Standards) -> (f64, Law) {
        if let [(n, single)] = group {
            return (*n, Law::clone(single));
        }
        let (count, sum) = total(group);
        let middle = group[group.len() / 2].1;
        let factor = (sum.variance / count / middle.cumulants.variance).sqrt();
        let amount = sum.mean / count - factor * middle.cumulants.mean;
        let law = match &middle.shape {
            Shape::Named(named) => Law::of_grid(standards.moved(named), middle.basis),
            _ => middle.clone(),
        };
        let moved = self.scaled(&law, factor).plus(Offset::from(amount));
        (count, self.about(&moved, Offset::ZERO))
    }
}

impl Law {
    /// True if no single value has a probability of its own, as far as that costs nothing to tell.
    fn is_smooth(&self) -> bool {
        match &self.shape {
            Shape::Named(named) => !named.is_discrete(),
            Shape::Grid(grid) => {
                let grid = grid.grid();
                grid.density(grid.cumulants().mean).is_some()
            }
            Shape::Moments => true,
            Shape::Constant | Shape::Empirical(_) | Shape::Discrete(_) => false,
        }
    }
}

/// The number of copies and the cumulants of their sum.
fn total(group: &[(f64, &Law)]) -> (f64, Cumulants) {
    let start = (0.0, Cumulants::constant(0.0));
    group.iter().fold(start, |(count, sum), (n, law)| {
        (count + n, sum.plus(&law.cumulants.repeated(*n)))
    })
}

/// Number of laws, from the first on, that one law may replace in a sum of this variance.
fn alike(ranked: &[(f64, &Law)], variance: f64) -> usize {
    let first = &ranked[0].1.cumulants;
    let near = |law: &Law| {
        let own = &law.cumulants;
        own.deviation() <= (1.0 + ALIKE) * first.deviation()
            && (own.skewness() - first.skewness()).abs() <= ALIKE
            && (own.kurtosis() / first.kurtosis() - 1.0).abs() <= ALIKE
    };
    let most = ranked.iter().take_while(|(_, law)| near(law)).count();
    let unnoticed = |size: usize| {
        let group = &ranked[..size];
        let (count, sum) = total(group);
        // Copies of the middle law with the variance of the sum.
        let middle = &group[size / 2].1.cumulants;
        let one = sum.variance / count;
        let third = count * middle.skewness() * one.powf(1.5);
        let fourth = count * (middle.kurtosis() - 3.0) * one * one;
        // Each group has its share of the change.
        let share = UNNOTICED * sum.variance;
        (third - sum.third).abs() <= share * variance.sqrt()
            && (fourth - sum.fourth).abs() <= share * variance
    };
    // The greatest size by halving: the error grows with the size.
    let (mut fits, mut fails) = (1, most + 1);
    while fails - fits > 1 {
        let half = (fits + fails) / 2;
        if unnoticed(half) {
            fits = half
        } else {
            fails = half
        }
    }
    fits
}
