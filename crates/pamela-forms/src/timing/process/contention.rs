//! Decides if parallel processes may request the same resource.

use std::collections::HashSet;

use super::Cost;
use crate::expr::{Arena, ExprId, Node, Symbol};
use crate::ring::Rational;
use crate::timing::argument::Binder;

/// True if two of the demands may be for the same resource.
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
    /// Arrays with a position that is not a number.
    unknown: HashSet<Symbol>,
}

/// True if the demands for two values of `index` may be for the same resource.
pub(super) fn among_copies(arena: &Arena, demand: ExprId, index: Symbol) -> bool {
    let positions = positions(arena, demand);
    positions.iter().any(|&(array, position)| {
        // Different positions of one copy may be those of another.
        let several = positions.iter().filter(|other| other.0 == array).count() > 1;
        several || !is_shifted(arena, position, index)
    })
}

/// True if `position` is `c * index + e`, where `e` is equal for all copies.
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

/// The demands that determine the time of a section, each with the index of its part.
///
/// Omits demands for resources that no other part requests, if their part takes at least as long
/// anyway.
pub(super) fn not_outlasted(arena: &Arena, parts: &[Cost]) -> Vec<(usize, ExprId)> {
    let all: Vec<Positions> = parts.iter().map(|p| positions(arena, p.delta)).collect();
    let mut wanted = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let others = || all[..number].iter().chain(&all[number + 1..]).flatten();
        let counts = |&term: &ExprId| {
            let mut places = positions(arena, term).into_iter();
            let shared = places.any(|place| others().any(|&other| may_be_one(arena, place, other)));
            shared || part.covered || !part.outlasting
        };
        wanted.extend(
            terms(arena, part.delta)
                .filter(counts)
                .map(|term| (number, term)),
        );
    }
    wanted
}

/// Like [`not_outlasted`], for copies: the demands of one copy.
pub(super) fn not_outlasted_by_copies(arena: &Arena, copy: &Cost, binder: &Binder) -> Vec<ExprId> {
    let all = positions(arena, copy.delta);
    let single = binder.lower == binder.upper;
    let terms = terms(arena, copy.delta).filter(|&term| {
        let own = |place: &(Symbol, ExprId)| {
            let same_array = all.iter().filter(|other| other.0 == place.0).count();
            same_array == 1 && is_shifted(arena, place.1, binder.index)
        };
        let alone = single || positions(arena, term).iter().all(own);
        !alone || copy.covered || !copy.outlasting
    });
    terms.collect()
}

/// True if a demand is for one resource at most.
pub(super) fn is_of_one(arena: &Arena, demand: ExprId) -> bool {
    positions(arena, demand).len() <= 1
}

/// True if the resources of a demand depend on an index.
pub(super) fn is_placed_by(arena: &Arena, demand: ExprId, index: Symbol) -> bool {
    let positions = positions(arena, demand);
    positions.iter().any(|place| arena.mentions(place.1, index))
}

fn terms(arena: &Arena, demand: ExprId) -> impl Iterator<Item = ExprId> {
    match arena.node(demand) {
        Node::Add(terms) => terms.to_vec(),
        _ => vec![demand],
    }
    .into_iter()
}

fn may_be_one(arena: &Arena, a: (Symbol, ExprId), b: (Symbol, ExprId)) -> bool {
    let known = |place: (Symbol, ExprId)| arena.as_number(place.1);
    let apart = known(a).is_some() && known(b).is_some() && a.1 != b.1;
    a.0 == b.0 && !apart
}

/// Resources as they are written: elements of an array.
type Positions = HashSet<(Symbol, ExprId)>;

/// The resources that a demand speaks of.
fn positions(arena: &Arena, demand: ExprId) -> Positions {
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
