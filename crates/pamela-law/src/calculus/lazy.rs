//! Grids that are computed when they are first asked for: means and variances need none.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::memo::{self, Standards};
use crate::{Grid, Named};

/// What is computed from parts that are not computed yet, and these from others, has at most this depth.
const DEPTH: usize = 8;

/// A grid, or how to compute it.
#[derive(Clone, Debug)]
pub(super) enum Lazy {
    Found(Arc<Grid>),
    Sought(Arc<Sought>),
}

pub(super) struct Sought {
    found: OnceLock<Arc<Grid>>,
    source: Source,
    depth: usize,
}

/// What a grid is computed from.
enum Source {
    Named(Named),
    /// Whole numbers of independent copies.
    Sum(Vec<(f64, Lazy)>),
    Other(Box<dyn Fn() -> Grid + Send + Sync>),
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
    fn of(source: Source, depth_of_parts: usize) -> Lazy {
        let depth = depth_of_parts + 1;
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

    /// The sum of whole numbers of independent copies.
    pub(super) fn sum(terms: Vec<(f64, Lazy)>) -> Lazy {
        let depths = terms.iter().map(|(_, part)| part.depth());
        let depth = depths.max().unwrap_or_default();
        Lazy::of(Source::Sum(terms), depth)
    }

    /// What `find` computes from the grids of the parts.
    pub(super) fn from_parts(
        parts: Vec<Lazy>,
        find: impl Fn(&[&Grid]) -> Grid + Send + Sync + 'static,
    ) -> Lazy {
        let depth = parts.iter().map(Lazy::depth).max().unwrap_or_default();
        let source = Source::Other(Box::new(move || {
            let grids = grids(&parts.iter().collect::<Vec<_>>());
            find(&grids.iter().map(Arc::as_ref).collect::<Vec<_>>())
        }));
        Lazy::of(source, depth)
    }

    /// What `find` computes.
    pub(super) fn new(find: impl Fn() -> Grid + Send + Sync + 'static) -> Lazy {
        Lazy::of(Source::Other(Box::new(find)), 0)
    }

    /// `factor * X + amount`, with a nonzero factor.
    pub(super) fn moved(&self, factor: f64, amount: f64) -> Lazy {
        Lazy::from_parts(vec![self.clone()], move |grids| {
            grids[0].scaled(factor).shifted(amount)
        })
    }

    /// The named law that the grid is of, if any.
    pub(super) fn as_named(&self) -> Option<&Named> {
        match self {
            Lazy::Sought(sought) => match &sought.source {
                Source::Named(named) => Some(named),
                Source::Sum(_) | Source::Other(_) => None,
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
            Source::Sum(terms) => {
                memo::sum(terms.iter().map(|(n, law)| (*n, law.as_named())), || {
                    let grids = grids(&terms.iter().map(|(_, part)| part).collect::<Vec<_>>());
                    let terms = terms.iter().zip(&grids);
                    let terms = terms.map(|((n, _), grid)| (*n, grid.as_ref()));
                    Grid::sum_of_copies(&terms.collect::<Vec<_>>())
                })
            }
            Source::Other(find) => Arc::new(find()),
        }
    }
}

impl fmt::Debug for Sought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Sought");
        shown.field("found", &self.found).finish_non_exhaustive()
    }
}

/// The grids of several laws; those of one family are moved from one.
pub(super) fn grids(parts: &[&Lazy]) -> Vec<Arc<Grid>> {
    let mut standards = Standards::default();
    let grid = |part: &&Lazy| match part.as_named() {
        Some(named) if parts.len() > 1 => Arc::new(standards.moved(named)),
        _ => part.grid(),
    };
    parts.iter().map(grid).collect()
}
