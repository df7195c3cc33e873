//! Guaranteed bounds of the time of a graph whose tasks take independent random times.
//!
//! Times at which tasks end are associated, so that maxima taken as if they were independent are stochastically larger:
//! the upper law. Without some of its precedences a graph takes no longer; where what is left never has a task on two
//! ways to the same maximum, its law is exact: the lower law. Before both, what is series-parallel is one task, whose
//! law is exact.

mod evaluate;
mod jensen;
mod plan;
mod processors;
mod steps;
#[cfg(test)]
pub(crate) mod tests;

use crate::error::Error;
use crate::lattice::{Atoms, Calculus, Cells, Ends, Grid, Means, Order, Profiles};
use crate::path::Paths;
use crate::shape::{Graph, Node, Tree, series_parallel};
use crate::times::Times;

use evaluate::evaluate;
use plan::Plan;
pub use processors::processors;
pub use steps::Steps;

/// Of graphs with more nodes, the lower law is that of a single path.
pub const MOST_THINNED: usize = 20_000;

/// How fine the bounds are.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of cells for the laws of times; fewer of graphs with more than 32,768 tasks.
    pub cells: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { cells: 1024 }
    }
}

/// Bounds of the time of a graph.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// A law that is stochastically larger than that of the time.
    pub upper: Steps,
    /// A law that is stochastically smaller.
    pub lower: Steps,
    /// Bounds of the mean, closer than those of the laws.
    pub mean: [f64; 2],
    /// What a reader of the bounds should know, in sentences.
    pub notes: Vec<String>,
}

impl Bounds {
    /// Bounds of the quantile at a probability above 0 and below 1; the upper one is infinite where the law is not known
    /// so far out.
    pub fn quantile(&self, p: f64) -> [f64; 2] {
        [self.lower.quantile(p), self.upper.quantile(p)]
    }

    /// Bounds of the mean where at most so many tasks are done at once, for any schedule that leaves no processor idle
    /// while a task can begin; `work` is the sum of the means of all tasks.
    pub fn on_processors(&self, work: f64, processors: f64) -> [f64; 2] {
        let [lower, upper] = self.mean;
        let share = work / processors;
        [lower.max(share), share + (1.0 - 1.0 / processors) * upper]
    }
}

/// Bounds of the time of a graph whose tasks take `times`, with no limit on what is done at once.
///
/// # Errors
/// There is not one time for each task.
pub fn bounds(graph: &Graph, times: &Times, options: &Options) -> Result<Bounds, Error> {
    if times.len() != graph.tasks() {
        let message = format!(
            "there are {} tasks, but {} times: each task needs one",
            graph.tasks(),
            times.len()
        );
        return Err(Error::at("", message));
    }
    let means = Paths::new(graph, &times.means());
    if times.are_numbers() {
        let law = Steps::number(means.length());
        return Ok(Bounds {
            upper: law.clone(),
            lower: law,
            mean: [means.length(); 2],
            notes: Vec::new(),
        });
    }
    let grid = grid(graph, times, options);
    let profiles = Profiles::new(times, grid);
    let mut bounds = match series_parallel(graph) {
        Ok(tree) => of_tree(&tree, grid, &profiles),
        Err(core) => {
            let nodes = Nodes {
                parts: &core.parts,
                profiles: &profiles,
            };
            of_core(&core.graph, core.is_partial, &nodes, grid)
        }
    };
    bounds.mean[0] = bounds.mean[0].max(means.length()).min(bounds.mean[1]);
    if bounds.mean[1] > 2.0 * bounds.mean[0] {
        let note = "The upper bound is far off: where great times are likely, each path counts with copies of its own.";
        bounds.notes.push(note.to_string());
    }
    Ok(bounds)
}

/// Deviations above the mean at which cells end: beyond, a time of many tasks is as likely as nothing.
const REACH: f64 = 10.0;

/// Laws of all nodes together have at most so many cells.
const MOST_CELLS: usize = 1 << 25;

/// Cells from 0 to where the time of the whole rarely ends, by the moments of the upper law.
fn grid(graph: &Graph, times: &Times, options: &Options) -> Grid {
    let most = (MOST_CELLS / graph.tasks().max(1)).max(128);
    let cells = options.cells.clamp(16, 1 << 20).min(most);
    let [mean, variance] = crate::normal::independent(graph, times);
    let end = mean + REACH * variance.sqrt();
    Grid {
        cells,
        width: end / cells as f64,
    }
}

/// The nodes of a core, as laws.
struct Nodes<'a> {
    parts: &'a [Tree],
    profiles: &'a Profiles,
}

impl Nodes<'_> {
    fn law<C: Calculus>(&self, calculus: &C, node: u32) -> C::Law {
        law_of_tree(&self.parts[node as usize], calculus, self.profiles)
    }
}

fn law_of_tree<C: Calculus>(tree: &Tree, calculus: &C, profiles: &Profiles) -> C::Law {
    let law = tree.fold(|node, parts: &[&C::Law]| {
        let (first, rest) = match (node, parts) {
            (Node::Task(task), _) => return calculus.task(profiles.of(*task)),
            (_, []) => return calculus.zero(),
            (_, [first, rest @ ..]) => (*first, rest),
        };
        rest.iter().fold(first.clone(), |law, part| match node {
            Node::Parallel(_) => calculus.larger(&law, part),
            _ => calculus.sum(&law, part),
        })
    });
    law.unwrap_or_else(|| calculus.zero())
}

fn of_tree(tree: &Tree, grid: Grid, profiles: &Profiles) -> Bounds {
    let ends = |order: Order| law_of_tree(tree, &Ends { grid, order }, profiles);
    let ((split, upper), (lower, means)) = rayon::join(
        || (ends(Order::Split), ends(Order::Upper)),
        || {
            (
                ends(Order::Lower),
                law_of_tree(tree, &Means { grid }, profiles),
            )
        },
    );
    Bounds {
        upper: Steps::of(&upper, grid),
        lower: Steps::of(&lower, grid),
        mean: [means.mean(), mean_of(&split, grid)],
        notes: Vec::new(),
    }
}

fn mean_of(split: &Cells, grid: Grid) -> f64 {
    split.mean() * grid.width + split.excess
}

/// From the beginning and from the end, which give different bounds.
fn of_core(graph: &Graph, is_partial: bool, nodes: &Nodes, grid: Grid) -> Bounds {
    let reversed = graph.reversed();
    let both = [graph, &reversed];
    let means = Means { grid };
    let atoms: Vec<Atoms> = (0..graph.tasks() as u32)
        .map(|node| nodes.law(&means, node))
        .collect();
    let weights: Vec<f64> = atoms.iter().map(Atoms::mean).collect();
    let law = |plan: &Plan, order: Order| {
        let ends = Ends { grid, order };
        evaluate(plan, &ends, |node| nodes.law(&ends, node))
    };
    let side = |graph: &Graph| {
        let (above, below) = (Plan::upper(graph), Plan::lower(graph, &weights));
        let ((split, upper), (lower, jensen)) = rayon::join(
            || rayon::join(|| law(&above, Order::Split), || law(&above, Order::Upper)),
            || {
                let jensen = if is_partial {
                    0.0
                } else {
                    jensen::lower_mean(graph, &means, &atoms)
                };
                (law(&below, Order::Lower), jensen)
            },
        );
        (
            Steps::of(&upper, grid),
            Steps::of(&lower, grid),
            jensen,
            mean_of(&split, grid),
        )
    };
    let (forward, backward) = rayon::join(|| side(both[0]), || side(both[1]));
    let mut notes = Vec::new();
    if graph.tasks() > MOST_THINNED {
        notes.push(format!("The lower law is that of a single path: the graph has more than {MOST_THINNED} nodes that are in no series and no parallel."));
    }
    Bounds {
        upper: forward.0.closest(&backward.0, f64::max),
        lower: forward.1.closest(&backward.1, f64::min),
        mean: [forward.2.max(backward.2), forward.3.min(backward.3)],
        notes,
    }
}
