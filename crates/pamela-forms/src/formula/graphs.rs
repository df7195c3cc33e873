//! Writes graphs of tasks, whose families have no names of their own.

use crate::expr::{Arena, ExprId, GraphPart, Node, ReduceKind, Reduction};

/// The outermost range of a family or a reference.
pub(super) fn range(arena: &Arena, part: ExprId) -> Option<Reduction> {
    match *arena.node(part) {
        Node::Reduce(r) if r.kind == ReduceKind::Each => Some(r),
        _ => None,
    }
}

/// The index of the family that a reference names, and its condition with the indices.
pub(super) fn reference(arena: &Arena, part: ExprId) -> Option<(u32, &[ExprId])> {
    match arena.node(part) {
        Node::Graph(GraphPart::After(family) | GraphPart::AfterAll(family), operands) => {
            Some((*family, operands))
        }
        _ => None,
    }
}

/// The label of a family of a graph: its own, or else `a`, `b`, .. `z`, `a1`, ..
pub(super) fn label(arena: &Arena, graph: ExprId, family: usize) -> String {
    if let Some(label) = arena.label(graph, family) {
        return label.to_owned();
    }
    let letter = char::from(b'a' + (family % 26) as u8);
    match family / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
