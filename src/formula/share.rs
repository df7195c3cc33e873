//! Which expressions of a large formula deserve a name of their own.

use crate::expr::{Arena, ExprId, Node, Sort};

use super::names::{reachable, used_names, uses};

/// A formula of fewer nodes, as a tree, is written in one piece.
const LARGE_FORMULA: u32 = 400;
/// What is named has at least this many nodes, as a tree ...
const LARGE_TERM: u32 = 12;
/// ... and would be written at least this often.
const FREQUENT: usize = 3;

/// The shared expressions of `root` with their names, operands first.
pub(super) fn shared(arena: &Arena, root: ExprId, prefix: &str) -> Vec<(ExprId, String)> {
    if arena.size(root) < LARGE_FORMULA {
        return Vec::new();
    }
    let taken = used_names(arena, &[root]);
    let uses = uses(arena, &[root]);
    let frequent = |id: &ExprId| {
        *id != root
            && uses.get(id).is_some_and(|&count| count >= FREQUENT)
            && is_nameable(arena, *id)
    };
    let chosen = reachable(arena, &[root]).into_iter().filter(frequent);
    let names = (1..)
        .map(|number| format!("{prefix}_{number}"))
        .filter(|name| !taken.contains(name));
    chosen.zip(names).collect()
}

/// A large scalar outside the scope of every index, that the printers write as a whole.
fn is_nameable(arena: &Arena, id: ExprId) -> bool {
    let whole = !matches!(
        arena.node(id),
        // Products are merged into their surroundings, conditions into logical formulas.
        Node::Number(_) | Node::Mul(_) | Node::Pow(..) | Node::Compare(..)
    );
    let closed = || {
        arena
            .free(id)
            .iter()
            .all(|&s| arena.symbol_name(s).is_some())
    };
    whole
        && arena.sort(id) == Sort::Scalar
        && arena.size(id) >= LARGE_TERM
        && !arena.is_boolean(id)
        && closed()
}
