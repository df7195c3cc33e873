//! The largest of many different variables, whose grids would be too costly.

use super::Grid;
use super::compose::between;
use super::order::ln_below_and_above;
use super::trace::budget;
use crate::{Distribution, Probability, Support};
use std::sync::Arc;

/// A variable without atoms, given by its cdf.
pub enum Member<'a> {
    /// A law with a cheap cdf and density.
    Elementary(&'a dyn Distribution),
    /// `factor * X + amount` with `factor > 0` for a law with a grid.
    Moved {
        grid: Arc<Grid>,
        factor: f64,
        amount: f64,
    },
}

/// The cdf of the largest bends at this many upper ends of supports, the greatest ones; the other bends are too
/// slight.
const BENDS: usize = 16;

impl Member<'_> {
    /// A law given by its grid; `None` if it has atoms.
    pub fn moved<'a>(grid: Arc<Grid>, factor: f64, amount: f64) -> Option<Member<'a>> {
        let member = Member::Moved {
            grid: grid.clone(),
            factor,
            amount,
        };
        grid.density(grid.at(0.0).0).is_some().then_some(member)
    }

    fn support(&self) -> Support {
        match self {
            Member::Elementary(law) => law.support(),
            Member::Moved {
                grid,
                factor,
                amount,
            } => {
                let Support { lower, upper } = grid.support;
                Support::new(factor * lower + amount, factor * upper + amount)
            }
        }
    }

    fn quantile(&self, t: f64) -> f64 {
        match self {
            Member::Elementary(law) => law.quantile(Probability::from_logit(t)),
            Member::Moved {
                grid,
                factor,
                amount,
            } => factor * grid.at(t).0 + amount,
        }
    }

    /// `ln P(X <= x)` with its derivative; of the mirror image `-X` if asked for.
    fn ln_below(&self, x: f64, mirrored: bool) -> (f64, f64) {
        let sign = if mirrored { -1.0 } else { 1.0 };
        match self {
            Member::Elementary(law) => {
                let p = law.cdf(sign * x);
                let p = if mirrored { p.complement() } else { p };
                let density = law.density(sign * x).unwrap_or(0.0);
                (
                    p.ln(),
                    if density > 0.0 {
                        density / p.below
                    } else {
                        0.0
                    },
                )
            }
            Member::Moved {
                grid,
                factor,
                amount,
            } => {
                let (t, rate) = grid.logit((sign * x - amount) / factor);
                let (below, above) = ln_below_and_above(sign * t);
                (
                    below,
                    if rate > 0.0 {
                        above * rate / factor
                    } else {
                        0.0
                    },
                )
            }
        }
    }
}

impl Grid {
    /// The largest, or the smallest, of at least one variable.
    pub fn extreme_of_many(members: &[Member], largest: bool) -> Grid {
        if largest {
            largest_of(members, false)
        } else {
            largest_of(members, true).mirrored()
        }
    }
}

/// The largest of the variables, or of their mirror images.
fn largest_of(members: &[Member], mirrored: bool) -> Grid {
    let supports: Vec<Support> = (members.iter())
        .map(|member| match (member.support(), mirrored) {
            (Support { lower, upper }, true) => Support::new(-upper, -lower),
            (support, false) => support,
        })
        .collect();
    let highest = |end: fn(&Support) -> f64| {
        let ends = supports.iter().map(end);
        ends.fold(f64::NEG_INFINITY, f64::max)
    };
    let support = Support::new(highest(|s| s.lower), highest(|s| s.upper));
    // Laws that certainly lie below the others are skipped.
    let inside: Vec<&Member> = (members.iter().zip(&supports))
        .filter(|(_, own)| own.upper > support.lower)
        .map(|(member, _)| member)
        .collect();
    let logit = |x: f64| {
        let (mut log, mut rates) = (0.0, 0.0);
        for member in &inside {
            let (below, rate) = member.ln_below(x, mirrored);
            log += below;
            rates += rate;
        }
        let above = -log.exp_m1();
        (log - above.ln(), rates / above)
    };
    let mut cuts: Vec<f64> = supports.iter().map(|own| own.upper).collect();
    cuts.retain(|x| x.is_finite() && *x > support.lower);
    cuts.sort_by(|a, b| b.total_cmp(a));
    cuts.dedup();
    cuts.truncate(BENDS);
    cuts.extend([support.upper, support.lower]);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let sign = if mirrored { -1.0 } else { 1.0 };
    let body = inside.iter().fold((f64::NEG_INFINITY, 0.0), |all, one| {
        let [middle, high, low] = [0.0, 1.5, -1.5].map(|t| sign * one.quantile(sign * t));
        (f64::max(all.0, middle), f64::max(all.1, 0.5 * (high - low)))
    });
    let pieces = cuts.windows(2);
    let pieces = pieces.filter_map(|ends| {
        // Pieces between bends are smooth, and soon done.
        between([ends[0], ends[1]], (body, &[]), budget(1), &logit, &logit)
    });
    Grid::from_pieces(pieces.collect(), support, body.0)
}
