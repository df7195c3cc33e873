//! Builds operations on columns, each distinct operation once.

use rustc_hash::FxHashMap;

use crate::eval::certified::vectors::VectorProgram;
use crate::eval::certified::vectors::tiles::{Fusing, Operand, Operation, Operator, Part};

/// An operand as it is compared.
type Key = (bool, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ColumnKey {
    Input(usize, Part, u64),
    Binary(Operator, [Key; 2]),
    Fused(Fusing, [Key; 3]),
    Select([Key; 3]),
}

/// Each column is written once; sharing of slots is decided at the end.
#[derive(Default)]
pub(super) struct Builder {
    code: Vec<Operation>,
    columns: usize,
    known: FxHashMap<ColumnKey, usize>,
}

fn key(operand: Operand) -> Key {
    match operand {
        Operand::Constant(value) => (true, value.to_bits()),
        Operand::Column(column) => (false, column as u64),
    }
}

fn constant(operand: Operand) -> Option<f64> {
    match operand {
        Operand::Constant(value) => Some(value),
        Operand::Column(_) => None,
    }
}

pub(super) const ZERO: Operand = Operand::Constant(0.0);
pub(super) const ONE: Operand = Operand::Constant(1.0);

pub(super) fn is(operand: Operand, value: f64) -> bool {
    constant(operand) == Some(value)
}

impl Builder {
    fn emit(&mut self, known: ColumnKey, operation: impl FnOnce(usize) -> Operation) -> Operand {
        let new = self.columns;
        let column = *self.known.entry(known).or_insert(new);
        if column == new {
            self.columns += 1;
            self.code.push(operation(new));
        }
        Operand::Column(column)
    }

    /// The numerators of an input whose values are multiples of 1 / `denominator`; for 1, a part of
    /// its values.
    pub(super) fn input(&mut self, input: usize, part: Part, denominator: f64) -> Operand {
        let known = ColumnKey::Input(input, part, denominator.to_bits());
        self.emit(known, |to| Operation::Input {
            input,
            part,
            denominator,
            to,
        })
    }

    /// An operation on finite numbers.
    pub(super) fn binary(&mut self, operator: Operator, a: Operand, b: Operand) -> Operand {
        if let (Some(a), Some(b)) = (constant(a), constant(b)) {
            return Operand::Constant(operator.of(a, b));
        }
        match operator {
            Operator::Add if is(a, 0.0) => return b,
            Operator::Add | Operator::Subtract if is(b, 0.0) => return a,
            Operator::Multiply if is(a, 1.0) => return b,
            Operator::Multiply | Operator::Divide if is(b, 1.0) => return a,
            Operator::Multiply if is(a, 0.0) || is(b, 0.0) => return ZERO,
            Operator::Larger | Operator::Smaller if a == b => return a,
            _ => {}
        }
        let operands = [a, b];
        let known = ColumnKey::Binary(operator, operands.map(key));
        self.emit(known, |to| Operation::Binary {
            operator,
            operands,
            to,
        })
    }

    pub(super) fn fused(&mut self, fusing: Fusing, operands: [Operand; 3]) -> Operand {
        let [a, b, c] = operands;
        if is(a, 0.0) || is(b, 0.0) {
            return match fusing {
                Fusing::ProductMinus => self.binary(Operator::Subtract, ZERO, c),
                Fusing::ProductPlus | Fusing::MinusProduct => c,
            };
        }
        if let [Some(a), Some(b), Some(c)] = operands.map(constant) {
            return Operand::Constant(fusing.of(a, b, c));
        }
        let is_itself = is(a, 1.0) && b == c || is(b, 1.0) && a == c;
        if is_itself && fusing != Fusing::ProductPlus {
            return ZERO;
        }
        let known = ColumnKey::Fused(fusing, operands.map(key));
        self.emit(known, |to| Operation::Fused {
            fusing,
            operands,
            to,
        })
    }

    /// The second operand where the first is nonzero, else the third.
    pub(super) fn select(&mut self, operands: [Operand; 3]) -> Operand {
        let [condition, then, otherwise] = operands;
        if then == otherwise {
            return then;
        }
        match constant(condition) {
            Some(0.0) => otherwise,
            Some(_) => then,
            None => self.emit(ColumnKey::Select(operands.map(key)), |to| {
                Operation::Select { operands, to }
            }),
        }
    }

    /// A result, as quotient of two numbers; returns it if it is equal at all points.
    pub(super) fn output(&mut self, result: usize, operands: [Operand; 2]) -> Option<f64> {
        if let [Some(above), Some(below)] = operands.map(constant) {
            // 0 for the negative zero.
            return Some(above / below + 0.0);
        }
        self.code.push(Operation::Output { result, operands });
        None
    }

    /// Reuses slots after the last use of a column, and removes unused columns.
    pub(super) fn finish(self, known: Vec<Option<f64>>, is_certain: bool) -> VectorProgram {
        let Builder { code, columns, .. } = self;
        let mut last = vec![None; columns];
        let mut used = vec![true; code.len()];
        for (position, operation) in code.iter().enumerate().rev() {
            if let Some(to) = operation.target() {
                used[position] = last[to].is_some();
            }
            if used[position] {
                for column in operation.columns() {
                    last[column].get_or_insert(position);
                }
            }
        }
        let (mut free, mut slots, mut count) = (Vec::new(), vec![0; columns], 0);
        let mut kept = Vec::new();
        for (position, mut operation) in code.into_iter().enumerate() {
            if !used[position] {
                continue;
            }
            let target = operation.target();
            let ended: Vec<usize> = operation
                .columns()
                .filter(|&column| last[column] == Some(position))
                .map(|column| slots[column])
                .collect();
            if let Some(to) = target {
                slots[to] = free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                });
            }
            operation.rename(&slots);
            for slot in ended {
                if !free.contains(&slot) {
                    free.push(slot);
                }
            }
            kept.push(operation);
        }
        VectorProgram {
            code: kept,
            slots: count,
            known,
            is_certain,
        }
    }
}
