//! Lowers instructions over certified numbers to operations on columns of doubles, for inputs of
//! known ranges.
//!
//! A number is a fraction of whole numbers if ranges show that doubles compute them without
//! rounding. Otherwise it is a pair of doubles with an error.

mod builder;
mod fraction;
mod pair;

use super::tiles::{Operand, Operator, Part};
use super::{InputRange, LIMIT, VectorProgram};
use crate::eval::certified::CertifiedDouble;
use crate::eval::certified::program::{Binary, Instruction, Program, Unary};
use builder::{Builder, ONE};
use fraction::{Fraction, Fractions, Whole, number};
use pair::{ErrorBound, Pair, Pairs};

#[derive(Clone, Copy, Debug)]
enum Value {
    Fraction(Fraction),
    Pair(Pair),
}

struct Lowering<'r> {
    ranges: &'r [Option<InputRange>],
    builder: Builder,
    /// Columns that are nonzero where all decisions are certain.
    sure: Vec<Operand>,
}

/// The program for inputs in the given ranges.
///
/// Returns `None` if a number may be too large or too small, or if a step is not supported.
pub(super) fn lowered(program: &Program, ranges: &[Option<InputRange>]) -> Option<VectorProgram> {
    let (mut lowering, results) = Lowering::of(program, ranges)?;
    // If a decision is not certain, no result is.
    let sure = lowering.all_sure();
    let mut is_certain = sure.is_none();
    let mut known = Vec::with_capacity(results.len());
    for (result, value) in results.into_iter().enumerate() {
        let (operands, own) = match value {
            Value::Fraction(value) => ([value.numerator.operand, value.denominator.operand], None),
            Value::Pair(pair) => {
                let (nearest, own) = lowering.pairs().rounded(pair);
                ([nearest, ONE], own)
            }
        };
        let builder = &mut lowering.builder;
        let sure = match (sure, own) {
            (Some(all), Some(own)) => Some(builder.binary(Operator::Multiply, all, own)),
            (all, own) => all.or(own),
        };
        is_certain &= sure.is_none();
        let operands = match sure {
            None => operands,
            Some(sure) => {
                let [above, below] = operands;
                let unknown = Operand::Constant(f64::NAN);
                [builder.select([sure, above, unknown]), below]
            }
        };
        known.push(builder.output(result, operands));
    }
    Some(lowering.builder.finish(known, is_certain))
}

/// A program for the first result as a pair: its two doubles and its error bound.
#[cfg(test)]
pub(super) fn lowered_pair(
    program: &Program,
    ranges: &[Option<InputRange>],
) -> Option<VectorProgram> {
    let (mut lowering, results) = Lowering::of(program, ranges)?;
    let pair = lowering.pair(*results.first()?)?;
    let error = lowering.pairs().absolute(pair);
    let sure = lowering.all_sure().unwrap_or(ONE);
    let outputs = [pair.high, pair.low, error, sure].into_iter().enumerate();
    let known = outputs.map(|(result, column)| lowering.builder.output(result, [column, ONE]));
    let known = known.collect();
    Some(lowering.builder.finish(known, true))
}

impl<'r> Lowering<'r> {
    /// All instructions of a program and its results; `None` if an instruction cannot be lowered.
    fn of(
        program: &Program,
        ranges: &'r [Option<InputRange>],
    ) -> Option<(Lowering<'r>, Vec<Value>)> {
        let mut lowering = Lowering {
            ranges,
            builder: Builder::default(),
            sure: Vec::new(),
        };
        let mut values: Vec<Option<Value>> = Vec::with_capacity(program.code.len());
        for instruction in &program.code {
            let value = lowering.instruction(instruction, &values);
            values.push(value);
        }
        let results = program.results.iter().map(|&register| values[register]);
        let results = results.collect::<Option<_>>()?;
        Some((lowering, results))
    }

    /// A column that is not 0 where all decisions are sure; none where none has to be.
    fn all_sure(&mut self) -> Option<Operand> {
        let sure = std::mem::take(&mut self.sure).into_iter();
        sure.reduce(|all, one| self.builder.binary(Operator::Multiply, all, one))
    }

    fn fractions(&mut self) -> Fractions<'_> {
        Fractions(&mut self.builder)
    }

    fn pairs(&mut self) -> Pairs<'_> {
        Pairs {
            builder: &mut self.builder,
            sure: &mut self.sure,
        }
    }

    fn pair(&mut self, value: Value) -> Option<Pair> {
        match value {
            Value::Pair(pair) => Some(pair),
            Value::Fraction(fraction) => self.pairs().of_fraction(fraction),
        }
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        values: &[Option<Value>],
    ) -> Option<Value> {
        match *instruction {
            Instruction::Constant(value) => constant(value),
            Instruction::Input(input) => self.input(input),
            Instruction::Unary(operator, a) => self.unary(operator, values[a]?),
            Instruction::Binary(operator, a, b) => self.binary(operator, values[a]?, values[b]?),
            Instruction::Select(condition, then, otherwise) => {
                self.select(values[condition]?, values[then]?, values[otherwise]?)
            }
        }
    }

    fn input(&mut self, input: usize) -> Option<Value> {
        let range = (*self.ranges.get(input)?)?;
        let Some(denominator) = range.denominator else {
            let high = self.builder.input(input, Part::High, 1.0);
            let low = self.builder.input(input, Part::Low, 1.0);
            return Some(Value::Pair(Pair {
                high,
                low,
                least: range.least,
                greatest: range.greatest,
                grain: range.grain,
                spread: 1.0 / (1u64 << 53) as f64,
                error: ErrorBound::Relative(2.0 * CertifiedDouble::RELATIVE),
            }));
        };
        let numerator = if range.constant {
            number(range.least)
        } else {
            Whole {
                operand: self.builder.input(input, Part::High, denominator),
                least: range.least,
                greatest: range.greatest,
            }
        };
        Some(Value::Fraction(Fraction {
            numerator,
            denominator: number(denominator),
        }))
    }

    fn unary(&mut self, operator: Unary, a: Value) -> Option<Value> {
        match (operator, a) {
            (Unary::Negate, Value::Fraction(a)) => {
                self.fractions().negative(a).map(Value::Fraction)
            }
            (Unary::Negate, Value::Pair(a)) => Some(Value::Pair(self.pairs().negative(a))),
            (Unary::Absolute, Value::Fraction(own)) => {
                let negative = self.fractions().negative(own)?;
                self.binary(Binary::Larger, a, Value::Fraction(negative))
            }
            (Unary::Absolute, Value::Pair(a)) => self.pairs().absolute_value(a).map(Value::Pair),
            (Unary::Log | Unary::Exp | Unary::SquareRoot, _) => None,
            (Unary::Harmonic | Unary::Factorial, _) => None,
            (Unary::Floor, a) => self.floor(a),
            (Unary::Ceil, a) => {
                let negative = self.unary(Unary::Negate, a)?;
                let floor = self.floor(negative)?;
                self.unary(Unary::Negate, floor)
            }
            (Unary::Integer, a) => {
                let floor = self.floor(a)?;
                self.binary(Binary::Equal, a, floor)
            }
        }
    }

    fn floor(&mut self, a: Value) -> Option<Value> {
        let exact = match a {
            Value::Fraction(a) => self.fractions().floor(a),
            Value::Pair(_) => None,
        };
        let floor = match exact {
            Some(floor) => floor,
            None => {
                let pair = self.pair(a)?;
                self.pairs().floor(pair)?
            }
        };
        Some(Value::Fraction(floor))
    }

    fn binary(&mut self, operator: Binary, a: Value, b: Value) -> Option<Value> {
        if let (Value::Fraction(a), Value::Fraction(b)) = (a, b)
            && let Some(found) = self.fractions().binary(operator, a, b)
        {
            return Some(Value::Fraction(found));
        }
        let (a, b) = (self.pair(a)?, self.pair(b)?);
        self.pairs_binary(operator, a, b)
    }

    /// A comparison is a fraction, as are floors.
    fn pairs_binary(&mut self, operator: Binary, a: Pair, b: Pair) -> Option<Value> {
        let mut pairs = self.pairs();
        let found = match operator {
            Binary::Add => pairs.add(a, b)?,
            Binary::Subtract => {
                let negative = pairs.negative(b);
                pairs.add(a, negative)?
            }
            Binary::Multiply => pairs.multiply(a, b)?,
            Binary::Divide => pairs.divide(a, b)?,
            Binary::Quotient => {
                let quotient = pairs.divide(a, b)?;
                return pairs.floor(quotient).map(Value::Fraction);
            }
            Binary::Modulo if b.least <= 0.0 => return None,
            Binary::Modulo => {
                let quotient = pairs.divide(a, b)?;
                let floor = pairs.floor(quotient)?;
                let floor = pairs.of_fraction(floor)?;
                let multiple = pairs.multiply(b, floor)?;
                let negative = pairs.negative(multiple);
                pairs.add(a, negative)?
            }
            Binary::Larger => pairs.extreme(Operator::Larger, a, b)?,
            Binary::Smaller => pairs.extreme(Operator::Smaller, a, b)?,
            Binary::Less => return Some(Value::Fraction(pairs.compare(Operator::Less, a, b))),
            Binary::LessEqual => {
                return Some(Value::Fraction(pairs.compare(Operator::LessEqual, a, b)));
            }
            Binary::Equal => return Some(Value::Fraction(pairs.compare(Operator::Equal, a, b))),
            Binary::CommonDivisor | Binary::Power => return None,
            Binary::FloorLog | Binary::CeilLog | Binary::IsPower => return None,
        };
        Some(Value::Pair(found))
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Option<Value> {
        let Value::Fraction(condition) = condition else {
            return None;
        };
        let condition = condition.numerator;
        if let Some(value) = condition.constant() {
            return Some(if value != 0.0 { then } else { otherwise });
        }
        let condition = condition.operand;
        if let (Value::Fraction(then), Value::Fraction(otherwise)) = (then, otherwise)
            && let Some(found) = self.fractions().select(condition, then, otherwise)
        {
            return Some(Value::Fraction(found));
        }
        let (then, otherwise) = (self.pair(then)?, self.pair(otherwise)?);
        let found = self.pairs().select(condition, then, otherwise);
        found.map(Value::Pair)
    }
}

/// A number of the program.
fn constant(value: CertifiedDouble) -> Option<Value> {
    let size = value.high.abs();
    if value.low == 0.0 && value.error == 0.0 && value.high.fract() == 0.0 && size < LIMIT {
        return Some(Value::Fraction(fraction::whole(number(value.high))));
    }
    let is_known = value.error <= size * 2.0 * CertifiedDouble::RELATIVE;
    is_known.then(|| {
        // Its second double is within the next one of the first.
        let [least, greatest] = [value.high.next_down(), value.high.next_up()];
        Value::Pair(Pair {
            high: Operand::Constant(value.high),
            low: Operand::Constant(value.low),
            least,
            greatest,
            grain: size / 2.0,
            spread: 1.0 / (1u64 << 53) as f64,
            error: ErrorBound::Relative(2.0 * CertifiedDouble::RELATIVE),
        })
    })
}
