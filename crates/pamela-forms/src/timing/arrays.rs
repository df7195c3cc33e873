//! Splits the largest demand by arrays of resources, since no resource belongs to two arrays.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Node, ReduceKind, Sort, Symbol};
use crate::with_stack;

/// Demands for more arrays stay together, since each array takes a copy of all loops.
const MOST_ARRAYS: usize = 8;
/// Also limits larger vectors: nested sections would examine the same parts again and again.
const MOST_NODES: usize = 1_000;

/// The largest component of a vector.
///
/// With uneven loops it is the maximum over the arrays, so that an open array does not keep others
/// open. With even loops all arrays are closed together, and common terms are taken out.
pub(super) fn largest_demand(arena: &mut Arena, demands: ExprId) -> ExprId {
    let arrays = if arena.is_random(demands) {
        None
    } else {
        arrays_in_uneven_loops(arena, demands)
    };
    let Some(arrays) = arrays else {
        return arena.vector_max(demands);
    };
    let largest = arrays.into_iter().map(|array| {
        let mut apart = Apart {
            array,
            done: FxHashMap::default(),
        };
        let own = apart.of_array(arena, demands);
        arena.vector_max(own)
    });
    let largest: Vec<ExprId> = largest.collect();
    arena.max(&largest)
}

/// The arrays of a vector of demands for one element after the other, made in uneven loops: a condition chooses among demands,
/// or a range depends on another index. `None` where the arrays are fewer than two or too many, and for vectors of another
/// kind.
fn arrays_in_uneven_loops(arena: &Arena, demands: ExprId) -> Option<Vec<Symbol>> {
    let (mut arrays, mut spread, mut uneven) = (Vec::new(), false, false);
    let (mut pending, mut seen) = (vec![demands], FxHashSet::default());
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        match *arena.node(id) {
            Node::UnitVector(array, position) => {
                spread |= mentions_index(arena, position);
                if !arrays.contains(&array) {
                    arrays.push(array);
                }
            }
            Node::Add(ref list) | Node::Mul(ref list) => {
                pending.extend(
                    list.iter()
                        .filter(|&&part| arena.sort(part) == Sort::Vector),
                );
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let mut bounds = [r.lower, r.upper].into_iter();
                uneven |= bounds.any(|bound| mentions_index(arena, bound));
                pending.push(r.body);
            }
            Node::If(_, then, otherwise) => {
                uneven |= !is_none(arena, then) && !is_none(arena, otherwise);
                pending.extend([then, otherwise]);
            }
            _ if is_none(arena, id) => {}
            _ => return None,
        }
        if arrays.len() > MOST_ARRAYS || seen.len() > MOST_NODES {
            return None;
        }
    }
    (spread && uneven && arrays.len() > 1).then_some(arrays)
}

fn mentions_index(arena: &Arena, id: ExprId) -> bool {
    let free = arena.free(id).iter();
    free.copied()
        .any(|symbol| arena.symbol_name(symbol).is_none())
}

/// True if nothing is demanded: the zero vector, which is the number 0 where it is a branch.
fn is_none(arena: &Arena, demands: ExprId) -> bool {
    match arena.node(demands) {
        Node::Vector(components) => components.is_empty(),
        node => matches!(node, Node::Number(_)),
    }
}

/// The demands for one array.
struct Apart {
    array: Symbol,
    done: FxHashMap<ExprId, ExprId>,
}

impl Apart {
    fn of_array(&mut self, arena: &mut Arena, demands: ExprId) -> ExprId {
        if let Some(&done) = self.done.get(&demands) {
            return done;
        }
        let none = arena.zero_vector();
        let own = with_stack(|| match *arena.node(demands) {
            Node::UnitVector(array, _) if array != self.array => none,
            Node::Add(ref terms) => {
                let terms = terms.clone();
                let own = terms.iter().map(|&term| self.of_array(arena, term));
                let own: Vec<ExprId> = own.filter(|&term| term != none).collect();
                if own.is_empty() {
                    none
                } else {
                    arena.add(&own)
                }
            }
            Node::Mul(_) | Node::Reduce(_) | Node::If(..) => {
                let mut is_none = true;
                let own = arena.map_operands(demands, &mut |arena, part| match arena.sort(part) {
                    Sort::Vector => {
                        let own = self.of_array(arena, part);
                        is_none &= own == none;
                        own
                    }
                    _ => part,
                });
                if is_none { none } else { own }
            }
            _ => demands,
        });
        self.done.insert(demands, own);
        own
    }
}
