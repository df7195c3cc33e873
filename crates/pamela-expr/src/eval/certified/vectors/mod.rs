//! Programs over columns of doubles, made for inputs of known ranges.
//!
//! Sweeps mostly cover whole numbers and short decimals: `N * max(tl + ts, P * ts)` at `tl = 10`,
//! `ts = 0.1` is `N * max(101, P) / 10`. If the input ranges show that no numerator or denominator
//! reaches 2^53, doubles compute them without rounding. Only the final division rounds, so the
//! result is the double nearest to the exact value, without any check per point. Otherwise numbers
//! are pairs of doubles, whose errors are mostly known when the program is made.
//!
//! There are two engines: loops over tiles of points, and machine code. Both give the same bits.

mod lower;
#[cfg_attr(
    not(all(feature = "machine-code", target_arch = "x86_64")),
    path = "machine/absent.rs"
)]
mod machine;
mod tiles;

use num_integer::Integer as _;

use super::LANES;
use super::batch::Batch;
use crate::ring::Rational;
use machine::MachineProgram;
use tiles::{Operation, Slots};

/// 2^53: the doubles of all whole numbers below are exact.
const LIMIT: f64 = (1u64 << 53) as f64;

/// Values of inputs, and their inverses, are not larger.
const SIZE_LIMIT: f64 = 1e60;

/// Numerators of inputs are found by rounding, which is sure up to here.
const INPUT_LIMIT: f64 = (1u64 << 50) as f64;

/// Range of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputRange {
    /// If set, each value times this is a whole number.
    denominator: Option<f64>,
    /// Least of these whole numbers, or of the values themselves; the next field is the greatest.
    least: f64,
    greatest: f64,
    /// Lower bound of the absolute value of nonzero values.
    grain: f64,
    /// True if the input is one number everywhere.
    constant: bool,
}

impl InputRange {
    /// The range of a number; `None` if it is too large or too small.
    pub fn of_number(value: &Rational) -> Option<InputRange> {
        let near = value.to_f64();
        let sized = |x: f64| (x.abs() <= INPUT_LIMIT).then_some(x);
        let numerator = sized(Rational::from(value.numerator()).to_f64());
        let denominator = sized(Rational::from(value.denominator()).to_f64());
        match (numerator, denominator) {
            (Some(numerator), Some(denominator)) => Some(InputRange {
                denominator: Some(denominator),
                least: numerator,
                greatest: numerator,
                grain: 1.0 / denominator,
                constant: true,
            }),
            _ => InputRange::of_doubles(&[near]),
        }
    }

    /// The range of decimals with at most `decimals` digits after the point, given as doubles.
    ///
    /// Returns `None` if some are too large or too small, or not numbers.
    pub fn of_decimals(values: &[f64], decimals: u32) -> Option<InputRange> {
        let all = InputRange::of_doubles(values)?;
        let few = (decimals <= 15).then(|| 10f64.powi(decimals as i32));
        let few = few.and_then(|denominator| {
            let ends = [all.least, all.greatest].map(|x| (x * denominator).round());
            let is_sized = ends.iter().all(|end| end.abs() <= INPUT_LIMIT);
            is_sized.then_some(InputRange {
                denominator: Some(denominator),
                least: ends[0],
                greatest: ends[1],
                grain: 1.0 / denominator,
                constant: false,
            })
        });
        Some(few.unwrap_or(all))
    }

    /// The range of doubles with any digits.
    fn of_doubles(values: &[f64]) -> Option<InputRange> {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut grain, mut sum) = (f64::INFINITY, 0.0);
        for &value in values {
            least = if value < least { value } else { least };
            greatest = if value > greatest { value } else { greatest };
            let size = value.abs();
            let size = if size == 0.0 { f64::INFINITY } else { size };
            grain = if size < grain { size } else { grain };
            // Comparisons skip NaN.
            sum += value;
        }
        let is_sized = grain >= 1.0 / SIZE_LIMIT && least.abs().max(greatest.abs()) <= SIZE_LIMIT;
        (is_sized && sum.is_finite()).then_some(InputRange {
            denominator: None,
            least,
            greatest,
            // The exact number is within half a unit in the last place of its double.
            grain: (grain / 2.0).min(1.0),
            constant: false,
        })
    }

    /// The values, from the least to the greatest.
    fn values(&self) -> [f64; 2] {
        let denominator = self.denominator.unwrap_or(1.0);
        [self.least / denominator, self.greatest / denominator]
    }

    /// True if all that the other one tells of holds of this one.
    fn contains(&self, other: &InputRange) -> bool {
        if self.constant {
            return self == other;
        }
        match (self.denominator, other.denominator) {
            (Some(own), Some(denominator)) => {
                let scale = own / denominator;
                let (least, greatest) = (other.least * scale, other.greatest * scale);
                scale.fract() == 0.0 && self.least <= least && greatest <= self.greatest
            }
            (Some(_), None) => false,
            (None, _) => {
                let [least, greatest] = other.values();
                self.grain <= other.grain && self.least <= least && greatest <= self.greatest
            }
        }
    }

    /// Properties that hold for both ranges.
    fn joined(&self, other: &InputRange) -> InputRange {
        if self == other {
            return *self;
        }
        if let Some(joined) = self.joined_fractions(other) {
            return joined;
        }
        let [[least, greatest], [others_least, others_greatest]] = [self.values(), other.values()];
        InputRange {
            denominator: None,
            least: least.min(others_least),
            greatest: greatest.max(others_greatest),
            grain: self.grain.min(other.grain),
            constant: false,
        }
    }

    /// Like `joined`, with the least common denominator; `None` if numerators over it are too large to be found by
    /// rounding.
    fn joined_fractions(&self, other: &InputRange) -> Option<InputRange> {
        let (own, denominator) = (self.denominator?, other.denominator?);
        // Both are whole numbers up to `INPUT_LIMIT`.
        let divisor = (own as u64).gcd(&(denominator as u64)) as f64;
        let common = own / divisor * denominator;
        let ends = [(self, own), (other, denominator)].map(|(range, denominator)| {
            [range.least, range.greatest].map(|end| end * (common / denominator))
        });
        let is_sized = |end: &f64| end.abs() <= INPUT_LIMIT;
        (is_sized(&common) && ends.as_flattened().iter().all(is_sized)).then(|| InputRange {
            denominator: Some(common),
            least: ends[0][0].min(ends[1][0]),
            greatest: ends[0][1].max(ends[1][1]),
            grain: self.grain.min(other.grain),
            constant: false,
        })
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
        let limit = if self.denominator.is_some() {
            INPUT_LIMIT
        } else {
            SIZE_LIMIT
        };
        let sized = least.abs() <= limit && greatest.abs() <= limit;
        // Logarithms round.
        if !self.constant && sized && least <= self.least && self.greatest <= greatest {
            InputRange {
                least,
                greatest,
                grain: self.grain.log2().floor().exp2().min(self.grain),
                ..*self
            }
        } else {
            *self
        }
    }
}

/// The two doubles of the first result, its error bounds, and where all decisions are certain.
#[cfg(test)]
pub(in crate::eval) fn pairs(
    program: &super::Program,
    (batches, ranges): (&[Batch], &[Option<InputRange>]),
    length: usize,
) -> Option<[Vec<f64>; 4]> {
    let lowered = lower::lowered_pair(program, ranges)?;
    let mut results = [(); 4].map(|()| vec![0.0; length]);
    let mut slots = Slots::default();
    slots.reserve(lowered.slots);
    let mut views = results.each_mut().map(|column| &mut column[..]);
    lowered.run(batches, 0..length, &mut slots, &mut views);
    for (column, known) in results.iter_mut().zip(&lowered.known) {
        known.iter().for_each(|&value| column.fill(value));
    }
    Some(results)
}

/// The results of a program.
#[derive(Clone, Copy, Debug)]
pub struct Computed<'p> {
    /// Results that are equal for all inputs of the program's ranges; these are not written.
    pub known: &'p [Option<f64>],
    /// True if no value is unknown.
    pub is_certain: bool,
}

/// A program for inputs of known ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct VectorProgram {
    code: Vec<Operation>,
    slots: usize,
    /// Results that are equal for all inputs in the ranges; they are not computed.
    known: Vec<Option<f64>>,
    /// True if no value is unknown.
    is_certain: bool,
}

impl VectorProgram {
    fn computed(&self) -> Computed<'_> {
        Computed {
            known: &self.known,
            is_certain: self.is_certain,
        }
    }
}

/// Engine for these programs. All give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Machine code if possible, once a program has computed enough points to be worth the time of
    /// making it.
    #[default]
    Either,
    /// Loops over tiles of points, on every machine.
    Tiles,
    /// Machine code from the first point on, if possible.
    Machine,
}

impl Engine {
    /// Number of points after which machine code is generated.
    fn patience(self) -> usize {
        match self {
            Engine::Either => 16 * LANES,
            Engine::Tiles => usize::MAX,
            Engine::Machine => 0,
        }
    }
}

/// The program for the ranges of recent batches, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// Known ranges of the inputs.
    ranges: Vec<Option<InputRange>>,
    program: Option<VectorProgram>,
    slots: Slots,
    pub(super) engine: Engine,
    /// Number of points that the program has computed.
    points: usize,
    /// Its machine code, once requested.
    machine: Option<Option<MachineProgram>>,
    /// Number of batches to skip after a failure; doubles with each.
    pause: u32,
    failures: u32,
    #[cfg(test)]
    pub(super) lowerings: usize,
}

impl Lowered {
    #[cfg(test)]
    pub(super) fn has_program(&self) -> bool {
        self.program.is_some()
    }

    /// True if there is a program for these ranges; makes it if possible.
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

    /// Computes all results at the points of a batch.
    ///
    /// Returns those that are equal for all inputs of the ranges instead of writing them.
    pub(super) fn run(
        &mut self,
        batches: &[Batch],
        length: usize,
        results: &mut [&mut [f64]],
    ) -> Option<Computed<'_>> {
        let found = self.program.as_ref()?;
        if self.points >= self.engine.patience() {
            let machine = self
                .machine
                .get_or_insert_with(|| MachineProgram::new(found));
            let is_done = machine
                .as_mut()
                .is_some_and(|machine| machine.run(batches, length, results));
            if is_done {
                return Some(found.computed());
            }
        }
        self.points = self.points.saturating_add(length);
        self.slots.reserve(found.slots);
        for from in (0..length).step_by(LANES) {
            let range = from..length.min(from + LANES);
            found.run(batches, range, &mut self.slots, results);
        }
        Some(found.computed())
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
        // Earlier ranges are likely to recur; a wider range is not used if its numbers become too large.
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
        // The first of fractions alone, or else of pairs.
        let mut found: Option<(VectorProgram, Vec<Option<InputRange>>)> = None;
        for ranges in tried {
            let lowered = lower::lowered(program, &ranges);
            let is_first = found.is_none();
            if let Some(lowered) = lowered.filter(|new| new.is_certain || is_first) {
                let is_certain = lowered.is_certain;
                found = Some((lowered, ranges));
                if is_certain {
                    break;
                }
            }
        }
        if let Some((program, ranges)) = found {
            self.failures = 0;
            #[cfg(test)]
            {
                self.lowerings += 1;
            }
            (self.program, self.ranges) = (Some(program), ranges);
            return;
        }
        self.failures = (self.failures + 1).min(10);
        self.pause = 1 << self.failures;
    }
}
