//! How often each block of a program runs, as equations.

use super::part::Part;
use super::print::Writer;

/// Equations `numeric count_..`, one for each block.
pub fn counts(_writer: &Writer, _body: &Part) -> String {
    String::new()
}
