//! The busiest owner where demands change with the index: dealt out in blocks, in strides, or from the other end.
//!
//! Where demands never rise, the first owner has the greatest of each round; where they never fall, that of the last
//! whole block has, or that of the block which is cut.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Monomial, Polynomial};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, atom_of};
use super::digits::{Span, common_divisor, remainder};
use super::monotone::{Direction, direction};
use super::vectors::{by_rounds, linear, nonnegative, only_loop, reciprocal};
use super::{compare, integral};

/// Strides beyond this have too many divisors to look at.
const LARGEST_STRIDE: i64 = 1_000;

/// Positions `(s*i + c) mod P` for a number s: so many of them that have no divisor with P in common are met in turn.
pub fn strided(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_strides(scope, term).into_iter().collect()
}

fn by_strides(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, index, ..) = only_loop(scope, term)?;
    let amount = scope.terms.expression(&demand.amount);
    let moves = direction(scope, amount, index)?;
    let terms = &mut scope.terms;
    let span = Span::of(terms, index)?;
    let (dividend, modulus) = remainder(terms, demand.position)?;
    let (slope, _) = linear(terms, dividend, index)?;
    let stride = slope.as_constant()?.to_i64()?.checked_abs()?;
    if !(2..=LARGEST_STRIDE).contains(&stride) || terms.mentions(modulus, index) {
        return None;
    }
    let common = common_divisor(terms, stride, modulus);
    let n = terms.expression(&span.count);
    let arena = &mut terms.arena;
    let shares = arena.mul(&[n, common]);
    let shares = arena.divide(shares, modulus);
    let rounds = arena.apply(Function::Ceil, shares);
    let step = arena.divide(modulus, common);
    let step = (*terms.polynomial(step)).clone();
    let right = match moves {
        Direction::Constant => terms.arena.mul(&[amount, rounds]),
        Direction::Rising => by_rounds(terms, (amount, index), rounds, &span.upper, &-&step),
        Direction::Falling => by_rounds(terms, (amount, index), rounds, &span.lower, &step),
    };
    let modulus = (*terms.polynomial(modulus)).clone();
    let mut guards = span.guards(terms).to_vec();
    guards.push(integral(terms, &modulus));
    guards.push(nonnegative(terms, &demand.amount));
    Some(Candidate { right, guards })
}

/// Positions `(i + c) div B` from the middle of a block: the first block has what is left of it, the next one is full,
/// or has all that is left.
pub fn block_window(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_window(scope, term).into_iter().collect()
}

fn by_window(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, index, ..) = only_loop(scope, term)?;
    let terms = &mut scope.terms;
    let Node::Apply(Function::Floor, operand) = *terms.arena.node(demand.position) else {
        return None;
    };
    if terms.polynomial_mentions(&demand.amount, index) {
        return None;
    }
    let span = Span::of(terms, index)?;
    let (slope, offset) = linear(terms, operand, index)?;
    let size = reciprocal(terms, &slope)?;
    let start = terms.multiply(&span.lower, &slope)?;
    let blocks = &start + &offset;
    let start = terms.multiply(&blocks, &size)?;
    let aligned = integral(terms, &blocks);
    if scope.holds(aligned) {
        return None;
    }
    let terms = &mut scope.terms;
    let [n, size_term, start_term] = [&span.count, &size, &start].map(|p| terms.expression(p));
    let arena = &mut terms.arena;
    let before = arena.modulo(start_term, size_term);
    let first = arena.subtract(size_term, before);
    let after = arena.subtract(n, first);
    let [first, next] = [arena.min(&[n, first]), arena.min(&[size_term, after])];
    let met = arena.max(&[first, next]);
    let amount = terms.expression(&demand.amount);
    let right = terms.arena.mul(&[amount, met]);
    let mut guards = span.guards(terms).to_vec();
    guards.extend([integral(terms, &start), integral(terms, &size)]);
    guards.push(compare(terms, Relation::Less, &Polynomial::zero(), &size));
    guards.push(nonnegative(terms, &demand.amount));
    Some(Candidate { right, guards })
}

/// Positions `(i + c) div B mod P` from the start of a block, by demands that never rise, or never fall.
pub fn weighted_blocks(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_weights(scope, term).into_iter().collect()
}

/// `k` whole blocks of `size` demands and `rest` further ones, for `owners` in turn.
struct Blocks {
    first: ExprId,
    size: ExprId,
    owners: ExprId,
    k: ExprId,
    rest: ExprId,
}

fn by_weights(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, index, ..) = only_loop(scope, term)?;
    let amount = scope.terms.expression(&demand.amount);
    let moves = direction(scope, amount, index)?;
    let terms = &mut scope.terms;
    let (blocks, owners) = remainder(terms, demand.position)?;
    let Node::Apply(Function::Floor, operand) = *terms.arena.node(blocks) else {
        return None;
    };
    if moves == Direction::Constant || terms.mentions(owners, index) {
        return None;
    }
    let span = Span::of(terms, index)?;
    let (slope, offset) = linear(terms, operand, index)?;
    let size = reciprocal(terms, &slope)?;
    let start = terms.multiply(&span.lower, &slope)?;
    let aligned = integral(terms, &(&start + &offset));
    if !scope.holds(aligned) {
        return None;
    }
    let terms = &mut scope.terms;
    let [n, first, size_term] = [&span.count, &span.lower, &size].map(|p| terms.expression(p));
    let blocks = Blocks {
        first,
        size: size_term,
        owners,
        k: terms.arena.floor_divide(n, size_term),
        rest: terms.arena.modulo(n, size_term),
    };
    let at = &mut |terms: &mut Terms, position| terms.arena.substitute(amount, index, position);
    let right = match moves {
        Direction::Rising => blocks.of_last(terms, at),
        _ => blocks.of_first(terms, n, at),
    };
    let owners = (*terms.polynomial(owners)).clone();
    let mut guards = span.guards(terms).to_vec();
    guards.extend([integral(terms, &size), integral(terms, &owners)]);
    guards.push(compare(terms, Relation::Less, &Polynomial::zero(), &size));
    guards.push(compare(terms, Relation::Less, &Polynomial::zero(), &owners));
    guards.push(nonnegative(terms, &demand.amount));
    Some(Candidate { right, guards })
}

/// A demand by its index.
type At<'a> = dyn FnMut(&mut Terms, ExprId) -> ExprId + 'a;

impl Blocks {
    /// What the first owner has: whole rounds, and what it has of the last one.
    fn of_first(&self, terms: &mut Terms, n: ExprId, at: &mut At) -> ExprId {
        let round = terms.arena.mul(&[self.size, self.owners]);
        let rounds = terms.arena.floor_divide(n, round);
        let left = terms.arena.modulo(n, round);
        let left = terms.arena.min(&[self.size, left]);
        let whole = self.rounds(terms, [0, 1], [0, 0], rounds, at);
        let done = terms.arena.mul(&[rounds, round]);
        let cut = self.run(terms, done, left, at);
        terms.arena.add(&[whole, cut])
    }

    /// The greater of what the owners of the last whole block and of the block that is cut have.
    fn of_last(&self, terms: &mut Terms, at: &mut At) -> ExprId {
        let rounds = terms.arena.divide(self.k, self.owners);
        let rounds = terms.arena.apply(Function::Ceil, rounds);
        let last = self.rounds(terms, [1, -1], [-1, 0], rounds, at);
        let before = terms.arena.floor_divide(self.k, self.owners);
        let of_cut = self.rounds(terms, [1, -1], [0, -1], before, at);
        let done = terms.arena.mul(&[self.k, self.size]);
        let cut = self.run(terms, done, self.rest, at);
        let of_cut = terms.arena.add(&[of_cut, cut]);
        terms.arena.max(&[last, of_cut])
    }

    /// The demands of the whole blocks `from*k + more + (m + later)*step*P` for `m` in `0..rounds`, with
    /// `[from, step]` and `[more, later * step]`.
    fn rounds(
        &self,
        terms: &mut Terms,
        [from, step]: [i64; 2],
        [more, later]: [i64; 2],
        rounds: ExprId,
        at: &mut At,
    ) -> ExprId {
        let round = terms.arena.fresh_index();
        let arena = &mut terms.arena;
        let [from, step, more, later] = [from, step, more, later].map(|n| arena.number(n));
        let round_term = arena.symbol(round);
        let turns = arena.mul(&[step, round_term]);
        let turns = arena.add(&[turns, later]);
        let turns = arena.mul(&[turns, self.owners]);
        let block = arena.mul(&[from, self.k]);
        let block = arena.add(&[block, more, turns]);
        let done = arena.mul(&[block, self.size]);
        let body = self.run(terms, done, self.size, at);
        let arena = &mut terms.arena;
        let (zero, minus_one) = (arena.number(0), arena.number(-1));
        let last = arena.add(&[rounds, minus_one]);
        arena.reduce(ReduceKind::Sum, round, zero, last, body)
    }

    /// `count` demands from the one after `done` others.
    fn run(&self, terms: &mut Terms, done: ExprId, count: ExprId, at: &mut At) -> ExprId {
        let place = terms.arena.fresh_index();
        let place_term = terms.arena.symbol(place);
        let position = terms.arena.add(&[self.first, done, place_term]);
        let body = at(terms, position);
        let body = terms.canonical(body);
        let arena = &mut terms.arena;
        let (zero, minus_one) = (arena.number(0), arena.number(-1));
        let last = arena.add(&[count, minus_one]);
        arena.reduce(ReduceKind::Sum, place, zero, last, body)
    }
}

/// Positions `(c - i) div B` and what is made of them run against the index: the range is taken from its other end.
pub fn reversed(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    from_the_end(scope, term).into_iter().collect()
}

fn from_the_end(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, index, lower, upper) = only_loop(scope, term)?;
    let terms = &mut scope.terms;
    let mut rounding = demand.position;
    if let Some((dividend, _)) = remainder(terms, rounding) {
        rounding = dividend;
    }
    let Node::Apply(Function::Floor | Function::Ceil, operand) = *terms.arena.node(rounding) else {
        return None;
    };
    let (slope, _) = linear(terms, operand, index)?;
    let falls = slope.as_term().is_some_and(|(_, c)| c.is_negative());
    if !falls {
        return None;
    }
    let symbol = terms.arena.symbol(index);
    let opposite =
        &(&lower + &upper) - &Polynomial::term(Monomial::power(atom_of(symbol), 1), 1.into());
    let opposite = terms.expression(&opposite);
    let amount = terms.expression(&demand.amount);
    let [amount, position] =
        [amount, demand.position].map(|part| terms.arena.substitute(part, index, opposite));
    let unit = terms.arena.unit_vector(demand.array, position);
    let body = terms.arena.mul(&[amount, unit]);
    let body = terms.canonical(body);
    let guards = vec![integral(terms, &(&upper - &lower))];
    let (lower, upper) = (terms.expression(&lower), terms.expression(&upper));
    let vector = terms
        .arena
        .reduce(ReduceKind::Sum, index, lower, upper, body);
    let right = terms.arena.vector_max(vector);
    Some(Candidate { right, guards })
}
