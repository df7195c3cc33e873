//! Settings and results for longest paths of random tasks.

use std::rc::Rc;

use pamela_graph::{Bounds, Samples};

/// Method for longest paths of random tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathLaws {
    /// The law that replaces the law of a path.
    pub law: PathLaw,
    /// Number of samples, if samples are drawn.
    pub samples: Samples,
    /// Seed of the samples. Points of a sweep use the same one, so they differ only in their
    /// parameters.
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

/// The law that replaces the law of a longest path of random tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathLaw {
    /// The empirical law of samples.
    Samples,
    /// A normal law with Clark's moments.
    Normal,
    /// A stochastically smaller law.
    Lower,
    /// A stochastically larger law.
    Upper,
}

/// Standard errors of sampled values of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct StandardErrors {
    /// Standard error of the mean.
    pub mean: f64,
    /// Probabilities with the standard errors of their quantiles, if known.
    pub quantiles: Vec<(f64, f64)>,
}

/// A longest path that was evaluated.
#[derive(Clone, Default)]
pub(super) struct KnownPath {
    pub errors: Option<StandardErrors>,
    pub bounds: Option<Rc<Bounds>>,
}

/// Bounds of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct PathBounds {
    /// Bounds of the mean.
    pub mean: [f64; 2],
    /// Probabilities with the bounds of their quantiles.
    pub quantiles: Vec<(f64, [f64; 2])>,
    /// Notes for readers of the bounds, as sentences.
    pub notes: Vec<String>,
}
