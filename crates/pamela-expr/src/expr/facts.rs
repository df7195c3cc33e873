//! What is known of an expression from its construction.

use std::sync::Arc;

use super::{Sort, Symbol};

/// Of one expression.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) sort: Sort,
    /// How many binders are nested in it.
    pub(super) height: u32,
    /// Size as a tree, saturating.
    pub(super) size: u32,
    /// Its value is 0 or 1.
    pub(super) boolean: bool,
    /// Its value is a law, or a vector with laws in it.
    pub(super) random: bool,
    /// Defined for every value of its symbols.
    pub(super) total: bool,
    /// Parameters and indices that are free in it, ascending.
    pub(super) free: Arc<[Symbol]>,
}
