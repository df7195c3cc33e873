//! Runs a program over batches of points.

use super::batch::Batch;
use super::elementary;
use super::kernels::{self, nearest};
use super::powers;
use super::program::{Binary, Instruction, Program, Unary};
use super::vectors::{Computed, Engine, InputRange, Lowered};
use super::whole;
use super::{CertifiedDouble, LANES};
use crate::eval::lanes::Lanes;
use crate::ring::Rational;

/// Three columns, of which a constant uses the first place only.
#[derive(Clone, Debug)]
struct Register {
    high: Lanes<LANES>,
    low: Lanes<LANES>,
    error: Lanes<LANES>,
    /// True if the value is equal at all points.
    constant: bool,
    /// True for whole numbers that a double holds. The other two columns are then ignored, unless
    /// the register is constant.
    whole: bool,
}

/// Registers of a program; a thread reuses them from batch to batch.
#[derive(Clone, Debug)]
pub struct Scratch {
    registers: Vec<Register>,
    /// The register being computed, which differs from its operands.
    next: Register,
    /// Constants of recent batches.
    constants: Vec<(Rational, Constant)>,
    lowered: Lowered,
}

/// A number that is equal at all points.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The nearest sum of two doubles.
    pub near: CertifiedDouble,
    /// Its numerator and denominator, if they are small.
    pub range: Option<InputRange>,
}

/// The second column of whole numbers.
static ZEROS: [f64; LANES] = [0.0; LANES];

/// More constants are not kept.
const MOST_CONSTANTS: usize = 16;

impl Scratch {
    /// Prepares a constant once for all batches of a sweep.
    pub fn constant(&mut self, value: &Rational) -> Constant {
        if let Some((_, known)) = self.constants.iter().find(|(known, _)| known == value) {
            return *known;
        }
        if self.constants.len() == MOST_CONSTANTS {
            self.constants.clear();
        }
        let constant = Constant {
            near: CertifiedDouble::of(value),
            range: InputRange::of_number(value),
        };
        self.constants.push((value.clone(), constant));
        constant
    }

    /// Selects an engine.
    pub fn use_engine(&mut self, engine: Engine) {
        self.lowered.engine = engine;
    }

    /// True if there is a program for the ranges of the last batch.
    #[cfg(test)]
    pub(in crate::eval) fn has_program(&self) -> bool {
        self.lowered.has_program()
    }

    /// Number of programs made for ranges.
    #[cfg(test)]
    pub(in crate::eval) fn lowerings(&self) -> usize {
        self.lowered.lowerings
    }
}

impl Register {
    fn new() -> Register {
        Register {
            high: Lanes::new(),
            low: Lanes::new(),
            error: Lanes::new(),
            constant: false,
            whole: false,
        }
    }

    fn set(&mut self, value: CertifiedDouble) {
        (self.high[0], self.low[0], self.error[0]) = (value.high, value.low, value.error);
        self.constant = true;
        self.whole = whole::is_known(value);
    }

    /// A column that differs from point to point.
    fn varies(&mut self, whole: bool) {
        self.constant = false;
        self.whole = whole;
    }

    #[inline(always)]
    fn at(&self, lane: usize) -> CertifiedDouble {
        if self.whole {
            CertifiedDouble::from(self.high[lane])
        } else {
            CertifiedDouble {
                high: self.high[lane],
                low: self.low[lane],
                error: self.error[lane],
            }
        }
    }

    /// The columns after the first one.
    #[inline(always)]
    fn rest(&self, length: usize) -> (&[f64], &[f64]) {
        if self.whole {
            (&ZEROS[..length], &ZEROS[..length])
        } else {
            (&self.low[..length], &self.error[..length])
        }
    }

    /// Finds out whether all numbers are whole.
    #[inline(always)]
    fn settle(&mut self, length: usize) {
        if self.constant {
            return;
        }
        let (high, low) = (&self.high[..length], &self.low[..length]);
        let error = &self.error[..length];
        let mut unknown = 0;
        for k in 0..length {
            let (high, low, error) = (high[k], low[k], error[k]);
            unknown |= u64::from(!whole::is_known(CertifiedDouble { high, low, error }));
        }
        self.whole = unknown == 0;
    }
}

impl Program {
    pub fn scratch(&self) -> Scratch {
        Scratch {
            registers: (0..self.slot_count).map(|_| Register::new()).collect(),
            next: Register::new(),
            constants: Vec::new(),
            lowered: Lowered::default(),
        }
    }

    /// Like [`Program::evaluate`], for any number of points and for inputs of known ranges.
    ///
    /// Evaluates the program by code made for the ranges, if possible; then returns the properties of its results.
    pub fn evaluate_in<'s>(
        &self,
        (batches, ranges): (&[Batch], &[Option<InputRange>]),
        length: usize,
        scratch: &'s mut Scratch,
        results: &mut [&mut [f64]],
    ) -> Option<Computed<'s>> {
        if scratch.lowered.can_run(self, ranges) {
            return scratch.lowered.run(batches, length, results);
        }
        for from in (0..length).step_by(LANES) {
            let range = from..length.min(from + LANES);
            let parts: Vec<Batch> = batches.iter().map(|b| b.part(range.clone())).collect();
            let views = results.iter_mut().map(|own| &mut own[range.clone()]);
            let mut views: Vec<&mut [f64]> = views.collect();
            self.evaluate(&parts, range.len(), scratch, &mut views);
        }
        None
    }

    /// Computes all results at the points of a batch.
    ///
    /// `results` has a column for each result, each of `length` places, at most [`LANES`]. Unknown
    /// values are NaN.
    pub fn evaluate(
        &self,
        batches: &[Batch],
        length: usize,
        scratch: &mut Scratch,
        results: &mut [&mut [f64]],
    ) {
        let length = length.min(LANES);
        for (position, instruction) in self.code.iter().enumerate() {
            step(
                self,
                instruction,
                batches,
                length,
                &scratch.registers,
                &mut scratch.next,
            );
            let own = &mut scratch.registers[self.slots[position]];
            std::mem::swap(own, &mut scratch.next);
        }
        for (&register, out) in self.results.iter().zip(results) {
            let register = &scratch.registers[self.slots[register]];
            let length = length.min(out.len());
            if register.constant {
                out[..length].fill(nearest(register.at(0)))
            } else if register.whole {
                // Plus 0 makes the negative zero positive.

                let values = out[..length].iter_mut().zip(register.high.iter());
                values.for_each(|(out, value)| *out = value + 0.0);
            } else {
                round(register, &mut out[..length])
            }
        }
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn round(register: &Register, out: &mut [f64]) {
    let (low, error) = (register.low.iter(), register.error.iter());
    let all = register.high.iter().zip(low).zip(error);
    for (out, ((&high, &low), &error)) in out.iter_mut().zip(all) {
        *out = nearest(CertifiedDouble { high, low, error });
    }
}

/// One long function, because it is a table with an arm for each instruction, compiled for each kind of processor.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn step(
    program: &Program,
    instruction: &Instruction,
    batches: &[Batch],
    length: usize,
    registers: &[Register],
    out: &mut Register,
) {
    let register = |position: usize| &registers[program.slots[position]];
    match *instruction {
        Instruction::Constant(value) => out.set(value),
        Instruction::Input(input) => match batches.get(input) {
            Some(Batch::Constant(value)) => out.set(*value),
            Some(Batch::Exact(values)) => {
                let values = &values[..length];
                out.high[..length].copy_from_slice(values);
                let mut broken = 0;
                for value in values {
                    broken |= u64::from(!whole::is_whole(*value));
                }
                out.varies(broken == 0);
                if !out.whole {
                    out.low[..length].fill(0.0);
                    out.error[..length].fill(0.0);
                }
            }
            Some(Batch::Pairs { high, low, error }) => {
                out.varies(false);
                out.high[..length].copy_from_slice(&high[..length]);
                out.low[..length].copy_from_slice(&low[..length]);
                out.error[..length].copy_from_slice(&error[..length]);
            }
            None => out.set(CertifiedDouble::from(f64::NAN)),
        },
        Instruction::Unary(operator, a) => {
            let a = register(a);
            match operator {
                Unary::Negate => map(a, length, out, kernels::negate),
                Unary::Absolute => map(a, length, out, kernels::absolute),
                Unary::Floor | Unary::Ceil if a.whole => map(a, length, out, |value| value),
                Unary::Floor => map(a, length, out, kernels::floor),
                Unary::Ceil => map(a, length, out, kernels::ceil),
                Unary::Integer => map(a, length, out, kernels::integer),
                Unary::Log => map(a, length, out, elementary::log),
                Unary::Exp => map(a, length, out, elementary::exp),
                Unary::SquareRoot => map(a, length, out, elementary::square_root),
                Unary::Harmonic => map(a, length, out, elementary::harmonic),
                Unary::Factorial => map(a, length, out, elementary::factorial),
            }
            match operator {
                Unary::Negate | Unary::Absolute => out.whole |= a.whole,
                Unary::Log | Unary::Exp => {}
                _ => out.settle(length),
            }
        }
        Instruction::Binary(operator, a, b) => {
            let (a, b) = (register(a), register(b));
            let both = (a, b, length);
            let exactly = match operator {
                _ if !(a.whole && b.whole) => false,
                Binary::Add => zip_whole(both, out, whole::add),
                Binary::Subtract => zip_whole(both, out, whole::subtract),
                Binary::Multiply => zip_whole(both, out, whole::multiply),
                Binary::Divide => zip_whole(both, out, whole::divide),
                Binary::Quotient => zip_whole(both, out, whole::quotient),
                Binary::Larger => zip_whole(both, out, whole::larger),
                Binary::Smaller => zip_whole(both, out, whole::smaller),
                Binary::Modulo => zip_whole(both, out, whole::modulo),
                Binary::Less => zip_whole(both, out, whole::less),
                Binary::LessEqual => zip_whole(both, out, whole::less_equal),
                Binary::Equal => zip_whole(both, out, whole::equal),
                Binary::CommonDivisor | Binary::Power => false,
                Binary::FloorLog | Binary::CeilLog | Binary::IsPower => false,
            };
            if exactly {
                return;
            }
            match operator {
                Binary::Add => zip(both, out, kernels::add),
                Binary::Subtract => zip(both, out, kernels::subtract),
                Binary::Multiply => zip(both, out, kernels::multiply),
                Binary::Divide => zip(both, out, kernels::divide),
                Binary::Quotient => zip(both, out, |a, b| kernels::floor(kernels::divide(a, b))),
                Binary::Larger => zip(both, out, kernels::larger),
                Binary::Smaller => zip(both, out, kernels::smaller),
                Binary::Modulo => zip(both, out, kernels::modulo),
                Binary::CommonDivisor => zip(both, out, kernels::common_divisor),
                Binary::Power => zip(both, out, powers::power),
                Binary::FloorLog => zip(both, out, powers::floor_log),
                Binary::CeilLog => zip(both, out, powers::ceil_log),
                Binary::IsPower => zip(both, out, powers::is_power),
                Binary::Less => zip(both, out, kernels::less),
                Binary::LessEqual => zip(both, out, kernels::less_equal),
                Binary::Equal => zip(both, out, kernels::equal),
            }
            match operator {
                Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => {}
                Binary::Larger | Binary::Smaller => {}
                _ => out.settle(length),
            }
        }
        Instruction::Select(condition, then, otherwise) => {
            let (a, b, c) = (register(condition), register(then), register(otherwise));
            let constant = a.constant && b.constant && c.constant;
            let lane =
                |register: &Register, lane| register.at(lane * usize::from(!register.constant));
            for position in 0..if constant { 1 } else { length } {
                let [a, b, c] = [a, b, c].map(|register| lane(register, position));
                put(out, position, kernels::select(a, b, c));
            }
            out.varies(a.whole && b.whole && c.whole);
            out.constant = constant;
        }
    }
}

#[inline(always)]
fn put(out: &mut Register, lane: usize, value: CertifiedDouble) {
    (out.high[lane], out.low[lane], out.error[lane]) = (value.high, value.low, value.error);
}

#[inline(always)]
fn map(
    a: &Register,
    length: usize,
    out: &mut Register,
    operation: impl Fn(CertifiedDouble) -> CertifiedDouble,
) {
    if a.constant {
        return out.set(operation(a.at(0)));
    }
    out.varies(false);
    let (ah, (al, ae)) = (&a.high[..length], a.rest(length));
    let high = &mut out.high[..length];
    let (low, error) = (&mut out.low[..length], &mut out.error[..length]);
    for k in 0..length {
        let near = |high, low, error| CertifiedDouble { high, low, error };
        let value = operation(near(ah[k], al[k], ae[k]));
        (high[k], low[k], error[k]) = (value.high, value.low, value.error);
    }
}

#[inline(always)]
fn zip(
    (a, b, length): (&Register, &Register, usize),
    out: &mut Register,
    operation: impl Fn(CertifiedDouble, CertifiedDouble) -> CertifiedDouble,
) {
    if a.constant && b.constant {
        return out.set(operation(a.at(0), b.at(0)));
    }
    out.varies(false);
    let high = &mut out.high[..length];
    let (low, error) = (&mut out.low[..length], &mut out.error[..length]);
    let near = |high, low, error| CertifiedDouble { high, low, error };
    let (ah, (al, ae)) = (&a.high[..length], a.rest(length));
    let (bh, (bl, be)) = (&b.high[..length], b.rest(length));
    let (first, second) = (a.at(0), b.at(0));
    match (a.constant, b.constant) {
        (true, _) => {
            for k in 0..length {
                let value = operation(first, near(bh[k], bl[k], be[k]));
                (high[k], low[k], error[k]) = (value.high, value.low, value.error);
            }
        }
        (_, true) => {
            for k in 0..length {
                let value = operation(near(ah[k], al[k], ae[k]), second);
                (high[k], low[k], error[k]) = (value.high, value.low, value.error);
            }
        }
        _ => {
            for k in 0..length {
                let value = operation(near(ah[k], al[k], ae[k]), near(bh[k], bl[k], be[k]));
                (high[k], low[k], error[k]) = (value.high, value.low, value.error);
            }
        }
    }
}

/// Like `zip`, for whole numbers; returns true if all results are exact. Otherwise `out` is invalid.
#[inline(always)]
fn zip_whole(
    (a, b, length): (&Register, &Register, usize),
    out: &mut Register,
    operation: impl Fn(f64, f64) -> (f64, bool),
) -> bool {
    let (first, second) = (a.high[0], b.high[0]);
    if a.constant && b.constant {
        let (value, exact) = operation(first, second);
        out.set(CertifiedDouble::from(value));
        return exact;
    }
    // Loops over positions: what iterators call would not be compiled for the instructions chosen here.
    let mut broken = 0;
    let high = &mut out.high[..length];
    let (ah, bh) = (&a.high[..length], &b.high[..length]);
    match (a.constant, b.constant) {
        (true, _) => {
            for k in 0..length {
                let (value, exact) = operation(first, bh[k]);
                high[k] = value;
                broken |= u64::from(!exact);
            }
        }
        (_, true) => {
            for k in 0..length {
                let (value, exact) = operation(ah[k], second);
                high[k] = value;
                broken |= u64::from(!exact);
            }
        }
        _ => {
            for k in 0..length {
                let (value, exact) = operation(ah[k], bh[k]);
                high[k] = value;
                broken |= u64::from(!exact);
            }
        }
    }
    out.varies(true);
    broken == 0
}
