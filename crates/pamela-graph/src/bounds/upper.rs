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

/// On cells that are made wider while the upper law goes beyond them. Of heavy tails some of it always does.
pub(super) fn upper(whole: &Whole, times: &Times, grid: Grid) -> Side {
    let mut plans: Vec<Option<Plan>> = match whole {
        Whole::Tree(_) => vec![None],
        Whole::Core { directions, .. } => directions.iter().map(Plan::upper).map(Some).collect(),
    };
    let (mut grid, better) = reaching(whole, &plans, times, grid);
    if whole.nodes() > MOST_BOTH_WAYS {
        plans = vec![plans.swap_remove(better)];
    }
    let mut best = Attempt::new(whole, &plans, times, grid);
    for _ in 1..ATTEMPTS {
        if best.is_settled() {
            break;
        }
        grid.width *= WIDER;
        let next = Attempt::new(whole, &plans, times, grid);
        // All are bounds; the laws that reach the farthest are kept.
        let mean = next.mean.min(best.mean);
        let improves = next.mean < 0.999 * best.mean || next.missing < 0.5 * best.missing;
        best = Attempt { mean, ..next };
        if !improves {
            break;
        }
    }
    Side {
        law: best.law,
        mean: best.mean,
    }
}

/// Cells that reach as far as the upper law, by fewer cells, and the direction in which the mean is the lower.
fn reaching(whole: &Whole, plans: &[Option<Plan>], times: &Times, grid: Grid) -> (Grid, usize) {
    let cells = COARSE.min(grid.cells);
    let finer = cells as f64 / grid.cells as f64;
    let mut coarse = Grid {
        cells,
        width: grid.width / finer,
    };
    let mut better = 0;
    for _ in 0..ATTEMPTS {
        let ends = Ends {
            grid: coarse,
            order: Order::Split,
        };
        let profiles = Profiles::new(times, coarse);
        let laws: Vec<Cells> = plans
            .par_iter()
            .map(|plan| law(whole, plan.as_ref(), &ends, &profiles))
            .collect();
        let means: Vec<f64> = laws.iter().map(|law| law.mean_from(coarse)).collect();
        better = (0..laws.len())
            .reduce(|a, b| if means[b] < means[a] { b } else { a })
            .unwrap_or(0);
        if laws[better].excess <= BEYOND * means[better] {
            break;
        }
        coarse.width *= WIDER;
    }
    let width = coarse.width * finer;
    (Grid { width, ..grid }, better)
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
    /// What lies beyond the cells.
    excess: f64,
    missing: f64,
}

impl Attempt {
    fn new(whole: &Whole, plans: &[Option<Plan>], times: &Times, grid: Grid) -> Attempt {
        let profiles = &Profiles::new(times, grid);
        let laws = |order: Order| -> Vec<Cells> {
            let ends = &Ends { grid, order };
            plans
                .par_iter()
                .map(|plan| law(whole, plan.as_ref(), ends, profiles))
                .collect()
        };
        let (splits, uppers) = rayon::join(|| laws(Order::Split), || laws(Order::Upper));
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

    fn is_settled(&self) -> bool {
        self.excess <= BEYOND * self.mean && self.missing <= BEYOND
    }
}
