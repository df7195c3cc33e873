//! Moves the spans of an expression that was read from a text of its own into a model's list of files.

use super::walk::with_stack;
use crate::syntax::tree::{Expr, ExprKind, Name};

/// Adds `files` to the file of every span.
pub(super) fn to_file_after(expr: &mut Expr, files: u32) {
    let inner = |e: &mut Expr| with_stack(|| to_file_after(e, files));
    let name = |n: &mut Name| n.span.file = n.span.file.saturating_add(files);
    expr.span.file = expr.span.file.saturating_add(files);
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Text(_) => {}
        ExprKind::Call(callee, arguments) => {
            name(callee);
            arguments.iter_mut().for_each(inner);
        }
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Vector(parts) => {
            parts.iter_mut().for_each(inner)
        }
        ExprKind::Negate(e) | ExprKind::Not(e) => inner(e),
        ExprKind::Sum(first, rest) => {
            inner(first);
            rest.iter_mut().for_each(|(_, e)| inner(e));
        }
        ExprKind::Product(first, rest) => {
            inner(first);
            rest.iter_mut().for_each(|(_, e)| inner(e));
        }
        ExprKind::Power(l, r) | ExprKind::Compare(_, l, r) => {
            inner(l);
            inner(r);
        }
        ExprKind::If(c, a, b) => {
            inner(c);
            inner(a);
            inner(b);
        }
        ExprKind::Switch(cases) => cases.iter_mut().for_each(|(c, e)| {
            inner(c);
            inner(e);
        }),
        ExprKind::Reduce(reduction) => {
            let range = &mut reduction.range;
            name(&mut range.index);
            range.quorum.iter_mut().for_each(inner);
            inner(&mut range.lower);
            inner(&mut range.upper);
            range.step.iter_mut().for_each(inner);
            inner(&mut reduction.body);
        }
        ExprKind::Graph(graph) => {
            if let Some(recorded) = &mut graph.recorded {
                name(&mut recorded.time);
                recorded.files.iter_mut().for_each(name);
                recorded.default.iter_mut().for_each(inner);
            }
            for family in &mut graph.families {
                let references = &mut family.after;
                name(&mut family.label);
                inner(&mut family.task);
                references.iter_mut().for_each(|r| name(&mut r.label));
                let parts = references.iter_mut();
                parts
                    .flat_map(|r| r.arguments.iter_mut().flatten().chain(&mut r.condition))
                    .for_each(inner);
                let others = family.after.iter_mut().flat_map(|r| &mut r.ranges);
                for range in family.ranges.iter_mut().chain(others) {
                    name(&mut range.index);
                    inner(&mut range.lower);
                    inner(&mut range.upper);
                }
            }
        }
    }
}
