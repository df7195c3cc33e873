//! Claims about the values of a model: proved, refuted at a point, or not decided.
//!
//! A proof uses the prover of conditions, with the facts of the model and the condition of the claim. A
//! counterexample is found by trying small points, boundaries and the numbers of the text; the
//! definition confirms it. Each claim is tried in both ways, so that a proof never stands against a
//! counterexample that is easy to find.

mod ground;
mod induction;
mod judge;
mod narrow;
mod points;
mod prove;
mod rows;
mod search;
mod statement;
mod values;
mod verdict;

pub(crate) use ground::{Collection, Goal, Ground, Value};
pub(crate) use points::{
    Axis, FAR_LOOP, Place, bindings, boundaries, combinations, limit, numbers_in, scalar_axes,
};
pub use rows::judge;
pub(crate) use values::{is_inside, values_at};
pub use verdict::{Counterexample, Judged, Side, Verdict};
