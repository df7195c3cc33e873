//! Well-known regular graphs: tiled factorisations, wavefronts, stencils, schedules of pipelines.

mod pipeline;

use crate::shape::{Fault, Graph};
use crate::tasks::MAX_TASKS;

pub use pipeline::{Schedule, Step, orders, pipeline};

/// A graph with the kind of each task.
#[derive(Clone, Debug)]
pub struct Family {
    /// The tasks and their precedences.
    pub graph: Graph,
    /// The kind of each task, as an index into the list that the function of the family documents.
    pub kinds: Vec<usize>,
}

impl Family {
    /// A value for each task, from one for each kind.
    pub fn of_kinds<T: Clone>(&self, values: &[T]) -> Vec<T> {
        self.kinds
            .iter()
            .map(|&kind| values[kind].clone())
            .collect()
    }
}

/// Tasks identified by numbers, each added after its predecessors.
struct Builder {
    numbers: std::collections::HashMap<[u32; 4], u32>,
    precedences: Vec<(u32, u32)>,
    kinds: Vec<usize>,
}

impl Builder {
    /// An empty graph with room for this many tasks.
    fn new(tasks: u128) -> Result<Builder, Fault> {
        if tasks > MAX_TASKS as u128 {
            return Err(Fault::Tasks(usize::try_from(tasks).unwrap_or(usize::MAX)));
        }
        Ok(Builder {
            numbers: std::collections::HashMap::new(),
            precedences: Vec::new(),
            kinds: Vec::new(),
        })
    }

    /// A task of a kind at `[i, j, k]`, after others, of which those that do not exist are left out.
    fn add(&mut self, kind: usize, at: [u32; 3], after: &[(usize, [u32; 3])]) {
        let task = self.kinds.len() as u32;
        let name = |kind: usize, [i, j, k]: [u32; 3]| [kind as u32, i, j, k];
        for &(kind, at) in after {
            if let Some(&before) = self.numbers.get(&name(kind, at)) {
                self.precedences.push((before, task));
            }
        }
        self.numbers.insert(name(kind, at), task);
        self.kinds.push(kind);
    }

    fn family(self) -> Result<Family, Fault> {
        let graph = Graph::new(self.kinds.len(), &self.precedences)?;
        let kinds = self.kinds;
        Ok(Family { graph, kinds })
    }
}

/// The number of a task that does not exist.
const NONE: u32 = u32::MAX;

fn previous(index: u32) -> u32 {
    index.checked_sub(1).unwrap_or(NONE)
}

/// `m x n` tasks, each after the tasks above and to the left; one kind.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn wavefront(m: u32, n: u32) -> Result<Family, Fault> {
    let mut builder = Builder::new(u128::from(m) * u128::from(n))?;
    for i in 0..m {
        for j in 0..n {
            builder.add(
                0,
                [i, j, 0],
                &[(0, [previous(i), j, 0]), (0, [i, previous(j), 0])],
            );
        }
    }
    builder.family()
}

/// Steps of a row of `points`, each task after the three nearest tasks of the previous step; one kind.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn stencil(points: u32, steps: u32) -> Result<Family, Fault> {
    let mut builder = Builder::new(u128::from(points) * u128::from(steps))?;
    for step in 0..steps {
        for x in 0..points {
            let before = [previous(x), x, x + 1].map(|x| (0, [previous(step), x, 0]));
            builder.add(0, [step, x, 0], &before);
        }
    }
    builder.family()
}

/// Cholesky's factorisation of `k x k` tiles; `potrf`, `trsm`, `syrk`, `gemm`.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn cholesky(k: u32) -> Result<Family, Fault> {
    let (potrf, trsm, syrk, gemm) = (0, 1, 2, 3);
    let mut builder = Builder::new(u128::from(k) * (u128::from(k) + 1) * (u128::from(k) + 2) / 6)?;
    for j in 0..k {
        let last = previous(j);
        builder.add(potrf, [j, 0, 0], &[(syrk, [last, j, 0])]);
        for i in j + 1..k {
            builder.add(trsm, [j, i, 0], &[(potrf, [j, 0, 0]), (gemm, [last, i, j])]);
        }
        for i in j + 1..k {
            builder.add(syrk, [j, i, 0], &[(trsm, [j, i, 0]), (syrk, [last, i, 0])]);
            for l in j + 1..i {
                let before = [(trsm, [j, i, 0]), (trsm, [j, l, 0]), (gemm, [last, i, l])];
                builder.add(gemm, [j, i, l], &before);
            }
        }
    }
    builder.family()
}

/// Gauss' elimination of `k x k` tiles without pivots; `getrf`, `trsm`, `gemm`.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn lu(k: u32) -> Result<Family, Fault> {
    let (getrf, trsm, gemm) = (0, 1, 2);
    let mut builder =
        Builder::new(u128::from(k) * (u128::from(k) + 1) * (2 * u128::from(k) + 1) / 6)?;
    for j in 0..k {
        let last = previous(j);
        builder.add(getrf, [j, 0, 0], &[(gemm, [last, j, j])]);
        for i in j + 1..k {
            builder.add(trsm, [j, i, j], &[(getrf, [j, 0, 0]), (gemm, [last, i, j])]);
            builder.add(trsm, [j, j, i], &[(getrf, [j, 0, 0]), (gemm, [last, j, i])]);
        }
        for i in j + 1..k {
            for l in j + 1..k {
                let before = [(trsm, [j, i, j]), (trsm, [j, j, l]), (gemm, [last, i, l])];
                builder.add(gemm, [j, i, l], &before);
            }
        }
    }
    builder.family()
}

/// A QR factorisation of `k x k` tiles by a flat tree; `geqrt`, `unmqr`, `tsqrt`, `tsmqr`.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn qr(k: u32) -> Result<Family, Fault> {
    let (geqrt, unmqr, tsqrt, tsmqr) = (0, 1, 2, 3);
    let mut builder =
        Builder::new(u128::from(k) * (u128::from(k) + 1) * (2 * u128::from(k) + 1) / 6)?;
    for j in 0..k {
        let last = previous(j);
        builder.add(geqrt, [j, 0, 0], &[(tsmqr, [last, j, j])]);
        for l in j + 1..k {
            builder.add(
                unmqr,
                [j, l, 0],
                &[(geqrt, [j, 0, 0]), (tsmqr, [last, j, l])],
            );
        }
        for i in j + 1..k {
            // Row j goes down through all rows below it.
            let above = if i == j + 1 {
                (geqrt, [j, 0, 0])
            } else {
                (tsqrt, [j, i - 1, 0])
            };
            builder.add(tsqrt, [j, i, 0], &[above, (tsmqr, [last, i, j])]);
            for l in j + 1..k {
                let above = if i == j + 1 {
                    (unmqr, [j, l, 0])
                } else {
                    (tsmqr, [j, i - 1, l])
                };
                builder.add(
                    tsmqr,
                    [j, i, l],
                    &[(tsqrt, [j, i, 0]), above, (tsmqr, [last, i, l])],
                );
            }
        }
    }
    builder.family()
}
