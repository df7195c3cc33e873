//! What is asked for of longest paths of random tasks, and what is known of them.

use std::rc::Rc;

use pamela_graph::{Bounds, Samples};

/// How longest paths of random tasks have their laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathLaws {
    /// Which law stands for that of a path.
    pub law: PathLaw,
    /// How many samples are drawn, where they are.
    pub samples: Samples,
    /// The key of the samples: points of a sweep differ by their parameters alone.
    pub seed: u64,
}

impl Default for PathLaws {
    fn default() -> PathLaws {
        PathLaws {
            law: PathLaw::Samples,
            samples: Samples::Auto,
            seed: 1,
        }
    }
}

/// Which law stands for that of a longest path of random tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathLaw {
    /// That of samples.
    Samples,
    /// A normal law, by Clark's moments.
    Normal,
    /// One that is stochastically smaller.
    Lower,
    /// One that is stochastically larger.
    Upper,
}

/// Standard errors of what samples say of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct StandardErrors {
    /// Of the mean.
    pub mean: f64,
    /// Probabilities with the standard errors of their quantiles, where these are known.
    pub quantiles: Vec<(f64, f64)>,
}

/// What is known of a longest path.
#[derive(Clone, Default)]
pub(super) struct KnownPath {
    pub errors: Option<StandardErrors>,
    pub bounds: Option<Rc<Bounds>>,
}

/// Bounds of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct PathBounds {
    /// Of the mean.
    pub mean: [f64; 2],
    /// Probabilities with the bounds of their quantiles.
    pub quantiles: Vec<(f64, [f64; 2])>,
    /// What a reader of the bounds should know, in sentences.
    pub notes: Vec<String>,
}
