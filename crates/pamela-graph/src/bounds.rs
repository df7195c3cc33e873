//! Guaranteed bounds of the time of a graph whose tasks take independent random times.
//!
//! Bounds of the law of the longest path of random tasks. The end times of tasks are associated, so maxima taken as
//! if independent are stochastically larger: the upper law. A graph without some of its precedences takes no longer.
//! If the remaining graph never leads one task by two paths to the same maximum, its law is exact: the lower law.
//! Before either, each series-parallel part becomes one task with an exact law.

mod evaluate;
mod jensen;
mod lower;
mod plan;
mod processors;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
mod upper;

use crate::error::Error;
use crate::lattice::{Calculus, Grid, Profiles, RARE};
use crate::path::Paths;
use crate::shape::{Core, Graph, Node, Tree, series_parallel};
use crate::times::Times;

pub use processors::processors;
pub use steps::Steps;

/// For graphs with more nodes, the lower law is that of a single path.
pub const MOST_THINNED: usize = 20_000;

/// Resolution of the bounds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Number of cells for the laws of times, at least 16. The default is 1,024; up to 4,096 for graphs of fewer than
    /// 2,000 tasks, and fewer than 1,024 for graphs of more than 32,768. The upper law has at most 1,024 cells if
    /// many paths make rare times likely.
    pub cells: Option<usize>,
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
    /// Bound of the mean excess of the time over the cells of the upper law: `E[max(T - end, 0)]`.
    pub beyond: f64,
    /// Remarks for readers of the bounds, in sentences.
    pub notes: Vec<String>,
}

impl Bounds {
    /// Bounds of the quantile at a probability above 0 and below 1; the upper one is infinite if the law is not known
    /// so far out.
    pub fn quantile(&self, p: f64) -> [f64; 2] {
        [self.lower.quantile(p), self.upper.quantile(p)]
    }
}

/// Bounds of the time of a graph whose tasks take `times`, without a limit on the number of tasks that run at once.
///
/// # Errors
/// Fails unless there is one time for each task.
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
            beyond: 0.0,
            notes: Vec::new(),
        });
    }
    let reduced = series_parallel(graph);
    let whole = Whole::of(&reduced);
    let grid = grid(graph, times, options);
    let search = upper::Search::new(&whole, times, grid);
    let profiles = search.profiles(search.grid);
    let lower = || {
        if search.grid.width == grid.width {
            lower::lower(&whole, grid, &profiles)
        } else {
            // Lower bounds do not need the wide cells that heavy tails require.
            lower::lower(&whole, grid, &Profiles::new(times, grid, RARE))
        }
    };
    let ((upper, beyond), lower) = rayon::join(|| search.upper(&profiles), lower);
    let mut bounds = Bounds {
        upper: upper.law,
        lower: lower.law,
        mean: [lower.mean, upper.mean],
        beyond,
        notes: Vec::new(),
    };
    if whole.nodes() > MOST_THINNED {
        bounds.notes.push(format!(
            "The lower law is that of a single path: the graph has more than {MOST_THINNED} \
             nodes that are neither in series nor in parallel."
        ));
    }
    bounds.mean[0] = bounds.mean[0].max(means.length()).min(bounds.mean[1]);
    if bounds.mean[1] > 2.0 * bounds.mean[0] {
        let note = "The upper bound is loose: large times are likely, and each path counts with independent copies.";
        bounds.notes.push(note.to_string());
    }
    Ok(bounds)
}

/// Deviations above the mean at which cells end: beyond, a time of many tasks is as likely as nothing.
const REACH: f64 = 10.0;

/// Approximate number of cells of the laws of all nodes together, for small graphs.
const USUAL_CELLS: usize = 1 << 21;

/// Maximum number of these cells for large graphs.
const MOST_CELLS: usize = 1 << 25;

/// Cells from 0 to where the time of the whole rarely ends, by the moments of the upper law.
fn grid(graph: &Graph, times: &Times, options: &Options) -> Grid {
    let tasks = graph.tasks().max(1);
    let usual = (USUAL_CELLS / tasks)
        .clamp(1_024, 4_096)
        .next_power_of_two();
    let cells = options
        .cells
        .unwrap_or(usual)
        .max(16)
        .min((MOST_CELLS / tasks).max(128));
    let [mean, variance] = crate::normal::independent(graph, times);
    let end = mean + REACH * variance.sqrt();
    Grid {
        cells,
        width: end / cells as f64,
    }
}

/// A graph after its series-parallel reduction.
enum Whole<'a> {
    Tree(&'a Tree),
    Core {
        core: &'a Core,
        /// From the beginning and from the end, which give different bounds.
        directions: Box<[Graph; 2]>,
    },
}

impl Whole<'_> {
    fn of(reduced: &Result<Tree, Box<Core>>) -> Whole<'_> {
        match reduced {
            Ok(tree) => Whole::Tree(tree),
            Err(core) => {
                let directions = Box::new([core.graph.clone(), core.graph.reversed()]);
                Whole::Core { core, directions }
            }
        }
    }

    /// Number of nodes.
    fn nodes(&self) -> usize {
        match self {
            Whole::Tree(_) => 1,
            Whole::Core { core, .. } => core.parts.len(),
        }
    }
}

/// A bound of the law and of the mean.
struct Side {
    law: Steps,
    mean: f64,
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
