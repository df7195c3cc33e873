//! Samples of the time of a graph.
//!
//! A random number is a function of the seed, the number of a pair of samples, and the task, so results do not depend
//! on the number of threads. The two samples of a pair are antithetic: if one draws `u`, the other draws `1 - u`.

mod draw;
mod run;
#[cfg(test)]
mod tests;

use pamela_law::Empirical;
use rayon::prelude::*;

use crate::error::Error;
use crate::path::Paths;
use crate::shape::Graph;
use crate::times::Times;
use draw::Drawers;
use run::{LANES, Run, Totals};

/// Maximum number of samples if their number depends on their errors.
pub const MOST_SAMPLES: usize = 65_536;

/// The first samples, if standard errors decide the number of samples.
const FIRST: usize = 1_024;

/// Samples times tasks and precedences, beyond which no more are drawn where their number is found by their errors.
const MOST_STEPS: u64 = 1 << 33;

/// Standard errors, relative, at which there are enough samples: of the mean, and of the quantile at 0.99.
const ENOUGH: [f64; 2] = [0.001, 0.005];

/// Bytes for the times of all tasks in the samples that are drawn at once.
const MOST_BYTES: usize = if cfg!(target_pointer_width = "64") {
    1 << 31
} else {
    1 << 26
};

/// Number of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Samples {
    /// As many samples as reduce the standard errors to 0.1 % of the mean and 0.5 % of the 0.99 quantile; at most
    /// [`MOST_SAMPLES`].
    #[default]
    Auto,
    /// This number, rounded up to a multiple of 64.
    Exactly(usize),
}

/// The law of the time of a graph, by samples.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The law of all samples.
    pub law: Empirical,
    /// The mean of the samples.
    pub mean: f64,
    /// The standard error of the mean.
    pub mean_error: f64,
    /// For each task, the share of samples in which it lies on the longest path.
    pub criticality: Vec<f64>,
}

impl Estimate {
    /// The quantile at a probability above 0 and below 1, and its standard error.
    pub fn quantile(&self, p: f64) -> [f64; 2] {
        let samples = self.law.samples();
        let n = samples.len() as f64;
        let spread = (n * p * (1.0 - p)).sqrt();
        let at = |rank: f64| samples[(rank.max(0.0) as usize).min(samples.len() - 1)];
        let rank = (n * p).ceil() - 1.0;
        [
            at(rank),
            0.5 * (at((rank + spread).ceil()) - at((rank - spread).floor())),
        ]
    }

    fn is_enough(&self) -> bool {
        let [quantile, error] = self.quantile(0.99);
        self.mean_error <= ENOUGH[0] * self.mean && error <= ENOUGH[1] * quantile
    }
}

/// Draws samples of the time of a graph whose tasks take `times`, without a limit on the number of tasks that run at
/// once.
///
/// # Errors
/// Fails unless there is one time for each task and at least one sample.
pub fn sample(
    graph: &Graph,
    times: &Times,
    seed: u64,
    samples: Samples,
) -> Result<Estimate, Error> {
    if times.len() != graph.tasks() {
        let message = format!(
            "there are {} tasks, but {} times: each task needs one",
            graph.tasks(),
            times.len()
        );
        return Err(Error::at("", message));
    }
    if samples == Samples::Exactly(0) {
        return Err(Error::at("", "at least one sample is needed"));
    }
    if times.are_numbers() {
        return of_numbers(graph, times);
    }
    let drawers = Drawers::new(times);
    let run = Run::new(graph, times, &drawers, seed);
    let each = graph.tasks() + graph.precedences();
    let most = usize::try_from(MOST_STEPS / each as u64).unwrap_or(usize::MAX);
    let most = (most / LANES).max(1) * LANES;
    let (mut count, most) = match samples {
        Samples::Exactly(count) => (count.div_ceil(LANES) * LANES, 0),
        Samples::Auto => (FIRST.min(most), MOST_SAMPLES.min(most)),
    };
    let mut drawn: Vec<f64> = Vec::new();
    let mut critical = vec![0_u32; graph.tasks()];
    loop {
        draw(
            &run,
            drawn.len() / LANES..count / LANES,
            &mut drawn,
            &mut critical,
        );
        let estimate = estimate(&drawn, &critical)?;
        if count >= most || estimate.is_enough() {
            return Ok(estimate);
        }
        count = (2 * count).min(most);
    }
}

/// Draws blocks of samples, as many at once as fit into memory.
fn draw(run: &Run, blocks: std::ops::Range<usize>, drawn: &mut Vec<f64>, critical: &mut [u32]) {
    let at_once = (MOST_BYTES / run.bytes().max(1)).max(1);
    let blocks: Vec<usize> = blocks.collect();
    for some in blocks.chunks(at_once) {
        let threads = some
            .len()
            .div_ceil(rayon::current_num_threads().max(1))
            .max(1);
        let parts: Vec<Totals> = some
            .par_chunks(threads)
            .map(|blocks| run.blocks(blocks))
            .collect();
        for part in parts {
            drawn.extend(part.samples);
            critical
                .iter_mut()
                .zip(part.critical)
                .for_each(|(sum, count)| *sum += count);
        }
    }
}

fn estimate(drawn: &[f64], critical: &[u32]) -> Result<Estimate, Error> {
    let n = drawn.len() as f64;
    let mean = drawn.iter().sum::<f64>() / n;
    // The two of a pair stand half a block apart.
    let pairs = drawn.chunks(LANES).flat_map(|block| {
        let (first, second) = block.split_at(LANES / 2);
        first.iter().zip(second).map(|(a, b)| 0.5 * (a + b))
    });
    let count = n / 2.0;
    let square: f64 = pairs.map(|x| (x - mean) * (x - mean)).sum();
    Ok(Estimate {
        law: Empirical::new(drawn.to_vec()).map_err(|error| Error::at("", error))?,
        mean,
        mean_error: (square / (count - 1.0) / count).sqrt(),
        criticality: critical.iter().map(|&count| f64::from(count) / n).collect(),
    })
}

fn of_numbers(graph: &Graph, times: &Times) -> Result<Estimate, Error> {
    let paths = Paths::new(graph, &times.means());
    let mut criticality = vec![0.0; graph.tasks()];
    paths
        .longest(graph)
        .iter()
        .for_each(|&task| criticality[task as usize] = 1.0);
    Ok(Estimate {
        law: Empirical::new(vec![paths.length()]).map_err(|error| Error::at("", error))?,
        mean: paths.length(),
        mean_error: 0.0,
        criticality,
    })
}
