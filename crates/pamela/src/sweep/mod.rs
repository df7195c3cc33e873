//! Evaluates compiled models over grids of points: tables, best rows, aggregates.
//!
//! Points are computed in batches by several threads and written in order. A batch depends only on its points.
//! Neither threads nor shards therefore change the output. Memory use depends on the batches, not on the grid.

mod axes;
mod chunk;
#[cfg(feature = "columns")]
mod columnar;
mod extreme;
mod figures;
mod filter;
mod grid;
mod parts;
mod points;
mod reading;
mod resume;
mod rows;
mod run;
mod run_at;
mod summary;

pub use axes::{Axis, RowNames, Values};
pub use chunk::Chunk;
pub use extreme::Extreme;
pub use filter::{Filter, Units};
pub use grid::{Grid, MOST_POINTS};
pub use parts::{Division, Form, MOST_PARTS, Parts, SweepRequest};
pub use reading::{InputUnit, constant, of_value};
pub use rows::{Format, Rows};
pub use run::{Sweep, Watch};
pub use run_at::run_at;
pub use summary::{Aggregate, Best, Summary};
