//! Moves the spans of an expression from a text of its own into a model's list of files.

use crate::syntax::tree::{Expr, spans_of_expr_mut};

/// Adds `files` to the file of every span.
pub(super) fn to_file_after(expr: &mut Expr, files: u32) {
    spans_of_expr_mut(expr, &mut |span| {
        span.file = span.file.saturating_add(files)
    });
}
