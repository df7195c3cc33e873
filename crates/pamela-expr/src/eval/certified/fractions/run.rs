//! Whole numbers in columns of doubles.

use std::ops::Range;

use super::super::registers::Batch;
use super::super::{LANES, whole};
use super::FractionProgram;
use crate::eval::lanes::Lanes;

/// A column, or the same number at all points.
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
    Larger,
    Smaller,
    /// The floor of the quotient by what is above 0.
    Quotient,
    Less,
    LessEqual,
    Equal,
}

/// What is computed next, into a column or a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The values of an input times a number, which are whole.
    Input {
        input: usize,
        denominator: f64,
        to: usize,
    },
    Binary {
        operator: Operator,
        operands: [Operand; 2],
        to: usize,
    },
    /// The second where the first is not 0, else the third.
    Select { operands: [Operand; 3], to: usize },
    /// A result: the quotient of two numbers.
    Output {
        result: usize,
        operands: [Operand; 2],
    },
}

/// The columns of one thread.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    columns: Vec<Lanes<LANES>>,
    /// What is computed next, which is none of its operands.
    next: Lanes<LANES>,
}

impl Default for Slots {
    fn default() -> Slots {
        Slots {
            columns: Vec::new(),
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

impl FractionProgram {
    /// Computes results at these points of a batch, at most [`LANES`], whose inputs have the ranges that the program was made for.
    pub(super) fn run(
        &self,
        batches: &[Batch],
        range: Range<usize>,
        slots: &mut Slots,
        results: &mut [&mut [f64]],
    ) {
        let length = range.len();
        for operation in &self.code {
            let Slots { columns, next } = &mut *slots;
            let to = match *operation {
                Operation::Input {
                    input,
                    denominator,
                    to,
                } => {
                    let batch = batches[input].part(range.clone());
                    numerators(&batch, denominator, &mut next[..length]);
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
                    select(operands, columns, &mut next[..length]);
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

/// Adding it to a number below 2^51 leaves no bits for a fraction.
pub(super) const INTEGERS: f64 = 1.5 * (1u64 << 52) as f64;

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq+fma",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn numerators(batch: &Batch, denominator: f64, out: &mut [f64]) {
    let values = match batch {
        Batch::Constant(value) => return out.fill((value.high * denominator).round()),
        Batch::Exact(values) => values,
        Batch::Pairs { high, .. } => high,
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
fn binary(operator: Operator, operands: [Operand; 2], columns: &[Lanes<LANES>], out: &mut [f64]) {
    match operator {
        Operator::Add => zip(operands, columns, out, |a, b| a + b),
        Operator::Subtract => zip(operands, columns, out, |a, b| a - b),
        Operator::Multiply => zip(operands, columns, out, |a, b| a * b),
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

fn select(operands: [Operand; 3], columns: &[Lanes<LANES>], out: &mut [f64]) {
    let [condition, then, otherwise] = operands.map(|operand| {
        move |k: usize| match operand {
            Operand::Constant(value) => value,
            Operand::Column(column) => columns[column][k],
        }
    });
    for (k, out) in out.iter_mut().enumerate() {
        *out = if condition(k) != 0.0 {
            then(k)
        } else {
            otherwise(k)
        };
    }
}

impl Operator {
    /// The result on two numbers.
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
            Operation::Select { operands, .. } => operands,
        }
    }

    /// The columns that it reads.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        self.operands().iter().filter_map(|operand| match operand {
            Operand::Column(column) => Some(*column),
            Operand::Constant(_) => None,
        })
    }

    /// The column that it writes.
    pub(super) fn target(&self) -> Option<usize> {
        match self {
            Operation::Input { to, .. } | Operation::Binary { to, .. } => Some(*to),
            Operation::Select { to, .. } => Some(*to),
            Operation::Output { .. } => None,
        }
    }

    /// Replaces columns by their slots.
    pub(super) fn rename(&mut self, slots: &[usize]) {
        let operands: &mut [Operand] = match self {
            Operation::Input { .. } => &mut [],
            Operation::Binary { operands, .. } | Operation::Output { operands, .. } => operands,
            Operation::Select { operands, .. } => operands,
        };
        for operand in operands {
            if let Operand::Column(column) = operand {
                *column = slots[*column];
            }
        }
        match self {
            Operation::Input { to, .. } | Operation::Binary { to, .. } => *to = slots[*to],
            Operation::Select { to, .. } => *to = slots[*to],
            Operation::Output { .. } => {}
        }
    }
}
