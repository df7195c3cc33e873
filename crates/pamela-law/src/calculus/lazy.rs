//! Grids that are computed when they are first asked for: means and variances need none.

use std::sync::{Arc, OnceLock};

use super::many::Standards;
use super::memo;
use crate::{Discrete, Empirical, Grid, Named};

/// Sums of sums beyond this depth are computed at once, so that no recursion is deep.
const DEPTH: usize = 8;

/// A grid, or how to compute it.
#[derive(Clone, Debug)]
pub(super) enum Lazy {
    Found(Arc<Grid>),
    Sought(Arc<Sought>),
}

#[derive(Debug)]
pub(super) struct Sought {
    found: OnceLock<Arc<Grid>>,
    source: Source,
    depth: usize,
}

/// What a grid is computed from.
#[derive(Debug)]
enum Source {
    Named(Named),
    Discrete(Arc<Discrete>),
    Empirical(Arc<Empirical>),
    /// Whole numbers of independent copies.
    Sum(Vec<(f64, Lazy)>),
    /// The grids with their probabilities.
    Mixture(Vec<(f64, Lazy)>),
    /// `factor * X + amount`, with a nonzero factor.
    Moved {
        of: Lazy,
        factor: f64,
        amount: f64,
    },
}

impl From<Arc<Grid>> for Lazy {
    fn from(grid: Arc<Grid>) -> Lazy {
        Lazy::Found(grid)
    }
}

impl From<Grid> for Lazy {
    fn from(grid: Grid) -> Lazy {
        Arc::new(grid).into()
    }
}

impl Lazy {
    fn of(source: Source, parts_depth: usize) -> Lazy {
        let depth = parts_depth + 1;
        if depth > DEPTH {
            return source.grid().into();
        }
        Lazy::Sought(Arc::new(Sought {
            found: OnceLock::new(),
            source,
            depth,
        }))
    }

    fn depth(&self) -> usize {
        match self {
            Lazy::Found(_) => 0,
            Lazy::Sought(sought) => sought.depth,
        }
    }

    pub(super) fn named(named: &Named) -> Lazy {
        Lazy::of(Source::Named(*named), 0)
    }

    pub(super) fn discrete(law: &Arc<Discrete>) -> Lazy {
        Lazy::of(Source::Discrete(law.clone()), 0)
    }

    pub(super) fn empirical(law: &Arc<Empirical>) -> Lazy {
        Lazy::of(Source::Empirical(law.clone()), 0)
    }

    /// The sum of whole numbers of independent copies.
    pub(super) fn sum(terms: Vec<(f64, Lazy)>) -> Lazy {
        let depth = depth(&terms);
        Lazy::of(Source::Sum(terms), depth)
    }

    /// A mixture: each grid with its probability.
    pub(super) fn mixture(parts: Vec<(f64, Lazy)>) -> Lazy {
        let depth = depth(&parts);
        Lazy::of(Source::Mixture(parts), depth)
    }

    /// `factor * X + amount`, with a nonzero factor.
    pub(super) fn moved(&self, factor: f64, amount: f64) -> Lazy {
        let of = self.clone();
        let depth = of.depth();
        Lazy::of(Source::Moved { of, factor, amount }, depth)
    }

    /// The named law that the grid is of, if any.
    pub(super) fn as_named(&self) -> Option<&Named> {
        match self {
            Lazy::Sought(sought) => match &sought.source {
                Source::Named(named) => Some(named),
                _ => None,
            },
            Lazy::Found(_) => None,
        }
    }

    pub(super) fn grid(&self) -> Arc<Grid> {
        match self {
            Lazy::Found(grid) => grid.clone(),
            Lazy::Sought(sought) => sought.found.get_or_init(|| sought.source.grid()).clone(),
        }
    }

    /// True if both have one grid.
    pub(super) fn is_same(&self, other: &Lazy) -> bool {
        let (own, other) = (self.grid(), other.grid());
        Arc::ptr_eq(&own, &other) || own == other
    }
}

impl Source {
    fn grid(&self) -> Arc<Grid> {
        match self {
            Source::Named(named) => memo::named(named),
            Source::Discrete(law) => Arc::new(Grid::of_discrete(law)),
            Source::Empirical(law) => Arc::new(Grid::of_values(law.as_ref())),
            Source::Sum(terms) => memo::sum(terms, || {
                let grids = grids(terms);
                let terms = terms.iter().zip(&grids);
                let terms = terms.map(|((n, _), grid)| (*n, grid.as_ref()));
                Grid::sum_of_copies(&terms.collect::<Vec<_>>())
            }),
            Source::Mixture(parts) => {
                let grids = grids(parts);
                let parts = parts.iter().zip(&grids);
                let parts = parts.map(|((p, _), grid)| (*p, grid.as_ref()));
                Arc::new(Grid::mixture(&parts.collect::<Vec<_>>()))
            }
            Source::Moved { of, factor, amount } => {
                Arc::new(of.grid().scaled(*factor).shifted(*amount))
            }
        }
    }
}

fn depth(parts: &[(f64, Lazy)]) -> usize {
    let depths = parts.iter().map(|(_, part)| part.depth());
    depths.max().unwrap_or_default()
}

/// The grids of several laws; those of one family are moved from one.
fn grids(parts: &[(f64, Lazy)]) -> Vec<Arc<Grid>> {
    let mut standards = Standards::default();
    let grid = |(_, part): &(f64, Lazy)| match part.as_named() {
        Some(named) if parts.len() > 1 => Arc::new(standards.moved(named)),
        _ => part.grid(),
    };
    parts.iter().map(grid).collect()
}
