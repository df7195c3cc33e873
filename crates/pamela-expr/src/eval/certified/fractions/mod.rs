//! Results as fractions of whole numbers.
//!
//! Sweeps mostly go over whole numbers and decimals of few digits, and `N * max(tl + ts, P * ts)` at `tl = 10`, `ts = 0.1` is
//! `N * max(101, P) / 10`. Where the ranges of the inputs show that no numerator and no denominator reaches 2^53, doubles
//! compute them without rounding, and the division at the end is the only step that rounds: the result is the double
//! nearest to the exact value. Nothing has to be checked while points are computed.

mod lower;
#[cfg_attr(
    not(all(feature = "machine-code", target_arch = "x86_64")),
    path = "machine/absent.rs"
)]
mod machine;
mod run;

use super::LANES;
use super::registers::Batch;
use crate::ring::Rational;
use machine::MachineProgram;
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
    /// The results that are the same for all inputs of these ranges, which are not computed.
    known: Vec<Option<f64>>,
}

/// What computes programs for fractions. All give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Machine code, where it can be made, once a program has computed so many points that it is worth the time of making it.
    #[default]
    Either,
    /// Loops over tiles of points, on every machine.
    Tiles,
    /// Machine code from the first point on, where it can be made.
    Machine,
}

impl Engine {
    /// After so many points machine code is made.
    fn patience(self) -> usize {
        match self {
            Engine::Either => 16 * LANES,
            Engine::Tiles => usize::MAX,
            Engine::Machine => 0,
        }
    }
}

/// The program for the ranges of the last batches, if there is one for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// Where nothing is known of an input the program does without it.
    ranges: Vec<Option<InputRange>>,
    program: Option<FractionProgram>,
    slots: run::Slots,
    pub(super) engine: Engine,
    /// How many points the program has computed.
    points: usize,
    /// Its machine code, once it has been asked for.
    machine: Option<Option<MachineProgram>>,
    /// After a failure so many batches are not tried, twice as many after each.
    pause: u32,
    failures: u32,
    #[cfg(test)]
    pub(super) lowerings: usize,
}

impl Lowered {
    /// Whether there is a program for inputs of these ranges, which is made where it can be.
    pub(super) fn can_run(
        &mut self,
        program: &super::Program,
        ranges: &[Option<InputRange>],
    ) -> bool {
        let is_known = self.program.is_some() && self.contains(ranges);
        if !is_known {
            self.lower(program, ranges);
        }
        self.program.is_some()
    }

    /// Computes all results at the points of a batch by the program that there is, but those that are the same for all inputs of its
    /// ranges: these are returned.
    pub(super) fn run(
        &mut self,
        batches: &[Batch],
        length: usize,
        results: &mut [&mut [f64]],
    ) -> Option<&[Option<f64>]> {
        let found = self.program.as_ref()?;
        if self.points >= self.engine.patience() {
            let machine = self
                .machine
                .get_or_insert_with(|| MachineProgram::new(found));
            let is_done = machine
                .as_mut()
                .is_some_and(|machine| machine.run(batches, length, results));
            if is_done {
                return Some(&found.known);
            }
        }
        self.points = self.points.saturating_add(length);
        self.slots.reserve(found.slots);
        for from in (0..length).step_by(LANES) {
            let range = from..length.min(from + LANES);
            found.run(batches, range, &mut self.slots, results);
        }
        Some(&found.known)
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
        (self.points, self.machine) = (0, None);
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
