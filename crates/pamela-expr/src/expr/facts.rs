//! Properties of an expression from its construction.

use std::sync::Arc;

use super::contents::Contents;
use super::{Sort, Symbol};

/// Properties of one expression.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) sort: Sort,
    /// Nesting depth of binders.
    pub(super) height: u32,
    /// Number of nodes as a tree (saturating).
    pub(super) size: u32,
    /// True if the value is 0 or 1.
    pub(super) boolean: bool,
    /// True if the value is a law, or a vector with laws.
    pub(super) random: bool,
    /// True if defined for every value of its symbols.
    pub(super) total: bool,
    /// Operators in it.
    pub(super) contents: Contents,
    /// Free parameters and indices, ascending.
    pub(super) free: Arc<[Symbol]>,
}
