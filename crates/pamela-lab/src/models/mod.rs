//! Random models: general ones, processes, data distributions, graphs of tasks, laws and recorded files. A seed
//! always gives the same model.

pub mod contended;
pub mod distributions;
pub mod files;
pub mod free;
pub mod graphs;
pub mod grower;
pub mod laws;
pub mod processes;
pub mod tree;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use grower::Grower;
use tree::Tree;

/// The model of a seed: one numeric equation or one process.
pub fn model(seed: u64) -> Tree {
    let mut random = Pcg64::seed_from_u64(seed);
    let budget = random.random_range(3..=14);
    Grower {
        random: &mut random,
        budget,
    }
    .model()
}
