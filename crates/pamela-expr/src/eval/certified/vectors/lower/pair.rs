//! Numbers as sums of two doubles, with errors that are known when the program is made as far as they can be.
//!
//! Sums of numbers of one sign, products, quotients and extremes have a relative error that the program need not compute. From a
//! difference on that may cancel, the error is a column. Pairs are not renormalised where that is not needed: how small the
//! second double is beside the first is known, too (as in Lange and Rump, *Faithfully rounded floating-point computations*,
//! 2020). All bounds are generous: a result is refused where its error is over some 2^-53 of its last place, and errors are
//! near 2^-100.

use super::super::tiles::{Fusing, Operand, Operator};
use super::builder::{Builder, ONE, ZERO};
use super::fraction::{Fraction, Whole, by_ranges, whole};
use crate::eval::certified::program::Binary;

/// Half a unit in the last place of 1.
const U: f64 = 1.0 / (1u64 << 53) as f64;
/// More than all that is neglected in computing a bound.
const UP: f64 = 1.0 + 1.0 / (1u64 << 30) as f64;
/// Numbers are below it, and above its inverse unless they are 0, so that no operation overflows or loses bits.
const GREATEST: f64 = 1e120;
/// More than what any operation loses to underflow.
const TINY: f64 = 1e-280;
/// Pairs whose second double may be larger are renormalised.
const WIDEST: f64 = 1.0 / (1u64 << 40) as f64;
/// Larger errors leave too many results unknown.
const WORST: f64 = 1.0 / (1u64 << 40) as f64 / (1u64 << 25) as f64;
/// From there on a double has no fraction.
const WHOLE_LIMIT: f64 = (1u64 << 51) as f64;

#[derive(Clone, Copy, Debug)]
pub(super) enum ErrorBound {
    /// A multiple of the size of the number.
    Relative(f64),
    /// A column.
    Absolute(Operand),
}

/// `high + low`, near a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) high: Operand,
    pub(super) low: Operand,
    /// Where the number is.
    pub(super) least: f64,
    pub(super) greatest: f64,
    /// The number is 0 or at least as large, if its error is relative.
    pub(super) grain: f64,
    /// How large `low` is at most, as a multiple of `high`.
    pub(super) spread: f64,
    pub(super) error: ErrorBound,
}

impl Pair {
    /// It is `high`, without an error.
    fn is_double(&self) -> bool {
        self.low == ZERO && matches!(self.error, ErrorBound::Relative(0.0))
    }

    fn range(&self) -> [f64; 2] {
        [self.least, self.greatest]
    }

    fn is_positive_or_zero(&self) -> bool {
        self.least >= 0.0
    }

    fn is_negative_or_zero(&self) -> bool {
        self.greatest <= 0.0
    }

    fn relative(&self) -> Option<f64> {
        match self.error {
            ErrorBound::Relative(error) => Some(error),
            ErrorBound::Absolute(_) => None,
        }
    }

    /// The same where it is sure that its operations neither overflow nor underflow, and that its error is small.
    fn sized(self) -> Option<Pair> {
        let in_range = self.least >= -GREATEST && self.greatest <= GREATEST;
        let is_sized = match self.error {
            ErrorBound::Relative(error) => self.grain >= 1.0 / GREATEST && error <= WORST,
            ErrorBound::Absolute(_) => true,
        };
        (in_range && is_sized && self.spread <= WIDEST).then_some(self)
    }
}

/// A range, and what its ends may have been rounded away from it.
fn outwards([least, greatest]: [f64; 2]) -> [f64; 2] {
    let ulp = 1.0 / (1u64 << 50) as f64;
    [least - least.abs() * ulp, greatest + greatest.abs() * ulp]
}

fn ends(corners: [f64; 4]) -> [f64; 2] {
    outwards([
        corners.into_iter().fold(f64::INFINITY, f64::min),
        corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
    ])
}

/// Operations on pairs; `None` where a number may be too large or too small, or a divisor 0.
pub(super) struct Pairs<'b> {
    pub(super) builder: &'b mut Builder,
    /// Columns that are not 0 where all decisions are sure.
    pub(super) sure: &'b mut Vec<Operand>,
}

impl Pairs<'_> {
    fn add_doubles(&mut self, a: Operand, b: Operand) -> Operand {
        self.builder.binary(Operator::Add, a, b)
    }

    fn subtract_doubles(&mut self, a: Operand, b: Operand) -> Operand {
        self.builder.binary(Operator::Subtract, a, b)
    }

    fn multiply_doubles(&mut self, a: Operand, b: Operand) -> Operand {
        self.builder.binary(Operator::Multiply, a, b)
    }

    fn scaled(&mut self, a: Operand, factor: f64) -> Operand {
        self.multiply_doubles(a, Operand::Constant(factor))
    }

    fn size(&mut self, a: Operand) -> Operand {
        let negative = self.subtract_doubles(ZERO, a);
        self.builder.binary(Operator::Larger, a, negative)
    }

    /// The sum of two doubles, and what was rounded off.
    fn two_sum(&mut self, a: Operand, b: Operand) -> (Operand, Operand) {
        if a == ZERO || b == ZERO {
            return (self.add_doubles(a, b), ZERO);
        }
        let sum = self.add_doubles(a, b);
        let rest = self.subtract_doubles(sum, a);
        let before = self.subtract_doubles(sum, rest);
        let (left, right) = (
            self.subtract_doubles(a, before),
            self.subtract_doubles(b, rest),
        );
        (sum, self.add_doubles(left, right))
    }

    /// The bound of an error as a column.
    pub(super) fn absolute(&mut self, a: Pair) -> Operand {
        match a.error {
            ErrorBound::Absolute(column) => column,
            ErrorBound::Relative(0.0) => ZERO,
            ErrorBound::Relative(error) => {
                let size = self.size(a.high);
                self.scaled(size, error * UP)
            }
        }
    }

    /// A sum of bounds, rounded up.
    fn bound(&mut self, parts: &[Operand]) -> ErrorBound {
        let sum = parts.iter().fold(Operand::Constant(TINY), |sum, &part| {
            self.add_doubles(sum, part)
        });
        ErrorBound::Absolute(self.scaled(sum, UP))
    }

    /// A quotient of whole numbers, which are doubles.
    pub(super) fn of_fraction(&mut self, fraction: Fraction) -> Option<Pair> {
        let Fraction {
            numerator: n,
            denominator: d,
        } = fraction;
        let double = |whole: Whole| Pair {
            high: whole.operand,
            low: ZERO,
            least: whole.least,
            greatest: whole.greatest,
            grain: 1.0,
            spread: 0.0,
            error: ErrorBound::Relative(0.0),
        };
        match d.constant() {
            Some(1.0) => Some(double(n)),
            _ => self.divide(double(n), double(d)),
        }
    }

    pub(super) fn negative(&mut self, a: Pair) -> Pair {
        Pair {
            high: self.subtract_doubles(ZERO, a.high),
            low: self.subtract_doubles(ZERO, a.low),
            least: -a.greatest,
            greatest: -a.least,
            ..a
        }
    }

    pub(super) fn add(&mut self, a: Pair, b: Pair) -> Option<Pair> {
        let (high, rest) = self.two_sum(a.high, b.high);
        let lows = self.add_doubles(a.low, b.low);
        let low = self.add_doubles(lows, rest);
        let [least, greatest] = outwards([a.least + b.least, a.greatest + b.greatest]);
        let spread = a.spread.max(b.spread);
        // What the roundings of the second doubles lose, as a multiple of the sizes of both numbers.
        let lost = 4.0 * U * (spread + U);
        let is_exact = a.is_double() && b.is_double();
        let sum = Pair {
            high,
            low,
            least,
            greatest,
            // Of doubles no smaller part can be left.
            grain: a.grain.min(b.grain) * if is_exact { U } else { 1.0 },
            spread: UP * (spread + U),
            error: ErrorBound::Relative(0.0),
        };
        if is_exact {
            return Pair { spread: U, ..sum }.sized();
        }
        let one_sign = a.is_positive_or_zero() && b.is_positive_or_zero()
            || a.is_negative_or_zero() && b.is_negative_or_zero();
        if let (true, Some(own), Some(other)) = (one_sign, a.relative(), b.relative()) {
            let error = ErrorBound::Relative(UP * (own.max(other) + lost));
            return self.settled(Pair { error, ..sum })?.sized();
        }
        // The sum may be as small as nothing beside its second double.
        let (high, low) = self.two_sum(high, low);
        let parts = [a, b].map(|part| {
            let size = self.size(part.high);
            match part.error {
                ErrorBound::Relative(error) => self.scaled(size, error + lost),
                ErrorBound::Absolute(error) => {
                    let lost = self.scaled(size, lost);
                    self.add_doubles(error, lost)
                }
            }
        });
        Pair {
            high,
            low,
            spread: U,
            error: self.bound(&parts),
            ..sum
        }
        .sized()
    }

    /// The same, its second double within half a unit of the first one's last place, if it may be large.
    fn settled(&mut self, a: Pair) -> Option<Pair> {
        if a.spread <= WIDEST / 16.0 {
            return Some(a);
        }
        let (high, low) = self.two_sum(a.high, a.low);
        Some(Pair {
            high,
            low,
            spread: U,
            ..a
        })
    }

    pub(super) fn multiply(&mut self, a: Pair, b: Pair) -> Option<Pair> {
        let high = self.multiply_doubles(a.high, b.high);
        let mut low = self
            .builder
            .fused(Fusing::ProductMinus, [a.high, b.high, high]);
        for (one, other) in [(a.low, b.high), (b.low, a.high)] {
            low = self.builder.fused(Fusing::ProductPlus, [one, other, low]);
        }
        let [least, greatest] = ends([
            a.least * b.least,
            a.least * b.greatest,
            a.greatest * b.least,
            a.greatest * b.greatest,
        ]);
        let spread = a.spread + b.spread;
        let lost = match a.is_double() && b.is_double() {
            true => 0.0,
            false => a.spread * b.spread + 8.0 * U * (spread + U),
        };
        let error = match (a.relative(), b.relative()) {
            (Some(own), Some(other)) => ErrorBound::Relative(UP * (own + other + lost)),
            _ => {
                let [own, other] = [a, b].map(|part| self.absolute(part));
                let [a_size, b_size] = [a, b].map(|part| self.size(part.high));
                // Of the second the error may be as large as its size.
                let b_most = self.add_doubles(b_size, other);
                let passed = [(a_size, other), (b_most, own)];
                let passed = passed.map(|(size, error)| self.multiply_doubles(size, error));
                let size = self.size(high);
                let rounding = self.scaled(size, lost + U * U);
                self.bound(&[passed[0], passed[1], rounding])
            }
        };
        let product = Pair {
            high,
            low,
            least,
            greatest,
            grain: a.grain * b.grain,
            spread: UP * (spread + U),
            error,
        };
        self.settled(product)?.sized()
    }

    pub(super) fn divide(&mut self, a: Pair, b: Pair) -> Option<Pair> {
        let nearest = match (b.least > 0.0, b.greatest < 0.0) {
            (true, _) => b.least,
            (_, true) => -b.greatest,
            _ => return None,
        };
        if nearest < 1.0 / GREATEST {
            return None;
        }
        let high = self.builder.binary(Operator::Divide, a.high, b.high);
        let left = self
            .builder
            .fused(Fusing::MinusProduct, [high, b.high, a.high]);
        let lows = self
            .builder
            .fused(Fusing::MinusProduct, [high, b.low, a.low]);
        let left = self.add_doubles(left, lows);
        let low = self.builder.binary(Operator::Divide, left, b.high);
        let [least, greatest] = ends([
            a.least / b.least,
            a.least / b.greatest,
            a.greatest / b.least,
            a.greatest / b.greatest,
        ]);
        let spread = a.spread + b.spread + U;
        let lost = (b.spread + 8.0 * U) * spread;
        let error = match (a.relative(), b.relative()) {
            (Some(own), Some(other)) => ErrorBound::Relative(UP * (own + other + lost)),
            _ => {
                let [own, other] = [a, b].map(|part| self.absolute(part));
                let [size, divisor] = [high, b.high].map(|part| self.size(part));
                // The divisor is not smaller than that.
                let error = self.scaled(other, UP);
                let apart = self.subtract_doubles(divisor, error);
                let apart = self.scaled(apart, 1.0 / UP);
                let nearest = Operand::Constant(nearest / UP);
                let apart = self.builder.binary(Operator::Larger, apart, nearest);
                let passed = self.builder.fused(Fusing::ProductPlus, [size, other, own]);
                let passed = self.builder.binary(Operator::Divide, passed, apart);
                let rounding = self.scaled(size, lost + U * U);
                // The correction is divided by what may be off, too.
                let twice = self.scaled(passed, 4.0);
                self.bound(&[twice, rounding])
            }
        };
        let furthest = b.least.abs().max(b.greatest.abs());
        let quotient = Pair {
            high,
            low,
            least,
            greatest,
            grain: a.grain / furthest / UP,
            spread: UP * spread,
            error,
        };
        self.settled(quotient)?.sized()
    }

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

    fn extreme(&mut self, operator: Operator, a: Pair, b: Pair) -> Option<Pair> {
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
                // Where the wrong one is taken, both are as near to each other.
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
        let (least, greatest) = match larger {
            true => (a.least.max(b.least), a.greatest.max(b.greatest)),
            false => (a.least.min(b.least), a.greatest.min(b.greatest)),
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

    fn compare(&mut self, operator: Operator, a: Pair, b: Pair) -> Fraction {
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

    /// The largest whole number that is not larger, where it is sure which one that is.
    pub(super) fn floor(&mut self, a: Pair) -> Option<Fraction> {
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
            // What is left has been rounded twice.
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

    pub(super) fn absolute_value(&mut self, a: Pair) -> Option<Pair> {
        let negative = self.negative(a);
        self.extreme(Operator::Larger, a, negative)
    }

    pub(super) fn select(
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

    /// A comparison is a fraction, as are floors.
    pub(super) fn binary(&mut self, operator: Binary, a: Pair, b: Pair) -> Option<super::Value> {
        use super::Value;
        match operator {
            Binary::Add => self.add(a, b).map(Value::Pair),
            Binary::Subtract => {
                let negative = self.negative(b);
                self.add(a, negative).map(Value::Pair)
            }
            Binary::Multiply => self.multiply(a, b).map(Value::Pair),
            Binary::Divide => self.divide(a, b).map(Value::Pair),
            Binary::Quotient => {
                let quotient = self.divide(a, b)?;
                self.floor(quotient).map(Value::Fraction)
            }
            Binary::Modulo if b.least <= 0.0 => None,
            Binary::Modulo => {
                let quotient = self.divide(a, b)?;
                let floor = self.floor(quotient)?;
                let floor = self.of_fraction(floor)?;
                let multiple = self.multiply(b, floor)?;
                let negative = self.negative(multiple);
                self.add(a, negative).map(Value::Pair)
            }
            Binary::Larger => self.extreme(Operator::Larger, a, b).map(Value::Pair),
            Binary::Smaller => self.extreme(Operator::Smaller, a, b).map(Value::Pair),
            Binary::Less => Some(Value::Fraction(self.compare(Operator::Less, a, b))),
            Binary::LessEqual => Some(Value::Fraction(self.compare(Operator::LessEqual, a, b))),
            Binary::Equal => Some(Value::Fraction(self.compare(Operator::Equal, a, b))),
            Binary::CommonDivisor | Binary::Power => None,
            Binary::FloorLog | Binary::CeilLog | Binary::IsPower => None,
        }
    }

    /// The double nearest to the number, and a column that is not 0 where it is sure that it is.
    pub(super) fn rounded(&mut self, a: Pair) -> (Operand, Option<Operand>) {
        if a.is_double() {
            return (a.high, None);
        }
        let nearest = self.add_doubles(a.high, a.low);
        let back = self.subtract_doubles(nearest, a.high);
        let rest = self.subtract_doubles(a.low, back);
        let error = self.absolute(a);
        let size = self.size(nearest);
        let rounding = self.scaled(size, 8.0 * U * U);
        let error = self.add_doubles(error, rounding);
        let error = self.scaled(error, UP);
        let both = [Operator::Add, Operator::Subtract].map(|operator| {
            let end = self.builder.binary(operator, rest, error);
            let end = self.add_doubles(nearest, end);
            self.builder.binary(Operator::Equal, end, nearest)
        });
        (nearest, Some(self.multiply_doubles(both[0], both[1])))
    }
}
