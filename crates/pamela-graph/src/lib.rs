#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::match_bool)]

pub mod bounds;
pub mod error;
pub mod families;
pub mod files;
mod lattice;
pub mod normal;
pub mod path;
pub mod sample;
pub mod shape;
pub mod tasks;
pub mod times;

pub use bounds::{Bounds, Steps, bounds, processors};
pub use error::Error;
pub use normal::{Normal, normal};
pub use path::Paths;
pub use sample::{Estimate, Samples, sample};
pub use shape::{Core, Dominators, Fault, Graph, Node, Tree, series_parallel};
pub use tasks::Tasks;
pub use times::{Time, Times};
