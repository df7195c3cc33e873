//! Quotients of whole numbers that doubles compute without rounding, as their ranges show.

use num_integer::Integer;

use super::builder::Builder;
use crate::eval::certified::program::Binary;
use crate::eval::certified::vectors::LIMIT;
use crate::eval::certified::vectors::tiles::{Operand, Operator};

/// Whole numbers from `least` to `greatest`, below the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub(super) operand: Operand,
    pub(super) least: f64,
    pub(super) greatest: f64,
}

/// A quotient of whole numbers with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fraction {
    pub(super) numerator: Whole,
    pub(super) denominator: Whole,
}

pub(super) const ZERO: Whole = number(0.0);
pub(super) const ONE: Whole = number(1.0);

pub(super) const fn number(value: f64) -> Whole {
    Whole {
        operand: Operand::Constant(value),
        least: value,
        greatest: value,
    }
}

impl Whole {
    pub(super) fn constant(&self) -> Option<f64> {
        match self.operand {
            Operand::Constant(value) => Some(value),
            Operand::Column(_) => None,
        }
    }

    fn is(&self, value: f64) -> bool {
        self.constant() == Some(value)
    }
}

pub(super) fn whole(numerator: Whole) -> Fraction {
    Fraction {
        numerator,
        denominator: ONE,
    }
}

/// Operations on fractions; `None` if a number may be too large, or a divisor 0.
pub(super) struct Fractions<'b>(pub(super) &'b mut Builder);

impl Fractions<'_> {
    /// The result of an operation, if its range shows that it is exact.
    fn emit(&mut self, operator: Operator, a: Whole, b: Whole, range: [f64; 2]) -> Option<Whole> {
        let [least, greatest] = range;
        if !(least > -LIMIT && greatest < LIMIT) {
            return None;
        }
        let operand = self.0.binary(operator, a.operand, b.operand);
        Some(match operand {
            Operand::Constant(value) => number(value),
            Operand::Column(_) => Whole {
                operand,
                least,
                greatest,
            },
        })
    }

    fn add(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        let range = [a.least + b.least, a.greatest + b.greatest];
        self.emit(Operator::Add, a, b, range)
    }

    fn subtract(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        let range = [a.least - b.greatest, a.greatest - b.least];
        self.emit(Operator::Subtract, a, b, range)
    }

    fn multiply(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        let corners = [
            a.least * b.least,
            a.least * b.greatest,
            a.greatest * b.least,
            a.greatest * b.greatest,
        ];
        let square = a.operand == b.operand;
        let least = corners.into_iter().fold(f64::INFINITY, f64::min);
        let least = if square && least < 0.0 { 0.0 } else { least };
        let greatest = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        self.emit(Operator::Multiply, a, b, [least, greatest])
    }

    /// The floor of the quotient by a positive divisor.
    fn quotient(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        if b.is(1.0) {
            return Some(a);
        }
        let ends = |x: f64| [(x / b.least).floor(), (x / b.greatest).floor()];
        let [[l1, l2], [g1, g2]] = [ends(a.least), ends(a.greatest)];
        self.emit(Operator::Quotient, a, b, [l1.min(l2), g1.max(g2)])
    }

    /// Two fractions with a common denominator: both numerators, and it.
    fn common(&mut self, a: Fraction, b: Fraction) -> Option<(Whole, Whole, Whole)> {
        let (own, other) = (a.denominator, b.denominator);
        if own.operand == other.operand {
            return Some((a.numerator, b.numerator, own));
        }
        let (own_factor, other_factor) = match (own.constant(), other.constant()) {
            (Some(own), Some(other)) => {
                let divisor = (own as u64).gcd(&(other as u64)) as f64;
                (number(other / divisor), number(own / divisor))
            }
            _ => (other, own),
        };
        Some((
            self.multiply(a.numerator, own_factor)?,
            self.multiply(b.numerator, other_factor)?,
            self.multiply(own, own_factor)?,
        ))
    }

    /// A product of fractions, without what two constants have in common.
    fn product(&mut self, a: Fraction, b: Fraction) -> Option<Fraction> {
        let (a_above, b_below) = reduced(a.numerator, b.denominator);
        let (b_above, a_below) = reduced(b.numerator, a.denominator);
        Some(Fraction {
            numerator: self.multiply(a_above, b_above)?,
            denominator: self.multiply(a_below, b_below)?,
        })
    }

    /// The quotient turned round; `None` where it may be a division by 0.
    fn inverse(&mut self, a: Fraction) -> Option<Fraction> {
        let Fraction {
            numerator,
            denominator,
        } = a;
        match (numerator.least > 0.0, numerator.greatest < 0.0) {
            (true, _) => Some(Fraction {
                numerator: denominator,
                denominator: numerator,
            }),
            (_, true) => Some(Fraction {
                numerator: self.subtract(ZERO, denominator)?,
                denominator: self.subtract(ZERO, numerator)?,
            }),
            _ => None,
        }
    }

    pub(super) fn floor(&mut self, a: Fraction) -> Option<Fraction> {
        self.quotient(a.numerator, a.denominator).map(whole)
    }

    pub(super) fn negative(&mut self, a: Fraction) -> Option<Fraction> {
        Some(Fraction {
            numerator: self.subtract(ZERO, a.numerator)?,
            ..a
        })
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        a: Fraction,
        b: Fraction,
    ) -> Option<Fraction> {
        match operator {
            Binary::Add | Binary::Subtract => {
                let (a, b, denominator) = self.common(a, b)?;
                let numerator = match operator {
                    Binary::Add => self.add(a, b)?,
                    _ => self.subtract(a, b)?,
                };
                Some(Fraction {
                    numerator,
                    denominator,
                })
            }
            Binary::Multiply => self.product(a, b),
            Binary::Divide => {
                let inverse = self.inverse(b)?;
                self.product(a, inverse)
            }
            Binary::Quotient => {
                let inverse = self.inverse(b)?;
                let quotient = self.product(a, inverse)?;
                self.floor(quotient)
            }
            Binary::Larger => self.extreme(Operator::Larger, a, b),
            Binary::Smaller => self.extreme(Operator::Smaller, a, b),
            Binary::Modulo => self.modulo(a, b),
            Binary::Less => self.compare(Operator::Less, a, b),
            Binary::LessEqual => self.compare(Operator::LessEqual, a, b),
            Binary::Equal => self.compare(Operator::Equal, a, b),
            Binary::CommonDivisor | Binary::Power => None,
            Binary::FloorLog | Binary::CeilLog | Binary::IsPower => None,
        }
    }

    fn extreme(&mut self, operator: Operator, a: Fraction, b: Fraction) -> Option<Fraction> {
        let (a, b, denominator) = self.common(a, b)?;
        let range = match operator {
            Operator::Larger => [a.least.max(b.least), a.greatest.max(b.greatest)],
            _ => [a.least.min(b.least), a.greatest.min(b.greatest)],
        };
        Some(Fraction {
            numerator: self.emit(operator, a, b, range)?,
            denominator,
        })
    }

    pub(super) fn compare(
        &mut self,
        operator: Operator,
        a: Fraction,
        b: Fraction,
    ) -> Option<Fraction> {
        let (a, b, _) = self.common(a, b)?;
        let same = a.operand == b.operand;
        match by_ranges(operator, [a.least, a.greatest], [b.least, b.greatest], same) {
            Some(holds) => Some(whole(if holds { ONE } else { ZERO })),
            None => self.emit(operator, a, b, [0.0, 1.0]).map(whole),
        }
    }

    /// `a - b * floor(a / b)`, for `b > 0`.
    fn modulo(&mut self, a: Fraction, b: Fraction) -> Option<Fraction> {
        let (a, b, denominator) = self.common(a, b)?;
        if b.least <= 0.0 {
            return None;
        }
        let quotient = self.quotient(a, b)?;
        // The multiple of `b` next below `a`.
        let range = [a.least - b.greatest, a.greatest];
        let multiple = self.emit(Operator::Multiply, quotient, b, range)?;
        let range = [0.0, b.greatest];
        Some(Fraction {
            numerator: self.emit(Operator::Subtract, a, multiple, range)?,
            denominator,
        })
    }

    pub(super) fn select(
        &mut self,
        condition: Operand,
        then: Fraction,
        otherwise: Fraction,
    ) -> Option<Fraction> {
        let (then, otherwise, denominator) = self.common(then, otherwise)?;
        let operands = [condition, then.operand, otherwise.operand];
        let numerator = Whole {
            operand: self.0.select(operands),
            least: then.least.min(otherwise.least),
            greatest: then.greatest.max(otherwise.greatest),
        };
        Some(Fraction {
            numerator,
            denominator,
        })
    }
}

/// The value of a comparison, if ranges decide it.
pub(super) fn by_ranges(
    operator: Operator,
    a: [f64; 2],
    b: [f64; 2],
    is_same: bool,
) -> Option<bool> {
    let ([a_least, a_greatest], [b_least, b_greatest]) = (a, b);
    let (always, never) = match operator {
        Operator::Less => (a_greatest < b_least, is_same || a_least >= b_greatest),
        Operator::LessEqual => (is_same || a_greatest <= b_least, a_least > b_greatest),
        _ => (is_same, a_greatest < b_least || a_least > b_greatest),
    };
    (always || never).then_some(always)
}

/// Two factors, one above the bar and one below, without what they have in common where both are constants.
fn reduced(above: Whole, below: Whole) -> (Whole, Whole) {
    match (above.constant(), below.constant()) {
        (Some(a), Some(b)) if a != 0.0 => {
            let divisor = (a.abs() as u64).gcd(&(b as u64)) as f64;
            (number(a / divisor), number(b / divisor))
        }
        _ => (above, below),
    }
}
