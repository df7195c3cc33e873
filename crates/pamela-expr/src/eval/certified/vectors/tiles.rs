//! Runs programs over tiles of points.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::VectorProgram;
use crate::eval::certified::batch::Batch;
use crate::eval::certified::{LANES, whole};
use crate::eval::lanes::Lanes;

/// A column, or one number for all points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    Constant(f64),
    Column(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Larger,
    Smaller,
    /// The floor of the quotient by a positive number.
    Quotient,
    Less,
    LessEqual,
    Equal,
}

/// A product and a sum, rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fusing {
    /// `a * b + c`
    ProductPlus,
    /// `a * b - c`
    ProductMinus,
    /// `c - a * b`
    MinusProduct,
}

/// One of the two doubles of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    High,
    Low,
}

/// An operation into a column or a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// A part of an input, multiplied by the denominator if that is not 1; the result is then
    /// whole.
    Input {
        input: usize,
        part: Part,
        denominator: f64,
        to: usize,
    },
    Binary {
        operator: Operator,
        operands: [Operand; 2],
        to: usize,
    },
    Fused {
        fusing: Fusing,
        operands: [Operand; 3],
        to: usize,
    },
    /// The second operand where the first is nonzero, else the third.
    Select { operands: [Operand; 3], to: usize },
    /// A result: the quotient of two numbers.
    Output {
        result: usize,
        operands: [Operand; 2],
    },
}

/// Columns of one thread.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    columns: Vec<Lanes<LANES>>,
    filled: Filled,
    /// The column being computed, which differs from its operands.
    next: Lanes<LANES>,
}

impl Default for Slots {
    fn default() -> Slots {
        Slots {
            columns: Vec::new(),
            filled: Filled::default(),
            next: Lanes::new(),
        }
    }
}

impl Slots {
    pub(super) fn reserve(&mut self, count: usize) {
        while self.columns.len() < count {
            self.columns.push(Lanes::new());
        }
    }
}

impl VectorProgram {
    /// Computes results at these points of a batch, at most [`LANES`].
    ///
    /// Inputs must have the ranges that the program was made for.
    pub(super) fn run(
        &self,
        batches: &[Batch],
        range: Range<usize>,
        slots: &mut Slots,
        results: &mut [&mut [f64]],
    ) {
        let length = range.len();
        for operation in &self.code {
            let Slots {
                columns,
                filled,
                next,
            } = &mut *slots;
            let to = match *operation {
                Operation::Input {
                    input,
                    part,
                    denominator,
                    to,
                } => {
                    let batch = batches[input].part(range.clone());
                    load(&batch, part, denominator, &mut next[..length]);
                    to
                }
                Operation::Fused {
                    fusing,
                    operands,
                    to,
                } => {
                    let [a, b, c] = filled.columns(operands, columns);
                    fuse(fusing, [a, b, c], &mut next[..length]);
                    to
                }
                Operation::Binary {
                    operator,
                    operands,
                    to,
                } => {
                    binary(operator, operands, columns, &mut next[..length]);
                    to
                }
                Operation::Select { operands, to } => {
                    let operands = filled.columns(operands, columns);
                    select(operands, &mut next[..length]);
                    to
                }
                Operation::Output { result, operands } => {
                    divide(operands, columns, &mut results[result][range.clone()]);
                    continue;
                }
            };
            std::mem::swap(&mut columns[to], next);
        }
    }
}

/// Columns of constants.
#[derive(Clone, Debug, Default)]
struct Filled(FxHashMap<u64, Lanes<LANES>>);

impl Filled {
    fn columns<'s, const COUNT: usize>(
        &'s mut self,
        operands: [Operand; COUNT],
        columns: &'s [Lanes<LANES>],
    ) -> [&'s [f64]; COUNT] {
        for operand in operands {
            if let Operand::Constant(value) = operand {
                let own = self.0.entry(value.to_bits());
                own.or_insert_with(|| {
                    let mut own = Lanes::new();
                    own.fill(value);
                    own
                });
            }
        }
        operands.map(|operand| match operand {
            Operand::Constant(value) => &self.0[&value.to_bits()][..],
            Operand::Column(column) => &columns[column][..],
        })
    }
}

/// Adding this to a number below 2^51 removes its fraction.
pub(super) const INTEGERS: f64 = 1.5 * (1u64 << 52) as f64;

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn load(batch: &Batch, part: Part, denominator: f64, out: &mut [f64]) {
    let values = match (batch, part) {
        (Batch::Constant(value), Part::High) if denominator == 1.0 => return out.fill(value.high),
        (Batch::Constant(value), Part::High) => {
            return out.fill((value.high * denominator).round());
        }
        (Batch::Constant(value), Part::Low) => return out.fill(value.low),
        (Batch::Exact(_), Part::Low) => return out.fill(0.0),
        (Batch::Exact(values), Part::High) => values,
        (Batch::Pairs { high, .. }, Part::High) => high,
        (Batch::Pairs { low, .. }, Part::Low) => low,
    };
    let values = &values[..out.len()];
    if denominator == 1.0 {
        return out.copy_from_slice(values);
    }
    for k in 0..out.len() {
        out[k] = (values[k] * denominator + INTEGERS) - INTEGERS;
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn fuse(fusing: Fusing, [a, b, c]: [&[f64]; 3], out: &mut [f64]) {
    let length = out.len();
    let (a, b, c) = (&a[..length], &b[..length], &c[..length]);
    match fusing {
        Fusing::ProductPlus => {
            for k in 0..length {
                out[k] = a[k].mul_add(b[k], c[k]);
            }
        }
        Fusing::ProductMinus => {
            for k in 0..length {
                out[k] = a[k].mul_add(b[k], -c[k]);
            }
        }
        Fusing::MinusProduct => {
            for k in 0..length {
                out[k] = (-a[k]).mul_add(b[k], c[k]);
            }
        }
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn binary(operator: Operator, operands: [Operand; 2], columns: &[Lanes<LANES>], out: &mut [f64]) {
    match operator {
        Operator::Add => zip(operands, columns, out, |a, b| a + b),
        Operator::Subtract => zip(operands, columns, out, |a, b| a - b),
        Operator::Multiply => zip(operands, columns, out, |a, b| a * b),
        Operator::Divide => zip(operands, columns, out, |a, b| a / b),
        Operator::Larger => zip(operands, columns, out, |a, b| if a > b { a } else { b }),
        Operator::Smaller => zip(operands, columns, out, |a, b| if a < b { a } else { b }),
        Operator::Quotient => zip(operands, columns, out, |a, b| whole::quotient(a, b).0),
        Operator::Less => zip(operands, columns, out, |a, b| truth(a < b)),
        Operator::LessEqual => zip(operands, columns, out, |a, b| truth(a <= b)),
        Operator::Equal => zip(operands, columns, out, |a, b| truth(a == b)),
    }
}

/// One division, and 0 for the negative zero.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn divide(operands: [Operand; 2], columns: &[Lanes<LANES>], out: &mut [f64]) {
    match operands[1] {
        Operand::Constant(1.0) => zip(operands, columns, out, |a, _| a + 0.0),
        _ => zip(operands, columns, out, |a, b| a / b + 0.0),
    }
}

#[inline(always)]
fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

// Loops over positions: what iterators call would not be compiled for the instructions chosen above.
#[inline(always)]
fn zip(
    operands: [Operand; 2],
    columns: &[Lanes<LANES>],
    out: &mut [f64],
    operation: impl Fn(f64, f64) -> f64,
) {
    let length = out.len();
    match operands {
        [Operand::Constant(a), Operand::Constant(b)] => out.fill(operation(a, b)),
        [Operand::Constant(a), Operand::Column(b)] => {
            let b = &columns[b][..length];
            for k in 0..length {
                out[k] = operation(a, b[k]);
            }
        }
        [Operand::Column(a), Operand::Constant(b)] => {
            let a = &columns[a][..length];
            for k in 0..length {
                out[k] = operation(a[k], b);
            }
        }
        [Operand::Column(a), Operand::Column(b)] => {
            let (a, b) = (&columns[a][..length], &columns[b][..length]);
            for k in 0..length {
                out[k] = operation(a[k], b[k]);
            }
        }
    }
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn select([condition, then, otherwise]: [&[f64]; 3], out: &mut [f64]) {
    let length = out.len();
    let (condition, then) = (&condition[..length], &then[..length]);
    let otherwise = &otherwise[..length];
    for k in 0..length {
        out[k] = if condition[k] != 0.0 {
            then[k]
        } else {
            otherwise[k]
        };
    }
}

impl Fusing {
    pub(super) fn of(self, a: f64, b: f64, c: f64) -> f64 {
        let mut out = [0.0];
        fuse(self, [&[a], &[b], &[c]], &mut out);
        out[0]
    }
}

impl Operator {
    /// The result for two numbers.
    pub(super) fn of(self, a: f64, b: f64) -> f64 {
        let mut out = [0.0];
        let operands = [Operand::Constant(a), Operand::Constant(b)];
        binary(self, operands, &[], &mut out);
        out[0]
    }
}

impl Operation {
    pub(super) fn operands(&self) -> &[Operand] {
        match self {
            Operation::Input { .. } => &[],
            Operation::Binary { operands, .. } | Operation::Output { operands, .. } => operands,
            Operation::Select { operands, .. } | Operation::Fused { operands, .. } => operands,
        }
    }

    /// Columns that it reads.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        self.operands().iter().filter_map(|operand| match operand {
            Operand::Column(column) => Some(*column),
            Operand::Constant(_) => None,
        })
    }

    /// Column that it writes.
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Operation::Input { to, .. } | Operation::Binary { to, .. } => Some(*to),
            Operation::Select { to, .. } | Operation::Fused { to, .. } => Some(*to),
            Operation::Output { .. } => None,
        }
    }

    /// Replaces columns by their slots.
    pub(super) fn rename(&mut self, slots: &[usize]) {
        let operands: &mut [Operand] = match self {
            Operation::Input { .. } => &mut [],
            Operation::Binary { operands, .. } | Operation::Output { operands, .. } => operands,
            Operation::Select { operands, .. } | Operation::Fused { operands, .. } => operands,
        };
        for operand in operands {
            if let Operand::Column(column) = operand {
                *column = slots[*column];
            }
        }
        match self {
            Operation::Input { to, .. } | Operation::Binary { to, .. } => *to = slots[*to],
            Operation::Select { to, .. } | Operation::Fused { to, .. } => *to = slots[*to],
            Operation::Output { .. } => {}
        }
    }
}
