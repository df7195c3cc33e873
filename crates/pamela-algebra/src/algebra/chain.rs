//! Selects the firings of a scope that lead from its start to its best term, in order.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashSet};

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node};
use crate::ring::Polynomial;

use super::cost::Cost;
use super::graph::Firing;
use super::terms::Terms;

/// Order in which terms are examined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Ordered by distance, for the shortest chain.
    Nearest,
    /// Ordered by cost, for any chain.
    Cheapest,
}

impl Order {
    /// Maximum number of terms that are examined.
    fn limit(self) -> usize {
        match self {
            Order::Nearest => 400,
            Order::Cheapest => 4_000,
        }
    }
}

/// The indices of the firings that rewrite `start` into `best`, in order; `None` if no chain was
/// found.
///
/// A firing replaces its left side by its right side wherever it occurs; the result is made
/// canonical. Four searches are tried in turn: the shortest chain; a chain of cheap terms; a chain
/// that rewrites a sum before it merges into another sum; and a chain that finds its terms there.
pub fn chain(
    terms: &mut Terms,
    start: ExprId,
    best: ExprId,
    fired: &[Firing],
) -> Option<Vec<usize>> {
    let mut moves = moves(terms, fired);
    let nearest = search(terms, [start, best], &moves, Order::Nearest, is_part);
    let found = nearest.or_else(|| search(terms, [start, best], &moves, Order::Cheapest, is_part));
    found.or_else(|| {
        let further = by_way_of_sums(terms, &moves);
        let found = if further.is_empty() {
            // They would be the same.
            None
        } else {
            moves.extend(further);
            search(terms, [start, best], &moves, Order::Cheapest, is_part)
        };
        let anywhere = |_: &HashSet<ExprId>, _: ExprId| true;
        found.or_else(|| search(terms, [start, best], &moves, Order::Cheapest, anywhere))
    })
}

/// Maximum total number of parts rewritten in one search: terms of hundreds of parts take longer than small ones.
const MOST_PARTS: usize = 2_000_000;

/// True if a left side stands in a term by itself.
fn is_part(parts: &HashSet<ExprId>, left: ExprId) -> bool {
    parts.contains(&left)
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
    [start, best]: [ExprId; 2],
    moves: &[Move],
    order: Order,
    may_stand: impl Fn(&HashSet<ExprId>, ExprId) -> bool,
) -> Option<Vec<usize>> {
    let mut reached = Predecessors::default();
    reached.insert(start, None);
    let mut frontier = Frontier::from([Reverse((0, Cost::default(), 0, start))]);
    let mut rewritten = 0;
    while let Some(Reverse((distance, _, _, term))) = frontier.pop() {
        let parts = parts(&terms.arena, term);
        for (number, m) in moves.iter().enumerate() {
            if reached.contains_key(&best) {
                return Some(path(&reached, moves, best));
            }
            if reached.len() >= order.limit() || rewritten > MOST_PARTS {
                return None;
            }
            if !may_stand(&parts, m.left) {
                continue;
            }
            rewritten += parts.len();
            let next = replaced(terms, term, m.left, m.right);
            if let Entry::Vacant(place) = reached.entry(next) {
                place.insert(Some((term, number)));
                let distance = distance + usize::from(order == Order::Nearest);
                let cost = terms.cost(next);
                frontier.push(Reverse((distance, cost, reached.len(), next)));
            }
        }
    }
    reached
        .contains_key(&best)
        .then(|| path(&reached, moves, best))
}

/// The term that a term was reached from, and the number of the move.
type Predecessors = FxHashMap<ExprId, Option<(ExprId, usize)>>;

fn path(reached: &Predecessors, moves: &[Move], best: ExprId) -> Vec<usize> {
    let mut firings = Vec::new();
    let mut term = best;
    while let Some(&Some((before, number))) = reached.get(&term) {
        firings.extend(moves[number].firings.iter().rev());
        term = before;
    }
    firings.reverse();
    firings
}

/// Replaces `left` by `right` wherever it occurs in `term`; the result is canonical.
///
/// If `left` does not occur and is a sum, its terms, or a multiple of them, are replaced inside
/// another sum.
pub fn replaced(terms: &mut Terms, term: ExprId, left: ExprId, right: ExprId) -> ExprId {
    let next = terms
        .arena
        .replace(term, &|_, part| (part == left).then_some(right));
    if next != term {
        return terms.canonical(next);
    }
    let next = among_terms(terms, term, [left, right]).unwrap_or(term);
    terms.canonical(next)
}

fn among_terms(terms: &mut Terms, term: ExprId, sides: [ExprId; 2]) -> Option<ExprId> {
    if !matches!(terms.arena.node(sides[0]), Node::Add(_)) {
        return None;
    }
    let [left, right] = sides.map(|side| terms.polynomial(side));
    let (first, number) = left.terms().next()?;
    let (inverse, number) = (first.checked_pow(-1)?, number.recip()?);
    let is_sum = |id: &ExprId| matches!(terms.arena.node(*id), Node::Add(_));
    let mut sums: Vec<ExprId> = parts(&terms.arena, term)
        .into_iter()
        .filter(is_sum)
        .collect();
    sums.sort_unstable();
    for sum in sums {
        let whole = terms.polynomial(sum);
        for (monomial, coefficient) in whole.terms() {
            let Some(monomial) = monomial.checked_mul(&inverse) else {
                continue;
            };
            if monomial.powers().iter().any(|&(_, power)| power < 0) {
                continue;
            }
            let factor = Polynomial::term(monomial, coefficient * &number);
            let own = terms.multiply(&left, &factor);
            let is_there = |own: &Polynomial| {
                let mut own = own.terms();
                own.all(|(m, c)| whole.coefficient(m) == *c)
            };
            let Some(own) = own.filter(is_there) else {
                continue;
            };
            let others = &*whole - &own;
            let next = &others + &terms.multiply(&right, &factor)?;
            let next = terms.expression(&next);
            return Some(
                terms
                    .arena
                    .replace(term, &|_, part| (part == sum).then_some(next)),
            );
        }
    }
    None
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
