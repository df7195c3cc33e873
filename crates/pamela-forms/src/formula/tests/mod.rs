//! Printed by hand, and read back.

mod latex;
mod pamela;
mod present;
mod properties;
#[path = "../../../../pamela-expr/src/eval/tests/random.rs"]
mod random;
#[path = "../../../../pamela-expr/src/eval/tests/read.rs"]
mod read;
mod shared;
mod statement;

use std::sync::Arc;

use super::Formula;
use crate::expr::Arena;
pub use read::read;

/// The formula of a text, as it stands.
fn formula(text: &str) -> Formula {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    Formula::new(Arc::new(arena), root, Vec::new())
}

/// The formula of a text in its shortest reading.
fn presented(text: &str) -> Formula {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    let root = super::present(&mut arena, root);
    Formula::new(Arc::new(arena), root, Vec::new())
}
