//! Blocks of samples: computes the longest path in all lanes at once.

use super::draw::{Drawer, Drawers, mix};
use crate::shape::Graph;
use crate::times::Times;

/// Samples of a block.
pub(super) const LANES: usize = 64;

/// Pairs of a block.
const PAIRS: usize = LANES / 2;

type Lanes = [f32; LANES];

/// State of the sampler.
pub(super) struct Run<'a> {
    graph: &'a Graph,
    times: Vec<TaskTime<'a>>,
    last: Vec<u32>,
    seed: u64,
}

/// The time of a task.
struct TaskTime<'a> {
    drawer: Option<&'a Drawer>,
    factor: f32,
    shift: f32,
}

/// Some samples, and how often each task lay on the longest path.
pub(super) struct Totals {
    pub samples: Vec<f64>,
    pub critical: Vec<u32>,
}

impl<'a> Run<'a> {
    pub fn new(graph: &'a Graph, times: &Times, drawers: &'a Drawers, seed: u64) -> Run<'a> {
        let tasks = 0..graph.tasks() as u32;
        let drawn = |task: u32| {
            let time = times.of(task);
            match time.law.filter(|_| !times.is_number(task)) {
                Some(law) => TaskTime {
                    drawer: Some(drawers.of(law)),
                    factor: time.factor as f32,
                    shift: time.shift as f32,
                },
                None => TaskTime {
                    drawer: None,
                    factor: 0.0,
                    shift: times.mean(task) as f32,
                },
            }
        };
        Run {
            graph,
            times: tasks.clone().map(drawn).collect(),
            last: tasks.filter(|&task| graph.after(task).is_empty()).collect(),
            seed,
        }
    }

    /// Memory for a block.
    pub fn bytes(&self) -> usize {
        self.graph.tasks() * size_of::<Lanes>()
    }

    /// Blocks by their numbers.
    pub fn blocks(&self, blocks: &[usize]) -> Totals {
        let mut totals = Totals {
            samples: Vec::with_capacity(blocks.len() * LANES),
            critical: vec![0; self.graph.tasks()],
        };
        let mut ends = vec![[0.0; LANES]; self.graph.tasks()];
        for &block in blocks {
            self.block(block, &mut ends);
            for lane in 0..LANES {
                self.walk_back(lane, &ends, &mut totals);
            }
        }
        totals
    }

    /// When each task ends. The pairs of a block stand half a block apart.
    fn block(&self, block: usize, ends: &mut [Lanes]) {
        let keys: [u64; PAIRS] =
            std::array::from_fn(|pair| mix(self.seed, (block * PAIRS + pair) as u64));
        for &task in self.graph.order() {
            let mut lanes = [0.0; LANES];
            if let Some((&first, rest)) = self.graph.before(task).split_first() {
                lanes = ends[first as usize];
                for &before in rest {
                    let others = &ends[before as usize];
                    lanes
                        .iter_mut()
                        .zip(others)
                        .for_each(|(end, other)| *end = if *other > *end { *other } else { *end });
                }
            }
            let time = &self.times[task as usize];
            match time.drawer {
                None => lanes.iter_mut().for_each(|end| *end += time.shift),
                Some(drawer) => {
                    let mut values = [0.0; LANES];
                    for (pair, &key) in keys.iter().enumerate() {
                        let [first, second] = drawer.pair(mix(key, u64::from(task)));
                        values[pair] = first;
                        values[pair + PAIRS] = second;
                    }
                    let (factor, shift) = (time.factor, time.shift);
                    lanes
                        .iter_mut()
                        .zip(&values)
                        .for_each(|(end, value)| *end += shift + factor * value);
                }
            }
            ends[task as usize] = lanes;
        }
    }

    /// The longest path of a sample, from its end.
    fn walk_back(&self, lane: usize, ends: &[Lanes], totals: &mut Totals) {
        let end = |task: u32| ends[task as usize][lane];
        let latest = |tasks: &[u32]| {
            tasks
                .iter()
                .copied()
                .reduce(|a, b| if end(b) > end(a) { b } else { a })
        };
        let mut next = latest(&self.last);
        totals
            .samples
            .push(next.map_or(0.0, |task| f64::from(end(task))));
        while let Some(task) = next {
            totals.critical[task as usize] += 1;
            next = latest(self.graph.before(task));
        }
    }
}
