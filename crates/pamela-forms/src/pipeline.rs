//! The pipeline from text to closed forms and numbers.

mod close;
mod closed;
mod declared;
mod enclosures;
mod labels;
mod mentions;
mod model;
mod moments;
mod names;
mod options;
mod ordered;
mod presented;
mod regimes;
mod results;
mod sensitivity;
mod shown;
mod simplify;

pub use model::replace_names;
pub use model::{Draft, Model, Texts};
pub use names::unused_name;
pub use names::{Asked, no_equation, no_formula, process_of_run, unknown_name};
pub use options::{GraphOptions, Keep, Options};
pub use regimes::{Crossing, Regime, Regimes};
pub(crate) use results::supersede_estimates;
pub use results::{Simplified, SimplifiedEquation};
pub use shown::Shown;
