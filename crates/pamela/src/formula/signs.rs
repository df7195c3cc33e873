//! Signs as a reader expects them: no minus before what only turns one around.
//!
//! `-t * min(0, h - 1)` is `t * max(0, 1 - h)`, and `-x / (if (c) -1 else -8)` is `x / (if (c) 1 else 8)`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::reachable;
use super::{RED_ZONE, STACK};
use crate::expr::{Arena, ExprId, Node, Sort};
use crate::ring::Rational;

/// `id` with fewer minus signs.
pub(super) fn with_fewer_signs(arena: &mut Arena, id: ExprId) -> ExprId {
    let mut signs = Signs::default();
    for id in reachable(arena, &[id]) {
        let turned = signs.product(arena, id).map(|(_, factor)| factor);
        let operands = arena.operands(id).into_iter();
        signs.kept.extend(operands.filter(|&o| Some(o) != turned));
    }
    signs.turn(arena, id)
}

#[derive(Default)]
struct Signs {
    /// What stands somewhere as it is, and is read more easily where it is the same everywhere.
    kept: FxHashSet<ExprId>,
    done: FxHashMap<ExprId, ExprId>,
}

impl Signs {
    fn turn(&mut self, arena: &mut Arena, id: ExprId) -> ExprId {
        if let Some(&known) = self.done.get(&id) {
            return known;
        }
        let turned = stacker::maybe_grow(RED_ZONE, STACK, || {
            let own = self.product(arena, id).map_or(id, |(product, _)| product);
            arena.map_operands(own, &mut |arena, operand| self.turn(arena, operand))
        });
        self.done.insert(id, turned);
        turned
    }

    /// A product whose number is negative, with a factor in place of which its negative stands; and that factor.
    fn product(&self, arena: &mut Arena, id: ExprId) -> Option<(ExprId, ExprId)> {
        let Node::Mul(factors) = arena.node(id).clone() else {
            return None;
        };
        let negative = arena
            .as_number(*factors.first()?)
            .is_some_and(Rational::is_negative);
        if !negative || arena.sort(id) != Sort::Scalar {
            return None;
        }
        (1..factors.len()).find_map(|position| {
            let turned = factors[position];
            if self.kept.contains(&turned) {
                return None;
            }
            let mut factors = factors.to_vec();
            factors[position] = mirrored_factor(arena, turned)?;
            factors[0] = negated(arena, factors[0]);
            Some((arena.mul(&factors), turned))
        })
    }
}

/// The negative of a choice, or of an odd power of one, where that is what a reader would write.
fn mirrored_factor(arena: &mut Arena, factor: ExprId) -> Option<ExprId> {
    let Node::Pow(base, exponent) = *arena.node(factor) else {
        return mirrored(arena, factor);
    };
    let odd = |power: &Rational| power.to_i64().is_some_and(|power| power % 2 != 0);
    if !arena.as_number(exponent).is_some_and(odd) {
        return None;
    }
    let base = mirrored(arena, base)?;
    Some(arena.pow(base, exponent))
}

fn mirrored(arena: &mut Arena, id: ExprId) -> Option<ExprId> {
    match arena.node(id).clone() {
        Node::Min(list) if is_negative_choice(arena, &list) => {
            let list: Vec<ExprId> = list.iter().map(|&o| negated(arena, o)).collect();
            Some(arena.max(&list))
        }
        Node::If(condition, then, otherwise) => {
            let then = mirrored_branch(arena, then)?;
            let otherwise = mirrored_branch(arena, otherwise)?;
            Some(arena.if_else(condition, then, otherwise))
        }
        _ => None,
    }
}

/// Whether all operands are 0 or end in a minus: `0`, `h - 1`, and not `b`.
fn is_negative_choice(arena: &Arena, list: &[ExprId]) -> bool {
    list.iter()
        .all(|&operand| is_zero(arena, operand) || minuses(arena, operand) > 0)
}

/// The negative of a branch that is 0 or has a minus throughout.
fn mirrored_branch(arena: &mut Arena, id: ExprId) -> Option<ExprId> {
    if let Node::If(..) = arena.node(id) {
        return mirrored(arena, id);
    }
    if is_zero(arena, id) {
        return Some(id);
    }
    let opposite = negated(arena, id);
    (minuses(arena, id) > 0 && minuses(arena, opposite) == 0).then_some(opposite)
}

fn is_zero(arena: &Arena, id: ExprId) -> bool {
    arena.as_number(id).is_some_and(Rational::is_zero)
}

/// The minus signs between the terms of a sum, and before the first.
fn minuses(arena: &Arena, id: ExprId) -> usize {
    match arena.node(id) {
        Node::Number(value) => usize::from(value.is_negative()),
        Node::Mul(factors) => factors
            .first()
            .map_or(0, |&first| minuses_of_number(arena, first)),
        Node::Add(terms) => terms.iter().map(|&term| minuses(arena, term)).sum(),
        _ => 0,
    }
}

fn minuses_of_number(arena: &Arena, id: ExprId) -> usize {
    usize::from(arena.as_number(id).is_some_and(Rational::is_negative))
}

fn negated(arena: &mut Arena, id: ExprId) -> ExprId {
    match arena.node(id).clone() {
        Node::Add(terms) => {
            let terms: Vec<ExprId> = terms.iter().map(|&term| negated(arena, term)).collect();
            arena.add(&terms)
        }
        _ => {
            let minus = arena.number(-1);
            arena.mul(&[minus, id])
        }
    }
}
