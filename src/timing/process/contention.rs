//! Whether processes in parallel may want the same resource.

use std::collections::HashSet;

use crate::expr::{Arena, ExprId, Node, Symbol};
use crate::ring::Rational;

/// Whether two of the demands may be for one resource.
pub(super) fn between(arena: &Arena, demands: &[ExprId]) -> bool {
    let mut known: HashSet<(Symbol, ExprId)> = HashSet::new();
    let mut arrays = Arrays::default();
    demands.iter().any(|&demand| {
        let own = positions(arena, demand);
        let shared = own.iter().any(|place| match arena.as_number(place.1) {
            Some(_) => known.contains(place) || arrays.unknown.contains(&place.0),
            None => arrays.all.contains(&place.0),
        });
        for &(array, position) in &own {
            arrays.all.insert(array);
            if arena.as_number(position).is_none() {
                arrays.unknown.insert(array);
            }
        }
        known.extend(own);
        shared
    })
}

/// The arrays of resources that were met.
#[derive(Default)]
struct Arrays {
    all: HashSet<Symbol>,
    /// Those with a position that is not a number.
    unknown: HashSet<Symbol>,
}

/// Whether the demands for two values of `index` may be for one resource.
pub(super) fn among_copies(arena: &Arena, demand: ExprId, index: Symbol) -> bool {
    let positions = positions(arena, demand);
    positions.iter().any(|&(array, position)| {
        // Different positions of one copy may be those of another.
        let several = positions.iter().filter(|other| other.0 == array).count() > 1;
        several || !is_shifted(arena, position, index)
    })
}

/// `c * index + e`, where `e` is the same for all copies.
pub(in crate::timing) fn is_shifted(arena: &Arena, position: ExprId, index: Symbol) -> bool {
    let is_index = |id: ExprId| matches!(arena.node(id), Node::Symbol(s) if *s == index);
    let terms = match arena.node(position) {
        Node::Add(terms) => terms,
        _ => std::slice::from_ref(&position),
    };
    let (own, rest): (Vec<ExprId>, Vec<ExprId>) =
        terms.iter().partition(|&&term| arena.mentions(term, index));
    let multiple = |id: ExprId| match arena.node(id) {
        Node::Mul(factors) => match factors[..] {
            [number, factor] => is_index(factor) && arena.as_number(number).is_some(),
            _ => false,
        },
        _ => is_index(id),
    };
    let constant = |&term: &ExprId| {
        let mut free = arena.free(term).iter();
        arena.as_number(term).is_some_and(Rational::is_integer)
            || !free.any(|&symbol| arena.range(symbol).is_some())
    };
    matches!(own[..], [term] if multiple(term)) && rest.iter().all(constant)
}

/// The resources that a demand speaks of.
fn positions(arena: &Arena, demand: ExprId) -> HashSet<(Symbol, ExprId)> {
    let (mut pending, mut seen) = (vec![demand], HashSet::new());
    let mut found = HashSet::new();
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        match *arena.node(id) {
            Node::UnitVector(array, position) => {
                found.insert((array, position));
            }
            _ => pending.extend(arena.operands(id)),
        }
    }
    found
}
