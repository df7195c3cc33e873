//! Sums block by block, for bodies that depend on the index through quotients and remainders, also inside brackets,
//! maxima and so on.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Sort};
use crate::ring::Polynomial;

use super::periods::{numeric_period, roundings};
use super::rounding_sums::{Rounded, reversed, rounded};
use super::{Loop, at_most, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

/// Roundings by one divisor are combined if their arguments differ by at most this number.
const FARTHEST: i64 = 1;

/// `(i + shift) div divisor` is the block of an index, `(i + shift) mod divisor` its place there.
struct Grid {
    divisor: Polynomial,
    shift: Polynomial,
    /// The roundings of the body, each with how many places it is ahead of the grid.
    parts: Vec<(Rounded, i64)>,
}

/// `sum (i = a, b) { f(i) }` as a sum over whole blocks of P elements, plus a rest.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    by_blocks(scope, &parts).into_iter().collect()
}

fn by_blocks(scope: &mut Scope, parts: &Loop) -> Option<Candidate> {
    let grid = recognise(scope, parts)?;
    let terms = &mut scope.terms;
    if grid.parts[0].0.grid.mirrored {
        return reversed(terms, parts);
    }
    let one = Polynomial::one();
    let start = &parts.lower + &grid.shift;
    let mut count = &(&parts.upper + &grid.shift) + &one;
    let mut guards = parts.sum_guards(terms);
    guards.push(integral(terms, &start));
    guards.push(integral(terms, &grid.divisor));
    let mut sum = Vec::new();
    if start == -&one {
        sum.push(first_element(terms, parts));
        count = at_least_zero(scope, &count);
    } else if start == one {
        let zero = scope.terms.arena.number(0);
        let before = grid.body_at(&mut scope.terms, parts, zero, zero);
        sum.push(scope.terms.arena.negate(before));
    } else if !start.is_zero() {
        let before = grid.sum_before(&mut scope.terms, parts, &start);
        sum.push(scope.terms.arena.negate(before));
        guards.push(at_most(&mut scope.terms, &Polynomial::zero(), &start));
    }
    sum.push(grid.sum_before(&mut scope.terms, parts, &count));
    Some(Candidate {
        right: scope.terms.arena.add(&sum),
        guards,
    })
}

/// The first element, where there is one.
fn first_element(terms: &mut Terms, parts: &Loop) -> ExprId {
    let r = parts.reduction;
    let first = terms.arena.substitute(r.body, r.index, r.lower);
    let nonempty = parts.nonempty(terms);
    terms.arena.mul(&[nonempty, first])
}

fn at_least_zero(scope: &mut Scope, count: &Polynomial) -> Polynomial {
    if scope.prover.nonnegative(&mut scope.terms, count) {
        return count.clone();
    }
    let terms = &mut scope.terms;
    let operands = [terms.expression(count), terms.arena.number(0)];
    let clamped = terms.arena.max(&operands);
    (*terms.polynomial(clamped)).clone()
}

/// The one grid of all roundings that depend on the index, where some stand inside of something else.
fn recognise(scope: &mut Scope, parts: &Loop) -> Option<Grid> {
    let terms = &mut scope.terms;
    if terms.arena.sort(parts.reduction.body) == Sort::Vector {
        return None;
    }
    let mut found: Vec<Rounded> = Vec::new();
    for id in roundings(terms, parts) {
        if !of_quotients_alone(terms, parts, id) {
            found.push(rounded(terms, parts, id)?);
        }
    }
    let first = &found.first()?.grid;
    let same =
        |part: &Rounded| part.grid.divisor == first.divisor && part.grid.mirrored == first.mirrored;
    if !found.iter().all(same) || !is_inside(terms, parts, &found) {
        return None;
    }
    let outside = [
        terms.expression(&first.divisor),
        terms.expression(&first.shift),
    ];
    let bound_within = outside.iter().any(|&id| {
        let own = parts.reduction;
        let body = terms.arena.free(own.body);
        terms
            .arena
            .free(id)
            .iter()
            .any(|symbol| !body.contains(symbol))
    });
    // Residue by residue, everything is linear.
    let periodic = found.len() > 1 || found[0].quotient.is_some();
    if bound_within || periodic && numeric_period(scope, parts).is_some() {
        return None;
    }
    arranged(found)
}

/// True if a rounding is one of quotients alone: it is the same for a whole block.
fn of_quotients_alone(terms: &mut Terms, parts: &Loop, id: ExprId) -> bool {
    let Node::Mod(dividend, modulus) = *terms.arena.node(id) else {
        return false;
    };
    let atoms = terms.polynomial(dividend).atoms();
    let is_quotient = |atom| {
        let id = expr_of(atom);
        !parts.depends(&terms.arena, id)
            || matches!(terms.arena.node(id), Node::Apply(Function::Floor, _))
    };
    !parts.depends(&terms.arena, modulus) && atoms.into_iter().all(is_quotient)
}

/// The roundings with their distances from the one that is furthest behind.
fn arranged(found: Vec<Rounded>) -> Option<Grid> {
    let first = found[0].grid.shift.clone();
    let distances: Option<Vec<i64>> = found
        .iter()
        .map(|part| (&part.grid.shift - &first).as_constant()?.to_i64())
        .collect();
    let distances = distances?;
    let least = *distances.iter().min()?;
    if distances.iter().any(|d| d - least > FARTHEST) {
        return None;
    }
    Some(Grid {
        divisor: found[0].grid.divisor.clone(),
        shift: &first + &Polynomial::from(least),
        parts: found
            .into_iter()
            .zip(distances)
            .map(|(part, distance)| (part, distance - least))
            .collect(),
    })
}

/// True if the body is no polynomial in the index and the roundings.
fn is_inside(terms: &mut Terms, parts: &Loop, found: &[Rounded]) -> bool {
    parts.body.atoms().into_iter().any(|atom| {
        let id = expr_of(atom);
        let other = atom != parts.index && !found.iter().any(|part| part.atom == id);
        other && parts.depends(&terms.arena, id)
    })
}

impl Grid {
    /// The body at a place of a block.
    fn body_at(&self, terms: &mut Terms, parts: &Loop, block: ExprId, place: ExprId) -> ExprId {
        let divisor = terms.expression(&self.divisor);
        let values: Vec<(ExprId, ExprId)> = self
            .parts
            .iter()
            .map(|(part, ahead)| {
                let next = self.wraps(terms, place, *ahead);
                let arena = &mut terms.arena;
                let value = match part.quotient {
                    Some(more) => {
                        let more = arena.number(more);
                        arena.add(&[block, more, next])
                    }
                    None => {
                        let (ahead, round) = (arena.number(*ahead), arena.mul(&[divisor, next]));
                        let place = arena.add(&[place, ahead]);
                        arena.subtract(place, round)
                    }
                };
                (part.atom, value)
            })
            .collect();
        let body = terms.arena.replace(parts.reduction.body, &|_, id| {
            values
                .iter()
                .find(|(part, _)| *part == id)
                .map(|(_, value)| *value)
        });
        let shift = terms.expression(&-&self.shift);
        let start = terms.arena.mul(&[divisor, block]);
        let position = terms.arena.add(&[start, place, shift]);
        let body = terms
            .arena
            .substitute(body, parts.reduction.index, position);
        terms.canonical(body)
    }

    /// The truth value that the position `ahead` after `place` lies in the next block.
    fn wraps(&self, terms: &mut Terms, place: ExprId, ahead: i64) -> ExprId {
        if ahead == 0 {
            return terms.arena.number(0);
        }
        let divisor = terms.expression(&self.divisor);
        let ahead = terms.arena.number(ahead);
        let further = terms.arena.add(&[place, ahead]);
        terms.arena.relate(Relation::LessEqual, divisor, further)
    }

    /// The sum over the first `count` places: whole blocks, and the rest of one.
    fn sum_before(&self, terms: &mut Terms, parts: &Loop, count: &Polynomial) -> ExprId {
        let [block, place] = [(); 2].map(|()| terms.arena.fresh_index());
        let (count, divisor) = (terms.expression(count), terms.expression(&self.divisor));
        let full = terms.arena.floor_divide(count, divisor);
        let rest = terms.arena.modulo(count, divisor);
        let (zero, minus_one) = (terms.arena.number(0), terms.arena.number(-1));
        let [block_term, place_term] = [block, place].map(|index| terms.arena.symbol(index));
        let [last_place, last_block, last_rest] =
            [divisor, full, rest].map(|n| terms.arena.add(&[n, minus_one]));
        let of_block = self.body_at(terms, parts, block_term, place_term);
        let arena = &mut terms.arena;
        let of_block = arena.reduce(ReduceKind::Sum, place, zero, last_place, of_block);
        let blocks = arena.reduce(ReduceKind::Sum, block, zero, last_block, of_block);
        let of_rest = self.body_at(terms, parts, full, place_term);
        let arena = &mut terms.arena;
        let rest = arena.reduce(ReduceKind::Sum, place, zero, last_rest, of_rest);
        arena.add(&[blocks, rest])
    }
}
