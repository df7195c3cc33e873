//! Parameters whose bounds decide how differences are written.

use rustc_hash::FxHashSet;

use crate::expr::{Arena, ExprId, Node, Relation};
use crate::ring::Rational;

/// Parameters that are at most 1, at least 1, or positive.
///
/// Readers expect `1 - h` for a probability and `N - 1` for a count. Positive parameters cancel.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    shares: FxHashSet<ExprId>,
    counts: FxHashSet<ExprId>,
    positive: FxHashSet<ExprId>,
}

impl Shares {
    /// Collects the parameters from facts.
    pub fn of(arena: &Arena, facts: &[ExprId]) -> Shares {
        let mut found = Shares::default();
        for &fact in facts {
            let Node::Compare(Relation::Less | Relation::LessEqual, left, right) =
                *arena.node(fact)
            else {
                continue;
            };
            let is_symbol = |id: ExprId| matches!(arena.node(id), Node::Symbol(_));
            if is_symbol(left) && arena.as_number(right).is_some_and(|n| *n <= Rational::ONE) {
                found.shares.insert(left);
            }
            if is_symbol(right) && arena.as_number(left).is_some_and(|n| *n >= Rational::ONE) {
                found.counts.insert(right);
            }
            let strict = matches!(arena.node(fact), Node::Compare(Relation::Less, ..));
            let above_zero = |n: &Rational| n.is_positive() || strict && n.is_zero();
            if is_symbol(right) && arena.as_number(left).is_some_and(above_zero) {
                found.positive.insert(right);
            }
        }
        found
    }

    /// True if the expression is a positive parameter.
    pub(super) fn is_positive(&self, id: ExprId) -> bool {
        self.positive.contains(&id)
    }

    /// True for a condition such as `W != 0` or `0 < W` on a positive parameter.
    pub(super) fn grants(&self, arena: &mut Arena, condition: ExprId) -> bool {
        let mut symbols = arena.free(condition).iter();
        let (Some(&symbol), None) = (symbols.next(), symbols.next()) else {
            return false;
        };
        let mut positive = self.positive.iter().copied();
        let found =
            positive.find(|&id| matches!(arena.node(id), Node::Symbol(own) if *own == symbol));
        let Some(parameter) = found else {
            return false;
        };
        let zero = arena.number(0);
        [
            arena.nonzero(parameter),
            arena.relate(Relation::Less, zero, parameter),
            arena.relate(Relation::LessEqual, zero, parameter),
        ]
        .contains(&condition)
    }

    /// True if a factor is a parameter that is at most 1, or a power of one.
    pub(super) fn has(&self, arena: &Arena, factor: ExprId) -> bool {
        let base = match *arena.node(factor) {
            Node::Pow(base, exponent) => {
                let below = arena.as_number(exponent).is_some_and(Rational::is_negative);
                if below {
                    return false;
                }
                base
            }
            _ => factor,
        };
        self.shares.contains(&base)
    }

    /// True if a sum is the negative of a nonnegative difference: `h - 1`, `f^R - 1`, `1 - N`.
    pub(super) fn is_backward(&self, arena: &Arena, terms: &[ExprId]) -> bool {
        let [first, second] = *terms else {
            return false;
        };
        let (number, product) = match arena.as_number(first) {
            Some(_) => (first, second),
            None => (second, first),
        };
        let Some(number) = arena.as_number(number) else {
            return false;
        };
        let factors = match arena.node(product) {
            Node::Mul(factors) => factors.to_vec(),
            _ => vec![product],
        };
        let among = |set: &FxHashSet<ExprId>, factors: &[ExprId]| {
            factors.iter().all(|&factor| match *arena.node(factor) {
                Node::Pow(base, exponent) => {
                    let below = arena.as_number(exponent).is_some_and(Rational::is_negative);
                    set.contains(&base) && !below
                }
                _ => set.contains(&factor),
            })
        };
        if *number <= Rational::from(-1) {
            return among(&self.shares, &factors);
        }
        let minus = factors.split_first().filter(|(first, rest)| {
            let least = Rational::from(-1);
            !rest.is_empty() && arena.as_number(**first).is_some_and(|n| *n <= least)
        });
        let up_to_one = number.is_positive() && *number <= Rational::ONE;
        up_to_one && minus.is_some_and(|(_, rest)| among(&self.counts, rest))
    }
}
