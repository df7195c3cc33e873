//! Writer of models as text.

use super::names::Names;
use super::walker::Walker;

/// A walked program with the names of its symbols.
pub struct Writer<'a, 'b> {
    pub walker: &'a mut Walker<'b>,
    pub names: Names,
}
