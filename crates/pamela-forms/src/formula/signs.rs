//! Removes minus signs that only turn a difference around.
//!
//! `-t * min(0, h - 1)` becomes `t * max(0, 1 - h)`, and `-x / (if (c) -1 else -8)` becomes
//! `x / (if (c) 1 else 8)`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::reachable;
use super::shares::Shares;
use crate::expr::{Arena, ExprId, Function, Node, Sort};
use crate::ring::Rational;
use crate::with_stack;

/// Signs of larger products are left as they are.
const MOST_NODES: u32 = 200;

/// Returns `id` with fewer minus signs.
pub(super) fn with_fewer_signs(arena: &mut Arena, id: ExprId, shares: &Shares) -> ExprId {
    let mut signs = Signs {
        shares,
        kept: FxHashSet::default(),
        shared: FxHashSet::default(),
        done: FxHashMap::default(),
    };
    let mut seen = FxHashSet::default();
    for id in reachable(arena, &[id]) {
        let turned = signs.product(arena, id).map(|(_, factor)| factor);
        let operands = arena.operands(id).into_iter();
        signs.kept.extend(operands.filter(|&o| Some(o) != turned));
        let own: FxHashSet<ExprId> = arena.operands(id).into_iter().collect();
        let again = own.into_iter().filter(|&operand| !seen.insert(operand));
        signs.shared.extend(again);
    }
    signs.turn(arena, id, false)
}

struct Signs<'a> {
    shares: &'a Shares,
    /// Expressions that stay unchanged, because they occur unchanged elsewhere.
    kept: FxHashSet<ExprId>,
    /// Expressions that occur more than once.
    shared: FxHashSet<ExprId>,
    /// Cache of results; the flag says if the expression is a term of a sum, which carries its
    /// minus there.
    done: FxHashMap<(ExprId, bool), ExprId>,
}

impl Signs<'_> {
    fn turn(&mut self, arena: &mut Arena, id: ExprId, is_term: bool) -> ExprId {
        if let Some(&known) = self.done.get(&(id, is_term)) {
            return known;
        }
        let turned = with_stack(|| {
            let own = self.product(arena, id).map_or(id, |(product, _)| product);
            let own = self.with_sums_turned(arena, own, is_term).unwrap_or(own);
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

/// Negatives of sums, and how many signs they have.
impl Signs<'_> {
    /// A product with the negative of a sum in place of its minus, or with those of two sums, where that leaves fewer
    /// signs: `-1 / (a - 1)` is `1 / (1 - a)`, and `(a - 1) / (a - 1 - b)` is `(1 - a) / (1 - a + b)`. A choice has its
    /// minus inside, `max(-1, floor(-x))`, also if that leaves equally many.
    fn with_sums_turned(&self, arena: &mut Arena, id: ExprId, is_term: bool) -> Option<ExprId> {
        let factors = match arena.node(id) {
            Node::Mul(factors) => factors.to_vec(),
            Node::Pow(..) => vec![id],
            _ => return None,
        };
        if arena.size(id) > MOST_NODES || arena.sort(id) != Sort::Scalar {
            return None;
        }
        let mut factors: Vec<ExprId> = factors.iter().map(|&f| self.even(arena, f)).collect();
        let mut turned = self.turned_factors(arena, &factors);
        turned.sort_by_key(|&(position, _, gain)| (-gain, position));
        if minuses(arena, id) > 0 {
            if let Some(&(one, factor, gain)) = turned.first()
                && (gain > 0 || !is_term && (gain == 0 || gain == -1 && is_choice(arena, factor)))
            {
                factors[one] = factor;
                factors[0] = negated(arena, factors[0]);
            }
        } else if let [(one, first, gain), (other, second, further), ..] = *turned
            && gain + further > 0
        {
            (factors[one], factors[other]) = (first, second);
        }
        Some(arena.mul(&factors))
    }

    /// An even power whose base is not backward.
    fn even(&self, arena: &mut Arena, factor: ExprId) -> ExprId {
        let Node::Pow(base, exponent) = *arena.node(factor) else {
            return factor;
        };
        let even = |power: &Rational| power.to_i64().is_some_and(|power| power % 2 == 0);
        if !arena.as_number(exponent).is_some_and(even) {
            return factor;
        }
        let backward = match arena.node(base) {
            Node::Add(terms) => self.shares.is_backward(arena, terms) || self.falls(arena, terms),
            _ => false,
        };
        if backward {
            let opposite = negated(arena, base);
            arena.pow(opposite, exponent)
        } else {
            factor
        }
    }

    /// True if a variable from 0 to 1 occurs in the minuend of a difference and not in the subtrahend, as in the
    /// negative of a variance: `3*p*(a + b)^2 - 4*(a^2 + a*b + b^2)`.
    fn falls(&self, arena: &Arena, terms: &[ExprId]) -> bool {
        let has_share = |&term: &ExprId| match arena.node(term) {
            Node::Mul(factors) => factors.iter().any(|factor| self.shares.has(arena, *factor)),
            _ => self.shares.has(arena, term),
        };
        let (below, above): (Vec<ExprId>, Vec<ExprId>) =
            terms.iter().partition(|&&term| minuses(arena, term) > 0);
        !below.is_empty()
            && !above.is_empty()
            && above.iter().all(has_share)
            && !below.iter().any(has_share)
    }

    /// The sums and choices among factors, and odd powers of them: where they stand, their negatives, and how many signs
    /// less these have.
    fn turned_factors(&self, arena: &mut Arena, factors: &[ExprId]) -> Vec<(usize, ExprId, isize)> {
        let mut turned = Vec::new();
        for (position, &factor) in factors.iter().enumerate() {
            let (base, exponent) = match *arena.node(factor) {
                Node::Pow(base, exponent) => (base, Some(exponent)),
                _ => (factor, None),
            };
            let odd = exponent.is_none_or(|exponent| is_odd(arena, exponent));
            let Some((opposite, gain)) = self.opposite(arena, base).filter(|_| odd) else {
                continue;
            };
            if gain <= 0 && self.shared.contains(&base) && !is_plain_sum(arena, base) {
                continue;
            }
            let factor = match exponent {
                Some(exponent) => arena.pow(opposite, exponent),
                None => opposite,
            };
            turned.push((position, factor, gain));
        }
        turned
    }

    /// The negative of a sum or a choice, and by how many its minus signs decrease; `None` for other terms.
    fn opposite(&self, arena: &mut Arena, id: ExprId) -> Option<(ExprId, isize)> {
        let opposite = match arena.node(id).clone() {
            Node::Add(_) if !is_plain_sum(arena, id) => return None,
            Node::Add(terms) => {
                let mut turned = Vec::with_capacity(terms.len());
                for &term in &terms {
                    let better = self.turned_term(arena, term);
                    turned.push(better.unwrap_or_else(|| negated(arena, term)));
                }
                arena.add(&turned)
            }
            Node::Min(list) => {
                let list = self.all_turned(arena, &list)?;
                arena.max(&list)
            }
            Node::Apply(function @ (Function::Floor | Function::Ceil), inner) => {
                self.turned_rounding(arena, function, inner)?
            }
            _ => return None,
        };
        let gain = self.inner_minuses(arena, id) as isize;
        Some((
            opposite,
            gain - self.inner_minuses(arena, opposite) as isize,
        ))
    }

    fn all_turned(&self, arena: &mut Arena, list: &[ExprId]) -> Option<Vec<ExprId>> {
        let mut turned = Vec::with_capacity(list.len());
        for &operand in list {
            turned.push(match arena.node(operand) {
                Node::Add(_) => self.opposite(arena, operand)?.0,
                Node::Number(_) => negated(arena, operand),
                Node::Apply(Function::Floor | Function::Ceil, _) => {
                    self.opposite(arena, operand)?.0
                }
                _ if minuses(arena, operand) > 0 => negated(arena, operand),
                _ => self.turned_term(arena, operand)?,
            });
        }
        Some(turned)
    }

    /// `-ceil(x)` is `floor(-x)`.
    fn turned_rounding(
        &self,
        arena: &mut Arena,
        function: Function,
        inner: ExprId,
    ) -> Option<ExprId> {
        let opposite = match function {
            Function::Floor => Function::Ceil,
            _ => Function::Floor,
        };
        let inner = match self.opposite(arena, inner) {
            Some((inner, _)) => inner,
            None => self.turned_term(arena, inner)?,
        };
        Some(arena.apply(opposite, inner))
    }

    /// The negative of a term, of which a factor is turned where that costs no sign.
    fn turned_term(&self, arena: &mut Arena, term: ExprId) -> Option<ExprId> {
        let Node::Mul(factors) = arena.node(term).clone() else {
            return None;
        };
        if minuses(arena, term) > 0 {
            return None;
        }
        (0..factors.len()).find_map(|position| {
            let (opposite, gain) = self.opposite(arena, factors[position])?;
            if gain < 0 {
                return None;
            }
            let mut factors = factors.to_vec();
            factors[position] = opposite;
            Some(arena.mul(&factors))
        })
    }

    /// The minus signs of a sum, and of the sums that are factors of its terms; one more for each that is backward.
    fn inner_minuses(&self, arena: &Arena, id: ExprId) -> usize {
        let all = |list: &[ExprId]| list.iter().map(|&id| self.inner_minuses(arena, id)).sum();
        match arena.node(id) {
            Node::Add(terms) => {
                let inner: usize = all(terms);
                inner + usize::from(self.shares.is_backward(arena, terms))
            }
            // A number is as easily read with a minus.
            Node::Min(list) | Node::Max(list) => {
                let others = list
                    .iter()
                    .filter(|&&operand| arena.as_number(operand).is_none());
                others
                    .map(|&operand| self.inner_minuses(arena, operand))
                    .sum()
            }
            Node::Apply(Function::Floor | Function::Ceil, inner) => {
                self.inner_minuses(arena, *inner)
            }
            Node::Mul(factors) => {
                let inner = |id: ExprId| {
                    matches!(
                        arena.node(id),
                        Node::Add(_)
                            | Node::Min(_)
                            | Node::Max(_)
                            | Node::Apply(Function::Floor | Function::Ceil, _)
                    )
                };
                let inner = factors.iter().filter(|&&factor| inner(factor));
                let inner: usize = inner.map(|&sum| self.inner_minuses(arena, sum)).sum();
                minuses(arena, id) + inner
            }
            _ => minuses(arena, id),
        }
    }
}

fn is_choice(arena: &Arena, id: ExprId) -> bool {
    matches!(arena.node(id), Node::Min(_) | Node::Max(_))
}

/// A sum without a bracket behind a minus, which the negative would be without.
fn is_plain_sum(arena: &Arena, id: ExprId) -> bool {
    let Node::Add(terms) = arena.node(id) else {
        return false;
    };
    let bracket = |&term: &ExprId| match arena.node(term) {
        Node::Mul(factors) => {
            let number = arena.as_number(factors[0]).is_some();
            number && factors.len() == 2 && matches!(arena.node(factors[1]), Node::Add(_))
        }
        _ => false,
    };
    !terms.iter().any(bracket)
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

/// True if all operands are 0 or end in a minus: `0`, `h - 1`, and not `b`.
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

pub(super) fn is_zero(arena: &Arena, id: ExprId) -> bool {
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
