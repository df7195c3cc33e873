//! Decisions on pairs: maximum, comparisons, floors. A column marks where the error leaves two
//! answers.

use super::{ErrorBound, Pair, Pairs, U, UP};
use crate::eval::certified::vectors::lower::builder::{ONE, ZERO};
use crate::eval::certified::vectors::lower::fraction::{Fraction, Whole, by_ranges, whole};
use crate::eval::certified::vectors::tiles::{Operand, Operator};

/// From there on a double has no fraction.
const WHOLE_LIMIT: f64 = (1u64 << 51) as f64;

impl Pairs<'_> {
    /// `a - b` to compare it with 0, and how far it may be off; nothing where it is exact.
    fn difference(&mut self, a: Pair, b: Pair) -> (Operand, Option<Operand>) {
        let highs = self.subtract_doubles(a.high, b.high);
        let lows = self.subtract_doubles(a.low, b.low);
        let difference = self.add_doubles(highs, lows);
        if a.is_double() && b.is_double() {
            return (difference, None);
        }
        let lost = 8.0 * U * (a.spread.max(b.spread) + U);
        let parts = [a, b].map(|part| {
            let size = self.size(part.high);
            let error = self.absolute(part);
            let lost = self.scaled(size, lost);
            self.add_doubles(error, lost)
        });
        let ErrorBound::Absolute(reach) = self.bound(&parts) else {
            return (difference, None);
        };
        (difference, Some(reach))
    }

    pub(in crate::eval::certified::vectors::lower) fn extreme(
        &mut self,
        operator: Operator,
        a: Pair,
        b: Pair,
    ) -> Option<Pair> {
        let larger = operator == Operator::Larger;
        let (first, second) = if larger { (a, b) } else { (b, a) };
        // `first` where it is larger than `second`: the larger one of both, or for the smaller one the other.
        if first.least >= second.greatest {
            return Some(a);
        }
        if second.least >= first.greatest {
            return Some(b);
        }
        let spread = a.spread.max(b.spread);
        let (difference, reach, error) = match (a.relative(), b.relative()) {
            (Some(own), Some(other)) => {
                let highs = self.subtract_doubles(first.high, second.high);
                let lows = self.subtract_doubles(first.low, second.low);
                let difference = self.add_doubles(highs, lows);
                // If the wrong operand is chosen, both are within the error of each other.
                let is_exact = a.is_double() && b.is_double();
                let wrong = if is_exact {
                    0.0
                } else {
                    16.0 * U * (spread + U)
                };
                let error = ErrorBound::Relative(UP * (own.max(other) + wrong));
                (difference, None, error)
            }
            _ => {
                let (difference, reach) = self.difference(first, second);
                (difference, reach, ErrorBound::Relative(0.0))
            }
        };
        let is_first = self.builder.binary(Operator::Less, ZERO, difference);
        let high = self.builder.select([is_first, a.high, b.high]);
        let low = self.builder.select([is_first, a.low, b.low]);
        let error = match reach {
            None => error,
            Some(reach) => {
                let [own, other] = [a, b].map(|part| self.absolute(part));
                let chosen = self.builder.select([is_first, own, other]);
                let size = self.size(difference);
                let apart = self.builder.binary(Operator::Less, reach, size);
                let both = self.scaled(reach, 4.0);
                let error = self.builder.select([apart, chosen, both]);
                self.bound(&[error])
            }
        };
        let (least, greatest) = if larger {
            (a.least.max(b.least), a.greatest.max(b.greatest))
        } else {
            (a.least.min(b.least), a.greatest.min(b.greatest))
        };
        Pair {
            high,
            low,
            least,
            greatest,
            grain: a.grain.min(b.grain),
            spread,
            error,
        }
        .sized()
    }

    pub(in crate::eval::certified::vectors::lower) fn compare(
        &mut self,
        operator: Operator,
        a: Pair,
        b: Pair,
    ) -> Fraction {
        let same = (a.high, a.low) == (b.high, b.low) && a.is_double() && b.is_double();
        let truth = |operand: Operand| Whole {
            operand,
            least: 0.0,
            greatest: 1.0,
        };
        if let Some(holds) = by_ranges(operator, a.range(), b.range(), same) {
            return whole(truth(if holds { ONE } else { ZERO }));
        }
        if a.is_double() && b.is_double() {
            return whole(truth(self.builder.binary(operator, a.high, b.high)));
        }
        let (difference, reach) = self.difference(a, b);
        if let Some(reach) = reach {
            let size = self.size(difference);
            let apart = self.builder.binary(Operator::Less, reach, size);
            self.sure.push(apart);
        }
        whole(truth(self.builder.binary(operator, difference, ZERO)))
    }

    /// The floor, if it is certain.
    pub(in crate::eval::certified::vectors::lower) fn floor(
        &mut self,
        a: Pair,
    ) -> Option<Fraction> {
        if a.least <= -WHOLE_LIMIT || a.greatest >= WHOLE_LIMIT {
            return None;
        }
        let error = self.absolute(a);
        let (high, low) = self.two_sum(a.high, a.low);
        let floor = self.builder.binary(Operator::Quotient, high, ONE);
        let rest = self.subtract_doubles(high, floor);
        let rest = self.add_doubles(rest, low);
        let below = self.builder.binary(Operator::Less, rest, ZERO);
        let floor = self.subtract_doubles(floor, below);
        let rest = self.add_doubles(rest, below);
        if !a.is_double() {
            let to_next = self.subtract_doubles(ONE, rest);
            let distance = self.builder.binary(Operator::Smaller, rest, to_next);
            // The remainder has been rounded twice.
            let reach = self.add_doubles(error, Operand::Constant(16.0 * U));
            let reach = self.scaled(reach, UP);
            let apart = self.builder.binary(Operator::Less, reach, distance);
            self.sure.push(apart);
        }
        Some(whole(Whole {
            operand: floor,
            least: a.least.floor() - 1.0,
            greatest: a.greatest.floor() + 1.0,
        }))
    }

    pub(in crate::eval::certified::vectors::lower) fn absolute_value(
        &mut self,
        a: Pair,
    ) -> Option<Pair> {
        let negative = self.negative(a);
        self.extreme(Operator::Larger, a, negative)
    }

    pub(in crate::eval::certified::vectors::lower) fn select(
        &mut self,
        condition: Operand,
        then: Pair,
        otherwise: Pair,
    ) -> Option<Pair> {
        let [own, other] = [then.error, otherwise.error];
        let error = match (own, other) {
            (ErrorBound::Relative(own), ErrorBound::Relative(other)) => {
                ErrorBound::Relative(own.max(other))
            }
            _ => {
                let [own, other] = [then, otherwise].map(|part| self.absolute(part));
                let error = self.builder.select([condition, own, other]);
                self.bound(&[error])
            }
        };
        Pair {
            high: self.builder.select([condition, then.high, otherwise.high]),
            low: self.builder.select([condition, then.low, otherwise.low]),
            least: then.least.min(otherwise.least),
            greatest: then.greatest.max(otherwise.greatest),
            grain: then.grain.min(otherwise.grain),
            spread: then.spread.max(otherwise.spread),
            error,
        }
        .sized()
    }
}
