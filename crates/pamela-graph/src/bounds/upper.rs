//! Bounds from above.

use super::evaluate::evaluate;
use super::plan::Plan;
use super::{Side, Steps, Whole, law_of_tree};
use crate::lattice::{Calculus, Cells, Copies, Ends, FAR, Grid, Order, Profiles, RARE};
use crate::times::Times;
use rayon::prelude::*;

/// Cells are to reach so far that less than this lies beyond: of the mean, and of probability.
const BEYOND: f64 = 1e-5;

/// If the cells do not suffice, they are widened by this factor, at most this many times.
const WIDER: f64 = 1.4;
const ATTEMPTS: usize = 8;

/// The number of cells to find out how far they are to reach.
const COARSE: usize = 128;

/// For cores with more nodes, bounds are computed in one direction only: the one that is better on few cells.
const MOST_BOTH_WAYS: usize = 2_000;

/// Limit on the total probability that is omitted from all laws.
const NEGLIGIBLE: f64 = 1e-15;

/// Less is not told apart from nothing.
const LEAST: f64 = 1e-290;

/// More cells are not taken where laws keep what is rarer than [`FAR`]: sums then take a time that grows with their square.
const MOST_EXACT: usize = 1_024;

/// A computation of upper bounds, and its cells.
pub(super) struct Search<'a> {
    whole: &'a Whole<'a>,
    times: &'a Times,
    /// One for each direction; none where no plan is needed.
    plans: Vec<Option<Plan>>,
    pub grid: Grid,
    /// Large times with less than this probability are omitted. In the upper law each path counts with copies of the
    /// laws on it, so an omission from one law is missing from all copies.
    far: f64,
}

impl<'a> Search<'a> {
    /// A search on cells that cover the upper law found on fewer cells.
    pub fn new(whole: &'a Whole, times: &'a Times, mut grid: Grid) -> Search<'a> {
        let plans = match whole {
            Whole::Tree(_) => vec![None],
            Whole::Core { directions, .. } => {
                directions.iter().map(Plan::upper).map(Some).collect()
            }
        };
        let mut search = Search {
            whole,
            times,
            plans,
            grid,
            far: FAR,
        };
        let any = search.profiles(Grid { cells: 1, ..grid });
        let copies = search
            .plans
            .iter()
            .map(|plan| law(whole, plan.as_ref(), &Copies, &any));
        search.far = (NEGLIGIBLE / copies.fold(1.0, f64::max)).clamp(LEAST, FAR);
        if search.far < FAR && grid.cells > MOST_EXACT {
            grid.width *= grid.cells as f64 / MOST_EXACT as f64;
            grid.cells = MOST_EXACT;
            search.grid = grid;
        }
        let cells = COARSE.min(grid.cells);
        let finer = cells as f64 / grid.cells as f64;
        let mut coarse = Grid {
            cells,
            width: grid.width / finer,
        };
        let mut better = 0;
        for _ in 0..ATTEMPTS {
            let laws = search.laws(coarse, Order::Split, &search.profiles(coarse));
            let means: Vec<f64> = laws.iter().map(|law| law.mean_from(coarse)).collect();
            let lower = |a: usize, b: usize| if means[b] < means[a] { b } else { a };
            better = (0..laws.len()).reduce(lower).unwrap_or(0);
            if laws[better].excess <= BEYOND * means[better] {
                break;
            }
            coarse.width *= WIDER;
        }
        search.grid.width = coarse.width * finer;
        if whole.nodes() > MOST_BOTH_WAYS {
            search.plans = vec![search.plans.swap_remove(better)];
        }
        search
    }

    /// The profiles of all times on a grid.
    pub fn profiles(&self, grid: Grid) -> Profiles {
        let least = if self.far < FAR { self.far } else { RARE };
        Profiles::new(self.times, grid, least)
    }

    /// Computes the upper law on cells that are widened while the law exceeds them. With heavy tails some probability
    /// always exceeds the cells; the second value is its mean excess.
    pub fn upper(&self, profiles: &Profiles) -> (Side, f64) {
        let mut grid = self.grid;
        let mut best = self.attempt(grid, profiles);
        for _ in 1..ATTEMPTS {
            if best.is_settled() {
                break;
            }
            grid.width *= WIDER;
            let next = self.attempt(grid, &self.profiles(grid));
            // All are bounds; the laws that reach the farthest are kept.
            let mean = next.mean.min(best.mean);
            let improves = next.mean < 0.999 * best.mean || next.missing < 0.5 * best.missing;
            best = Attempt { mean, ..next };
            if !improves {
                break;
            }
        }
        let side = Side {
            law: best.law,
            mean: best.mean,
        };
        (side, best.excess)
    }

    /// The law of the whole in one order, in each direction.
    fn laws(&self, grid: Grid, order: Order, profiles: &Profiles) -> Vec<Cells> {
        let far = self.far;
        let ends = &Ends { grid, order, far };
        self.plans
            .par_iter()
            .map(|plan| law(self.whole, plan.as_ref(), ends, profiles))
            .collect()
    }

    fn attempt(&self, grid: Grid, profiles: &Profiles) -> Attempt {
        let (splits, uppers) = rayon::join(
            || self.laws(grid, Order::Split, profiles),
            || self.laws(grid, Order::Upper, profiles),
        );
        let least = |of: &dyn Fn(&Cells) -> f64, laws: &[Cells]| {
            laws.iter().map(of).fold(f64::INFINITY, f64::min)
        };
        let law = uppers
            .iter()
            .map(|law| Steps::of(law, grid))
            .reduce(|a, b| a.closest(&b, f64::max));
        Attempt {
            law: law.unwrap_or_else(|| Steps::number(0.0)),
            mean: least(&|law| law.mean_from(grid), &splits),
            excess: least(&|law| law.excess, &splits),
            missing: least(&|law| law.missing, &uppers),
        }
    }
}

/// The law of the whole, in one direction.
fn law<C: Calculus>(
    whole: &Whole,
    plan: Option<&Plan>,
    calculus: &C,
    profiles: &Profiles,
) -> C::Law {
    match (whole, plan) {
        (Whole::Tree(tree), _) => law_of_tree(tree, calculus, profiles),
        (Whole::Core { core, .. }, Some(plan)) => evaluate(plan, calculus, |node| {
            law_of_tree(&core.parts[node as usize], calculus, profiles)
        }),
        (Whole::Core { .. }, None) => calculus.zero(),
    }
}

/// Bounds on one grid.
struct Attempt {
    law: Steps,
    mean: f64,
    /// The excess beyond the cells: the split law ends with the cells, so nothing of it is left there.
    excess: f64,
    missing: f64,
}

impl Attempt {
    fn is_settled(&self) -> bool {
        self.excess <= BEYOND * self.mean && self.missing <= BEYOND
    }
}
