//! Instructions over certified numbers as operations on whole numbers, where ranges show that all are exact.

use num_integer::Integer;
use rustc_hash::FxHashMap;

use super::super::program::{Binary, Instruction, Program, Unary};
use super::run::{Operand, Operation, Operator};
use super::{FractionProgram, InputRange, LIMIT};

/// Whole numbers from `least` to `greatest`, below the limit.
#[derive(Clone, Copy, Debug)]
struct Whole {
    operand: Operand,
    least: f64,
    greatest: f64,
}

/// A quotient of whole numbers, of which the second is above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    numerator: Whole,
    denominator: Whole,
}

const ZERO: Whole = number(0.0);
const ONE: Whole = number(1.0);

const fn number(value: f64) -> Whole {
    Whole {
        operand: Operand::Constant(value),
        least: value,
        greatest: value,
    }
}

impl Whole {
    fn constant(&self) -> Option<f64> {
        match self.operand {
            Operand::Constant(value) => Some(value),
            Operand::Column(_) => None,
        }
    }

    fn is(&self, value: f64) -> bool {
        self.constant() == Some(value)
    }
}

/// A column is written once; which of them may share a slot is found out at the end.
struct Lowering<'r> {
    ranges: &'r [Option<InputRange>],
    code: Vec<Operation>,
    columns: usize,
    known: FxHashMap<(Operator, [(bool, u64); 2]), usize>,
}

/// The program for inputs of these ranges; `None` where a number may be too large, or a step is not among the operations.
pub(super) fn lowered(program: &Program, ranges: &[Option<InputRange>]) -> Option<FractionProgram> {
    let mut lowering = Lowering {
        ranges,
        code: Vec::new(),
        columns: 0,
        known: FxHashMap::default(),
    };
    let mut values: Vec<Option<Fraction>> = Vec::with_capacity(program.code.len());
    for instruction in &program.code {
        let value = lowering.instruction(instruction, &values);
        values.push(value);
    }
    let mut known = Vec::with_capacity(program.results.len());
    for (result, &register) in program.results.iter().enumerate() {
        let value = values[register]?;
        let both = [value.numerator, value.denominator];
        let value = match both.map(|whole| whole.constant()) {
            // 0 for the negative zero.
            [Some(above), Some(below)] => Some(above / below + 0.0),
            _ => {
                let operands = both.map(|whole| whole.operand);
                lowering.code.push(Operation::Output { result, operands });
                None
            }
        };
        known.push(value);
    }
    Some(allocated(lowering.code, lowering.columns, known))
}

impl Lowering<'_> {
    fn instruction(
        &mut self,
        instruction: &Instruction,
        values: &[Option<Fraction>],
    ) -> Option<Fraction> {
        match *instruction {
            Instruction::Constant(value) => {
                let exact = value.low == 0.0 && value.error == 0.0 && value.high.fract() == 0.0;
                let numerator = number(value.high);
                (exact && value.high.abs() < LIMIT).then_some(Fraction {
                    numerator,
                    denominator: ONE,
                })
            }
            Instruction::Input(input) => self.input(input),
            Instruction::Unary(operator, a) => self.unary(operator, values[a]?),
            Instruction::Binary(operator, a, b) => self.binary(operator, values[a]?, values[b]?),
            Instruction::Select(condition, then, otherwise) => {
                self.select(values[condition]?, values[then]?, values[otherwise]?)
            }
        }
    }

    fn input(&mut self, input: usize) -> Option<Fraction> {
        let range = (*self.ranges.get(input)?)?;
        let denominator = number(range.denominator);
        if range.constant {
            let numerator = number(range.least);
            return Some(Fraction {
                numerator,
                denominator,
            });
        }
        let to = self.column();
        self.code.push(Operation::Input {
            input,
            denominator: range.denominator,
            to,
        });
        let numerator = Whole {
            operand: Operand::Column(to),
            least: range.least,
            greatest: range.greatest,
        };
        Some(Fraction {
            numerator,
            denominator,
        })
    }

    fn column(&mut self) -> usize {
        self.columns += 1;
        self.columns - 1
    }

    /// The result of an operation, if its range shows that it is exact.
    fn emit(&mut self, operator: Operator, a: Whole, b: Whole, range: [f64; 2]) -> Option<Whole> {
        let [least, greatest] = range;
        if !(least > -LIMIT && greatest < LIMIT) {
            return None;
        }
        if let (Some(a), Some(b)) = (a.constant(), b.constant()) {
            return Some(number(operator.of(a, b)));
        }
        let operands = [a.operand, b.operand];
        let key = operands.map(|operand| match operand {
            Operand::Constant(value) => (true, value.to_bits()),
            Operand::Column(column) => (false, column as u64),
        });
        let to = match self.known.get(&(operator, key)) {
            Some(&known) => known,
            None => {
                let to = self.column();
                self.known.insert((operator, key), to);
                self.code.push(Operation::Binary {
                    operator,
                    operands,
                    to,
                });
                to
            }
        };
        Some(Whole {
            operand: Operand::Column(to),
            least,
            greatest,
        })
    }

    fn add(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        match (a.is(0.0), b.is(0.0)) {
            (true, _) => Some(b),
            (_, true) => Some(a),
            _ => {
                let range = [a.least + b.least, a.greatest + b.greatest];
                self.emit(Operator::Add, a, b, range)
            }
        }
    }

    fn subtract(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        match b.is(0.0) {
            true => Some(a),
            false => {
                let range = [a.least - b.greatest, a.greatest - b.least];
                self.emit(Operator::Subtract, a, b, range)
            }
        }
    }

    fn multiply(&mut self, a: Whole, b: Whole) -> Option<Whole> {
        match (a.is(1.0), b.is(1.0)) {
            (true, _) => return Some(b),
            (_, true) => return Some(a),
            _ if a.is(0.0) || b.is(0.0) => return Some(ZERO),
            _ => {}
        }
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

    /// The floor of the quotient by what is above 0.
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

    fn floor(&mut self, a: Fraction) -> Option<Fraction> {
        self.quotient(a.numerator, a.denominator).map(whole)
    }

    fn negative(&mut self, a: Fraction) -> Option<Fraction> {
        Some(Fraction {
            numerator: self.subtract(ZERO, a.numerator)?,
            ..a
        })
    }

    fn unary(&mut self, operator: Unary, a: Fraction) -> Option<Fraction> {
        match operator {
            Unary::Negate => self.negative(a),
            Unary::Absolute => {
                let negative = self.negative(a)?;
                self.extreme(Operator::Larger, a, negative)
            }
            Unary::Floor => self.floor(a),
            Unary::Ceil => {
                let negative = self.negative(a)?;
                let floor = self.floor(negative)?;
                self.negative(floor)
            }
            Unary::Integer => {
                let floor = self.floor(a)?;
                self.compare(Operator::Equal, a, floor)
            }
        }
    }

    fn binary(&mut self, operator: Binary, a: Fraction, b: Fraction) -> Option<Fraction> {
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

    fn compare(&mut self, operator: Operator, a: Fraction, b: Fraction) -> Option<Fraction> {
        let (a, b, _) = self.common(a, b)?;
        // Whether the ranges tell that it holds, and that it does not.
        let (always, never) = match operator {
            Operator::Less => (a.greatest < b.least, a.least >= b.greatest),
            Operator::LessEqual => (a.greatest <= b.least, a.least > b.greatest),
            _ => (
                a.operand == b.operand,
                a.greatest < b.least || a.least > b.greatest,
            ),
        };
        match (always, never) {
            (true, _) => Some(whole(ONE)),
            (_, true) => Some(whole(ZERO)),
            _ => self.emit(operator, a, b, [0.0, 1.0]).map(whole),
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
        let multiple = match quotient.is(0.0) {
            true => ZERO,
            false => self.emit(Operator::Multiply, quotient, b, range)?,
        };
        let range = [0.0, b.greatest];
        Some(Fraction {
            numerator: self.emit(Operator::Subtract, a, multiple, range)?,
            denominator,
        })
    }

    fn select(
        &mut self,
        condition: Fraction,
        then: Fraction,
        otherwise: Fraction,
    ) -> Option<Fraction> {
        if let Some(value) = condition.numerator.constant() {
            return Some(if value != 0.0 { then } else { otherwise });
        }
        let (then, otherwise, denominator) = self.common(then, otherwise)?;
        let to = self.column();
        let operands = [condition.numerator, then, otherwise].map(|value| value.operand);
        self.code.push(Operation::Select { operands, to });
        let numerator = Whole {
            operand: Operand::Column(to),
            least: then.least.min(otherwise.least),
            greatest: then.greatest.max(otherwise.greatest),
        };
        Some(Fraction {
            numerator,
            denominator,
        })
    }
}

fn whole(numerator: Whole) -> Fraction {
    Fraction {
        numerator,
        denominator: ONE,
    }
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

/// Gives columns slots that are free again after their last use; what nobody uses is left out.
fn allocated(code: Vec<Operation>, columns: usize, known: Vec<Option<f64>>) -> FractionProgram {
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
    FractionProgram {
        code: kept,
        slots: count,
        known,
    }
}
