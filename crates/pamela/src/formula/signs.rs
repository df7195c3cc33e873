//! Signs as a reader expects them: no minus before what only turns one around.
//!
//! `-t * min(0, h - 1)` is `t * max(0, 1 - h)`, and `-x / (if (c) -1 else -8)` is `x / (if (c) 1 else 8)`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::reachable;
use crate::expr::{Arena, ExprId, Node, Sort};
use crate::ring::Rational;
use crate::with_stack;

/// Signs of larger products are left as they are.
const MOST_NODES: u32 = 200;

/// `id` with fewer minus signs.
pub(super) fn with_fewer_signs(arena: &mut Arena, id: ExprId) -> ExprId {
    let mut signs = Signs::default();
    for id in reachable(arena, &[id]) {
        let turned = signs.product(arena, id).map(|(_, factor)| factor);
        let operands = arena.operands(id).into_iter();
        signs.kept.extend(operands.filter(|&o| Some(o) != turned));
    }
    signs.turn(arena, id, false)
}

#[derive(Default)]
struct Signs {
    /// What stands somewhere as it is, and is read more easily where it is the same everywhere.
    kept: FxHashSet<ExprId>,
    /// By whether it is a term of a sum, which has its minus there.
    done: FxHashMap<(ExprId, bool), ExprId>,
}

impl Signs {
    fn turn(&mut self, arena: &mut Arena, id: ExprId, is_term: bool) -> ExprId {
        if let Some(&known) = self.done.get(&(id, is_term)) {
            return known;
        }
        let turned = with_stack(|| {
            let own = self.product(arena, id).map_or(id, |(product, _)| product);
            let own = with_sums_turned(arena, own, is_term).unwrap_or(own);
            let is_sum = matches!(arena.node(own), Node::Add(_));
            arena.map_operands(own, &mut |arena, operand| self.turn(arena, operand, is_sum))
        });
        self.done.insert((id, is_term), turned);
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

/// A product with the negative of a sum in place of its minus, or with those of two sums, where that leaves fewer signs:
/// `-1 / (a - 1)` is `1 / (1 - a)`, and `(a - 1) / (a - 1 - b)` is `(1 - a) / (1 - a + b)`.
fn with_sums_turned(arena: &mut Arena, id: ExprId, is_term: bool) -> Option<ExprId> {
    let Node::Mul(factors) = arena.node(id).clone() else {
        return None;
    };
    if arena.size(id) > MOST_NODES || arena.sort(id) != Sort::Scalar {
        return None;
    }
    let mut turned = turned_sums(arena, &factors);
    turned.sort_by_key(|&(position, _, gain)| (-gain, position));
    let mut factors = factors.to_vec();
    if minuses(arena, id) > 0 {
        let &(one, factor, gain) = turned.first()?;
        if is_term || gain < 0 {
            return None;
        }
        factors[one] = factor;
        factors[0] = negated(arena, factors[0]);
        return Some(arena.mul(&factors));
    }
    let [(one, first, gain), (other, second, further), ..] = *turned else {
        return None;
    };
    if gain + further <= 0 {
        return None;
    }
    (factors[one], factors[other]) = (first, second);
    Some(arena.mul(&factors))
}

/// The sums among factors, and odd powers of sums: where they stand, their negatives, and how many signs less these have.
fn turned_sums(arena: &mut Arena, factors: &[ExprId]) -> Vec<(usize, ExprId, isize)> {
    let mut turned = Vec::new();
    for (position, &factor) in factors.iter().enumerate() {
        let (base, exponent) = match *arena.node(factor) {
            Node::Pow(base, exponent) => (base, Some(exponent)),
            _ => (factor, None),
        };
        let odd = exponent.is_none_or(|exponent| is_odd(arena, exponent));
        if !odd || !is_plain_sum(arena, base) {
            continue;
        }
        let opposite = opposite(arena, base);
        let gain = inner_minuses(arena, base) as isize - inner_minuses(arena, opposite) as isize;
        let factor = match exponent {
            Some(exponent) => arena.pow(opposite, exponent),
            None => opposite,
        };
        turned.push((position, factor, gain));
    }
    turned
}

/// A sum without a bracket behind a minus, which the negative would be without.
fn is_plain_sum(arena: &Arena, id: ExprId) -> bool {
    let Node::Add(terms) = arena.node(id) else {
        return false;
    };
    let bracket = |&term: &ExprId| match arena.node(term) {
        Node::Mul(factors) => factors.len() == 2 && matches!(arena.node(factors[1]), Node::Add(_)),
        _ => false,
    };
    !terms.iter().any(bracket)
}

/// The negative of a sum; of its terms, sums that are factors are turned where that costs no sign.
fn opposite(arena: &mut Arena, sum: ExprId) -> ExprId {
    let Node::Add(terms) = arena.node(sum).clone() else {
        return negated(arena, sum);
    };
    let mut turned = Vec::with_capacity(terms.len());
    for &term in &terms {
        turned.push(turned_term(arena, term).unwrap_or_else(|| negated(arena, term)));
    }
    arena.add(&turned)
}

fn turned_term(arena: &mut Arena, term: ExprId) -> Option<ExprId> {
    let Node::Mul(factors) = arena.node(term).clone() else {
        return None;
    };
    if minuses(arena, term) > 0 {
        return None;
    }
    (0..factors.len()).find_map(|position| {
        let factor = factors[position];
        let Node::Add(_) = arena.node(factor) else {
            return None;
        };
        let opposite = opposite(arena, factor);
        if inner_minuses(arena, opposite) > inner_minuses(arena, factor) {
            return None;
        }
        let mut factors = factors.to_vec();
        factors[position] = opposite;
        Some(arena.mul(&factors))
    })
}

/// The minus signs of a sum, and of the sums that are factors of its terms.
fn inner_minuses(arena: &Arena, id: ExprId) -> usize {
    match arena.node(id) {
        Node::Add(terms) => terms.iter().map(|&term| inner_minuses(arena, term)).sum(),
        Node::Mul(factors) => {
            let sums = factors.iter();
            let sums = sums.filter(|&&factor| matches!(arena.node(factor), Node::Add(_)));
            let inner: usize = sums.map(|&sum| inner_minuses(arena, sum)).sum();
            minuses(arena, id) + inner
        }
        _ => minuses(arena, id),
    }
}

/// The negative of a choice, or of an odd power of one, where that is what a reader would write.
fn mirrored_factor(arena: &mut Arena, factor: ExprId) -> Option<ExprId> {
    let Node::Pow(base, exponent) = *arena.node(factor) else {
        return mirrored(arena, factor);
    };
    if !is_odd(arena, exponent) {
        return None;
    }
    let base = mirrored(arena, base)?;
    Some(arena.pow(base, exponent))
}

fn is_odd(arena: &Arena, exponent: ExprId) -> bool {
    let odd = |power: &Rational| power.to_i64().is_some_and(|power| power % 2 != 0);
    arena.as_number(exponent).is_some_and(odd)
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
