//! What writes a model as text.

use super::names::Names;
use super::walker::Walker;

/// The program that was walked, and what its symbols are called.
pub struct Writer<'a, 'b> {
    pub walker: &'a mut Walker<'b>,
    pub names: Names,
}
