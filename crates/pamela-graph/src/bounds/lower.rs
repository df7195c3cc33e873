//! Bounds from below.

use super::evaluate::evaluate;
use super::plan::Plan;
use super::{Side, Steps, Whole, jensen, law_of_tree};
use crate::lattice::{Atoms, Ends, FAR, Grid, Means, Order, Profiles};
use crate::shape::Graph;

/// For cores with more nodes, means are bounded by Jensen's inequality alone.
const MOST_BY_LAWS: usize = 2_000;

pub(super) fn lower(whole: &Whole, grid: Grid, profiles: &Profiles) -> Side {
    let ends = Ends {
        grid,
        order: Order::Lower,
        far: FAR,
    };
    let means = Means { grid };
    let (core, directions) = match whole {
        Whole::Core { core, directions } => (core, directions),
        Whole::Tree(tree) => {
            return Side {
                law: Steps::of(&law_of_tree(tree, &ends, profiles), grid),
                mean: law_of_tree(tree, &means, profiles).mean(),
            };
        }
    };
    let atoms: Vec<Atoms> = core
        .parts
        .iter()
        .map(|part| law_of_tree(part, &means, profiles))
        .collect();
    let weights: Vec<f64> = atoms.iter().map(Atoms::mean).collect();
    let side = |graph: &Graph| {
        let plan = Plan::lower(graph, &weights);
        let law = evaluate(&plan, &ends, |node| {
            law_of_tree(&core.parts[node as usize], &ends, profiles)
        });
        // Without its precedences that follow from others, where the inequality holds.
        let by_jensen = if core.is_partial {
            0.0
        } else {
            jensen::lower_mean(graph, &means, &atoms)
        };
        let by_law = if core.parts.len() <= MOST_BY_LAWS {
            evaluate(&plan, &means, |node| atoms[node as usize].clone()).mean()
        } else {
            0.0
        };
        Side {
            law: Steps::of(&law, grid),
            mean: f64::max(by_jensen, by_law),
        }
    };
    let [forward, backward] = &**directions;
    let (forward, backward) = rayon::join(|| side(forward), || side(backward));
    Side {
        law: forward.law.closest(&backward.law, f64::min),
        mean: forward.mean.max(backward.mean),
    }
}
