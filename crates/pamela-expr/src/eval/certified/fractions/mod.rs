//! Results as fractions of whole numbers.
//!
//! Sweeps mostly go over whole numbers and decimals of few digits, and `N * max(tl + ts, P * ts)` at `tl = 10`, `ts = 0.1` is
//! `N * max(101, P) / 10`. Where the ranges of the inputs show that no numerator and no denominator reaches 2^53, doubles
//! compute them without rounding, and the division at the end is the only step that rounds: the result is the double
//! nearest to the exact value. Nothing has to be checked while points are computed.

mod lower;
mod run;

use crate::ring::Rational;
use run::Operation;

/// 2^53: the doubles of all whole numbers below are exact.
const LIMIT: f64 = (1u64 << 53) as f64;

/// Numerators of inputs are found by rounding, which is sure up to here.
const INPUT_LIMIT: f64 = (1u64 << 50) as f64;

/// What is known of an input: each of its values times `denominator` is a whole number from `least` to `greatest`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputRange {
    denominator: f64,
    least: f64,
    greatest: f64,
    /// It is one number, wherever it is used.
    constant: bool,
}

impl InputRange {
    /// Of a number; `None` where its numerator or denominator is too large.
    pub fn of_number(value: &Rational) -> Option<InputRange> {
        let sized = |x: f64| (x.abs() <= INPUT_LIMIT).then_some(x);
        let numerator = sized(Rational::from(value.numerator()).to_f64())?;
        Some(InputRange {
            denominator: sized(Rational::from(value.denominator()).to_f64())?,
            least: numerator,
            greatest: numerator,
            constant: true,
        })
    }

    /// Of doubles that stand for decimal numbers of at most so many decimals; `None` where they have too many digits, or are no
    /// numbers.
    pub fn of_decimals(values: &[f64], decimals: u32) -> Option<InputRange> {
        let denominator = (decimals <= 15).then(|| 10f64.powi(decimals as i32))?;
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut sum = 0.0;
        for &value in values {
            least = if value < least { value } else { least };
            greatest = if value > greatest { value } else { greatest };
            // Comparisons pass over what is no number.
            sum += value;
        }
        let [least, greatest] = [least, greatest].map(|x| (x * denominator).round());
        let sized = least.abs() <= INPUT_LIMIT && greatest.abs() <= INPUT_LIMIT;
        (sized && sum.is_finite()).then_some(InputRange {
            denominator,
            least,
            greatest,
            constant: false,
        })
    }

    /// Whether all that the other one tells of holds of this one.
    fn contains(&self, other: &InputRange) -> bool {
        if self.constant {
            return self == other;
        }
        let scale = self.denominator / other.denominator;
        let (least, greatest) = (other.least * scale, other.greatest * scale);
        scale.fract() == 0.0 && self.least <= least && greatest <= self.greatest
    }

    /// What holds where either does.
    fn joined(&self, other: &InputRange) -> InputRange {
        if self == other {
            return *self;
        }
        let denominator = if (self.denominator % other.denominator) == 0.0 {
            self.denominator
        } else {
            other.denominator
        };
        let scaled =
            |range: &InputRange, end: f64| (end * (denominator / range.denominator)).round();
        InputRange {
            denominator,
            least: scaled(self, self.least).min(scaled(other, other.least)),
            greatest: scaled(self, self.greatest).max(scaled(other, other.greatest)),
            constant: false,
        }
    }

    /// A range with ends at powers of two, so that the next batch of a sweep is mostly within it.
    fn widened(&self) -> InputRange {
        let power = |size: f64, up: bool| match (size, up) {
            (0.0, _) => 0.0,
            (_, true) => size.log2().ceil().exp2(),
            (_, false) => size.log2().floor().exp2(),
        };
        let least = power(self.least.abs(), self.least < 0.0).copysign(self.least);
        let greatest = power(self.greatest.abs(), self.greatest > 0.0).copysign(self.greatest);
        let sized = least.abs() <= INPUT_LIMIT && greatest.abs() <= INPUT_LIMIT;
        // Logarithms round.
        match !self.constant && sized && least <= self.least && self.greatest <= greatest {
            true => InputRange {
                least,
                greatest,
                ..*self
            },
            false => *self,
        }
    }
}

/// A program for inputs of known ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct FractionProgram {
    code: Vec<Operation>,
    slots: usize,
}

/// The program for the ranges of the last batches, if there is one for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// Where nothing is known of an input the program does without it.
    ranges: Vec<Option<InputRange>>,
    program: Option<FractionProgram>,
    slots: run::Slots,
    /// After a failure so many batches are not tried, twice as many after each.
    pause: u32,
    failures: u32,
    #[cfg(test)]
    lowerings: usize,
}

impl Lowered {
    /// Whether there is a program, and how often one was made.
    #[cfg(test)]
    pub(super) fn lowerings(&self) -> (bool, usize) {
        (self.program.is_some(), self.lowerings)
    }

    /// The program for inputs of these ranges, with what it computes in.
    pub(super) fn program(
        &mut self,
        program: &super::Program,
        ranges: &[Option<InputRange>],
    ) -> Option<(&FractionProgram, &mut run::Slots)> {
        let is_known = self.program.is_some() && self.contains(ranges);
        if !is_known {
            self.lower(program, ranges);
        }
        let found = self.program.as_ref()?;
        self.slots.reserve(found.slots);
        Some((found, &mut self.slots))
    }

    fn contains(&self, ranges: &[Option<InputRange>]) -> bool {
        let mut own = self.ranges.iter().zip(ranges);
        own.all(|(own, range)| match (own, range) {
            (Some(own), Some(range)) => own.contains(range),
            (own, _) => own.is_none(),
        })
    }

    fn lower(&mut self, program: &super::Program, ranges: &[Option<InputRange>]) {
        self.program = None;
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        // What came before comes again; a wider range is no good where it makes numbers too large.
        let mut tried = Vec::new();
        if self.ranges.len() == ranges.len() {
            let both = self.ranges.iter().zip(ranges);
            let joined = both.map(|(own, range)| Some((*own)?.joined(range.as_ref()?)));
            tried.push(
                joined
                    .map(|range| range.map(|range| range.widened()))
                    .collect(),
            );
        }
        let widened = ranges
            .iter()
            .map(|range| range.map(|range| range.widened()));
        tried.push(widened.collect::<Vec<_>>());
        tried.push(ranges.to_vec());
        for ranges in tried {
            self.program = lower::lowered(program, &ranges);
            if self.program.is_some() {
                self.failures = 0;
                #[cfg(test)]
                {
                    self.lowerings += 1;
                }
                self.ranges = ranges;
                return;
            }
        }
        self.failures = (self.failures + 1).min(10);
        self.pause = 1 << self.failures;
    }
}
