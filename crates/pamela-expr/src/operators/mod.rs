//! What is known of each operator that has a name: a file for each with its row, which tells where it is defined, what its
//! values are and how it is written.
//!
//! A new one takes its file, a line in [`Function`] or [`Operation`] and one in `row`, its word in `pamela-syntax`, and the
//! second opinion of `pamela-definition`. Whatever else is known of it (facts, slopes, growth, bounds over boxes, certified
//! doubles) is added where that is kept, if it is known; elsewhere no line changes.

mod absolute;
mod arithmetic;
mod ceil;
mod common_divisor;
mod exponential;
mod factorial;
mod floor;
mod floor_sum;
mod function;
mod harmonic;
mod integer;
mod log_gamma;
mod logarithm;
mod operation;
mod row;
mod square_root;

pub use arithmetic::{MAX_FOLDED_BITS, modulo, power, rational_power};
pub use function::Function;
pub use operation::Operation;
pub use row::{Condition, Domain, OperationRow, Rounding, Row, Sign};
