//! Bounds from above.

use super::evaluate::evaluate;
use super::plan::Plan;
use super::{Side, Steps, Whole, law_of_tree};
use crate::lattice::{Calculus, Cells, Ends, Grid, Order, Profiles};
use crate::times::Times;

/// Cells are to reach so far that less than this lies beyond: of the mean, and of probability.
const BEYOND: f64 = 1e-5;

/// Where they do not, they are made wider by this factor, so often at most.
const WIDER: f64 = 1.4;
const ATTEMPTS: usize = 8;

/// The number of cells to find out how far they are to reach.
const COARSE: usize = 128;

/// On cells that are made wider while the upper law goes beyond them. Of heavy tails some of it always does.
pub(super) fn upper(whole: &Whole, times: &Times, grid: Grid) -> Side {
    let plans = match whole {
        Whole::Tree(_) => Vec::new(),
        Whole::Core { directions, .. } => directions.iter().map(Plan::upper).collect(),
    };
    let mut grid = reaching(whole, plans.first(), times, grid);
    let mut best = Attempt::new(whole, &plans, times, grid);
    for _ in 1..ATTEMPTS {
        if best.is_settled() {
            break;
        }
        grid.width *= WIDER;
        let next = Attempt::new(whole, &plans, times, grid);
        // All are bounds; the laws that reach the farthest are kept.
        let mean = next.side.mean.min(best.side.mean);
        let improves = next.side.mean < 0.999 * best.side.mean || next.missing < 0.5 * best.missing;
        best = next;
        best.side.mean = mean;
        if !improves {
            break;
        }
    }
    best.side
}

/// Cells that reach as far as the upper law, by fewer cells.
fn reaching(whole: &Whole, plan: Option<&Plan>, times: &Times, grid: Grid) -> Grid {
    let cells = COARSE.min(grid.cells);
    let mut coarse = Grid {
        cells,
        width: grid.width * grid.cells as f64 / cells as f64,
    };
    for _ in 1..ATTEMPTS {
        let ends = Ends {
            grid: coarse,
            order: Order::Split,
        };
        let law = law(whole, plan, &ends, &Profiles::new(times, coarse));
        if law.excess <= BEYOND * law.mean() * coarse.width {
            break;
        }
        coarse.width *= WIDER;
    }
    Grid {
        width: coarse.width * cells as f64 / grid.cells as f64,
        ..grid
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
    side: Side,
    /// What lies beyond the cells.
    excess: f64,
    missing: f64,
}

impl Attempt {
    fn new(whole: &Whole, plans: &[Plan], times: &Times, grid: Grid) -> Attempt {
        let profiles = &Profiles::new(times, grid);
        let law =
            |order: Order, plan: Option<&Plan>| law(whole, plan, &Ends { grid, order }, profiles);
        let both =
            |order: Order| rayon::join(|| law(order, plans.first()), || law(order, plans.last()));
        let (splits, uppers) = rayon::join(|| both(Order::Split), || both(Order::Upper));
        let mean = |law: &Cells| law.mean() * grid.width + law.excess;
        Attempt {
            side: Side {
                law: Steps::of(&uppers.0, grid).closest(&Steps::of(&uppers.1, grid), f64::max),
                mean: mean(&splits.0).min(mean(&splits.1)),
            },
            excess: splits.0.excess.min(splits.1.excess),
            missing: uppers.0.missing.min(uppers.1.missing),
        }
    }

    fn is_settled(&self) -> bool {
        self.excess <= BEYOND * self.side.mean && self.missing <= BEYOND
    }
}
