//! From the firings of one scope, those that lead from its start to its best term, in order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node};

use super::cost::Cost;
use super::graph::Firing;
use super::terms::Terms;

/// Terms looked at for the shortest chain, and after that for any chain.
const NEAREST: usize = 400;
const CHEAPEST: usize = 4_000;

/// The positions of the firings that rewrite `start` into `best`, one after the other; `None` where no
/// chain was found.
///
/// A firing replaces its left side by its right one wherever it stands, and the result is made canonical.
/// The shortest chain is looked for first, then one by way of cheap terms, then one in which a sum is rewritten before
/// it becomes part of another, where its own terms would be lost among those of the other.
pub fn chain(
    terms: &mut Terms,
    start: ExprId,
    best: ExprId,
    fired: &[Firing],
) -> Option<Vec<usize>> {
    let mut moves = moves(terms, fired);
    let nearest = search(terms, start, best, &moves, true, NEAREST);
    let found = nearest.or_else(|| search(terms, start, best, &moves, false, CHEAPEST));
    found.or_else(|| {
        let further = by_way_of_sums(terms, &moves);
        moves.extend(further);
        search(terms, start, best, &moves, false, CHEAPEST)
    })
}

/// Firings, one after the other, as a move between canonical terms.
struct Move {
    firings: Vec<usize>,
    left: ExprId,
    right: ExprId,
}

fn moves(terms: &mut Terms, fired: &[Firing]) -> Vec<Move> {
    let mut known = HashSet::new();
    let mut moves = Vec::new();
    for (position, firing) in fired.iter().enumerate() {
        let left = terms.canonical(firing.left);
        if left != firing.right && known.insert((left, firing.right)) {
            moves.push(Move {
                firings: vec![position],
                left,
                right: firing.right,
            });
        }
    }
    // A rule for a whole reduction comes before one for a part of its body that comes to the same.
    moves.sort_by_key(|m| !matches!(terms.arena.node(m.left), Node::Reduce(_)));
    moves
}

/// Two moves as one, where the term between them is a sum.
fn by_way_of_sums(terms: &Terms, moves: &[Move]) -> Vec<Move> {
    let mut found = Vec::new();
    for first in moves {
        if !matches!(terms.arena.node(first.right), Node::Add(_)) {
            continue;
        }
        for second in moves.iter().filter(|second| second.left == first.right) {
            found.push(Move {
                firings: [&first.firings[..], &second.firings].concat(),
                left: first.left,
                right: second.right,
            });
        }
    }
    found
}

/// The order in which terms are looked at: by their distance where that counts, cheap ones first.
type Frontier = BinaryHeap<Reverse<(usize, Cost, usize, ExprId)>>;

fn search(
    terms: &mut Terms,
    start: ExprId,
    best: ExprId,
    moves: &[Move],
    by_distance: bool,
    limit: usize,
) -> Option<Vec<usize>> {
    let mut reached = Reached::default();
    reached.insert(start, None);
    let mut frontier = Frontier::from([Reverse((0, Cost::default(), 0, start))]);
    while let Some(Reverse((distance, _, _, term))) = frontier.pop() {
        if term == best {
            return Some(path(&reached, moves, best));
        }
        let parts = parts(&terms.arena, term);
        for (number, m) in moves.iter().enumerate() {
            if !parts.contains(&m.left) {
                continue;
            }
            let next = replaced(terms, term, m.left, m.right);
            if reached.len() < limit && !reached.contains_key(&next) {
                reached.insert(next, Some((term, number)));
                let distance = if by_distance { distance + 1 } else { 0 };
                let cost = terms.cost(next);
                frontier.push(Reverse((distance, cost, reached.len(), next)));
            }
        }
    }
    None
}

/// The term that a term was reached from, and the number of the move.
type Reached = FxHashMap<ExprId, Option<(ExprId, usize)>>;

fn path(reached: &Reached, moves: &[Move], best: ExprId) -> Vec<usize> {
    let mut firings = Vec::new();
    let mut term = best;
    while let Some(&Some((before, number))) = reached.get(&term) {
        firings.extend(moves[number].firings.iter().rev());
        term = before;
    }
    firings.reverse();
    firings
}

/// `term` with `right` wherever `left` stands in it, made canonical.
pub fn replaced(terms: &mut Terms, term: ExprId, left: ExprId, right: ExprId) -> ExprId {
    let next = terms
        .arena
        .replace(term, &|_, part| (part == left).then_some(right));
    terms.canonical(next)
}

/// All that stands in `term`, itself included.
fn parts(arena: &Arena, term: ExprId) -> HashSet<ExprId> {
    let mut parts = HashSet::from([term]);
    let mut pending = vec![term];
    while let Some(part) = pending.pop() {
        pending.extend(
            arena
                .operands(part)
                .into_iter()
                .filter(|&operand| parts.insert(operand)),
        );
    }
    parts
}
