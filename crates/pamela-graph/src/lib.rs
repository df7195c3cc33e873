#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod error;
pub mod families;
pub mod files;
pub mod path;
pub mod shape;
pub mod tasks;

pub use error::Error;
pub use path::Paths;
pub use shape::{Core, Dominators, Fault, Graph, Node, Tree, series_parallel};
pub use tasks::Tasks;
