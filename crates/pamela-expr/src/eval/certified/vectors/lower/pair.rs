//! Numbers as sums of two doubles, with errors that are known at compile time as far as possible.
//!
//! Sums of equal sign, products, quotients and extremes have a relative error that the program need
//! not compute. After a difference that may cancel, the error is a column. Pairs are not
//! renormalised unnecessarily: the size of the second double relative to the first is known too (as
//! in Lange and Rump, *Faithfully rounded floating-point computations*, 2020). All bounds are
//! generous. A result is refused if its error exceeds some 2^-53 of its last place; errors are near
//! 2^-100.

mod choices;

use super::builder::{Builder, ZERO};
use super::fraction::{Fraction, Whole};
use crate::eval::certified::vectors::tiles::{Fusing, Operand, Operator};

/// Half a unit in the last place of 1.
const U: f64 = 1.0 / (1u64 << 53) as f64;
/// More than all that is neglected in computing a bound.
const UP: f64 = 1.0 + 1.0 / (1u64 << 30) as f64;
/// Numbers are below it, and above its inverse unless they are 0, so that no operation overflows or loses bits.
const GREATEST: f64 = 1e120;
/// More than any operation loses to underflow.
const TINY: f64 = 1e-280;
/// Pairs whose second double may be larger are renormalised.
const WIDEST: f64 = 1.0 / (1u64 << 40) as f64;
/// Larger errors leave too many results unknown.
const WORST: f64 = 1.0 / (1u64 << 40) as f64 / (1u64 << 25) as f64;

#[derive(Clone, Copy, Debug)]
pub(super) enum ErrorBound {
    /// A multiple of the absolute value of the number.
    Relative(f64),
    /// A column.
    Absolute(Operand),
}

/// `high + low`, close to a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) high: Operand,
    pub(super) low: Operand,
    /// Least value of the number.
    pub(super) least: f64,
    pub(super) greatest: f64,
    /// Least nonzero absolute value, if the error is relative.
    pub(super) grain: f64,
    /// Upper bound of `low` as a multiple of `high`.
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

    /// The pair, if its operations certainly neither overflow nor underflow and its error is small.
    fn sized(self) -> Option<Pair> {
        let in_range = self.least >= -GREATEST && self.greatest <= GREATEST;
        let is_sized = match self.error {
            ErrorBound::Relative(error) => self.grain >= 1.0 / GREATEST && error <= WORST,
            ErrorBound::Absolute(_) => true,
        };
        (in_range && is_sized && self.spread <= WIDEST).then_some(self)
    }
}

/// A range widened by the possible rounding of its ends.
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

/// Operations on pairs; `None` if a number may be too large or too small, or a divisor 0.
pub(super) struct Pairs<'b> {
    pub(super) builder: &'b mut Builder,
    /// Columns that are nonzero where all decisions are certain.
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

    /// The sum of two doubles, and its rounding error.
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

    /// The error bound as a column.
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

    /// A quotient of whole numbers that doubles hold.
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
        // Rounding errors of the second doubles, as a multiple of the sizes of both numbers.
        let lost = 4.0 * U * (spread + U);
        let is_exact = a.is_double() && b.is_double();
        let sum = Pair {
            high,
            low,
            least,
            greatest,
            // Sums of doubles have no smaller parts.
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

    /// The pair, renormalised if necessary: its second double is within half a unit in the last place of the first.
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
        let lost = if a.is_double() && b.is_double() {
            0.0
        } else {
            a.spread * b.spread + 8.0 * U * (spread + U)
        };
        let error = match (a.relative(), b.relative()) {
            (Some(own), Some(other)) => ErrorBound::Relative(UP * (own + other + lost)),
            _ => {
                let [own, other] = [a, b].map(|part| self.absolute(part));
                let [a_size, b_size] = [a, b].map(|part| self.size(part.high));
                // The error of the second operand may be as large as its size.
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
                // The correction is divided by the uncertain divisor as well.
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

    /// The double nearest to the number, and a column that is nonzero where this is certain.
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
