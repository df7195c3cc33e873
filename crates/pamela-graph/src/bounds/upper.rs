//! Bounds from above.

use super::evaluate::evaluate;
use super::plan::Plan;
use super::{Side, Steps, Whole, law_of_tree};
use crate::lattice::{Calculus, Cells, Ends, Grid, Order, Profiles};
use crate::times::Times;
use rayon::prelude::*;

/// Cells are to reach so far that less than this lies beyond: of the mean, and of probability.
const BEYOND: f64 = 1e-5;

/// Where they do not, they are made wider by this factor, so often at most.
const WIDER: f64 = 1.4;
const ATTEMPTS: usize = 8;

/// The number of cells to find out how far they are to reach.
const COARSE: usize = 128;

/// Of cores with more nodes, bounds are taken in one direction: that which is the better on few cells.
const MOST_BOTH_WAYS: usize = 2_000;

/// What is to be done for bounds from above, and on which cells.
pub(super) struct Search<'a> {
    whole: &'a Whole<'a>,
    times: &'a Times,
    /// One for each direction; none where no plan is needed.
    plans: Vec<Option<Plan>>,
    pub grid: Grid,
}

impl<'a> Search<'a> {
    /// On cells that reach as far as the upper law does on fewer cells.
    pub fn new(whole: &'a Whole, times: &'a Times, grid: Grid) -> Search<'a> {
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
        };
        let cells = COARSE.min(grid.cells);
        let finer = cells as f64 / grid.cells as f64;
        let mut coarse = Grid {
            cells,
            width: grid.width / finer,
        };
        let mut better = 0;
        for _ in 0..ATTEMPTS {
            let laws = search.laws(coarse, Order::Split, &Profiles::new(times, coarse));
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

    /// On cells that are made wider while the upper law goes beyond them. Of heavy tails some of it always does: by so
    /// much on average.
    pub fn upper(&self, profiles: &Profiles) -> (Side, f64) {
        let mut grid = self.grid;
        let mut best = self.attempt(grid, profiles);
        for _ in 1..ATTEMPTS {
            if best.is_settled() {
                break;
            }
            grid.width *= WIDER;
            let next = self.attempt(grid, &Profiles::new(self.times, grid));
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
        let ends = &Ends { grid, order };
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

/// The law of the whole, in one order and direction.
fn law(whole: &Whole, plan: Option<&Plan>, ends: &Ends, profiles: &Profiles) -> Cells {
    match (whole, plan) {
        (Whole::Tree(tree), _) => law_of_tree(tree, ends, profiles),
        (Whole::Core { core, .. }, Some(plan)) => evaluate(plan, ends, |node| {
            law_of_tree(&core.parts[node as usize], ends, profiles)
        }),
        (Whole::Core { .. }, None) => ends.zero(),
    }
}

/// Bounds on one grid.
struct Attempt {
    law: Steps,
    mean: f64,
    /// What lies beyond the cells: the split law is on no other cells, so that at the end of these nothing is left of it.
    excess: f64,
    missing: f64,
}

impl Attempt {
    fn is_settled(&self) -> bool {
        self.excess <= BEYOND * self.mean && self.missing <= BEYOND
    }
}
