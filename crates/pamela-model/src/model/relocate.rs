//! Moves the spans of an expression from a text of its own into a model's list of files.

use super::walk::{PartMut, parts_of_expr_mut, with_stack};
use crate::syntax::tree::{Expr, ExprKind, Name};

/// Adds `files` to the file of every span.
pub(super) fn to_file_after(expr: &mut Expr, files: u32) {
    let name = |n: &mut Name| n.span.file = n.span.file.saturating_add(files);
    expr.span.file = expr.span.file.saturating_add(files);
    match &mut expr.kind {
        ExprKind::Call(callee, _) => name(callee),
        ExprKind::Reduce(reduction) => name(&mut reduction.range.index),
        ExprKind::Graph(graph) => graph.names_mut(name),
        ExprKind::Quantity(quantity) => {
            let unit = &mut quantity.unit;
            unit.span.file = unit.span.file.saturating_add(files);
            unit.parts.iter_mut().for_each(|part| name(&mut part.name));
        }
        _ => {}
    }
    parts_of_expr_mut(expr, &mut |part, _| {
        if let PartMut::Expr(e) = part {
            with_stack(|| to_file_after(e, files));
        }
    });
}
